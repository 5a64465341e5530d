import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, ProblemError, problem, type Text } from '@nova-platform/api';
import type { Transaction } from 'kysely';
import { type OperationKind, type Step, TryAgain } from './definition.ts';
import type { Journal, NewEvent, Tell, Writing } from './journal.ts';
import type { OperationState, OperationsSchema, StepState } from './schema.ts';

export interface StepView {
  name: string;
  title: Text;
  state: StepState;
  attempts: number;
  startedAt?: string;
  endedAt?: string;
  result?: unknown;
  problems?: Problem[];
}

export interface OperationView {
  id: number;
  kind: string;
  title: Text;
  /** What it works on, alone. */
  lock?: string;
  state: OperationState;
  isCancelling: boolean;
  requestedBy: string;
  createdAt: string;
  endedAt?: string;
  failure?: Failure;
  /** After a cancellation: steps whose work stays. */
  kept?: string[];
  steps: StepView[];
}

interface Failure {
  step: string;
  problems: Problem[];
}

type OperationRow = Omit<OperationsSchema['operations'], 'id'> & { id: number };
type StepRow = OperationsSchema['steps'];

interface Driven {
  controller: AbortController;
  ended: Promise<void>;
}

const storePause = 1000;

/**
 * Operations that survive everything: what is to be done and what is done are rows, and every step may be done again.
 * An operation that was running when the server ended goes on when it starts again. One that failed waits for a person.
 */
export class Operations<Schema extends OperationsSchema = OperationsSchema> {
  readonly #journal: Journal;
  readonly #kinds: ReadonlyMap<string, OperationKind>;
  readonly #driven = new Map<number, Driven>();
  readonly #onError: (error: unknown) => void;
  readonly #closing = new AbortController();

