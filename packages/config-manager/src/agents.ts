import { ProblemError, problem } from '@nova-platform/api';
import type { StoredReport } from '@nova-platform/contracts/config-manager';
import type { Enrolment } from './enrolment.ts';
import type { Nodes } from './nodes.ts';
import type { OrderEvent, OrderedAction, Orders } from './orders.ts';
import type { Reports } from './reports.ts';

/** A node requests its next order at once, unless it is down or busy with a run. */
const patienceSeconds = 90;

interface RunOptions {
  isNoop: boolean;
  /** Each line of the run's log. */
  onLine: (line: string) => void;
  /** `waiting`: the node has not requested its order yet. */
  onState?: (state: 'waiting' | 'running') => void;
  /** Stops following. A started run continues. */
  signal: AbortSignal;
}

/** Runs of agents on demand. */
export class Agents {
  readonly #nodes: Nodes;
  readonly #enrolment: Enrolment;
  readonly #orders: Orders;
  readonly #reports: Reports;

  constructor({
    nodes,
    enrolment,
    orders,
    reports,
  }: {
    nodes: Nodes;
    enrolment: Enrolment;
    orders: Orders;
    reports: Reports;
  }) {
    this.#nodes = nodes;
    this.#enrolment = enrolment;
    this.#orders = orders;
    this.#reports = reports;
  }

  /** Runs the agent of a node now. Returns its report, or nothing if the run sent none or `signal` aborted first. */
  async run(node: string, options: RunOptions): Promise<StoredReport | undefined> {
    await this.#nodes.assertExists(node);
    if ((await this.#enrolment.certificateOf(node)) === undefined)
      throw new ProblemError(problem('NOVA8015', { node }));
    const [before] = await this.#reports.of(node, 1);
    if (!this.#orders.isAsking(node)) options.onState?.('waiting');
    await this.#follow(node, options.isNoop ? 'noop' : 'run', options);
    const [after] = await this.#reports.of(node, 1);
    return after?.id === before?.id ? undefined : after;
  }

  /** Removes Nova from an existing host. Rejects if its agent does not take the order in time. */
  async leave(node: string, options: Omit<RunOptions, 'isNoop'>): Promise<void> {
    await this.#follow(node, 'leave', options);
  }

  /** Resolves when the run ends or the signal aborts. Rejects if the node does not take the order in time. */
  async #follow(
    node: string,
    action: OrderedAction,
    { onLine, onState, signal }: Omit<RunOptions, 'isNoop'>,
  ): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    /** Fails the run with this code unless the node reports its next event in time. */
    const expect = (code: 'NOVA8013' | 'NOVA8014') => {
      clearTimeout(timer);
      const silent = new ProblemError(problem(code, { node, seconds: patienceSeconds }));
      timer = setTimeout(() => reject(silent), patienceSeconds * 1000);
    };
    expect('NOVA8013');
    const onEvent = (event: OrderEvent) => {
      if ('taken' in event) {
        expect('NOVA8014');
        onState?.('running');
      } else if ('started' in event) clearTimeout(timer);
      else if ('line' in event) onLine(event.line);
      else if (event.exitCode === undefined) reject(new ProblemError(problem('NOVA8014', { node })));
      else resolve();
    };
    const order = this.#orders.place(node, action, onEvent);
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      order.cancel();
    }
  }
}
