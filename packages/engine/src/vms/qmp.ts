import type { Socket } from 'node:net';
import { jsonLines } from './json-lines.ts';
import { connectTo } from './sockets.ts';

/** Reasons are shown to users, and QEMU may be in the hands of its guest. */
const longestReason = 500;

/** QEMU's own answer to a command that it refuses. */
export class QmpError extends Error {
  /** For example `DeviceNotFound`. */
  readonly class: string;

  constructor(command: string, { class: kind, desc }: { class: string; desc: string }) {
    super(`${command}: ${String(desc).slice(0, longestReason)}`);
    this.class = kind;
  }
}

export interface QmpEvent {
  event: string;
  data: Record<string, unknown>;
}

const timeoutMilliseconds = 30_000;
/** Many times what a session gets from a QEMU that no guest has taken over. */
const maxEvents = 1000;

/**
 * A session with the monitor of a VM (QEMU Machine Protocol). QEMU serves one client at a time and lets the next one wait,
 * so sessions must be short.
 */
export class Qmp implements Disposable {
  readonly #socket: Socket;
  /** Commands without an answer yet, in the order in which QEMU answers. */
  readonly #waiting: { command: string; resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  readonly #events: QmpEvent[] = [];
  #onEvent: () => void = () => undefined;
  #closed: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async connect(name: string): Promise<Qmp> {
    return Qmp.over(await connectTo(name, 'qmp'));
  }

  static async over(socket: Socket): Promise<Qmp> {
    const qmp = new Qmp(socket);
    const greeted = qmp.#answer('greeting');
    void qmp.#read();
    try {
      await greeted;
      await qmp.execute('qmp_capabilities');
      return qmp;
    } catch (error) {
      qmp[Symbol.dispose]();
      throw error;
    }
  }

  async execute<Result = unknown>(command: string, args: Record<string, unknown> = {}): Promise<Result> {
    const answer = this.#answer(command);
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: args })}\n`);
    return (await answer) as Result;
  }

  /** The first event of this session that matches; it may have happened already. */
  async event(matches: (event: QmpEvent) => boolean, within: number = timeoutMilliseconds): Promise<QmpEvent> {
    const deadline = AbortSignal.timeout(within);
    for (;;) {
      const found = this.#events.find(matches);
      if (found) return found;
      if (this.#closed) throw this.#closed;
      if (deadline.aborted) throw new Error('QEMU did not report the event in time');
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve;
        deadline.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #answer(command: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(this.#closed);
        return;
      }
      const timer = setTimeout(
        () => this.#close(new Error(`QEMU did not answer ${command} in time`)),
        timeoutMilliseconds,
      );
      this.#waiting.push({
        command,
        resolve: (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
    });
  }

  async #read(): Promise<void> {
    try {
      for await (const line of jsonLines(this.#socket)) this.#take(line);
      this.#close(new Error('QEMU closed the connection'));
    } catch (error) {
      this.#close(error as Error);
    }
  }

  #take(line: Record<string, unknown>): void {
    if (typeof line.event === 'string') {
      if (this.#events.length >= maxEvents) throw new Error('QEMU reports too many events');
      this.#events.push({ event: line.event, data: (line.data ?? {}) as Record<string, unknown> });
      this.#onEvent();
      return;
    }
    const waiting = this.#waiting.shift();
    if (!waiting) return;
    if (line.error) waiting.reject(new QmpError(waiting.command, line.error as { class: string; desc: string }));
    else waiting.resolve(line.return);
  }

  #close(error: Error): void {
    this.#closed ??= error;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#onEvent();
  }
}

/** Runs work in a session with the monitor of a VM. */
export async function withQmp<Result>(name: string, work: (qmp: Qmp) => Promise<Result>): Promise<Result> {
  using qmp = await Qmp.connect(name);
  return await work(qmp);
}
