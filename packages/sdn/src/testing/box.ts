import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Daemon, ovnDaemons, prepareRoot } from '../daemons.ts';

const run = promisify(execFile);

/** A Debian root file system with Open vSwitch and OVN. */
export const image = process.env.NOVA_OVN_ROOT ?? '/tmp/x4/ovn';

export const canRun = process.getuid?.() === 0 && (await access(join(image, 'usr/bin/ovn-northd')).then(yes, no));

function yes(): boolean {
  return true;
}

function no(): boolean {
  return false;
}

/** A writable clone of the image, in a folder of its own. */
export class Root {
  readonly path: string;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'root');
  }

  static async create(): Promise<Root> {
    const folder = await mkdtemp(join(tmpdir(), 'nova-sdn-'));
    const [root, upper, work] = ['root', 'upper', 'work'].map((name) => join(folder, name));
    for (const path of [root, upper, work]) await mkdir(path ?? '');
    const options = `lowerdir=${image},upperdir=${upper},workdir=${work}`;
    await run('mount', ['-t', 'overlay', 'nova-sdn', '-o', options, root ?? '']);
    return new Root(folder);
  }

  async remove(): Promise<void> {
    await run('umount', [this.path]);
    await rm(this.#folder, { recursive: true });
  }
}

/** Keeps the daemons running, as the engine does: whoever dies is started again. */
export class Supervisor {
  readonly #children = new Map<string, ChildProcess>();
  #stopping = false;

  static async start(root: string): Promise<Supervisor> {
    await prepareRoot(root, { datapath: 'netdev' });
    const supervisor = new Supervisor();
    for (const daemon of ovnDaemons(root)) supervisor.#start(daemon);
    return supervisor;
  }

  get names(): string[] {
    return [...this.#children.keys()];
  }

  /** `kill -9`; returns when it is dead. */
  async kill(name: string): Promise<void> {
    const child = this.#children.get(name);
    const exited = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await exited;
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
