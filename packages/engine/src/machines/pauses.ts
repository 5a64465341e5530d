const first = 1000;
const longest = 60_000;

/** How long things that end again and again are left alone: not at all the first time, then ever longer. */
export class Pauses {
  readonly #last = new Map<string, { startedAt: number; pause: number }>();

  /** Whether it may be started again now; who hears so starts it. */
  isOver(name: string, now: number): boolean {
    const last = this.#last.get(name);
    if (last && now < last.startedAt + last.pause) return false;
    // One that ran for long has nothing to do with what was before.
    const isNew = !last || now > last.startedAt + 2 * longest;
    this.#last.set(name, { startedAt: now, pause: isNew ? first : Math.min(2 * last.pause, longest) });
    return true;
  }
}
