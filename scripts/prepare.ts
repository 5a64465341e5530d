import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildImage, checkHost, downloadHostPackages, hasKvm, installMissing } from '@nova-platform/engine';
import { prepareBareSystems } from '../e2e/bare-hosts.ts';
import { type Area, type AreaName, areas, vmImages } from './areas.ts';

const say = (line: string) => console.log(line);

/** Installs host packages. Ends the process if this host cannot run machines. */
export async function prepareHost(): Promise<void> {
  if (!(await canRunMachines())) process.exit(withoutMachines.exitCode);
  await installMissing(say);
}

/** In CI, a host that cannot run machines is a failure. */
export const withoutMachines = { exitCode: process.env.CI === 'true' ? 1 : 0 };

/** Prints what this host lacks to run machines. */
export async function canRunMachines(): Promise<boolean> {
  const missing = (await checkHost()).filter(
    ({ isThere, packages, isOptional }) => !isThere && !packages && !isOptional,
  );
  if (missing.length === 0) return true;
  console.error('Left out: everything with machines and networks. This host lacks:');
  for (const { what, remedy } of missing) console.error(`  ${what.en}: ${remedy.en}`);
  return false;
}

/** Builds the artifacts of these areas: the sandbox has no network for downloads. */
export async function prepareAreas(names: readonly AreaName[]): Promise<void> {
  const components = needsOf(names, 'components');
  // The launcher also bundles the code in Universe's image.
  const args = components.length > 0 ? ['component', 'build', ...components] : ['version'];
  if ((await run('sh', ['nova-ctl', ...args])) !== 0) process.exit(1);
  // In parallel: a build mostly waits for downloads. Layers that they share are built once.
  const images = new Set([...needsOf(names, 'images'), ...((await hasKvm()) ? vmImages : [])]);
  await Promise.all([...images].map((image) => buildImage(image, say)));
  if (names.includes('existing')) await prepareHosts();
}

/** Existing hosts of tests, and what they install. */
async function prepareHosts(): Promise<void> {
  await downloadHostPackages({ isUpdate: false, onLine: say });
  await prepareBareSystems(say);
}

export function needsOf(names: readonly AreaName[], what: keyof Area): string[] {
  return [...new Set(names.flatMap((name): readonly string[] => areas[name][what]))];
}

interface RunOptions {
  env?: Record<string, string>;
  /** Without it, the output goes to the terminal. */
  onOutput?: (chunk: Buffer) => void;
}

/** Runs a command in a sandbox and returns its exit code. */
export async function inSandbox(command: readonly string[], options: RunOptions = {}): Promise<number> {
  const { layers } = await buildImage('network', say);
  const env = { ...options.env, NOVA_OVN_LAYERS: layers.join(':') };
  return run('sh', ['scripts/sandbox.sh', ...command], { ...options, env });
}

/** Runs a program and returns its exit code. */
export async function run(
  program: string,
  args: readonly string[],
  { env = {}, onOutput }: RunOptions = {},
): Promise<number> {
  const output = onOutput ? 'pipe' : 'inherit';
  const child = spawn(program, args, { stdio: ['inherit', output, output], env: { ...process.env, ...env } });
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

/** Programs that only tests use: ping, a third-party registry client, and clients of oVirt. */
export function installTestPrograms(): void {
  spawnSync('sh', ['e2e/ovirt/prepare.sh', join(homedir(), '.cache/nova/ovirt-clients')], { stdio: 'inherit' });
  for (const [program, name] of [
    ['ping', 'iputils-ping'],
    ['skopeo', 'skopeo'],
  ] as const) {
    if (!spawnSync(program, ['-V']).error) continue;
    const install = `apt-get -q update && apt-get -o DPkg::Lock::Timeout=300 -q -y install --no-install-recommends ${name}`;
    spawnSync('sh', ['-c', install], { stdio: 'inherit' });
  }
}

// Run `prepare.ts AREA…` before a single test: `sh scripts/sandbox.sh vitest run --project host FILE`.
if (import.meta.main) {
  await prepareHost();
  await prepareAreas(process.argv.slice(2) as AreaName[]);
}