  constructor(
    journal: Journal<Schema>,
    kinds: readonly Pick<OperationKind<never>, 'kind'>[],
    onError: (error: unknown) => void,
  ) {
    // Kysely cannot type queries on a generic schema.
    this.#journal = journal as unknown as Journal;
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind as unknown as OperationKind]));
    this.#onError = onError;
  }

  /** Goes on with everything that was running when the server ended. */
  async recover(): Promise<void> {
    // The last commit of a server that was killed may still be under way: after ours, it is there or never will be.
    await this.#journal.catchUp();
    const rows = await this.#journal.db
      .selectFrom('operations')
      .select('id')
      .where('state', '=', 'running')
      .orderBy('id')
      .execute();
    for (const { id } of rows) if (!this.#driven.has(id)) this.#drive(id, true);
  }

  /** Steps that run are told to end; they are done again at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    const driven = [...this.#driven.values()];
    for (const { controller } of driven) controller.abort();
    await Promise.all(driven.map(({ ended }) => ended));
  }

  /**
   * Begins an operation: when this is done, it will be brought to an end whatever happens. Together with it `also` is
   * written, or neither of them.
   */
  async start<Input>(
    kind: OperationKind<Input>,
    input: Input,
    requestedBy: string,
    also: (writing: Writing<Schema>) => Promise<unknown> = async () => undefined,
  ): Promise<OperationView> {
    await kind.assertAllowed(input);
    const id = await this.#decide(async (transaction, tell) => {
      await also({ transaction: transaction as unknown as Transaction<Schema>, tell });
      const lock = kind.lock(input) ?? null;
      const { id: number } = await transaction
        .insertInto('operations')
        .values({
          kind: kind.kind,
          lock,
          input: JSON.stringify(input),
          state: 'running',
          is_cancelling: 0,
          failure: null,
          requested_by: requestedBy,
          created_at: Date.now(),
          ended_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await takeLock(transaction, lock, number);
      const steps = kind.plan(input);
      for (const [position, { name, item, after }] of steps.entries()) {
        await transaction
          .insertInto('steps')
          .values({
            operation: number,
            name,
            position,
            item: item === undefined ? null : JSON.stringify(item),
            after: JSON.stringify(after),
            state: 'waiting',
            attempts: 0,
            result: null,
            failure: null,
            started_at: null,
            ended_at: null,
          })
          .execute();
      }
      await tell(operationEvent({ id: number, lock }, { state: 'running', kind: kind.kind }));
      return number;
    });
    this.#drive(id);
    return this.show(id);
  }

  /** Goes on with a failed operation, from the steps that failed. */
  async resume(id: number): Promise<OperationView> {
    await this.#assertAllowed(await demand(this.#journal.db, id));
    await this.#decide(async (transaction, tell) => {
      const row = await demand(transaction, id);
      if (row.state !== 'failed') throw new ProblemError(problem('NOVA8303', { id, state: row.state }));
      await this.#takeUpAgain(transaction, tell, row, {});
      // Only a person decides that what failed is done again. While steps are taken back, it stays as it is.
      if (row.is_cancelling === 1) return;
      await transaction
        .updateTable('steps')
        .set({ state: 'running', failure: null, ended_at: null })
        .where('operation', '=', id)
        .where('state', '=', 'failed')
        .execute();
    });
    this.#drive(id);
    return this.show(id);
  }

  /** Ends an operation: what was begun is taken back, as far as it can be. */
  async cancel(id: number): Promise<OperationView> {
    await this.#decide(async (transaction, tell) => {
      const row = await demand(transaction, id);
      if (row.state === 'failed') {
        await this.#takeUpAgain(transaction, tell, row, { is_cancelling: 1 });
        return;
      }
      if (row.state !== 'running') throw new ProblemError(problem('NOVA8303', { id, state: row.state }));
      await transaction.updateTable('operations').set({ is_cancelling: 1 }).where('id', '=', id).execute();
      await tell(operationEvent(row, { state: 'running', isCancelling: true }));
    });
    this.#drive(id);
    return this.show(id);
  }

  async show(id: number): Promise<OperationView> {
    const { db } = this.#journal;
    const row = await demand(db, id);
    const steps = await db.selectFrom('steps').selectAll().where('operation', '=', id).orderBy('position').execute();
    return this.#view(row, steps);
  }

  /** The newest first; `before` is the last one of the page before. */
  async list(query: {
    lock?: string | undefined;
    kind?: string | undefined;
    state?: OperationState | undefined;
    before?: number | undefined;
    limit: number;
  }): Promise<{ operations: OperationView[]; next?: number }> {
    const { db } = this.#journal;
    const { lock, kind, state, before, limit } = query;
    const rows = await db
      .selectFrom('operations')
      .selectAll()
      .$if(lock !== undefined, (each) => each.where('lock', '=', lock ?? ''))
      .$if(kind !== undefined, (each) => each.where('kind', '=', kind ?? ''))
      .$if(state !== undefined, (each) => each.where('state', '=', state ?? 'running'))
      .$if(before !== undefined, (each) => each.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const page = rows.slice(0, limit);
    const steps = await db
      .selectFrom('steps')
      .selectAll()
      .where('operation', 'in', [0, ...page.map(({ id }) => id)])
      .orderBy('position')
      .execute();
    const stepsOf = Map.groupBy(steps, ({ operation }) => operation);
    const last = page.at(-1);
    return {
      operations: page.map((row) => this.#view(row, stepsOf.get(row.id) ?? [])),
      ...(rows.length > limit && last && { next: last.id }),
    };
  }

  /** Until nobody works on it any more. */
  async ended(id: number): Promise<OperationView> {
    while (this.#driven.has(id)) await this.#driven.get(id)?.ended;
    return this.show(id);
  }

  #view(row: OperationRow, steps: readonly StepRow[]): OperationView {
    const kind = this.#kinds.get(row.kind);
    const titleOf = (name: string) => kind?.stepOf(name)?.title ?? { en: name, ru: name };
    return {
      id: row.id,
      kind: row.kind,
      title: kind?.title ?? { en: row.kind, ru: row.kind },
      ...(row.lock !== null && { lock: row.lock }),
      state: row.state,
      isCancelling: row.is_cancelling === 1,
      requestedBy: row.requested_by,
      createdAt: new Date(row.created_at).toISOString(),
      ...(row.ended_at !== null && { endedAt: new Date(row.ended_at).toISOString() }),
      ...(row.failure !== null && { failure: JSON.parse(row.failure) as Failure }),
      ...(row.state === 'cancelled' && { kept: steps.filter(isBegun).map(({ name }) => name) }),
      steps: steps.map((step) => ({
        name: step.name,
        title: titleOf(step.name),
        state: step.state,
        attempts: step.attempts,
        ...(step.started_at !== null && { startedAt: new Date(step.started_at).toISOString() }),
        ...(step.ended_at !== null && { endedAt: new Date(step.ended_at).toISOString() }),
        ...(step.result !== null && { result: JSON.parse(step.result) as unknown }),
        ...(step.failure !== null && { problems: JSON.parse(step.failure) as Problem[] }),
      })),
    };
  }

  /** A failed operation runs again: with its lock, and only while nobody has worked on the same since. */
  async #takeUpAgain(
    transaction: Transaction<OperationsSchema>,
    tell: Tell,
    row: OperationRow,
    change: { is_cancelling?: 1 },
  ): Promise<void> {
    const { id, lock } = row;
    if (lock !== null) {
      const newer = await transaction
        .selectFrom('operations')
        .select('id')
        .where('lock', '=', lock)
        .where('id', '>', id)
        .orderBy('id')
        .executeTakeFirst();
      if (newer) throw new ProblemError(problem('NOVA8304', { id, newer: newer.id, lock }));
    }
    await takeLock(transaction, lock, id);
    await transaction
      .updateTable('operations')
      .set({ state: 'running', failure: null, ended_at: null, ...change })
      .where('id', '=', id)
      .execute();
    const isCancelling = (change.is_cancelling ?? row.is_cancelling) === 1;
    await tell(operationEvent(row, { state: 'running', isCancelling }));
  }

  /** Writes what a person wants. A store that is lost meanwhile may have kept it: then it is worked on all the same. */
  async #decide<T>(work: (transaction: Transaction<OperationsSchema>, tell: Tell) => Promise<T>): Promise<T> {
    try {
      return await this.#journal.write(work);
    } catch (error) {
      if (!(error instanceof ProblemError)) void this.#persist(() => this.recover(), this.#closing.signal, error);
      throw error;
    }
  }

  /** Works on an operation in the background. Whoever did so until now leaves it first. */
  #drive(id: number, isRecovered = false): void {
    if (this.#closing.signal.aborted) return;
    const before = this.#driven.get(id);
    before?.controller.abort();
    const controller = new AbortController();
    const ended = (before?.ended ?? Promise.resolve()).then(() => this.#work(id, controller.signal, isRecovered));
    const driven = { controller, ended };
    this.#driven.set(id, driven);
    void ended.finally(() => {
      if (this.#driven.get(id) === driven) this.#driven.delete(id);
    });
  }

  /** Until it has ended, however often somebody changes his mind meanwhile. */
  async #work(id: number, signal: AbortSignal, isRecovered: boolean): Promise<void> {
    if (isRecovered) await this.#persist(() => this.#stopUnlessAllowed(id), signal);
    let isRunning = true;
    while (isRunning && !signal.aborted) {
      await this.#persist(async () => {
        isRunning = await this.#workOnce(id, signal);
      }, signal);
    }
  }

  /** Only the store itself fails here. When it is back, everything goes on from what it knows. */
  async #persist(work: () => Promise<void>, signal: AbortSignal, failure?: unknown): Promise<void> {
    for (let error = failure; !signal.aborted; ) {
      try {
        if (error !== undefined) {
          this.#onError(error);
          await sleep(storePause, undefined, { signal });
          await this.#journal.catchUp();
        }
        return await work();
      } catch (next) {
        error = next;
      }
    }
  }

  /** Taking back is always allowed. */
  async #assertAllowed({ kind, input, is_cancelling }: OperationRow): Promise<void> {
    if (is_cancelling === 0) await this.#kinds.get(kind)?.assertAllowed(JSON.parse(input));
  }

  /** What may not go on fails where it is, and waits for a person. */
  async #stopUnlessAllowed(id: number): Promise<void> {
    const { db } = this.#journal;
    const row = await demand(db, id);
    const refusal = await this.#assertAllowed(row).catch((error: unknown) => error);
    if (!(refusal instanceof ProblemError)) return;
    const problems = [...refusal.problems];
    const steps = await db.selectFrom('steps').selectAll().where('operation', '=', id).orderBy('position').execute();
    const begun = steps.filter(({ state }) => state === 'running');
    const [next] = [...begun, ...steps.filter(({ state }) => state === 'waiting')];
    const end = { state: 'failed', failure: JSON.stringify(problems), ended_at: Date.now() } as const;
    for (const step of begun) await this.#change(row, step, end);
    await this.#finish(row, { state: 'failed', failure: { step: next?.name ?? '', problems } });
  }

  /** Whether there may be more to do. */
  async #workOnce(id: number, signal: AbortSignal): Promise<boolean> {
    const { db } = this.#journal;
    const row = await demand(db, id);
    if (row.state !== 'running') return false;
    const steps = await db.selectFrom('steps').selectAll().where('operation', '=', id).orderBy('position').execute();
    const kind = this.#kinds.get(row.kind);
    if (!kind) {
      const problems = [problem('NOVA9001', { reason: `this release knows no operation ${row.kind}` })];
      await this.#finish(row, { state: 'failed', failure: { step: '', problems } });
    } else if (row.is_cancelling === 1) await this.#takeBack(row, kind, steps, signal);
    else await this.#goForward(row, kind, steps, signal);
    return true;
  }

  async #goForward(row: OperationRow, kind: OperationKind, steps: StepRow[], signal: AbortSignal): Promise<void> {
    const running = new Map<string, Promise<void>>();
    const storeFailures: unknown[] = [];
    const after = new Map(steps.map((step) => [step.name, JSON.parse(step.after) as string[]]));
    const failed = () => steps.find(({ state }) => state === 'failed');
    const ready = () => {
      const done = new Set(steps.filter(({ state }) => state === 'done').map(({ name }) => name));
      const mayBegin = !failed();
      return steps.filter(({ name, state }) => {
        if (running.has(name)) return false;
        // What was begun before the server ended is brought to its end, also when another step has failed by then.
        if (state === 'running') return true;
        return state === 'waiting' && mayBegin && after.get(name)?.every((each) => done.has(each));
      });
    };
    for (;;) {
      if (!signal.aborted && storeFailures.length === 0) {
        for (const step of ready()) {
          const work = this.#runStep(row, kind, step, steps, signal)
            .catch((error: unknown) => void storeFailures.push(error))
            .finally(() => running.delete(step.name));
          running.set(step.name, work);
        }
      }
      if (running.size === 0) break;
      await Promise.race(running.values());
    }
    if (storeFailures.length > 0) throw storeFailures[0];
    if (signal.aborted) return;
    const step = failed();
    if (!step) return this.#finish(row, { state: 'done' });
    const problems = JSON.parse(step.failure ?? '[]') as Problem[];
    await this.#finish(row, { state: 'failed', failure: { step: step.name, problems } });
  }

  /** Does a step, again as often as its errors say; its row tells how it ended. */
  async #runStep(
    row: OperationRow,
    kind: OperationKind,
    step: StepRow,
    steps: readonly StepRow[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#change(row, step, {
        state: 'running',
        attempts: step.attempts + 1,
        failure: null,
        started_at: Date.now(),
        ended_at: null,
      });
      if (signal.aborted) return;
      const log = this.#logOf(row, step.name);
      let end: Partial<StepRow>;
      try {
        const work = { ...workOf(row, kind, step, steps), log: log.line, signal };
        const result = await stepOf(kind, step.name).run(work);
        end = { state: 'done', result: result === undefined ? null : JSON.stringify(result) };
      } catch (error) {
        // Cancelled, or the server stops: the row says that it was begun, and that is all there is to say.
        if (signal.aborted) return log.written();
        const again = error instanceof TryAgain ? error : kind.again(error);
        if (again && attempt < again.attempts) {
          log.line(again.message);
          await log.written();
          await sleep(again.milliseconds, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return;
          continue;
        }
        end = { state: 'failed', failure: failureOf(error) };
      }
      await log.written();
      return this.#change(row, step, { ...end, ended_at: Date.now() });
    }
  }

  /** Takes steps back, the last first. What has no way back stays, and the operation says so. */
  async #takeBack(
    row: OperationRow,
    kind: OperationKind,
    steps: readonly StepRow[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const step of steps.filter(isBegun).toReversed()) {
      if (signal.aborted) return;
      const log = this.#logOf(row, step.name);
      try {
        const { undo } = stepOf(kind, step.name);
        if (!undo) continue;
        await undo({ ...workOf(row, kind, step, steps), log: log.line });
      } catch (error) {
        await log.written();
        const failure = failureOf(error);
        const problems = JSON.parse(failure) as Problem[];
        return this.#finish(row, { state: 'failed', failure: { step: step.name, problems } }, { step, failure });
      }
      await log.written();
      await this.#change(row, step, { state: 'undone', failure: null, ended_at: Date.now() });
    }
    await this.#finish(row, { state: 'cancelled' });
  }

  async #finish(
    row: OperationRow,
    end: { state: OperationState; failure?: Failure },
    because?: { step: StepRow; failure: string },
  ): Promise<void> {
    await this.#journal.write(async (transaction, tell) => {
      const { numUpdatedRows } = await transaction
        .updateTable('operations')
        .set({ state: end.state, failure: end.failure ? JSON.stringify(end.failure) : null, ended_at: Date.now() })
        .where('id', '=', row.id)
        // Somebody cancelled it meanwhile: it does not end like this.
        .where('is_cancelling', '=', row.is_cancelling)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      if (because) await writeStep(transaction, tell, row, because.step, { failure: because.failure });
      await transaction.deleteFrom('locks').where('operation', '=', row.id).execute();
      await tell(operationEvent(row, { ...end }));
    });
  }

  async #change(row: OperationRow, step: StepRow, change: Partial<StepRow>): Promise<void> {
    await this.#journal.write((transaction, tell) => writeStep(transaction, tell, row, step, change));
    Object.assign(step, change);
  }

  /** Lines are written while the step goes on; it ends when they are on the disk. */
  #logOf(row: OperationRow, step: string): { line: (line: string) => void; written: () => Promise<void> } {
    // Writes end in their order: with the last one all are on the disk.
    let last: Promise<void> = Promise.resolve();
    return {
      line: (line) => {
        last = this.#journal
          .write((_transaction, tell) => tell({ ...about(row), kind: 'log', step, data: { line } }))
          // A line that is lost with the store is not worth the step.
          .catch(this.#onError);
      },
      written: () => last,
    };
  }
}

