import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, OperationView } from '@nova-platform/operations';
import {
  type Begin,
  chaosWorker,
  type Question,
  type Saying,
  storeIsUnreachable,
} from '@nova-platform/operations/testing';
import type { StoreLocation } from '@nova-platform/store';

/** No response will come: the server was killed, or lost its store. The request may or may not have taken effect. */
export class Lost extends Error {}

/** The server refused the request, with these codes. */
export class Refused extends Error {
  readonly codes: string[];

  constructor(codes: string[]) {
    super(codes.join(', '));
    this.codes = codes;
  }
}

export interface Answer {
  view?: OperationView;
  ids?: number[];
}

interface Life {
  child: ChildProcessWithoutNullStreams;
  isAlive: boolean;
  asked: Map<number, PromiseWithResolvers<Answer>>;
  ready: PromiseWithResolvers<void>;
  /** Resolves after all output has been read. */
  ended: Promise<void>;
}

/** A server that is killed and restarted, and a client that follows its events. */
export class Server {
  readonly #location: StoreLocation;
  readonly #world: string;
  #life: Life | undefined;
  #spare: ChildProcessWithoutNullStreams | undefined;
  #seq = 0;
  #isClosed = false;
  lives = 0;
  /** Events received by a follower that reconnects after each start. */
  readonly events: Event[] = [];
  /** Deviations that a crash does not explain. */
  readonly complaints: string[] = [];

  constructor(location: StoreLocation, world: string) {
    this.#location = location;
    this.#world = world;
  }

  get isAlive(): boolean {
    return this.#life?.isAlive === true;
  }

  /** Starts the server; `ready` resolves once it has taken over the running operations. */
  start(kill?: Begin['kill']): { ready: Promise<void> } {
    if (this.#isClosed || this.isAlive) throw new Error('there is one server on one store, until it is over');
    const child = this.#spare ?? this.#spawn();
    // Preload the next process, so that it only waits.
    this.#spare = this.#spawn();
    this.lives += 1;
    const ready = Promise.withResolvers<void>();
    // A kill before the server is ready is not a failure.
    ready.promise.catch(() => undefined);
    const life: Life = { child, isAlive: true, asked: new Map(), ready, ended: Promise.resolve() };
    life.ended = this.#listen(life);
    this.#life = life;
    const begin: Begin = {
      location: this.#location,
      world: this.#world,
      last: this.events.at(-1)?.id ?? 0,
      kill,
    };
    child.stdin.write(`${JSON.stringify(begin)}\n`);
    return { ready: ready.promise };
  }

  /** Restarts the server until it is ready, and its store too. */
  async startUntilReady(kill?: Begin['kill']): Promise<void> {
    for (;;) {
      const { ready } = this.start(kill);
      try {
        return await ready;
      } catch {
        await sleep(200);
      }
    }
  }

  async kill(): Promise<void> {
    const life = this.#life;
    life?.child.kill('SIGKILL');
    await life?.ended;
  }

  /** Resolves when the server has been killed. */
  async ended(): Promise<void> {
    await this.#life?.ended;
  }

  /** Stops for good: pending requests get no response. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#spare?.kill('SIGKILL');
    await this.kill();
  }

  async ask(question: Question): Promise<Answer> {
    if (this.#isClosed) throw new Error('the server is closed');
    const life = this.#life;
    if (!life?.isAlive) throw new Lost('the server does not run');
    this.#seq += 1;
    const answer = Promise.withResolvers<Answer>();
    life.asked.set(this.#seq, answer);
    life.child.stdin.write(`${JSON.stringify({ seq: this.#seq, ...question })}\n`);
    return answer.promise;
  }

  #spawn(): ChildProcessWithoutNullStreams {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(this.#world), 'compiled') };
    const child = spawn(process.execPath, [chaosWorker], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    // A killed process no longer reads its input.
    child.stdin.on('error', () => undefined);
    return child;
  }

  async #listen(life: Life): Promise<void> {
    let errors = '';
    life.child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const exited = once(life.child, 'exit') as Promise<[number | null, string | null]>;
    for await (const line of createInterface({ input: life.child.stdout })) this.#hear(life, line);
    const [code, signal] = await exited;
    life.isAlive = false;
    life.ready.reject(new Lost(errors));
    for (const answer of life.asked.values()) answer.reject(new Lost('it was killed'));
    if (signal !== 'SIGKILL' && code !== storeIsUnreachable) {
      this.complaints.push(`the server ended by itself (${code}): ${errors}`);
    }
  }

  #hear(life: Life, line: string): void {
    let saying: Saying;
    try {
      saying = JSON.parse(line) as Saying;
    } catch {
      // An incomplete last line of a killed process.
      return;
    }
    if ('ready' in saying) life.ready.resolve();
    else if ('event' in saying) {
      const last = this.events.at(-1)?.id ?? 0;
      if (saying.event.id <= last) this.complaints.push(`event ${saying.event.id} came after event ${last}`);
      this.events.push(saying.event);
    } else if ('seq' in saying) {
      const asked = life.asked.get(saying.seq);
      life.asked.delete(saying.seq);
      if ('refused' in saying) asked?.reject(new Refused(saying.refused));
      else if ('failed' in saying) asked?.reject(new Lost(saying.failed));
      else asked?.resolve(saying);
    }
  }
}
