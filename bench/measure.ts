import { performance } from 'node:perf_hooks';

export interface Statistics {
  median: number;
  min: number;
  max: number;
  /** The interquartile range, relative to the median. */
  spread: number;
}

export function statistics(samples: readonly number[]): Statistics {
  const sorted = samples.toSorted((a, b) => a - b);
  const quantile = (part: number) => {
    const place = part * (sorted.length - 1);
    const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  const median = quantile(0.5);
  return { median, min: quantile(0), max: quantile(1), spread: (quantile(0.75) - quantile(0.25)) / median };
}

/** The figures of one run, if each sample was several runs. */
export function perRun({ median, min, max, spread }: Statistics, runs: number): Statistics {
  return { median: median / runs, min: min / runs, max: max / runs, spread };
}

/**
 * Milliseconds of each contender. All of them run in every round, one after the other, so that a slow phase of the
 * machine affects all of them.
 */
export async function measure<Name extends string>(
  contenders: Record<Name, () => unknown>,
  { warmUp, rounds }: { warmUp: number; rounds: number },
): Promise<Record<Name, Statistics>> {
  const names = Object.keys(contenders) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of names) {
      const start = performance.now();
      await contenders[name]();
      const taken = performance.now() - start;
      if (round >= 0) samples.get(name)?.push(taken);
    }
  }
  const figures = names.map((name) => [name, statistics(samples.get(name) ?? [])]);
  return Object.fromEntries(figures) as Record<Name, Statistics>;
}

/** `500 nodes: median 3.1 ms, min 2.9, max 4.0, spread 8 %` */
export function line(name: string, { median, min, max, spread }: Statistics): string {
  const [middle, low, high] = [median, min, max].map((each) => each.toFixed(1));
  return `${name}: median ${middle} ms, min ${low}, max ${high}, spread ${Math.round(spread * 100)} %`;
}

/** Prints the line that scripts and readers look for. */
export function result(name: string, figure: string, goal: string, isOk: boolean): void {
  console.log(resultLine(name, figure, goal, isOk));
}

export function resultLine(name: string, figure: string, goal: string, isOk: boolean): string {
  return `RESULT ${name} ${figure} goal ${goal} ${isOk ? 'ok' : 'short'}`;
}
