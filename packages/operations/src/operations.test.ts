import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem, RetryableError } from '@nova-platform/api';
import { describePostgres, eachStore } from '@nova-platform/store/testing';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { operation } from './definition.ts';
import type { Event, Journal } from './journal.ts';
import { Operations } from './operations.ts';
import { loseStore, openJournal } from './testing/store.ts';
import type { OperationView } from './views.ts';

const title = { en: 'any', ru: 'любой' };
const nodes = (...names: string[]) => names.map((name) => ({ name }));
const codeOf = (error: unknown) => (error instanceof ProblemError ? error.problems.map(({ code }) => code) : error);
const statesOf = ({ steps }: OperationView) => Object.fromEntries(steps.map(({ name, state }) => [name, state]));
const outOfLuck = () => Promise.reject(new ProblemError(problem('NOVA8341', { nodes: 'a' })));

function define(kind = 'test') {
  return operation({
    kind,
    title,
    input: z.object({ lock: z.string().optional(), nodes: z.array(z.object({ name: z.string() })) }),
    lock: ({ lock }) => lock,
  });
}

eachStore('operations', (locate) => {
  let journal: Journal;
  let operations: Operations;
  let errors: unknown[];
  /** The actions of the steps, in order. */
  let trace: string[];
  let lock: string;
  let locks = 0;

  beforeAll(async () => {
    journal = await openJournal(await locate());
  });
  afterAll(() => journal.db.destroy());
  beforeEach(() => {
    locks += 1;
    lock = `cluster-${locks}`;
    trace = [];
    errors = [];
  });
  afterEach(async () => {
    await operations.close();
    // The next test would continue operations that a test leaves unfinished.
    await journal.db.deleteFrom('locks').execute();
    await journal.db.updateTable('operations').set({ state: 'failed' }).where('state', '=', 'running').execute();
  });

  type Kinds = ConstructorParameters<typeof Operations>[1];
  /** As after a restart of the server. */
  const open = (...kinds: Kinds) => {
    operations = new Operations(journal, kinds, (error) => errors.push(error));
    return operations;
  };
  type Kind = Parameters<Operations['start']>[0];
  const start = (kind: unknown, ...names: string[]) =>
    operations.start(kind as Kind, { lock, nodes: nodes(...names) }, 'anna');
  const toEnd = async (kind: unknown, ...names: string[]) => operations.ended((await start(kind, ...names)).id);
  const refusal = (asked: Promise<unknown>) => asked.then(() => 'done', codeOf);
  const eventsOf = (id: number) => journal.after(0, { operation: id }, 10_000);
  const lockRows = () => journal.db.selectFrom('locks').selectAll().where('name', '=', lock).execute();
  /** A step that records its calls and then does `work`. */
  const tracing = (name: string, work: () => Promise<unknown> = async () => undefined) => ({
    title,
    run: async () => {
      trace.push(name);
      return work();
    },
    undo: async () => void trace.push(`undo ${name}`),
  });
  const heard = async (isWanted: (event: Event) => boolean) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = journal.listen((event) => isWanted(event) && resolve());
    await promise;
    stop();
  };
  const did = (what: string) => vi.waitUntil(() => trace.includes(what), { timeout: 20_000, interval: 2 });

  test('an operation shows its input, and the state and result of each step', async () => {
    const hold = Promise.withResolvers<{ answer: number }>();
    const kind = define().step('first', { title, run: () => hold.promise });
    open(kind);
    const started = await start(kind);
    expect(started).toMatchObject({ kind: 'test', lock, state: 'running', isCancelling: false, requestedBy: 'anna' });
    hold.resolve({ answer: 42 });
    const ended = await operations.ended(started.id);
    expect(ended).toMatchObject({
      state: 'done',
      steps: [{ name: 'first', title, state: 'done', attempts: 1, result: { answer: 42 } }],
    });
    const times = [ended.createdAt, ended.steps[0]?.startedAt, ended.steps[0]?.endedAt, ended.endedAt];
    expect(times).toEqual(times.map(String).toSorted());
    expect(await lockRows()).toEqual([]);
    expect((await eventsOf(ended.id)).map(({ kind: what, step, data }) => [what, step, data.state])).toEqual([
      ['operation', undefined, 'running'],
      ['step', 'first', 'running'],
      ['step', 'first', 'done'],
      ['operation', undefined, 'done'],
    ]);
    expect(await refusal(operations.show(1_000_000))).toEqual(['NOVA8302']);
  });

  test('an operation keeps the title that its input gave it', async () => {
    const titleOf = ({ name }: { name: string }) => ({ en: `Test ${name}`, ru: `Проверить ${name}` });
    const input = z.object({ name: z.string() });
    const kind = operation({ kind: 'titled', title, titleOf, input, lock: () => lock });
    open(kind);
    const { id } = await operations.start(kind, { name: 'shop' }, 'anna');
    const own = { en: 'Test shop', ru: 'Проверить shop' };
    expect((await operations.ended(id)).title).toEqual(own);
    expect((await open().show(id)).title).toEqual(own);
    // An operation of an older release.
    await journal.db.updateTable('operations').set({ title: null }).where('id', '=', id).execute();
    expect((await open(kind).show(id)).title).toEqual(title);
  });

  test('independent steps run in parallel, others wait for them', async () => {
    const together = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    const kind = define()
      .step('first', tracing('first'))
      .each('run', (input) => input.nodes, {
        title,
        after: ['first'],
        run: async ({ item }) => {
          trace.push(`run ${item.name}`);
          // Each waits for the other, so both end only if they run in parallel.
          together[item.name as 'a' | 'b'].resolve();
          await Promise.all([together.a.promise, together.b.promise]);
        },
      })
      .step('aside', { ...tracing('aside'), after: [] })
      .step('last', { ...tracing('last'), after: ['run', 'aside'] });
    open(kind);
    expect((await toEnd(kind, 'a', 'b')).state).toBe('done');
    expect(trace.indexOf('aside')).toBeLessThan(trace.indexOf('run a'));
    expect(trace.filter((each) => each !== 'aside')).toEqual(['first', 'run a', 'run b', 'last']);
  });

  test('empty groups are skipped, and an operation without steps is done', async () => {
    const kind = define()
      .each('none', (input) => input.nodes, tracing('none'))
      .step('last', {
        title,
        run: async ({ results }) => Object.keys(results.none),
      });
    const empty = define('test.empty').each('none', (input) => input.nodes, tracing('none'));
    open(kind, empty);
    expect(await toEnd(kind)).toMatchObject({ state: 'done', steps: [{ name: 'last', result: [] }] });
    expect(await toEnd(empty)).toMatchObject({ state: 'done', steps: [] });
    expect(trace).toEqual([]);
  });

  test('steps get the results of earlier steps and their item', async () => {
    const kind = define()
      .step('count', { title, run: async ({ input }) => input.nodes.length })
      .step('nothing', { title, run: async () => undefined })
      .each('double', (input) => input.nodes, {
        title,
        run: async ({ item, results }) => ({ of: item.name, count: results.count * 2 }),
      })
      .step('sum', {
        title,
        run: async ({ results }) => {
          const sum: number = Object.values(results.double).reduce((total, { count }) => total + count, 0);
          return { sum, a: results.double.a?.of, nothing: results.nothing ?? 'none' };
        },
      });
    open(kind);
    const { steps } = await toEnd(kind, 'a', 'b');
    expect(steps.at(-1)?.result).toEqual({ sum: 8, a: 'a', nothing: 'none' });
  });

  test('hundreds of independent steps do not slow each other down', async () => {
    const quick = { title, run: async () => 'done' };
    const kind = define()
      .each('one', (input) => input.nodes, quick)
      .each('two', (input) => input.nodes, quick)
      .step('last', quick);
    open(kind);
    const names = Array.from({ length: 200 }, (_, index) => `node-${index}`);
    const ended = await toEnd(kind, ...names);
    expect(ended.state).toBe('done');
    expect(ended.steps).toHaveLength(401);
  });

  test('the retry policy of an error sets the interval and the number of attempts', async () => {
    let left = 2;
    const times: number[] = [];
    const kind = define().step('flaky', {
      title,
      run: async () => {
        times.push(performance.now());
        left -= 1;
        if (left >= 0) throw new RetryableError(new Error(`not yet ${left}`), { everyMilliseconds: 50, attempts: 3 });
        return 'at last';
      },
    });
    open(kind);
    const ended = await toEnd(kind);
    expect(ended).toMatchObject({ state: 'done', steps: [{ state: 'done', attempts: 3, result: 'at last' }] });
    const [first = 0, second = 0, third = 0] = times;
    expect(Math.min(second - first, third - second)).toBeGreaterThan(45);
    const lines = (await eventsOf(ended.id)).filter((event) => event.kind === 'log');
    expect(lines.map(({ data, step }) => [step, data.line])).toEqual([
      ['flaky', 'not yet 1'],
      ['flaky', 'not yet 0'],
    ]);
  });

  test('an error whose entry has a retry policy is retried, others fail the step at once', async () => {
    let left = 1;
    const kind = define()
      .step('unreachable', {
        title,
        run: async () => {
          left -= 1;
          if (left >= 0) throw new ProblemError(problem('NOVA7030', {}));
        },
      })
      .step('broken', { title, run: outOfLuck });
    open(kind);
    expect(await toEnd(kind)).toMatchObject({
      state: 'failed',
      steps: [
        { name: 'unreachable', state: 'done', attempts: 2 },
        { name: 'broken', state: 'failed', attempts: 1, problems: [{ code: 'NOVA8341' }] },
      ],
    });
  });

  test('after the last attempt, an error without a code is reported as a peer that stayed unreachable', async () => {
    const kind = define().step('flaky', {
      title,
      run: async () => {
        throw new RetryableError(new Error('connection refused'), { everyMilliseconds: 1, attempts: 2 });
      },
    });
    open(kind);
    expect((await toEnd(kind)).failure?.problems).toEqual([
      problem('NOVA8305', { attempts: 2, reason: 'connection refused' }),
    ]);
  });

  test('after the last attempt, the operation fails with the cause', async () => {
    const cause = new ProblemError(problem('NOVA8341', { nodes: 'a' }));
    const kind = define().step('flaky', {
      title,
      run: async () => {
        throw new RetryableError(cause, { everyMilliseconds: 1, attempts: 3 });
      },
    });
    open(kind);
    const ended = await toEnd(kind);
    expect(ended).toMatchObject({
      state: 'failed',
      failure: { step: 'flaky', problems: cause.problems },
      steps: [{ state: 'failed', attempts: 3, problems: cause.problems }],
    });
  });

  test('after a failure running steps finish, no others start, and nothing is retried automatically', async () => {
    const isFailed = Promise.withResolvers<void>();
    const kind = define()
      .step('bad', { title, after: [], run: outOfLuck })
      .step('good', { ...tracing('good', () => isFailed.promise.then(() => sleep(20))), after: [] })
      .step('next', { ...tracing('next'), after: ['good'] });
    open(kind);
    const failing = heard(({ cluster, data }) => cluster === lock && data.state === 'failed');
    const { id } = await start(kind);
    await failing;
    isFailed.resolve();
    const ended = await operations.ended(id);
    expect(statesOf(ended)).toEqual({ bad: 'failed', good: 'done', next: 'waiting' });
    const { problems } = new ProblemError(problem('NOVA8341', { nodes: 'a' }));
    expect(ended).toMatchObject({ state: 'failed', failure: { step: 'bad', problems } });
    expect(ended.endedAt).toBeDefined();
    expect(await lockRows()).toEqual([]);

    await operations.close();
    await open(kind).recover();
    await sleep(20);
    expect(trace).toEqual(['good']);
    expect(await operations.show(id)).toEqual(ended);
    expect(errors).toEqual([]);
  });

  test('an operation that is not allowed does not start, resume or continue after a restart', async () => {
    let isAllowed = true;
    let isHeld = true;
    const allowed = operation({
      kind: 'guarded',
      title,
      input: z.object({ lock: z.string().optional(), nodes: z.array(z.object({ name: z.string() })) }),
      lock: ({ lock: name }) => name,
      assertAllowed: async ({ nodes: asked }) => {
        expect(asked).toEqual([]);
        if (!isAllowed)
          throw new ProblemError(problem('NOVA8373', { cluster: lock, who: 'ann', operation: 'x', since: 'y' }));
      },
    });
    const failing = allowed.step('one', { title, run: outOfLuck });
    open(failing);
    const { id: failed } = await toEnd(failing);
    isAllowed = false;
    expect(await refusal(start(failing))).toEqual(['NOVA8373']);
    expect(await refusal(operations.resume(failed))).toEqual(['NOVA8373']);
    expect(await operations.show(failed)).toMatchObject({
      state: 'failed',
      failure: { problems: [{ code: 'NOVA8341' }] },
    });
    expect((await operations.list({ lock, limit: 9 })).operations).toHaveLength(1);

    isAllowed = true;
    const kind = allowed
      .step('one', {
        title,
        run: async ({ signal }) => {
          trace.push('one');
          if (isHeld) await sleep(60_000, undefined, { signal });
        },
      })
      .step('two', tracing('two'));
    await operations.close();
    open(kind);
    const { id } = await start(kind);
    await did('one');
    await operations.close();
    isAllowed = false;
    await open(kind).recover();
    expect(await operations.ended(id)).toMatchObject({
      state: 'failed',
      failure: { step: 'one', problems: [{ code: 'NOVA8373' }] },
      steps: [{ state: 'failed' }, { state: 'waiting' }],
    });
    expect(await lockRows()).toEqual([]);

    isAllowed = true;
    isHeld = false;
    await operations.resume(id);
    expect((await operations.ended(id)).state).toBe('done');
    expect(errors).toEqual([]);
  });

  test('an error without a code is reported as a defect', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const kind = define()
      .step('thrown', { title, after: [], run: () => Promise.reject(new TypeError('x is not a function')) })
      .step('odd', { title, after: [], run: () => Promise.reject('a string') })
      .step('circular', { title, after: [], run: async () => circular });
    open(kind);
    const { steps } = await toEnd(kind);
    expect(steps.map(({ state, problems }) => [state, problems?.map(({ code }) => code)])).toEqual(
      Array(3).fill(['failed', ['NOVA9001']]),
    );
    expect(JSON.stringify(steps[0]?.problems)).toContain('x is not a function');
    expect(errors).toEqual([]);
  });

  test('a resumed operation runs only the steps that are not done', async () => {
    let isBroken = true;
    const kind = define()
      .step('first', tracing('first'))
      .each('run', (input) => input.nodes, {
        title,
        run: async ({ item }) => {
          trace.push(item.name);
          if (isBroken && item.name !== 'b') await outOfLuck();
        },
      })
      .step('last', tracing('last'));
    open(kind);
    const failed = await toEnd(kind, 'a', 'b', 'c');
    expect(failed.state).toBe('failed');
    expect(trace.toSorted()).toEqual(['a', 'b', 'c', 'first']);
    isBroken = false;
    trace = [];
    const resumed = await operations.resume(failed.id);
    expect(resumed).toMatchObject({ state: 'running' });
    expect(resumed.failure).toBeUndefined();
    const ended = await operations.ended(failed.id);
    expect(ended.state).toBe('done');
    expect(ended.failure).toBeUndefined();
    expect(trace).toEqual(['a', 'c', 'last']);
    expect(ended.steps.map(({ attempts, problems }) => [attempts, problems])).toEqual(
      [1, 2, 1, 2, 1].map((attempts) => [attempts, undefined]),
    );
    expect(await lockRows()).toEqual([]);
  });

  test('an operation that is resumed the moment it fails continues', async () => {
    let isBroken = true;
    const kind = define().step(
      'bad',
      tracing('bad', async () => (isBroken ? outOfLuck() : undefined)),
    );
    open(kind);
    const failing = heard(({ cluster, step, data }) => cluster === lock && step === 'bad' && data.state === 'failed');
    const { id } = await start(kind);
    await failing;
    // During this write, both the end of the operation and the resume wait. They form one commit.
    const slow = journal.write(() => sleep(50));
    await sleep(20);
    isBroken = false;
    await Promise.all([slow, operations.resume(id)]);
    expect(await operations.ended(id)).toMatchObject({ state: 'done', steps: [{ attempts: 2 }] });
    expect(trace).toEqual(['bad', 'bad']);
  });

  test('a step that failed just before a crash is not retried automatically', async () => {
    const kind = define()
      .step('bad', { title, after: [], run: outOfLuck })
      .step('good', { ...tracing('good'), after: [] })
      .step('next', { ...tracing('next'), after: ['good'] });
    open(kind);
    const { id } = await toEnd(kind);
    // The state on disk when the server is killed between the failure and the end of the other step.
    await journal.db.updateTable('operations').set({ state: 'running', failure: null }).where('id', '=', id).execute();
    const good = journal.db.updateTable('steps').set({ state: 'running', result: null });
    await good.where('operation', '=', id).where('name', '=', 'good').execute();
    const { attempts } = (await operations.show(id)).steps[0] ?? {};
    await open(kind).recover();
    const ended = await operations.ended(id);
    expect(statesOf(ended)).toEqual({ bad: 'failed', good: 'done', next: 'waiting' });
    expect(ended).toMatchObject({ state: 'failed', failure: { step: 'bad' }, steps: [{ attempts }, {}, {}] });
    expect(trace).toEqual(['good', 'good']);
  });

  test('only failed operations can be resumed, only running or failed ones cancelled', async () => {
    const hold = Promise.withResolvers<void>();
    const kind = define().step(
      'only',
      tracing('only', () => hold.promise),
    );
    open(kind);
    const { id } = await start(kind);
    expect(await refusal(operations.resume(id))).toEqual(['NOVA8303']);
    hold.resolve();
    await operations.ended(id);
    expect(await refusal(operations.resume(id))).toEqual(['NOVA8303']);
    expect(await refusal(operations.cancel(id))).toEqual(['NOVA8303']);
    expect(await refusal(operations.resume(1_000_000))).toEqual(['NOVA8302']);
    expect(await refusal(operations.cancel(1_000_000))).toEqual(['NOVA8302']);
  });

  test('a failed operation cannot be resumed after a newer one held its lock', async () => {
    const bad = define('test.bad').step('bad', { title, run: outOfLuck });
    const good = define('test.good').step('good', tracing('good'));
    open(bad, good);
    const first = await toEnd(bad);
    const second = await toEnd(good);
    const error: unknown = await operations.resume(first.id).catch((reason: unknown) => reason);
    expect(codeOf(error)).toEqual(['NOVA8304']);
    expect(String(error)).toContain(String(second.id));
    expect(await refusal(operations.cancel(first.id))).toEqual(['NOVA8304']);
    expect(await operations.show(first.id)).toEqual(first);
    expect(await lockRows()).toEqual([]);
  });

  test('a failed operation can be resumed after one that only repeats what was approved', async () => {
    let isBroken = true;
    const bad = define('test.bad').step('bad', { title, run: async () => (isBroken ? outOfLuck() : undefined) });
    const routine = operation({
      kind: 'test.routine',
      title,
      input: z.object({ lock: z.string(), nodes: z.array(z.object({ name: z.string() })) }),
      lock: (input) => input.lock,
      isRoutine: true,
    }).step('good', tracing('good'));
    open(bad, routine);
    const { id } = await toEnd(bad);
    const { id: later } = await toEnd(routine);
    const listed = async (withoutRoutine: boolean) =>
      (await operations.list({ lock, withoutRoutine, limit: 9 })).operations.map((each) => each.id);
    expect([await listed(false), await listed(true)]).toEqual([[later, id], [id]]);
    isBroken = false;
    await operations.resume(id);
    expect(await operations.ended(id)).toMatchObject({ state: 'done' });
  });

  test('a second operation with the same lock is refused and names the holder', async () => {
    const hold = Promise.withResolvers<void>();
    const kind = define().step(
      'only',
      tracing('only', () => hold.promise),
    );
    open(kind);
    const outcomes = await Promise.allSettled([start(kind), start(kind), start(kind)]);
    const [first, ...others] = outcomes;
    const { id } = (first as PromiseFulfilledResult<OperationView>).value;
    for (const other of others) {
      expect(codeOf((other as PromiseRejectedResult).reason)).toEqual(['NOVA8301']);
      expect(String((other as PromiseRejectedResult).reason)).toContain(`operation ${id}.`);
    }
    // Operations with another lock or none are not affected.
    const unlocked = await operations.start(kind as Kind, { nodes: [] }, 'anna');
    hold.resolve();
    expect((await operations.ended(unlocked.id)).lock).toBeUndefined();
    await operations.ended(id);
    expect((await toEnd(kind)).state).toBe('done');
    // Refused operations leave no rows.
    expect((await operations.list({ lock, limit: 10 })).operations).toHaveLength(2);
  });

  test('cancelling aborts running steps and undoes all begun steps, the last first', async () => {
    const kind = define()
      .step(
        'first',
        tracing('first', async () => 'one'),
      )
      .step('stays', { title, run: async () => 'kept' })
      .each('run', (input) => input.nodes, {
        title,
        run: async ({ item, signal }) => {
          trace.push(item.name);
          if (item.name === 'b') await sleep(60_000, undefined, { signal });
        },
        undo: async ({ item, results, log }) => {
          log(`away with ${item.name}`);
          trace.push(`undo ${item.name} with ${String(results.first)}`);
        },
      })
      .step('never', tracing('never'));
    open(kind);
    const { id } = await start(kind, 'a', 'b');
    await did('b');
    expect(await operations.cancel(id)).toMatchObject({ isCancelling: true });
    const ended = await operations.ended(id);
    expect(ended).toMatchObject({ state: 'cancelled', isCancelling: true, kept: ['stays'] });
    expect(ended.failure).toBeUndefined();
    expect(statesOf(ended)).toEqual({
      first: 'undone',
      stays: 'done',
      'run/a': 'undone',
      'run/b': 'undone',
      never: 'waiting',
    });
    expect(trace).toEqual(['first', 'a', 'b', 'undo b with one', 'undo a with one', 'undo first']);
    expect(await lockRows()).toEqual([]);
    const lines = (await eventsOf(id)).filter((event) => event.kind === 'log');
    expect(lines.map(({ data }) => data.line)).toEqual(['away with b', 'away with a']);
    expect(await refusal(operations.cancel(id))).toEqual(['NOVA8303']);
  });

  test('a step that ignores the abort signal is undone only after it ended', async () => {
    const hold = Promise.withResolvers<void>();
    const kind = define().step(
      'deaf',
      tracing('deaf', () => hold.promise.then(() => trace.push('ended'))),
    );
    open(kind);
    const { id } = await start(kind);
    await did('deaf');
    await operations.cancel(id);
    // A second cancellation changes nothing.
    await operations.cancel(id);
    await sleep(20);
    expect(trace).toEqual(['deaf']);
    hold.resolve();
    expect((await operations.ended(id)).state).toBe('cancelled');
    expect(trace).toEqual(['deaf', 'ended', 'undo deaf']);
  });

  test('cancelling interrupts the wait before a retry', async () => {
    const kind = define().step('flaky', {
      ...tracing('flaky'),
      run: async () => {
        throw new RetryableError(new Error('not yet'), { everyMilliseconds: 60_000, attempts: 2 });
      },
    });
    open(kind);
    const waits = heard(({ cluster, data }) => cluster === lock && data.line === 'not yet');
    const { id } = await start(kind);
    await waits;
    await operations.cancel(id);
    expect((await operations.ended(id)).state).toBe('cancelled');
    expect(trace).toEqual(['undo flaky']);
  });

  test('a step that is cancelled while its start is written does not start', async () => {
    const kind = define().step('only', tracing('only'));
    open(kind);
    const asked = Promise.withResolvers<unknown>();
    const stop = journal.listen(({ cluster, operation: id = 0 }) => {
      if (cluster !== lock) return;
      stop();
      asked.resolve(operations.cancel(id));
    });
    const { id } = await start(kind);
    await asked.promise;
    expect((await operations.ended(id)).state).toBe('cancelled');
    expect(trace).not.toContain('only');
  });

  test('cancelling a failed operation undoes its half-done step too', async () => {
    const kind = define()
      .step('first', tracing('first'))
      .step('bad', tracing('bad', outOfLuck))
      .step('never', tracing('never'));
    open(kind);
    const { id, state } = await toEnd(kind);
    expect(state).toBe('failed');
    await operations.cancel(id);
    const ended = await operations.ended(id);
    expect(ended).toMatchObject({ state: 'cancelled', kept: [] });
    expect(ended.failure).toBeUndefined();
    expect(statesOf(ended)).toEqual({ first: 'undone', bad: 'undone', never: 'waiting' });
    expect(trace).toEqual(['first', 'bad', 'undo bad', 'undo first']);
  });

  test('a failed undo fails the operation; resuming continues the undo', async () => {
    let isBroken = true;
    const kind = define()
      .step('first', tracing('first'))
      .step('second', {
        ...tracing('second'),
        undo: async () => {
          trace.push('undo second');
          if (isBroken) await outOfLuck();
        },
      })
      .step('third', tracing('third'))
      .step('bad', { title, run: outOfLuck });
    open(kind);
    const { id } = await toEnd(kind);
    await operations.cancel(id);
    const failed = await operations.ended(id);
    expect(failed).toMatchObject({ state: 'failed', isCancelling: true, failure: { step: 'second' } });
    expect(statesOf(failed)).toEqual({ first: 'done', second: 'done', third: 'undone', bad: 'failed' });
    expect(failed.steps[1]?.problems?.map(({ code }) => code)).toEqual(['NOVA8341']);
    expect(await lockRows()).toEqual([]);
    expect(trace).toEqual(['first', 'second', 'third', 'undo third', 'undo second']);

    isBroken = false;
    trace = [];
    await operations.resume(id);
    const ended = await operations.ended(id);
    expect(ended).toMatchObject({ state: 'cancelled', kept: ['bad'] });
    expect(statesOf(ended)).toEqual({ first: 'undone', second: 'undone', third: 'undone', bad: 'failed' });
    expect(trace).toEqual(['undo second', 'undo first']);
  });

  test('an operation that is cancelled while it ends is either done or undone, never both', {
    timeout: 60_000,
  }, async () => {
    const done = new Set<string>();
    const kind = define()
      .each('run', (input) => input.nodes, {
        title,
        run: async ({ item }) => {
          const [name = '', pause] = item.name.split(' ');
          if (pause !== '0') await sleep(Number(pause));
          done.add(name);
        },
        undo: async ({ item }) => void done.delete(item.name.split(' ')[0] ?? ''),
      })
      .step('last', { title, run: async () => void done.add('last'), undo: async () => void done.delete('last') });
    open(kind);
    const outcomes = new Set<string>();
    const pauses = fc.array(fc.nat(3), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(pauses, fc.array(fc.nat(12), { minLength: 1, maxLength: 3 }), async (steps, cancels) => {
        done.clear();
        const { id } = await start(kind, ...steps.map((pause, index) => `${index} ${pause}`));
        const refusals = await Promise.all(
          cancels.map((pause) => sleep(pause).then(() => refusal(operations.cancel(id)))),
        );
        const ended = await operations.ended(id);
        const states = new Set(Object.values(statesOf(ended)));
        if (ended.state === 'done') {
          expect(states).toEqual(new Set(['done']));
          expect(done.size).toBe(steps.length + 1);
          expect(refusals).toEqual(cancels.map(() => ['NOVA8303']));
        } else {
          expect(ended).toMatchObject({ state: 'cancelled', kept: [] });
          expect([...states].filter((state) => state !== 'undone' && state !== 'waiting')).toEqual([]);
          expect(done.size).toBe(0);
          expect(refusals).toContain('done');
        }
        expect(await lockRows()).toEqual([]);
        outcomes.add(ended.state);
      }),
      { numRuns: 60 },
    );
    // The order depends on timing; on a busy machine the end may never be first.
    expect(outcomes).toContain('cancelled');
    expect(errors).toEqual([]);
  });

  test('a server that stops aborts its steps and continues them at the next start', async () => {
    const kind = define()
      .step(
        'first',
        tracing('first', async () => 1),
      )
      .each('run', (input) => input.nodes, {
        title,
        run: async ({ item, signal, results }) => {
          trace.push(`${item.name} ${String(results.first)}`);
          if (trace.length === 3) await sleep(60_000, undefined, { signal });
          return item.name;
        },
      })
      .step('last', { title, run: async ({ results }) => results.run });
    open(kind);
    const { id } = await start(kind, 'a', 'b');
    await did('b 1');
    await operations.close();
    const stopped = await operations.show(id);
    expect(stopped.state).toBe('running');
    expect(statesOf(stopped)).toEqual({ first: 'done', 'run/a': 'done', 'run/b': 'running', last: 'waiting' });
    // The operation still holds its lock.
    expect(await refusal(start(kind))).toEqual(['NOVA8301']);

    await open(kind).recover();
    // A second recovery starts no second worker.
    await operations.recover();
    const ended = await operations.ended(id);
    expect(ended).toMatchObject({ state: 'done', steps: [{}, { attempts: 1 }, { attempts: 2 }, {}] });
    expect(ended.steps.at(-1)?.result).toEqual({ a: 'a', b: 'b' });
    expect(trace).toEqual(['first', 'a 1', 'b 1', 'b 1']);
    expect(await lockRows()).toEqual([]);
  });

  test('close resolves when no step runs and everything is written', async () => {
    const kind = define().step('slow', {
      title,
      run: async ({ log, signal }) => {
        trace.push('slow');
        await sleep(60_000, undefined, { signal }).catch(() => sleep(30));
        log('last words');
        trace.push('ended');
        signal.throwIfAborted();
      },
    });
    open(kind);
    const { id } = await start(kind);
    await did('slow');
    const written: unknown[] = [];
    const stop = journal.listen(({ data }) => written.push(data.line));
    await operations.close();
    stop();
    expect(trace).toEqual(['slow', 'ended']);
    expect(written).toEqual(['last words']);
    expect(statesOf(await operations.show(id))).toEqual({ slow: 'running' });
  });

  test('a server that stops during an undo continues it at the next start', async () => {
    const hold = Promise.withResolvers<void>();
    const kind = define()
      .step('first', tracing('first'))
      .step('second', {
        ...tracing('second'),
        undo: async () => {
          trace.push('undo second');
          await hold.promise;
        },
      })
      .step('bad', { title, run: outOfLuck });
    open(kind);
    const { id } = await toEnd(kind);
    await operations.cancel(id);
    await did('undo second');
    const closing = operations.close();
    hold.resolve();
    await closing;
    expect(statesOf(await operations.show(id))).toEqual({ first: 'done', second: 'undone', bad: 'failed' });
    await open(kind).recover();
    expect(await operations.ended(id)).toMatchObject({ state: 'cancelled', kept: ['bad'] });
    expect(trace).toEqual(['first', 'second', 'undo second', 'undo first']);
  });

  test('operations that are started or cancelled while the server stops continue at the next start', async () => {
    const kind = define().step('only', tracing('only'));
    const other = define('test.other').step('only', tracing('other'));
    open(kind, other);
    await operations.close();
    const first = await start(kind);
    await operations.cancel(first.id);
    const second = await operations.start(other as Kind, { nodes: [] }, 'anna');
    await sleep(10);
    expect(trace).toEqual([]);
    await open(kind, other).recover();
    expect((await operations.ended(first.id)).state).toBe('cancelled');
    expect((await operations.ended(second.id)).state).toBe('done');
    expect(trace).toEqual(['other']);
  });

  test('log lines are events in order, on disk before the step ends', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
    const kind = define().step('chatty', {
      title,
      run: async ({ log }) => {
        for (const [index, line] of lines.entries()) {
          log(line);
          if (index % 100 === 0) await sleep(1);
        }
      },
    });
    open(kind);
    const seen: Event[] = [];
    const stop = journal.listen((event) => seen.push(event));
    const { id } = await toEnd(kind);
    stop();
    const kept = await eventsOf(id);
    expect(seen).toEqual(kept);
    expect(kept.filter((event) => event.kind === 'log').map(({ data }) => data.line)).toEqual(lines);
    expect(kept.slice(-2).map(({ data }) => data.state)).toEqual(['done', 'done']);
    expect(kept.at(-3)).toMatchObject({ kind: 'log', step: 'chatty', cluster: lock });
  });

  test('operations are listed in pages, the newest first, with filters', async () => {
    const good = define('test.good').step('good', tracing('good'));
    const bad = define('test.bad').step('bad', { title, run: outOfLuck });
    open(good, bad);
    const ids: number[] = [];
    for (const kind of [good, bad, good, bad, good]) ids.unshift((await toEnd(kind)).id);
    const page = async (query: Partial<Parameters<Operations['list']>[0]>) => {
      const { operations: found, next } = await operations.list({ lock, limit: 2, ...query });
      return [found.map(({ id }) => id), next];
    };
    expect(await page({})).toEqual([ids.slice(0, 2), ids[1]]);
    expect(await page({ before: ids[1] })).toEqual([ids.slice(2, 4), ids[3]]);
    expect(await page({ before: ids[3] })).toEqual([ids.slice(4), undefined]);
    expect(await page({ before: ids[4] })).toEqual([[], undefined]);
    expect(await page({ limit: 5 })).toEqual([ids, undefined]);
    expect(await page({ state: 'failed' })).toEqual([[ids[1], ids[3]], undefined]);
    expect(await page({ state: 'running' })).toEqual([[], undefined]);
    expect(await page({ lock: 'nobody' })).toEqual([[], undefined]);
    const [newest] = (await operations.list({ limit: 1 })).operations;
    expect(newest).toEqual(await operations.show(ids[0] ?? 0));
  });

  test('operations and steps of an older release fail, and are still shown', async () => {
    const hold = Promise.withResolvers<void>();
    const before = define()
      .step('first', tracing('first'))
      .step(
        'gone',
        tracing('gone', () => hold.promise),
      );
    open(before);
    const { id } = await start(before);
    await did('gone');
    void operations.close();
    hold.reject(new Error('stopped'));
    await operations.close();

    const renamed = define().step('first', tracing('first')).step('new', tracing('new'));
    await open(renamed).recover();
    const ended = await operations.ended(id);
    expect(ended).toMatchObject({ state: 'failed', failure: { step: 'gone' } });
    expect(JSON.stringify(ended.failure)).toContain('this release has no step gone of test');
    expect(ended.steps.map((step) => step.title)).toEqual([title, { en: 'gone', ru: 'gone' }]);
    await operations.cancel(id);
    expect(await operations.ended(id)).toMatchObject({
      state: 'failed',
      isCancelling: true,
      failure: { step: 'gone' },
    });

    await open().recover();
    await operations.resume(id);
    const unknown = await operations.ended(id);
    expect(unknown).toMatchObject({ title, state: 'failed', failure: { step: '' } });
    expect(JSON.stringify(unknown.failure)).toContain('this release has no operation test');
    expect((await operations.list({ lock, limit: 1 })).operations).toEqual([unknown]);
    expect(await lockRows()).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('an unreachable store delays operations and changes nothing else', async () => {
    const kind = define()
      .step('first', {
        title,
        run: async ({ log }) => {
          trace.push('first');
          if (trace.length > 1) return 'one';
          loseStore(journal.db, { count: 3, isKept: false });
          log('this line is lost');
          return 'one';
        },
      })
      .step('last', tracing('last'));
    open(kind);
    const ended = await toEnd(kind);
    expect(ended).toMatchObject({ state: 'done', steps: [{ state: 'done', result: 'one' }, { state: 'done' }] });
    expect(trace).toEqual(['first', 'first', 'last']);
    expect(errors.map(String)).toContain('Error: the connection is lost');
    expect(await lockRows()).toEqual([]);
  });

  test('steps whose unconfirmed end was committed do not run again', async () => {
    const seen: Event[] = [];
    const stop = journal.listen((event) => seen.push(event));
    const kind = define()
      .step(
        'first',
        tracing('first', async () => loseStore(journal.db, { count: 1, isKept: true })),
      )
      .step(
        'last',
        tracing('last', async () => {
          // The end of the step is committed; the response to the commit of the operation's end is lost.
          const ends = heard(({ cluster, step, data }) => cluster === lock && step === 'last' && data.state === 'done');
          void ends.then(() => loseStore(journal.db, { count: 1, isKept: true }));
        }),
      );
    open(kind);
    const { id, state } = await toEnd(kind);
    stop();
    expect(state).toBe('done');
    expect(trace).toEqual(['first', 'last']);
    expect(errors).toHaveLength(2);
    // A listener that continues from the last event misses nothing.
    expect(seen).toEqual(await eventsOf(id));
  });

  test('a request whose unconfirmed write was committed is carried out', async () => {
    let isBroken = true;
    const kind = define().step(
      'only',
      tracing('only', async () => (isBroken ? outOfLuck() : undefined)),
    );
    const released = Promise.withResolvers<void>();
    const long = define('test.long').step(
      'long',
      tracing('long', () => released.promise),
    );
    open(kind, long);
    const newest = async () => (await operations.list({ lock, limit: 1 })).operations[0];
    const loseAnswer = async (ask: () => Promise<unknown>) => {
      loseStore(journal.db, { count: 1, isKept: true });
      await expect(ask()).rejects.toThrow('the connection is lost');
    };
    await loseAnswer(() => start(kind));
    await vi.waitUntil(async () => (await newest())?.state === 'failed', 20_000);
    const { id } = (await newest()) ?? { id: 0 };

    isBroken = false;
    await loseAnswer(() => operations.resume(id));
    await vi.waitUntil(async () => (await newest())?.state === 'done', 20_000);
    expect(trace).toEqual(['only', 'only']);

    trace = [];
    const running = await start(long);
    await did('long');
    await loseAnswer(() => operations.cancel(running.id));
    released.resolve();
    await vi.waitUntil(async () => (await newest())?.state === 'cancelled', 20_000);
    expect(trace).toEqual(['long', 'undo long']);
    expect(await lockRows()).toEqual([]);
  });
});

