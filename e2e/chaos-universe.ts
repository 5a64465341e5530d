import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { OperationView } from '@nova-platform/operations';
import { type Behaviour, openJournal, type Shape } from '@nova-platform/operations/testing';
import type { StoreLocation } from '@nova-platform/store';
import { startPostgres, type TestPostgres } from '@nova-platform/store/testing';
import { type Asked, complaintsOf, complaintsOfTrace, hasEffect, stepsOf, type Trace } from './chaos-universe-model.ts';
import { type Answer, Lost, Refused, Server } from './chaos-universe-server.ts';
import { type Random, randomFrom } from './mutate.ts';

/** An operation and the user's intention. */
interface Story extends Asked {
  /** Cancels this many milliseconds after the start, or at the first failure. */
  cancel?: number | 'when it fails' | undefined;
}

/** An operation takes a few seconds, no matter how often the server is killed. */
const longest = 45_000;

export interface ChaosReport {
  operations: number;
  kills: number;
  storeKills: number;
  /** The number of operations by final state. */
  ends: Record<string, number>;
}

/** Operations on one store, and a server that is killed while it runs them. */
export class Chaos {
  readonly #location: StoreLocation;
  readonly #world: string;
  readonly server: Server;
  readonly #asked = new Map<string, Asked>();
  /** Operations whose start the server acknowledged. */
  readonly #acknowledged = new Map<string, number>();
  readonly #ends = new Map<string, OperationView>();
  readonly #complaints: string[] = [];
  readonly report: ChaosReport = { operations: 0, kills: 0, storeKills: 0, ends: {} };

