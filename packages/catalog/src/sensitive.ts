/** A value that must appear in no log, report, difference or store; only the node it is for gets it. */
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
