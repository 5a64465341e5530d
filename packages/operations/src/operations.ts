import { ProblemError } from '@nova-platform/api';
import type { OperationKind } from './definition.ts';
import type { Journal, Writing } from './journal.ts';
import { assertAllowed, Runner } from './runner.ts';
import type { OperationsSchema } from './schema.ts';
import { type OperationQuery, OperationStore } from './store.ts';
import { type OperationView, operationView } from './views.ts';

/**
 * Operations survive a crash at any moment: steps and their results are rows, and every step can run again. After a
 * restart of the server, running operations continue. A failed operation waits until a person resumes or cancels it.
 */
export class Operations<Schema extends OperationsSchema = OperationsSchema> {
  readonly #kinds: ReadonlyMap<string, OperationKind>;
  readonly #store: OperationStore;
  readonly #runner: Runner;

  constructor(
    journal: Journal<Schema>,
    kinds: readonly Pick<OperationKind<never>, 'kind'>[],
    onError: (error: unknown) => void,
  ) {
    this.#kinds = new Map(kinds.map((kind) => [kind.kind, kind as unknown as OperationKind]));
    const routine = [...this.#kinds.values()].filter(({ isRoutine }) => isRoutine).map(({ kind }) => kind);
    // Kysely cannot type queries on a generic schema.
    this.#store = new OperationStore(journal as unknown as Journal, routine);
    this.#runner = new Runner(this.#store, this.#kinds, onError);
  }

  /** Continues everything that was running when the server stopped. */
  async recover(): Promise<void> {
    await this.#runner.recover();
  }

  async close(): Promise<void> {
    await this.#runner.close();
  }

  /** Once this resolves, the operation runs to its end, even after a crash. `also` is committed in the same transaction. */
  async start<Input>(
    kind: OperationKind<Input>,
    input: Input,
    requestedBy: string,
    also: (writing: Writing<Schema>) => Promise<unknown> = async () => undefined,
  ): Promise<OperationView> {
    await kind.assertAllowed(input);
    const alsoOurs = also as unknown as (writing: Writing<OperationsSchema>) => Promise<unknown>;
    const id = await this.#decide(() => this.#store.create(kind, input, requestedBy, alsoOurs));
    this.#runner.drive(id);
    return this.show(id);
  }

  /** Continues a failed operation from its failed steps. */
  async resume(id: number): Promise<OperationView> {
    await assertAllowed(this.#kinds, await this.#store.find(id));
    await this.#decide(() => this.#store.resume(id));
    this.#runner.drive(id);
    return this.show(id);
  }

  /** Undoes the steps that were begun, as far as they have an undo. */
  async cancel(id: number): Promise<OperationView> {
    await this.#decide(() => this.#store.cancel(id));
    this.#runner.drive(id);
    return this.show(id);
  }

  async show(id: number): Promise<OperationView> {
    const row = await this.#store.find(id);
    return operationView(this.#kinds.get(row.kind), row, await this.#store.stepsOf(id));
  }

  /** The input that the operation was started with. It may contain secrets. */
  async inputOf(id: number): Promise<unknown> {
    return JSON.parse((await this.#store.find(id)).input);
  }

  /** The newest first; `next` is the `before` of the next page. */
  async list(query: OperationQuery): Promise<{ operations: OperationView[]; next?: number }> {
    const { page, ...next } = await this.#store.list(query);
    return { operations: page.map(([row, steps]) => operationView(this.#kinds.get(row.kind), row, steps)), ...next };
  }

  /** Resolves when no work on the operation is left. */
  async ended(id: number): Promise<OperationView> {
    await this.#runner.ended(id);
    return this.show(id);
  }

  /** A store that is lost while it commits may have committed: then the decision is carried out all the same. */
  async #decide<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof ProblemError)) this.#runner.recoverAfter(error);
      throw error;
    }
  }
}
