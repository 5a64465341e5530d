/** Milliseconds from its start to each mark, without what is not counted. */
export class Stopwatch {
  readonly #startedAt = performance.now();
  #notCounted = 0;
  readonly marks = new Map<string, number>();

  mark(name: string): void {
    this.marks.set(name, this.elapsed());
  }

  elapsed(): number {
    return performance.now() - this.#startedAt - this.#notCounted;
  }

  async notCounted<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const done = await work();
    this.#notCounted += performance.now() - startedAt;
    return done;
  }
}
