const first = 1000;
const longest = 60_000;

/** Backoff of restarts by name: no pause at first, then doubling pauses. */
export class Pauses {
  readonly #last = new Map<string, { startedAt: number; pause: number }>();

  /** Whether it may be started now. If so, the caller starts it. */
  isOver(name: string, now: number): boolean {
    const last = this.#last.get(name);
    if (last && now < last.startedAt + last.pause) return false;
    // After a long run the backoff starts over.
    const isNew = !last || now > last.startedAt + 2 * longest;
    this.#last.set(name, { startedAt: now, pause: isNew ? first : Math.min(2 * last.pause, longest) });
    return true;
  }

  /** It succeeded: its next start needs no pause. */
  forget(name: string): void {
    this.#last.delete(name);
  }
}
