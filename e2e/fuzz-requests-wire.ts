import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';

/** How to open a connection: with or without TLS, and with which certificate. */
export interface Via {
  port: number;
  context: SecureContext | undefined;
  isPlain: boolean;
}

export interface Exchange {
  parts: readonly Buffer[];
  isHead: boolean;
  /**
   * The expected outcome:
   * - answered: a response;
   * - settled: a response, or the server closes after a pause and our FIN;
   * - ended: the server closes after a pause and our FIN, with any number of responses;
   * - cut off: a response, or the server closes without our FIN;
   * - left: nothing, because we close at once.
   */
  until: 'answered' | 'settled' | 'ended' | 'cut off' | 'left';
}

export interface Outcome {
  statuses: number[];
  /** One per response; empty if it has none. */
  bodies: Buffer[];
  isClosed: boolean;
  milliseconds: number;
}

const pauseMilliseconds = 150;

export class Overdue extends Error {}

/** A raw connection: client libraries refuse to send malformed data. */
export class Wire {
  readonly #socket: Socket;
  readonly #opened: Promise<void>;
  #received: Buffer[] = [];
  #isClosed = false;
  #wake: () => void = () => {};

  constructor({ port, context, isPlain }: Via) {
    const options = { host: '127.0.0.1', port, noDelay: true };
    const opened = Promise.withResolvers<void>();
    this.#opened = opened.promise;
    this.#socket = isPlain
      ? connectTcp(options, opened.resolve)
      : connectTls(
          { ...options, rejectUnauthorized: false, ...(context && { secureContext: context }) },
          opened.resolve,
        );
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received.push(chunk);
      this.#wake();
    });
    // A refused connection is a valid outcome.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#isClosed = true;
      opened.resolve();
      this.#wake();
    });
  }

  get isUsable(): boolean {
    return !this.#isClosed && this.#socket.writable;
  }

  /** Does not wait for anything. */
  write(part: Buffer): void {
    this.#socket.write(part);
  }

  close(): void {
    this.#socket.destroy();
  }

  async exchange({ parts, isHead, until }: Exchange, limitMilliseconds: number): Promise<Outcome> {
    const started = performance.now();
    this.#received = [];
    const outcome = (): Outcome => ({
      ...readAnswers(Buffer.concat(this.#received), isHead),
      isClosed: this.#isClosed,
      milliseconds: performance.now() - started,
    });
    let isOver = false;
    const limit = setTimeout(() => {
      isOver = true;
      this.#wake();
    }, limitMilliseconds);
    let pause: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        this.#opened,
        new Promise<void>((resolve) => setTimeout(resolve, limitMilliseconds).unref()),
      ]);
      for (const part of parts) if (this.isUsable) this.#socket.write(part);
      if (until === 'left') {
        // Sent, but the response does not matter.
        await new Promise((resolve) => setTimeout(resolve, 2));
        const left = outcome();
        this.close();
        return left;
      }
      if (until === 'settled' || until === 'ended') pause = setTimeout(() => this.#socket.end(), pauseMilliseconds);
      for (;;) {
        if (this.#isClosed) return outcome();
        if (until !== 'ended' && this.#received.length > 0) {
          const now = readAnswers(Buffer.concat(this.#received), isHead);
          if (now.isWhole && now.statuses.length > 0) return outcome();
        }
        if (isOver) throw new Overdue(`${until}: nothing within ${limitMilliseconds} ms`);
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
          if (this.#isClosed || isOver) resolve();
        });
      }
    } finally {
      clearTimeout(limit);
      clearTimeout(pause);
    }
  }
}

/** The responses received so far; the last one may be incomplete. */
function readAnswers(bytes: Buffer, isHead: boolean): { statuses: number[]; bodies: Buffer[]; isWhole: boolean } {
  const statuses: number[] = [];
  const bodies: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return { statuses, bodies, isWhole: false };
    const head = bytes.toString('latin1', at, end);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) throw new Error(`not an answer: ${head.slice(0, 200)}`);
    at = end + 4;
    if (status === 100) continue;
    const chunks: Buffer[] = [];
    if (!isHead && status !== 204 && status !== 304) {
      const length = /^content-length: (\d+)$/im.exec(head)?.[1];
      if (length !== undefined) {
        chunks.push(bytes.subarray(at, at + Number(length)));
        at += Number(length);
      } else if (/^transfer-encoding: chunked$/im.test(head)) {
        for (;;) {
          const line = bytes.indexOf('\r\n', at);
          if (line < 0) return { statuses: [...statuses, status], bodies, isWhole: false };
          const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
          if (Number.isNaN(size)) {
            // A client that sends garbage during a response gets a 4xx in the middle of it, and the connection ends.
            const isRefused = bytes.toString('latin1', at).startsWith('HTTP/1.1 4');
            if (!isRefused) throw new Error(`not a chunk: ${bytes.toString('latin1', at, at + 200)}`);
            return { statuses: [...statuses, status], bodies, isWhole: false };
          }
          chunks.push(bytes.subarray(line + 2, line + 2 + size));
          at = line + 2 + size + 2;
          if (size === 0) break;
        }
      }
    }
    statuses.push(status);
    bodies.push(Buffer.concat(chunks));
    if (at > bytes.length) return { statuses, bodies, isWhole: false };
  }
  return { statuses, bodies, isWhole: true };
}
