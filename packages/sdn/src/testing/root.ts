import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Daemon, ovnDaemons, prepareRoot } from '../daemons.ts';

const run = promisify(execFile);

/** Layers of the image with Open vSwitch and OVN, set by `npm run test:host`. */
const layers = process.env.NOVA_OVN_LAYERS;

/** A writable clone of the image in its own folder. */
export class Root {
  readonly path: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'root');
  }

  static async create(): Promise<Root> {
    if (!layers) throw new Error('Run these tests with `npm run test:host`.');
    const folder = await mkdtemp(join(tmpdir(), 'nova-sdn-'));
    const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(folder, name));
    for (const path of [root, upper, work]) await mkdir(path ?? '');
    const options = `lowerdir=${layers},upperdir=${upper},workdir=${work}`;
    await run('mount', ['-t', 'overlay', 'nova-sdn', '-o', options, root ?? '']);
    return new Root(folder);
  }

  async remove(): Promise<void> {
    await run('umount', [this.path]);
    await rm(this.#folder, { recursive: true });
  }
}

/** Restarts daemons that exit, like the engine. */
export class Supervisor {
  readonly #children = new Map<string, ChildProcess>();
  #stopping = false;

  static async start(root: string, isWanted: (name: string) => boolean = () => true): Promise<Supervisor> {
    await prepareRoot(root, { datapath: 'netdev' });
    const supervisor = new Supervisor();
    for (const daemon of ovnDaemons(root)) if (isWanted(daemon.name)) supervisor.#start(daemon);
    return supervisor;
  }

  get names(): string[] {
    return [...this.#children.keys()];
  }

  /** Sends SIGKILL; returns when the process has exited. */
  async kill(name: string): Promise<void> {
    const child = this.#children.get(name);
    const exited = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await exited;
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#children.get(name)?.kill(signal);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.names.map((name) => this.kill(name)));
  }

  #start(daemon: Daemon): void {
    const child = spawn(daemon.command, daemon.args, { stdio: ['ignore', 'ignore', 'pipe'] });
    if (process.env.NOVA_SDN_LOG) child.stderr.pipe(process.stderr);
    else child.stderr.resume();
    this.#children.set(daemon.name, child);
    child.once('exit', () => {
      if (!this.#stopping) this.#start(daemon);
    });
  }
}