  constructor(location: StoreLocation, folder: string) {
    this.#location = location;
    this.#world = join(folder, 'world');
    this.server = new Server(location, this.#world);
  }

  trace(): Trace {
    // The last line may be incomplete.
    const lines = readFileSync(this.#world, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Trace[number]);
  }

  /** Drives an operation to its end, like a client that never gives up. */
  async live(story: Story): Promise<OperationView> {
    const { key } = story.input;
    this.#asked.set(key, story);
    this.report.operations += 1;
    const overdue = Date.now() + longest;
    const id = await this.#begin(story, overdue);
    const cancelAt = typeof story.cancel === 'number' ? Date.now() + story.cancel : undefined;
    let isCancelled = false;
    for (;;) {
      assertInTime(key, overdue);
      const waiting = cancelAt !== undefined && !isCancelled ? Math.max(0, cancelAt - Date.now()) : undefined;
      const ended = this.#ask({ ask: 'ended', id, key });
      const answer = await (waiting === undefined ? ended : Promise.race([ended, sleep(waiting, 'late' as const)]));
      const view = answer === 'late' || answer === undefined ? undefined : answer.view;
      if (answer === 'late') {
        isCancelled = (await this.#wish('cancel', id, key)) || isCancelled;
        continue;
      }
      // The server waits for its store, or the response was lost.
      if (!view || view.state === 'running') {
        await sleep(20);
        continue;
      }
      this.#assertKept(story, view, isCancelled);
      if (view.state !== 'failed') return this.#end(key, view);
      this.#complaints.push(...complaintsOf(story, view, hasEffect(this.trace())));
      const wants = story.cancel !== undefined && !view.isCancelling ? 'cancel' : 'resume';
      if (wants === 'resume') await this.#insist({ ask: 'fix', key, what: view.isCancelling ? 'undo' : 'run' });
      const isGranted = await this.#wish(wants, id, key);
      if (isGranted && wants === 'cancel') isCancelled = true;
      // Another operation has held the lock since: this one keeps its state.
      if (isGranted === undefined) return this.#end(key, view);
    }
  }

  /** Checks everything that must hold after the last operation. */
  async assertAll(): Promise<void> {
    await this.server.close();
    this.#complaints.push(...this.server.complaints);
    const journal = await openJournal(this.#location);
    const { db } = journal;
    const rows = await db.selectFrom('operations').selectAll().execute();
    const keys = new Map(rows.map(({ id, requested_by: key }) => [id, key]));
    const check = (isTrue: boolean, what: string) => {
      if (!isTrue) this.#complaints.push(what);
    };
    check(keys.size === new Set(keys.values()).size, 'an operation exists twice');
    check(rows.length === this.#asked.size, `${rows.length} of ${this.#asked.size} operations exist`);
    for (const [key, id] of this.#acknowledged) check(keys.get(id) === key, `operation ${id} of ${key} is lost`);
    for (const { id, state } of rows) check(state !== 'running', `operation ${id} is left running`);
    const locks = await db.selectFrom('locks').selectAll().execute();
    check(locks.length === 0, `locks are left: ${JSON.stringify(locks)}`);
    const orphans = await db.selectFrom('steps').select('operation').distinct().execute();
    check(
      orphans.every(({ operation }) => keys.has(operation)),
      'steps without an operation are left',
    );

    const kept = await journal.after(0, {}, 10_000_000);
    check(isDeepStrictEqual(kept, this.server.events), differenceOf(kept, this.server.events));
    for (const { id } of rows) {
      const own = kept.filter((event) => event.operation === id && event.kind === 'operation');
      const ends = own.filter(({ data }) => data.state === 'done' || data.state === 'cancelled');
      const { state } = rows.find((row) => row.id === id) ?? {};
      check(ends.length <= 1 && own.at(-1)?.data.state === state, `operation ${id} ends wrongly in its events`);
    }
    await db.destroy();

    const trace = this.trace();
    const has = hasEffect(trace);
    for (const [key, view] of this.#ends) {
      const asked = this.#asked.get(key);
      if (asked) this.#complaints.push(...complaintsOf(asked, view, has));
    }
    this.#complaints.push(...complaintsOfTrace(trace, this.#asked, keys));
    if (this.#complaints.length > 0) {
      const more = this.#complaints.length > 20 ? `\nand ${this.#complaints.length - 20} more` : '';
      throw new Error(`${this.#complaints.slice(0, 20).join('\n')}${more}`);
    }
  }

  async #begin({ shape, input }: Story, overdue: number): Promise<number> {
    for (;;) {
      assertInTime(input.key, overdue);
      // After a lost response, check whether the operation exists before retrying.
      const found = await this.#ask({ ask: 'find', key: input.key });
      const [id] = found?.ids ?? [];
      if (id !== undefined) return id;
      if (!found) continue;
      try {
        const answer = await this.server.ask({ ask: 'start', shape, input });
        const started = answer.view?.id ?? 0;
        this.#acknowledged.set(input.key, started);
        return started;
      } catch (error) {
        if (!(error instanceof Lost || (error instanceof Refused && error.codes[0] === 'NOVA8301'))) throw error;
        await sleep(20);
      }
    }
  }

  /** True if acknowledged; false if no longer applicable or lost; undefined if it will never be possible. */
  async #wish(ask: 'cancel' | 'resume', id: number, key: string): Promise<boolean | undefined> {
    try {
      await this.server.ask({ ask, id, key });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.codes[0] === 'NOVA8304') return undefined;
      const isExpected = error instanceof Lost || (error instanceof Refused && error.codes[0] !== 'NOVA8302');
      if (!isExpected) throw error;
      await sleep(20);
      return false;
    }
  }

  #assertKept({ input }: Asked, view: OperationView, isCancelled: boolean): void {
    if (isCancelled && !view.isCancelling) {
      this.#complaints.push(`${input.key}: the cancellation of operation ${view.id} is lost`);
    }
  }

  #end(key: string, view: OperationView): OperationView {
    this.#ends.set(key, view);
    this.report.ends[view.state] = (this.report.ends[view.state] ?? 0) + 1;
    return view;
  }

  /** Undefined if the response is lost. */
  async #ask(question: Parameters<Server['ask']>[0]): Promise<Answer | undefined> {
    try {
      return await this.server.ask(question);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      await sleep(20);
      return undefined;
    }
  }

