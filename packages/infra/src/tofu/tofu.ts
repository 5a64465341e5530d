import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ProblemError, problem } from '@nova-platform/api';
import { changesIn, messageOf, type ResourceChange } from './messages.ts';
import type { StateServer } from './state-server.ts';
import type { TofuStates } from './states.ts';

/** What should exist for a cluster. */
export interface Configuration {
  /** `*.tf.json` files by name. */
  files: Record<string, object>;
  /** Values of variables that are part of a plan: `*.tfvars.json`. */
  variables: Record<string, unknown>;
  /** Values of ephemeral variables: they are in no plan and in no state, and are given again to apply. */
  credentials: Record<string, string>;
}

export interface SavedPlan {
  changes: ResourceChange[];
  /** The plan as OpenTofu saved it. It holds secrets. */
  file: Buffer;
}

interface Work {
  cluster: string;
  configuration: Configuration;
  log?: (line: string) => void;
  signal?: AbortSignal;
}

/** Where OpenTofu is, and what it uses. */
export interface TofuFolders {
  /** The program `tofu`. */
  program: string;
  /** Providers by `HOST/NAMESPACE/TYPE/VERSION/SYSTEM`. They come from here only. */
  providers: string;
  /** Where runs have their work folders: they hold secrets while a run lasts. */
  folder: string;
}

interface Options extends TofuFolders {
  states: TofuStates;
  server: StateServer;
}

const configurationFile = 'tofu.rc';
const planFile = 'plan.bin';
/** Read by itself. A saved plan has its own values. */
const variablesFile = 'nova.auto.tfvars.json';
/** Milliseconds for a stopped run to complete what it is doing and to save its state. */
const patience = 60_000;
const longestReason = 2000;

/** Runs OpenTofu: one run of a cluster at a time, with nothing of this process in its environment. */
export class Tofu {
  readonly #options: Options;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Computes and saves what would change; changes nothing. */
  async plan(work: Work): Promise<SavedPlan> {
    return this.#inFolder(work, async (run, folder) => {
      await writeJson(join(folder, variablesFile), work.configuration.variables);
      await run(['plan', '-json', `-out=${planFile}`]);
      const [shown, file] = await Promise.all([run(['show', '-json', planFile]), readFile(join(folder, planFile))]);
      return { changes: changesIn(shown), file };
    });
  }

  /** Does exactly what a saved plan says. Refuses a plan that an earlier apply has made stale. */
  async apply(work: Work, plan: Buffer): Promise<void> {
    await this.#inFolder(work, async (run, folder) => {
      await writeFile(join(folder, planFile), plan, { mode: 0o600 });
      await run(['apply', '-json', planFile]);
    });
  }

  /** Makes an existing resource part of the state: one that a killed run created, but could not note. */
  async adopt(work: Work, resources: readonly { address: string; id: string }[]): Promise<void> {
    if (resources.length === 0) return;
    await this.#inFolder(work, async (run, folder) => {
      await writeJson(join(folder, variablesFile), work.configuration.variables);
      for (const { address, id } of resources) await run(['import', address, id]);
    });
  }

  async #inFolder<T>(
    work: Work,
    use: (run: (args: string[]) => Promise<string>, folder: string) => Promise<T>,
  ): Promise<T> {
    const { cluster } = work;
    const turn = (this.#turns.get(cluster) ?? Promise.resolve()).then(() => this.#prepared(work, use));
    const settled = turn.catch(() => undefined);
    this.#turns.set(cluster, settled);
    return turn.finally(() => {
      if (this.#turns.get(cluster) === settled) this.#turns.delete(cluster);
    });
  }

  async #prepared<T>(
    work: Work,
    use: (run: (args: string[]) => Promise<string>, folder: string) => Promise<T>,
  ): Promise<T> {
    const { cluster, configuration } = work;
    const { providers, states, server } = this.#options;
    const folder = join(this.#options.folder, cluster);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const files = {
        ...configuration.files,
        'backend.tf.json': { terraform: { backend: { http: {} } } },
      };
      for (const [name, content] of Object.entries(files)) await writeJson(join(folder, name), content);
      // Without `direct`, OpenTofu downloads nothing.
      const mirror = `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(providers)}\n  }\n}\n`;
      await writeFile(join(folder, configurationFile), mirror, { mode: 0o600 });
      // Runs take turns and die with this process: who holds the lock now no longer exists.
      await states.breakLock(cluster);
      using access = server.access(cluster);
      const run = (args: string[]) => this.#run(args, folder, work, access.environment);
      await run(['init', '-backend=true']);
      return await use(run, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #run(
    [command = '', ...args]: string[],
    folder: string,
    { configuration: { credentials }, log = () => undefined, signal }: Work,
    environment: Record<string, string>,
  ): Promise<string> {
    signal?.throwIfAborted();
    const hide = hiding(Object.values(credentials));
    const all = ['show', 'init'].includes(command) ? args : ['-lock-timeout=30s', ...args];
    const flags = command === 'show' ? [] : ['-input=false', '-no-color'];
    // It ends with this process, also if this process is killed.
    const child = spawn('setpriv', ['--pdeathsig=KILL', '--', this.#options.program, command, ...flags, ...all], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TMPDIR: folder,
        LC_ALL: 'C.UTF-8',
        TF_CLI_CONFIG_FILE: join(folder, configurationFile),
        TF_IN_AUTOMATION: '1',
        CHECKPOINT_DISABLE: '1',
        ...environment,
        ...Object.fromEntries(Object.entries(credentials).map(([name, value]) => [`TF_VAR_${name}`, value])),
      },
    });
    const stop = () => {
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), patience).unref();
    };
    signal?.addEventListener('abort', stop, { once: true });
    let stdout = '';
    const errors: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      stdout += `${line}\n`;
      const { progress, error } = messageOf(line);
      if (progress !== undefined) log(hide(progress));
      if (error !== undefined) errors.push(hide(error));
    });
    const stderr: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => stderr.push(hide(line)));
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      if (code === 0) return stdout;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    signal?.throwIfAborted();
    throw failureOf(command, errors.length > 0 ? errors : stderr.filter((line) => line.trim() !== ''));
  }
}

async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
}

function failureOf(command: string, errors: readonly string[]): ProblemError {
  const reason = errors.join(' ').trim().slice(0, longestReason) || command;
  if (reason.startsWith('Saved plan is stale')) return new ProblemError(problem('NOVA8561', {}));
  return new ProblemError(problem('NOVA8560', { command, reason }));
}

/** Replaces secrets, in case a provider repeats what it was given. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const wanted = secrets.filter((secret) => secret !== '').toSorted((one, other) => other.length - one.length);
  return (text) => wanted.reduce((hidden, secret) => hidden.replaceAll(secret, '******'), text);
}
