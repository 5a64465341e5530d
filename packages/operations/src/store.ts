import { type Problem, ProblemError, problem, type Text } from '@nova-platform/api';
import type { Transaction } from 'kysely';
import type { OperationKind } from './definition.ts';
import type { Emit, Journal, NewEvent, Writing } from './journal.ts';
import type { OperationState, OperationsSchema } from './schema.ts';

export type OperationRow = Omit<OperationsSchema['operations'], 'id'> & { id: number };
export type StepRow = OperationsSchema['steps'];

/** The first step that failed, and why. */
export interface Failure {
  step: string;
  problems: Problem[];
}

export interface OperationQuery {
  lock?: string | undefined;
  kind?: string | undefined;
  state?: OperationState | undefined;
  /** Without operations that only repeat what was approved before. */
  withoutRoutine?: boolean | undefined;
  /** The last operation of the previous page. */
  before?: number | undefined;
  limit: number;
}

const stateTexts: Record<OperationState, Text> = {
  running: { en: 'running', ru: 'выполняется' },
  done: { en: 'done', ru: 'выполнена' },
  failed: { en: 'failed', ru: 'завершилась сбоем' },
  cancelled: { en: 'cancelled', ru: 'отменена' },
};

/** Rows of operations, steps and locks. Each change is one transaction together with the events that report it. */
export class OperationStore {
  readonly #journal: Journal;
  readonly #routine: readonly string[];

  /** `routine`: the kinds that only repeat what was approved before. */
  constructor(journal: Journal, routine: readonly string[]) {
    this.#journal = journal;
    this.#routine = routine;
  }

  async find(id: number): Promise<OperationRow> {
    return find(this.#journal.db, id);
  }

  async stepsOf(id: number): Promise<StepRow[]> {
    const { db } = this.#journal;
    return db.selectFrom('steps').selectAll().where('operation', '=', id).orderBy('position').execute();
  }

  async running(): Promise<number[]> {
    const { db } = this.#journal;
    const rows = await db.selectFrom('operations').select('id').where('state', '=', 'running').orderBy('id').execute();
    return rows.map(({ id }) => id);
  }

  /** The newest first. */
  async list(query: OperationQuery): Promise<{ page: [OperationRow, StepRow[]][]; next?: number }> {
    const { db } = this.#journal;
    const { lock, kind, state, withoutRoutine = false, before, limit } = query;
    const rows = await db
      .selectFrom('operations')
      .selectAll()
      .$if(lock !== undefined, (each) => each.where('lock', '=', lock ?? ''))
      .$if(kind !== undefined, (each) => each.where('kind', '=', kind ?? ''))
      .$if(state !== undefined, (each) => each.where('state', '=', state ?? 'running'))
      .$if(withoutRoutine, (each) => each.where('kind', 'not in', ['', ...this.#routine]))
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
      page: page.map((row) => [row, stepsOf.get(row.id) ?? []]),
      ...(rows.length > limit && last && { next: last.id }),
    };
  }

  /** Writes a new operation and takes its lock, in one transaction with `also`. */
  async create<Input>(
    kind: OperationKind<Input>,
    input: Input,
    requestedBy: string,
    also: (writing: Writing<OperationsSchema>) => Promise<unknown>,
  ): Promise<number> {
    return this.#journal.write(async (transaction, emit) => {
      await also({ transaction, emit });
      const lock = kind.lock(input) ?? null;
      const { id } = await transaction
        .insertInto('operations')
        .values({
          kind: kind.kind,
          title: JSON.stringify(kind.titleOf(input)),
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
      await takeLock(transaction, lock, id);
      for (const [position, { name, item, after }] of kind.plan(input).entries()) {
        await transaction
          .insertInto('steps')
          .values({
            operation: id,
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
      await emit(operationEvent({ id, lock }, { state: 'running', kind: kind.kind }));
      return id;
    });
  }

  /** Sets a failed operation to running again, and its failed steps too. */
  async resume(id: number): Promise<void> {
    await this.#journal.write(async (transaction, emit) => {
      const row = await find(transaction, id);
      if (row.state !== 'failed') throw new ProblemError(problem('NOVA8303', { id, state: stateTexts[row.state] }));
      await this.#restart(transaction, emit, row, {});
      // While an operation is being cancelled, failed steps are undone and never retried.
      if (row.is_cancelling === 1) return;
      await transaction
        .updateTable('steps')
        .set({ state: 'running', failure: null, ended_at: null })
        .where('operation', '=', id)
        .where('state', '=', 'failed')
        .execute();
    });
  }

  async cancel(id: number): Promise<void> {
    await this.#journal.write(async (transaction, emit) => {
      const row = await find(transaction, id);
      if (row.state === 'failed') {
        await this.#restart(transaction, emit, row, { is_cancelling: 1 });
        return;
      }
      if (row.state !== 'running') throw new ProblemError(problem('NOVA8303', { id, state: stateTexts[row.state] }));
      await transaction.updateTable('operations').set({ is_cancelling: 1 }).where('id', '=', id).execute();
      await emit(operationEvent(row, { state: 'running', isCancelling: true }));
    });
  }

  /** Ends an operation and releases its lock. With `because` the failure of an undo is written to its step as well. */
  async finish(
    row: OperationRow,
    end: { state: OperationState; failure?: Failure },
    because?: { step: StepRow; failure: string },
  ): Promise<void> {
    await this.#journal.write(async (transaction, emit) => {
      const { numUpdatedRows } = await transaction
        .updateTable('operations')
        .set({ state: end.state, failure: end.failure ? JSON.stringify(end.failure) : null, ended_at: Date.now() })
        .where('id', '=', row.id)
        // A cancellation that came meanwhile wins: the operation does not end like this.
        .where('is_cancelling', '=', row.is_cancelling)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      if (because) await writeStep(transaction, emit, row, because.step, { failure: because.failure });
      await transaction.deleteFrom('locks').where('operation', '=', row.id).execute();
      await emit(operationEvent(row, { ...end }));
    });
  }