  async #insist(question: Parameters<Server['ask']>[0]): Promise<void> {
    while (!(await this.#ask(question)));
  }
}

function assertInTime(key: string, overdue: number): void {
  if (Date.now() > overdue) throw new Error(`${key} does not end in time`);
}

function differenceOf(kept: readonly { id: number }[], heard: readonly { id: number }[]): string {
  const [one, other] = [new Set(kept.map(({ id }) => id)), new Set(heard.map(({ id }) => id))];
  const [missed, invented] = [one.difference(other), other.difference(one)];
  return `the follower missed events ${[...missed].slice(0, 10).join()} and received unknown events ${[...invented].slice(0, 10).join()}`;
}

/** Stories that cover every kind of boundary. */
const boundaryStories: Omit<Story & { behaviour: Record<string, Behaviour> }, 'input'>[] = [
  {
    shape: 'fork',
    behaviour: { left: { again: 1 }, 'nodes/a': { fails: 'at once' }, 'nodes/b': { milliseconds: 30 } },
  },
  { shape: 'line', behaviour: { three: { fails: 'after tries' }, two: { undoFails: true } }, cancel: 'when it fails' },
];

/** Kills the server at every boundary in turn: in each round one boundary later in the same story. */
export async function killAtEveryBoundary(
  location: StoreLocation,
  folder: string,
): Promise<ChaosReport & { killedAt: string[] }> {
  const chaos = new Chaos(location, folder);
  const keyOf = (shape: Shape, boundary: number) => `${shape}-${boundary}`;
  try {
    for (const { behaviour, ...story } of boundaryStories) {
      const { shape } = story;
      await chaos.server.startUntilReady({ key: keyOf(shape, 1), boundary: 1 });
      for (let boundary = 1, isKilled = true; isKilled; boundary += 1) {
        const key = keyOf(shape, boundary);
        const input = { key, lock: 'berlin', nodes: [{ name: 'a' }, { name: 'b' }], behaviour };
        const living = chaos.live({ ...story, input });
        isKilled = await Promise.race([living.then(() => false), chaos.server.ended().then(() => true)]);
        if (isKilled) {
          chaos.report.kills += 1;
          // Finish this operation, and arm the kill for the next one.
          await chaos.server.startUntilReady({ key: keyOf(shape, boundary + 1), boundary: boundary + 1 });
        }
        const { state } = await living;
        const expected = story.cancel === undefined ? 'done' : 'cancelled';
        if (state !== expected) throw new Error(`${key} is ${state}, not ${expected}`);
      }
      await chaos.server.kill();
    }
    await chaos.assertAll();
  } finally {
    await chaos.server.close();
  }
  const killedAt = chaos.trace().filter(([what]) => what === 'killed');
  return { ...chaos.report, killedAt: killedAt.map(([, key, what]) => `${key.split('-')[0]}: ${what}`) };
}

export interface RandomOptions {
  seed: number;
  /** New operations start until this time has passed. */
  milliseconds: number;
  /** Also killed occasionally. */
  postgres?: TestPostgres | undefined;
}

/** Kills the server at random times while several operations run. */
export async function killAtRandom(
  location: StoreLocation,
  folder: string,
  { seed, milliseconds, postgres }: RandomOptions,
): Promise<ChaosReport> {
  const random = randomFrom(seed);
  const chaos = new Chaos(location, folder);
  let until = 0;
  // Ensure a few kills even on a slow machine.
  const goesOn = () => Date.now() < until || chaos.report.kills < 3;
  let operations = 0;
  const livingOn = async () => {
    while (goesOn()) {
      operations += 1;
      await chaos.live(randomStory(`story-${operations}`, random));
    }
  };
  const killing = async () => {
    while (goesOn()) {
      await sleep(random(5) === 0 ? random(40) : 50 + random(500));
      if (postgres && random(4) === 0) {
        chaos.report.storeKills += 1;
        await postgres.kill();
        await sleep(random(700));
        if (random(3) === 0) await chaos.server.kill();
        await postgres.start();
      } else {
        chaos.report.kills += 1;
        await chaos.server.kill();
      }
      if (chaos.server.isAlive) continue;
      // Occasionally kill the server while it starts.
      if (random(4) === 0) {
        chaos.server.start();
        await sleep(random(150));
        await chaos.server.kill();
      }
      await chaos.server.startUntilReady();
    }
  };
  try {
    await chaos.server.startUntilReady();
    until = Date.now() + milliseconds;
    await Promise.all([killing(), ...Array.from({ length: 4 }, livingOn)]);
    await chaos.assertAll();
  } finally {
    await chaos.server.close();
  }
  return chaos.report;
}

function randomStory(key: string, random: Random): Story {
  const shapes: Shape[] = ['line', 'fork', 'wide'];
  const shape = shapes[random(shapes.length)] ?? 'line';
  const nodes = Array.from({ length: random(4) }, (_, index) => ({ name: `node-${index}` }));
  const lock = random(4) === 0 ? {} : { lock: `cluster-${random(3)}` };
  const input = { key, nodes, ...lock, behaviour: {} as Record<string, Behaviour> };
  for (const name of stepsOf({ shape, input })) {
    input.behaviour[name] = {
      milliseconds: random(3) === 0 ? random(60) : 0,
      again: random(5) === 0 ? 1 + random(2) : 0,
      ...(random(8) === 0 && { fails: random(2) === 0 ? 'at once' : 'after tries' }),
      undoFails: random(8) === 0,
    };
  }
  const cancels = [undefined, undefined, 'when it fails', random(150)] as const;
  return { shape, input, cancel: cancels[random(cancels.length)] };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  });
  const minutes = Number(values.minutes);
  const firstSeed = Number(values.seed);
  console.log(`${minutes} minutes, seed ${firstSeed} (--seed ${firstSeed} repeats the requests, not their times)`);
  const started = Date.now();
  const until = started + minutes * 60_000;
  const folder = await mkdtemp(join(tmpdir(), 'nova-chaos-'));
  const postgres = await startPostgres();
  const sum: ChaosReport = { operations: 0, kills: 0, storeKills: 0, ends: {} };
  try {
    for (let round = 0; round < 2 || Date.now() < until; round += 1) {
      const seed = firstSeed + round;
      const isSqlite = round % 2 === 0;
      const own = await mkdtemp(join(folder, 'round-'));
      const location: StoreLocation = isSqlite
        ? { kind: 'sqlite', file: join(own, 'universe.db') }
        : { kind: 'postgres', url: await postgres.newDatabase() };
      const milliseconds = Math.min(20_000, Math.max(5000, until - Date.now()));
      const options = { seed, milliseconds, postgres: isSqlite ? undefined : postgres };
      const report = await killAtRandom(location, own, options).catch((error: unknown) => {
        throw new Error(`seed ${seed} on ${location.kind}, see ${own}:\n${String(error)}`, { cause: error });
      });
      await rm(own, { recursive: true });
      sum.operations += report.operations;
      sum.kills += report.kills;
      sum.storeKills += report.storeKills;
      for (const [state, count] of Object.entries(report.ends)) sum.ends[state] = (sum.ends[state] ?? 0) + count;
      const seconds = Math.round((Date.now() - started) / 1000);
      console.log(`${seconds} s, ${location.kind}: ${JSON.stringify(report)}`);
    }
    await rm(folder, { recursive: true });
    console.log(`Nothing was lost, doubled or forgotten: ${JSON.stringify(sum)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    await postgres.stop();
  }
}

if (import.meta.main) await main();
