import { loadavg } from 'node:os';

interface Row {
  name: string;
  isPart: boolean;
  startedAt: number;
  milliseconds?: number;
  isFailed?: boolean;
}

/** Measures the phases of a run. */
export class Phases {
  readonly #startedAt: number;
  readonly #rows: Row[] = [];

  constructor(startedAt = Date.now()) {
    this.#startedAt = startedAt;
  }

  /** Runs a phase. It fails if its result is false. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#measure({ name, isPart: false, startedAt: Date.now() }, work);
  }

  /** Runs a part of a phase. The table lists parts below all phases, the longest first. */
  part<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#measure({ name, isPart: true, startedAt: Date.now() }, work);
  }

  table(): string {
    const parts = this.#rows.filter(({ isPart }) => isPart);
    const rows = [
      ...this.#rows.filter(({ isPart }) => !isPart),
      ...parts.toSorted((one, other) => (other.milliseconds ?? 0) - (one.milliseconds ?? 0)),
      { name: 'total', isPart: false, milliseconds: Date.now() - this.#startedAt, isFailed: false },
    ].map(({ name, isPart, milliseconds = 0, isFailed }) => ({
      name: `${isPart ? '  ' : ''}${name}`,
      time: durationOf(milliseconds),
      mark: isFailed ? '  ✗ failed' : '',
    }));
    const width = Math.max(...rows.map(({ name }) => name.length));
    const lines = rows.map(({ name, time, mark }) => `  ${name.padEnd(width)}  ${time.padStart(6)}${mark}`);
    const load = loadavg().map((each) => each.toFixed(1));
    return ['Time', ...lines, `  Load average over 1, 5 and 15 minutes: ${load.join(', ')}`].join('\n');
  }

  async #measure<T>(row: Row, work: () => Promise<T>): Promise<T> {
    this.#rows.push(row);
    row.isFailed = true;
    try {
      const result = await work();
      row.isFailed = result === false;
      return result;
    } finally {
      row.milliseconds = Date.now() - row.startedAt;
    }
  }
}

function durationOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
