import { randomUUID } from 'node:crypto';

export type OrderEvent = { taken: true } | { started: true } | { line: string } | { exitCode: number | undefined };

/** A run that somebody asked for now. */
export interface Order {
  id: string;
  node: string;
  isNoop: boolean;
}

interface Waiting extends Order {
  tell: (event: OrderEvent) => void;
  /** Its log has begun to come. */
  hasStarted: boolean;
}

/**
 * Runs that were asked for. Agents only pull, so an order waits until its node asks; it lives in memory, for as long as
 * whoever asked for it waits.
 */
export class Orders {
  readonly #queues = new Map<string, Waiting[]>();
  readonly #running = new Map<string, Waiting>();
  /** Nodes that are asking right now. */
  readonly #asking = new Map<string, (order: Waiting | undefined) => void>();

  /** Ends with `cancel`, which the one who asked calls when nobody waits any more. */
  place(node: string, isNoop: boolean, tell: (event: OrderEvent) => void): { cancel: () => void } {
    const order: Waiting = { id: randomUUID(), node, isNoop, tell, hasStarted: false };
    const answer = this.#asking.get(node);
    if (answer) {
      // It has its order: the next one waits for the next question.
      this.#asking.delete(node);
      answer(order);
    } else this.#queues.set(node, [...(this.#queues.get(node) ?? []), order]);
    return {
      cancel: () => {
        this.#running.delete(order.id);
        this.#removeQueued(order);
      },
    };
  }

  /** The node's next order, or nothing when none came in time. A node asks once at a time: the newest question counts. */
  async take(node: string, milliseconds: number, left: AbortSignal): Promise<Order | undefined> {
    this.#asking.get(node)?.(undefined);
    // Whoever asks runs nothing: it was killed over what it began, and what it never began did not reach it.
    const given = [...this.#running.values()].find((each) => each.node === node);
    if (given?.hasStarted) this.end(given.id, node, undefined);
    else if (given) return given;
    const [queued] = this.#queues.get(node) ?? [];
    if (queued) {
      this.#removeQueued(queued);
      return this.#start(queued);
    }
    const { promise, resolve } = Promise.withResolvers<Waiting | undefined>();
    const none = () => resolve(undefined);
    const timer = setTimeout(none, milliseconds);
    left.addEventListener('abort', none, { once: true });
    this.#asking.set(node, resolve);
    const order = await promise;
    clearTimeout(timer);
    left.removeEventListener('abort', none);
    if (this.#asking.get(node) === resolve) this.#asking.delete(node);
    return order && this.#start(order);
  }

  /** A line of the run's log, from the node it was for. */
  log(id: string, node: string, line: string): void {
    this.#find(id, node)?.tell({ line });
  }

  isRunning(id: string, node: string): boolean {
    return this.#find(id, node) !== undefined;
  }

  started(id: string, node: string): void {
    const order = this.#find(id, node);
    if (!order) return;
    order.hasStarted = true;
    order.tell({ started: true });
  }

  /** The run is over; without an exit code it broke off. */
  end(id: string, node: string, exitCode: number | undefined): void {
    const order = this.#find(id, node);
    if (!order) return;
    this.#running.delete(id);
    order.tell({ exitCode });
  }

  /** Whether the node is there to be asked. */
  isAsking(node: string): boolean {
    return this.#asking.has(node);
  }

  /** Lets every node go, so that the server can stop. */
  close(): void {
    for (const answer of this.#asking.values()) answer(undefined);
  }

  #start(order: Waiting): Order {
    this.#running.set(order.id, order);
    order.tell({ taken: true });
    return order;
  }

  #find(id: string, node: string): Waiting | undefined {
    const order = this.#running.get(id);
    return order?.node === node ? order : undefined;
  }

  #removeQueued(order: Waiting): void {
    const rest = (this.#queues.get(order.node) ?? []).filter((each) => each !== order);
    if (rest.length > 0) this.#queues.set(order.node, rest);
    else this.#queues.delete(order.node);
  }
}