/** Half-done counts: there is something to take back. */
function isBegun({ state }: StepRow): boolean {
  return state === 'running' || state === 'done' || state === 'failed';
}

function workOf(row: OperationRow, kind: OperationKind, step: StepRow, steps: readonly StepRow[]) {
  const done = steps.filter(({ state }) => state === 'done');
  return {
    operation: { id: row.id, kind: row.kind, requestedBy: row.requested_by },
    input: JSON.parse(row.input) as unknown,
    item: step.item === null ? undefined : (JSON.parse(step.item) as unknown),
    results: kind.resultsOf(
      done.map(({ name, result }) => ({ name, result: result === null ? undefined : (JSON.parse(result) as unknown) })),
    ),
  };
}

function stepOf(kind: OperationKind, name: string): Step {
  const step = kind.stepOf(name);
  if (!step) throw new Error(`this release knows no step ${name} of ${kind.kind}`);
  return step;
}

function failureOf(error: unknown): string {
  const cause = error instanceof TryAgain ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return JSON.stringify(cause instanceof ProblemError ? cause.problems : [problem('NOVA9001', { reason })]);
}

function about({ id, lock }: Pick<OperationRow, 'id' | 'lock'>): Pick<NewEvent, 'operation' | 'cluster'> {
  return { operation: id, ...(lock !== null && { cluster: lock }) };
}

