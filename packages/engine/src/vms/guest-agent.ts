import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonLines } from './json-lines.ts';
import { connectTo } from './sockets.ts';

/** The agent of the guest refused a command. */
class AgentError extends Error {}

export interface CommandResult {
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
}

interface ExecStatus {
  exited: boolean;
  exitcode?: number;
  signal?: number;
  'out-data'?: string;
  'err-data'?: string;
}

const timeoutMilliseconds = 15_000;

/**
 * A session with the guest agent (qemu-guest-agent) of a VM. It fails while the guest boots. QEMU serves one client at a
 * time and lets the next one wait, so sessions must be short. What the agent answers is input from the guest.
 */
export class GuestAgent implements Disposable {
  readonly #socket: Socket;
  readonly #lines: AsyncGenerator<Record<string, unknown>>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#lines = jsonLines(socket);
  }

  static async connect(name: string, within: number = timeoutMilliseconds): Promise<GuestAgent> {
    const agent = new GuestAgent(await connectTo(name, 'agent'));
    try {
      await agent.#synchronize(within);
      return agent;
    } catch (error) {
      agent[Symbol.dispose]();
      throw error;
    }
  }

  async execute<Result = unknown>(
    command: string,
    args: Record<string, unknown> = {},
    within: number = timeoutMilliseconds,
  ): Promise<Result> {
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: args })}\n`);
    const { error, return: value } = await this.#next(within);
    if (error) throw new AgentError(`${command}: ${String((error as { desc?: unknown }).desc)}`);
    return value as Result;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  /** Leaves out answers to commands of an earlier session. */
  async #synchronize(within: number): Promise<void> {
    const id = randomInt(2 ** 32);
    // The byte makes the agent forget an incomplete command.
    this.#socket.write(Buffer.from([0xff]));
    this.#socket.write(`${JSON.stringify({ execute: 'guest-sync-delimited', arguments: { id } })}\n`);
    for (;;) if ((await this.#next(within)).return === id) return;
  }

  async #next(within: number): Promise<Record<string, unknown>> {
    const timer = setTimeout(() => this.#socket.destroy(new Error('the guest agent does not respond')), within);
    try {
      const { done, value } = await this.#lines.next();
      if (done) throw new Error('the connection to the guest agent was closed');
      return value;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Runs work in a session with the guest agent. */
export async function withAgent<Result>(name: string, work: (agent: GuestAgent) => Promise<Result>): Promise<Result> {
  using agent = await GuestAgent.connect(name);
  return await work(agent);
}

/** Starts a command in the guest, and returns its PID there. */
export async function startCommand(name: string, command: readonly string[], input?: Buffer): Promise<number> {
  const { pid } = await withAgent(name, (agent) =>
    agent.execute<{ pid: number }>('guest-exec', {
      path: '/bin/sh',
      // In the home folder of root, as commands in containers.
      arg: ['-c', 'cd /root; exec "$@"', 'exec', ...command],
      env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'TERM=dumb'],
      'capture-output': true,
      ...(input && input.length > 0 && { 'input-data': input.toString('base64') }),
    }),
  );
  return pid;
}

/** The result of a command; undefined while it runs. */
async function commandResult(name: string, pid: number): Promise<CommandResult | undefined> {
  const status = await withAgent(name, (agent) => agent.execute<ExecStatus>('guest-exec-status', { pid }));
  if (!status.exited) return undefined;
  const bytes = (text = '') => Buffer.from(text, 'base64');
  return {
    exitCode: status.exitcode ?? 128 + (status.signal ?? 127),
    stdout: bytes(status['out-data']),
    stderr: bytes(status['err-data']),
  };
}

const firstPause = 20;
const longestPause = 500;

/** The result of a command once it has ended. */
export async function waitForCommand(name: string, pid: number, signal: AbortSignal): Promise<CommandResult> {
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    const result = await commandResult(name, pid);
    if (result) return result;
    await sleep(pause, undefined, { signal });
  }
}

/** Runs a command in the guest to its end. */
export async function runCommand(
  name: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<CommandResult> {
  return waitForCommand(name, await startCommand(name, command), signal);
}
