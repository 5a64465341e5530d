import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { Answer, Request } from './agent.ts';

const run = promisify(execFile);
const agent = new URL('./agent.ts', import.meta.url).pathname;

/** A network namespace with a process that serves and sends; without a namespace, the host itself. */
export class Machine {
  readonly name: string;
  readonly netns: string | undefined;
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #nextId = 1;

  private constructor(name: string, netns: string | undefined) {
    this.name = name;
    this.netns = netns;
    const command = [process.execPath, agent, name];
    const [program = '', ...args] = netns === undefined ? command : ['ip', 'netns', 'exec', netns, ...command];
    this.#pending.set(0, Promise.withResolvers());
    this.#process = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#process.on('message', ({ id, result, error }: Answer) => {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (error === undefined) pending?.resolve(result);
      else pending?.reject(new Error(error));
    });
  }

  static async start(name: string, netns?: string): Promise<Machine> {
    if (netns !== undefined) await run('ip', ['netns', 'add', netns]);
    const machine = new Machine(name, netns);
    await machine.#pending.get(0)?.promise;
    return machine;
  }

  async stop(): Promise<void> {
    const exited = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await exited;
    if (this.netns !== undefined) await run('ip', ['netns', 'delete', this.netns]);
  }

  async request(request: Omit<Request, 'id'>): Promise<unknown> {
    const id = this.#nextId++;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#process.send({ ...request, id });
    return await pending.promise;
  }

  /** The responder and the source address that it saw, for example `a1 10.11.0.12`; or an error message. */
  async tcp(address: string, options: Omit<Request, 'id' | 'do' | 'address'> = {}): Promise<string> {
    return await this.#outcome({ do: 'tcp', address, ...options });
  }

  async udp(address: string, options: Omit<Request, 'id' | 'do' | 'address'> = {}): Promise<string> {
    return await this.#outcome({ do: 'udp', address, ...options });
  }

  async ping(address: string): Promise<string> {
    try {
      await this.run('ping', '-n', '-q', '-c', '1', '-W', '1', address);
      return 'answered';
    } catch {
      return 'timed out';
    }
  }

  async run(...command: string[]): Promise<string> {
    const [program = '', ...args] =
      this.netns === undefined ? command : ['ip', 'netns', 'exec', this.netns, ...command];
    return (await run(program, args, { timeout: 30_000 })).stdout;
  }

  async #outcome(request: Omit<Request, 'id'>): Promise<string> {
    try {
      return String(await this.request(request));
    } catch (error) {
      return (error as Error).message;
    }
  }
}
