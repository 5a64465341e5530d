/** A value that must never appear in logs, reports, diffs or databases. Only its node gets it. */
export class Sensitive {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[sensitive]';
  }

  toJSON(): string {
    return this.toString();
  }
}

export const sensitive = (value: string): Sensitive => new Sensitive(value);
