/** Runs the work of one queue in sequence, and different queues in parallel. */
export class Turns {
  readonly #queues = new Map<string, Promise<unknown>>();

  take<T>(queue: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#queues.get(queue) ?? Promise.resolve()).then(work, work);
    this.#queues.set(
      queue,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
