import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, ProblemError, problem, retryPolicyOf } from '@nova-platform/api';
import type { OperationKind, Step } from './definition.ts';
import { isStarted, type OperationRow, type OperationStore, type StepRow } from './store.ts';

/** An operation that is being worked on. */
interface Active {
  controller: AbortController;
  ended: Promise<void>;
}

const storePause = 1000;

/**
 * Runs the steps of operations in the background. The rows in the store are the only state: interrupted work
 * continues from them.
 */
export class Runner {
  readonly #store: OperationStore;
  readonly #kinds: ReadonlyMap<string, OperationKind>;
  readonly #onError: (error: unknown) => void;
  readonly #active = new Map<number, Active>();
  readonly #closing = new AbortController();

  constructor(store: OperationStore, kinds: ReadonlyMap<string, OperationKind>, onError: (error: unknown) => void) {
    this.#store = store;
    this.#kinds = kinds;
    this.#onError = onError;
  }

  /** Continues every operation that was running when the server stopped. */
  async recover(): Promise<void> {
    await this.#store.catchUp();
    for (const id of await this.#store.running()) if (!this.#active.has(id)) this.drive(id, { isRecovered: true });
  }

  /** Recovers once the store is back: a write whose response was lost may have been committed. */
  recoverAfter(error: unknown): void {
    void this.#persist(() => this.recover(), this.#closing.signal, error);
  }

  /** Aborts running steps; they run again at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    const active = [...this.#active.values()];
    for (const { controller } of active) controller.abort();
    await Promise.all(active.map(({ ended }) => ended));
  }

  /** Resolves when no work on the operation is left. */
  async ended(id: number): Promise<void> {
    while (this.#active.has(id)) await this.#active.get(id)?.ended;
  }

  /** Works on an operation in the background. Work on it that is under way is aborted first. */
  drive(id: number, { isRecovered = false } = {}): void {
    if (this.#closing.signal.aborted) return;
    const previous = this.#active.get(id);
    previous?.controller.abort();
    const controller = new AbortController();
    const ended = (previous?.ended ?? Promise.resolve()).then(() => this.#work(id, controller.signal, isRecovered));
    const active = { controller, ended };
    this.#active.set(id, active);
    void ended.finally(() => {
      if (this.#active.get(id) === active) this.#active.delete(id);
    });
  }

  /** Until the operation has ended, even if it is cancelled meanwhile. */
  async #work(id: number, signal: AbortSignal, isRecovered: boolean): Promise<void> {
    if (isRecovered) await this.#persist(() => this.#failUnlessAllowed(id), signal);
    let isRunning = true;
    while (isRunning && !signal.aborted) {
      await this.#persist(async () => {
        isRunning = await this.#workOnce(id, signal);
      }, signal);
    }
  }

  /** Only the store itself fails here. When it is back, work continues from its rows. */
  async #persist(work: () => Promise<void>, signal: AbortSignal, failure?: unknown): Promise<void> {
    for (let error = failure; !signal.aborted; ) {
      try {
        if (error !== undefined) {
          this.#onError(error);
          await sleep(storePause, undefined, { signal });
          await this.#store.catchUp();
        }
        return await work();
      } catch (next) {
        error = next;
      }
    }
  }

  /** An operation that must not continue fails where it is, and waits for a person. */
  async #failUnlessAllowed(id: number): Promise<void> {
    const row = await this.#store.find(id);
    const refusal = await assertAllowed(this.#kinds, row).catch((error: unknown) => error);
    if (!(refusal instanceof ProblemError)) return;
    const problems = [...refusal.problems];
    const steps = await this.#store.stepsOf(id);
    const begun = steps.filter(({ state }) => state === 'running');
    const [next] = [...begun, ...steps.filter(({ state }) => state === 'waiting')];
    const end = { state: 'failed', failure: JSON.stringify(problems), ended_at: Date.now() } as const;
    for (const step of begun) await this.#store.changeStep(row, step, end);
    await this.#store.finish(row, { state: 'failed', failure: { step: next?.name ?? '', problems } });
  }

  /** Returns whether there may be more to do. */
  async #workOnce(id: number, signal: AbortSignal): Promise<boolean> {
    const row = await this.#store.find(id);
    if (row.state !== 'running') return false;
    const steps = await this.#store.stepsOf(id);
    const kind = this.#kinds.get(row.kind);
    if (!kind) {
      const problems = [problem('NOVA9001', { reason: `this release has no operation ${row.kind}` })];
      await this.#store.finish(row, { state: 'failed', failure: { step: '', problems } });
    } else if (row.is_cancelling === 1) await this.#undoSteps(row, kind, steps, signal);
    else await this.#runSteps(row, kind, steps, signal);
    return true;
  }