function operationEvent(row: Pick<OperationRow, 'id' | 'lock'>, data: Record<string, unknown>): NewEvent {
  return { ...about(row), kind: 'operation', data };
}

async function writeStep(
  transaction: Transaction<OperationsSchema>,
  tell: Tell,
  row: OperationRow,
  step: StepRow,
  change: Partial<StepRow>,
): Promise<void> {
  await transaction
    .updateTable('steps')
    .set(change)
    .where('operation', '=', row.id)
    .where('name', '=', step.name)
    .execute();
  const { state, attempts, failure } = { ...step, ...change };
  const problems = failure === null ? {} : { problems: JSON.parse(failure) as unknown };
  await tell({ ...about(row), kind: 'step', step: step.name, data: { state, attempts, ...problems } });
}

async function takeLock(
  transaction: Transaction<OperationsSchema>,
  name: string | null,
  operation: number,
): Promise<void> {
  if (name === null) return;
  const holder = await transaction.selectFrom('locks').select('operation').where('name', '=', name).executeTakeFirst();
  if (holder) throw new ProblemError(problem('NOVA8301', { lock: name, id: holder.operation }));
  await transaction.insertInto('locks').values({ name, operation }).execute();
}

async function demand(db: Pick<Transaction<OperationsSchema>, 'selectFrom'>, id: number): Promise<OperationRow> {
  const row = await db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new ProblemError(problem('NOVA8302', { id }));
  return row;
}
