import { openSync, readFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '@nova-platform/api';
import type { StoreLocation } from '@nova-platform/store';
import type { Event } from '../journal.ts';
import { Operations } from '../operations.ts';
import type { OperationView } from '../views.ts';
import { type ChaosInput, chaosKinds, type Shape, type World } from './chaos-kinds.ts';
import { openJournal } from './store.ts';

/** The first line: the locations, and the point to continue from. */
export interface Begin {
  location: StoreLocation;
  /** The file with the effects of steps, one per line. */
  world: string;
  /** The last event that the test has received. */
  last: number;
  /** The server is killed when the operation of `key` reaches this boundary. */
  kill?: { key: string; boundary: number } | undefined;
}

/** All other lines are requests. */
export type Question =
  | { ask: 'start'; shape: Shape; input: ChaosInput }
  | { ask: 'cancel' | 'resume' | 'ended'; id: number; key: string }
  | { ask: 'find'; key: string }
  | { ask: 'fix'; key: string; what: 'run' | 'undo' };

/** The exit code when the store is unreachable at startup. */
export const storeIsUnreachable = 75;

/** One response per request, and everything that happens. */
export type Saying =
  | { ready: true }
  | { event: Event }
  | { errors: string }
  | { seq: number; view?: OperationView; ids?: number[] }
  | { seq: number; refused: string[] }
  | { seq: number; failed: string };

/** A server that only runs operations and may be killed at any moment. */
async function serve({ location, world: file, last, kill }: Begin, questions: AsyncIterable<string>): Promise<void> {
  const world = openWorld(file, kill);
  world.record('life', '', '');
  const journal = await orExit(openJournal(location));
  const newest = await orExit(
    journal.db
      .selectFrom('operations')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst(),
  );

  // Boundaries of earlier operations do not count.
  let others = Number(newest?.id ?? 0);
  let isStarted = false;
  // Like a client that reconnects: listen first, then read, so that no event is missed.
  let told = last;
  let isReplaying = true;
  const missed: Event[] = [];
  const emit = (event: Event) => {
    if (event.id <= told) return;
    told = event.id;
    say({ event });
  };
  journal.listen((event) => {
    const { kind, operation, step, data } = event;
    if (kind !== 'log') world.record('event', String(operation), `${step ?? ''} ${String(data.state)}`);
    if (isReplaying) missed.push(event);
    else emit(event);
    if (!isStarted) others = Math.max(others, operation ?? 0);
    // After the start of a step the disk looks as it does before its effect, which is a boundary already.
    else if (kill && kind !== 'log' && !(step && data.state === 'running') && Number(operation) > others) {
      world.boundary(kill.key, `after ${step ?? 'the operation'} is ${String(data.state)}`);
    }
  });

  const kinds = chaosKinds(world);
  const operations = new Operations(journal, Object.values(kinds), (error) => say({ errors: String(error) }));
  await orExit(operations.recover());
  say({ ready: true });
  for (let isMore = true; isMore; ) {
    try {
      const page = await journal.after(told, {}, 100);
      for (const event of page) emit(event);
      isMore = page.length === 100;
    } catch {
      // The store is unreachable; a client would retry.
      await sleep(50);
    }
  }
  for (const event of missed) emit(event);
  isReplaying = false;

  const answer = async (question: Question): Promise<{ view?: OperationView; ids?: number[] }> => {
    switch (question.ask) {
      case 'start': {
        const { shape, input } = question;
        if (input.key === kill?.key) isStarted = true;
        return { view: await operations.start(kinds[shape], input, input.key) };
      }
      case 'find': {
        const rows = journal.db.selectFrom('operations').select('id').where('requested_by', '=', question.key);
        return { ids: (await rows.execute()).map(({ id }) => id) };
      }
      case 'fix':
        world.record('fix', question.key, question.what);
        return {};
      case 'ended':
        return { view: await operations.ended(question.id) };
      default:
        world.record('wish', question.key, question.ask);
        return { view: await operations[question.ask](question.id) };
    }
  };
  for await (const line of questions) {
    const { seq, ...question } = JSON.parse(line) as Question & { seq: number };
    void answer(question).then(
      (given) => say({ seq, ...given }),
      (error: unknown) => {
        if (error instanceof ProblemError) say({ seq, refused: error.problems.map(({ code }) => code) });
        else say({ seq, failed: String(error) });
      },
    );
  }
  await operations.close();
  await journal.db.destroy();
}

/** The test restarts the worker when the store is back. */
async function orExit<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    console.error(error);
    process.exit(storeIsUnreachable);
  }
}

function say(saying: Saying): void {
  writeSync(1, `${JSON.stringify(saying)}\n`);
}

/** All effects of steps, in memory and in an append-only file. */
function openWorld(file: string, kill: Begin['kill']): World {
  const known = new Map<string, number>();
  const idOf = (what: string, key: string, step: string) => JSON.stringify([what, key, step]);
  const count = (what: string, key: string, step: string) => known.get(idOf(what, key, step)) ?? 0;
  const remember = (what: string, key: string, step: string) => {
    known.set(idOf(what, key, step), count(what, key, step) + 1);
  };
  const handle = openSync(file, 'a+');
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    remember(...(JSON.parse(line) as [string, string, string]));
  }
  let boundaries = 0;
  return {
    count,
    has: (key, step) => count('effect', key, step) > count('gone', key, step),
    isFixed: (key, what) => count('fix', key, what) > 0,
    record: (what, key, step) => {
      writeSync(handle, `${JSON.stringify([what, key, step])}\n`);
      remember(what, key, step);
    },
    boundary: (key, what) => {
      if (kill?.key !== key) return;
      boundaries += 1;
      if (boundaries < kill.boundary) return;
      writeSync(handle, `${JSON.stringify(['killed', key, what])}\n`);
      process.kill(process.pid, 'SIGKILL');
      // Run nothing more until the signal takes effect.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  };
}

if (import.meta.main) {
  // A killed process cannot write the cache at its exit.
  flushCompileCache();
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const first = await lines.next();
  // A spare process may end without any input.
  if (!first.done) await serve(JSON.parse(first.value) as Begin, { [Symbol.asyncIterator]: () => lines });
}