  /** Changes the row in the store, then `step` itself. */
  async changeStep(row: OperationRow, step: StepRow, change: Partial<StepRow>): Promise<void> {
    await this.#journal.write((transaction, emit) => writeStep(transaction, emit, row, step, change));
    Object.assign(step, change);
  }

  async log(row: OperationRow, step: string, line: string): Promise<void> {
    await this.#journal.write((_transaction, emit) => emit({ ...about(row), kind: 'log', step, data: { line } }));
  }

  /** After this, the last commit of an earlier process or a lost connection is visible or never will be. */
  async catchUp(): Promise<void> {
    await this.#journal.catchUp();
  }

  /** Refused when a newer operation has worked under the same lock since, unless it only repeated what was approved. */
  async #restart(
    transaction: Transaction<OperationsSchema>,
    emit: Emit,
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
        .where('kind', 'not in', ['', ...this.#routine])
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
    await emit(operationEvent(row, { state: 'running', isCancelling }));
  }
}

/** Whether there is something to undo; a step that is half done counts. */
export function isStarted({ state }: StepRow): boolean {
  return state === 'running' || state === 'done' || state === 'failed';
}

async function writeStep(
  transaction: Transaction<OperationsSchema>,
  emit: Emit,
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
  await emit({ ...about(row), kind: 'step', step: step.name, data: { state, attempts, ...problems } });
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

async function find(db: Pick<Transaction<OperationsSchema>, 'selectFrom'>, id: number): Promise<OperationRow> {
  const row = await db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new ProblemError(problem('NOVA8302', { id }));
  return row;
}

function about({ id, lock }: Pick<OperationRow, 'id' | 'lock'>): Pick<NewEvent, 'operation' | 'cluster'> {
  return { operation: id, ...(lock !== null && { cluster: lock }) };
}

function operationEvent(row: Pick<OperationRow, 'id' | 'lock'>, data: Record<string, unknown>): NewEvent {
  return { ...about(row), kind: 'operation', data };
}