  /** Starts each step as soon as the steps before it are done. */
  async #runSteps(row: OperationRow, kind: OperationKind, steps: StepRow[], signal: AbortSignal): Promise<void> {
    const running = new Map<string, Promise<void>>();
    const storeFailures: unknown[] = [];
    const after = new Map(steps.map((step) => [step.name, JSON.parse(step.after) as string[]]));
    const failed = () => steps.find(({ state }) => state === 'failed');
    const ready = () => {
      const done = new Set(steps.filter(({ state }) => state === 'done').map(({ name }) => name));
      const canStart = !failed();
      return steps.filter(({ name, state }) => {
        if (running.has(name)) return false;
        // A step that a crash interrupted is finished, even when another step has failed by then.
        if (state === 'running') return true;
        return state === 'waiting' && canStart && after.get(name)?.every((each) => done.has(each));
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
    if (!step) return this.#store.finish(row, { state: 'done' });
    const problems = JSON.parse(step.failure ?? '[]') as Problem[];
    await this.#store.finish(row, { state: 'failed', failure: { step: step.name, problems } });
  }

  /** Runs a step, and retries it by the policy of its error. The row holds the outcome. */
  async #runStep(
    row: OperationRow,
    kind: OperationKind,
    step: StepRow,
    steps: readonly StepRow[],
    signal: AbortSignal,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#store.changeStep(row, step, {
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
        // Cancelled, or the server stops: the step stays running in the store, and is undone or run again.
        if (signal.aborted) return log.written();
        const retry = retryPolicyOf(error);
        if (retry && attempt < retry.attempts) {
          log.line((error as Error).message);
          await log.written();
          await sleep(retry.everyMilliseconds, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return;
          continue;
        }
        end = { state: 'failed', failure: JSON.stringify(problemsOf(error)) };
      }
      await log.written();
      return this.#store.changeStep(row, step, { ...end, ended_at: Date.now() });
    }
  }

  /** Undoes steps, the last first. Steps without an undo are kept, and the view of the operation lists them. */
  async #undoSteps(
    row: OperationRow,
    kind: OperationKind,
    steps: readonly StepRow[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const step of steps.filter(isStarted).toReversed()) {
      if (signal.aborted) return;
      const log = this.#logOf(row, step.name);
      try {
        const { undo } = stepOf(kind, step.name);
        if (!undo) continue;
        await undo({ ...workOf(row, kind, step, steps), log: log.line });
      } catch (error) {
        await log.written();
        const problems = problemsOf(error);
        const end = { state: 'failed' as const, failure: { step: step.name, problems } };
        return this.#store.finish(row, end, { step, failure: JSON.stringify(problems) });
      }
      await log.written();
      await this.#store.changeStep(row, step, { state: 'undone', failure: null, ended_at: Date.now() });
    }
    await this.#store.finish(row, { state: 'cancelled' });
  }

  /** Lines are written while the step continues. It ends after all of them are on disk. */
  #logOf(row: OperationRow, step: string): { line: (line: string) => void; written: () => Promise<void> } {
    // Writes end in order: after the last one all lines are on disk.
    let last: Promise<void> = Promise.resolve();
    return {
      line: (line) => {
        // A lost line does not fail the step.
        last = this.#store.log(row, step, line).catch(this.#onError);
      },
      written: () => last,
    };
  }
}

/** A cancellation is always allowed. An operation of an older release may have an input that this one cannot read. */
export async function assertAllowed(kinds: ReadonlyMap<string, OperationKind>, row: OperationRow): Promise<void> {
  const kind = kinds.get(row.kind);
  if (row.is_cancelling === 1 || !kind) return;
  const { id, lock } = row;
  const { data, error } = kind.input.safeParse(JSON.parse(row.input));
  if (error) {
    const field = error.issues[0]?.path.join('.') ?? '';
    throw new ProblemError(problem('NOVA8306', { id, title: kind.title, field, name: lock ?? 'NAME' }));
  }
  await kind.assertAllowed(data);
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
  if (!step) throw new Error(`this release has no step ${name} of ${kind.kind}`);
  return step;
}

/** An error outside the table is a defect, unless it was worth retrying: then a peer stayed unreachable. */
function problemsOf(error: unknown): Problem[] {
  if (error instanceof ProblemError) return [...error.problems];
  const { cause } = error as { cause?: unknown };
  const retry = retryPolicyOf(error);
  if (retry && cause instanceof ProblemError) return [...cause.problems];
  const reason = error instanceof Error ? error.message : String(error);
  if (!retry) return [problem('NOVA9001', { reason })];
  return [problem('NOVA8305', { attempts: retry.attempts, reason })];
}
