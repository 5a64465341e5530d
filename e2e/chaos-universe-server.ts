import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, OperationView } from '@nova-platform/operations';
import { type Begin, chaosWorker, type Question, type Saying, storeIsAway } from '@nova-platform/operations/testing';
import type { StoreLocation } from '@nova-platform/store';

/** There will be no answer: the server was killed, or lost its store. What was asked is done or not. */
export class Lost extends Error {}

/** It said no, and why. */
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
  /** When everything that it said was heard. */
  ended: Promise<void>;
}

/** A server that is killed and started again, and somebody who follows what happens in it. */
export class Server {
  readonly #location: StoreLocation;
  readonly #world: string;
  #life: Life | undefined;
  #spare: ChildProcessWithoutNullStreams | undefined;
  #seq = 0;
  #isClosed = false;
  lives = 0;
  /** What a follower has heard, who comes again after each start. */
  readonly events: Event[] = [];
  /** What no crash explains. */
  readonly complaints: string[] = [];

  constructor(location: StoreLocation, world: string) {
    this.#location = location;
    this.#world = world;
  }

  get isAlive(): boolean {
    return this.#life?.isAlive === true;
  }

  /** Starts it; `ready` when it has taken up what was running. */
  start(kill?: Begin['kill']): { ready: Promise<void> } {
    if (this.#isClosed || this.isAlive) throw new Error('there is one server on one store, until it is over');
    const child = this.#spare ?? this.#spawn();
    // The next one is loaded meanwhile and waits.
    this.#spare = this.#spawn();
    this.lives += 1;
    const ready = Promise.withResolvers<void>();
    // One that is killed before it is ready is nobody's failure.
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

  /** Starts it again until it is there, and its store, too. */
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

  /** Until somebody or something has killed it. */
  async ended(): Promise<void> {
    await this.#life?.ended;
  }

  /** For good: whoever still asks gets no answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#spare?.kill('SIGKILL');
    await this.kill();
  }

  async ask(question: Question): Promise<Answer> {
    if (this.#isClosed) throw new Error('it is over');
    const life = this.#life;
    if (!life?.isAlive) throw new Lost('nobody is there');
    this.#seq += 1;
    const answer = Promise.withResolvers<Answer>();
    life.asked.set(this.#seq, answer);
    life.child.stdin.write(`${JSON.stringify({ seq: this.#seq, ...question })}\n`);
    return answer.promise;
  }

  #spawn(): ChildProcessWithoutNullStreams {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(this.#world), 'compiled') };
    const child = spawn(process.execPath, [chaosWorker], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    // Whoever is killed does not read any more.
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
    if (signal !== 'SIGKILL' && code !== storeIsAway) {
      this.complaints.push(`the server ended by itself (${code}): ${errors}`);
    }
  }

  #hear(life: Life, line: string): void {
    let saying: Saying;
    try {
      saying = JSON.parse(line) as Saying;
    } catch {
      // The last line of one that was killed.
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
