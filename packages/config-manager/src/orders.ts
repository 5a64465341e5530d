import { randomUUID } from 'node:crypto';

export type OrderEvent = { taken: true } | { started: true } | { line: string } | { exitCode: number | undefined };

/** `leave` removes Nova from an existing host. */
export type OrderedAction = 'run' | 'noop' | 'leave';

/** What a node does on demand. */
export interface Order {
  id: string;
  node: string;
  action: OrderedAction;
}

interface Waiting extends Order {
  tell: (event: OrderEvent) => void;
  /** The log has started to arrive. */
  hasStarted: boolean;
}

/**
 * Runs on demand. Agents only pull, so an order waits until its node requests it. Orders exist in memory, as long as
 * the caller waits.
 */
export class Orders {
  readonly #queues = new Map<string, Waiting[]>();
  readonly #running = new Map<string, Waiting>();
  /** Nodes that are polling right now. */
  readonly #asking = new Map<string, (order: Waiting | undefined) => void>();

  /** The caller calls `cancel` when it stops waiting. */
  place(node: string, action: OrderedAction, tell: (event: OrderEvent) => void): { cancel: () => void } {
    const order: Waiting = { id: randomUUID(), node, action, tell, hasStarted: false };
    const answer = this.#asking.get(node);
    if (answer) {
      // The node has its order now: another order waits for its next request.
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

  /** The node's next order, or undefined on timeout. A node has one request at a time: the latest one wins. */
  async take(node: string, milliseconds: number, left: AbortSignal): Promise<Order | undefined> {
    this.#asking.get(node)?.(undefined);
    // A node that requests an order is not running one: a started run was killed, and an order that did not start never
    // reached the node.
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

  /** Forwards a line of the log, if it comes from the node of the order. */
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

  /** Ends the run. Without an exit code it was interrupted. */
  end(id: string, node: string, exitCode: number | undefined): void {
    const order = this.#find(id, node);
    if (!order) return;
    this.#running.delete(id);
    order.tell({ exitCode });
  }

  /** Whether the node is polling for orders. */
  isAsking(node: string): boolean {
    return this.#asking.has(node);
  }

  /** Ends all polling requests, so that the server can stop. */
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