describePostgres('operations on a database server that crashes', (server) => {
  test('end as without the crash', { timeout: 60_000 }, async () => {
    const journal = await openJournal({ kind: 'postgres', url: await server().newDatabase() });
    const done: string[] = [];
    const kind = define()
      .step('first', { title, run: async () => 'one' })
      .each('run', (input) => input.nodes, {
        title,
        run: async ({ item, log, results }) => {
          for (let turn = 0; turn < 10; turn += 1) {
            log(`turn ${turn}`);
            await sleep(20);
          }
          done.push(item.name);
          return results.first;
        },
      })
      .step('last', { title, run: async ({ results }) => Object.values(results.run) });
    const errors: unknown[] = [];
    const operations = new Operations(journal, [kind], (error) => errors.push(error));
    const names = ['a', 'b', 'c', 'd'];
    const { id } = await operations.start(kind, { lock: 'one', nodes: nodes(...names) }, 'anna');
    await sleep(100);
    await server().kill();
    await sleep(300);
    expect(await operations.start(kind, { lock: 'two', nodes: [] }, 'anna').catch(() => 'lost')).toBe('lost');
    await server().start();
    const ended = await operations.ended(id);
    expect(ended).toMatchObject({ state: 'done' });
    expect(ended.steps.at(-1)?.result).toEqual(names.map(() => 'one'));
    expect(new Set(done)).toEqual(new Set(names));
    expect(errors.length).toBeGreaterThan(0);
    const events = await journal.after(0, { operation: id }, 1000);
    expect(events.at(-1)).toMatchObject({ kind: 'operation', data: { state: 'done' } });
    expect(await journal.db.selectFrom('locks').selectAll().execute()).toEqual([]);
    // No other operation was started.
    expect((await operations.list({ limit: 10 })).operations).toHaveLength(1);
    await operations.close();
    await journal.db.destroy();
  });
});
