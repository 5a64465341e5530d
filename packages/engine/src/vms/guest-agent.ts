import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { jsonLines } from './json-lines.ts';
import { connectTo } from './sockets.ts';

/** The agent of the guest refused a command. */
class AgentError extends Error {}

export interface CommandResult {
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
}

const execStarted = z.object({ pid: z.int() });

const base64 = z
  .string()
  .default('')
  .transform((text) => Buffer.from(text, 'base64'));
const execStatus = z.object({
  exited: z.boolean(),
  exitcode: z.int().optional(),
  signal: z.int().optional(),
  'out-data': base64,
  'err-data': base64,
});

const timeoutMilliseconds = 15_000;
const longestReason = 500;

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

  static async connect(name: string, within?: number): Promise<GuestAgent> {
    return GuestAgent.over(await connectTo(name, 'agent'), within);
  }

  static async over(socket: Socket, within: number = timeoutMilliseconds): Promise<GuestAgent> {
    const agent = new GuestAgent(socket);
    try {
      await agent.#synchronize(within);
      return agent;
    } catch (error) {
      agent[Symbol.dispose]();
      throw error;
    }
  }

  async execute(
    command: string,
    args: Record<string, unknown> = {},
    within: number = timeoutMilliseconds,
  ): Promise<unknown> {
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: args })}\n`);
    const { error, return: value } = await this.#next(within);
    if (error)
      throw new AgentError(`${command}: ${String((error as { desc?: unknown }).desc).slice(0, longestReason)}`);
    return value;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  /** Leaves out answers to commands of an earlier session. */
  async #synchronize(within: number): Promise<void> {
    const id = randomInt(2 ** 32);
    const deadline = Date.now() + within;
    // The byte makes the agent forget an incomplete command.
    this.#socket.write(Buffer.from([0xff]));
    this.#socket.write(`${JSON.stringify({ execute: 'guest-sync-delimited', arguments: { id } })}\n`);
    // A hostile guest can send without end.
    while (Date.now() < deadline) if ((await this.#next(within)).return === id) return;
    throw silent();
  }

  async #next(within: number): Promise<Record<string, unknown>> {
    const timer = setTimeout(() => this.#socket.destroy(silent()), within);
    try {
      const { done, value } = await this.#lines.next();
      if (done) throw new Error('the connection to the guest agent was closed');
      return value;
    } finally {
      clearTimeout(timer);
    }
  }
}

const silent = () => new Error('the guest agent does not respond');

/** Runs work in a session with the guest agent. */
export async function withAgent<Result>(name: string, work: (agent: GuestAgent) => Promise<Result>): Promise<Result> {
  using agent = await GuestAgent.connect(name);
  return await work(agent);
}

/** Starts a command in the guest, and returns its PID there. */
export async function startCommand(name: string, command: readonly string[], input?: Buffer): Promise<number> {
  const started = await withAgent(name, (agent) =>
    agent.execute('guest-exec', {
      path: '/bin/sh',
      // In the home folder of root, as commands in containers.
      arg: ['-c', 'cd /root; exec "$@"', 'exec', ...command],
      env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'TERM=dumb'],
      'capture-output': true,
      ...(input && input.length > 0 && { 'input-data': input.toString('base64') }),
    }),
  );
  return execStarted.parse(started).pid;
}

/** What the agent reports about a command; undefined while it runs. */
export function commandResult(status: unknown): CommandResult | undefined {
  const { exited, exitcode, signal, 'out-data': stdout, 'err-data': stderr } = execStatus.parse(status);
  return exited ? { exitCode: exitcode ?? 128 + (signal ?? 127), stdout, stderr } : undefined;
}

const firstPause = 20;
const longestPause = 500;

/** The result of a command once it has ended. */
export async function waitForCommand(name: string, pid: number, signal: AbortSignal): Promise<CommandResult> {
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    const result = commandResult(await withAgent(name, (agent) => agent.execute('guest-exec-status', { pid })));
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
