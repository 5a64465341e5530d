import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { cacheFolder, chooseComponents, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';
import { providerSource } from '@nova-platform/terraform-provider-ovirt';

/** The release's OpenTofu; undefined while it is not built. */
export async function findTofu(): Promise<string | undefined> {
  const [component] = chooseComponents(await readComponents(), ['opentofu']);
  const built = component && (await findBuilt(component, await findToolchain(cacheFolder(), () => undefined)));
  return built && join(built.folder, 'bin', 'tofu');
}

export async function builtTofu(): Promise<string> {
  const found = await findTofu();
  if (found === undefined) throw new Error('OpenTofu is not built: node scripts/prepare.ts providers');
  return found;
}

/** A filesystem mirror with the provider, made as the documentation says. */
export async function createMirror(): Promise<string> {
  const mirror = await mkdtemp(join(tmpdir(), 'nova-mirror-'));
  const script = join(import.meta.dirname, '../../scripts/provider-mirror.ts');
  await promisify(execFile)(process.execPath, [script, mirror]);
  return mirror;
}

interface Outcome {
  code: number | null;
  output: string;
}

/** A folder with a configuration. */
export interface Workspace {
  folder: string;
  write: (configuration: string) => Promise<void>;
  /** Runs OpenTofu. */
  run: (
    args: readonly string[],
    more?: Record<string, string>,
    onStart?: (child: ChildProcess) => void,
  ) => Promise<Outcome>;
  /** Runs OpenTofu and fails if it fails. */
  done: (...args: readonly string[]) => Promise<string>;
  /** The attributes in the state, by address. */
  state: () => Promise<Record<string, Record<string, unknown>>>;
  remove: () => Promise<void>;
}

export async function createWorkspace(tofu: string, mirror: string): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-tofu-'));
  const settings = join(folder, 'tofurc');
  await writeFile(
    settings,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n    include = ["${providerSource}"]\n  }\n}\n`,
  );
  await mkdir(join(folder, 'tmp'));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    TF_CLI_CONFIG_FILE: settings,
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const run: Workspace['run'] = async (args, more = {}, onStart = () => undefined) => {
    const child = spawn(tofu, args, { cwd: folder, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    onStart(child);
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, output: `${output}${errors}` };
  };
  const done: Workspace['done'] = async (...args) => {
    const { code, output } = await run(args);
    if (code !== 0) throw new Error(`tofu ${args.join(' ')} ended with ${code}: ${output}`);
    return output;
  };
  return {
    folder,
    write: (configuration) => writeFile(join(folder, 'main.tf'), configuration),
    run,
    done,
    state: async () => {
      const { resources = [] } = JSON.parse(await readFile(join(folder, 'terraform.tfstate'), 'utf8')) as {
        resources?: {
          mode: string;
          type: string;
          name: string;
          instances: { attributes: Record<string, unknown> }[];
        }[];
      };
      return Object.fromEntries(
        resources.map(({ type, name, instances: [first] }) => [`${type}.${name}`, first?.attributes ?? {}]),
      );
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
