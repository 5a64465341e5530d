import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The result of a fuzzer run. */
export interface FuzzReport {
  cases: number;
  rejected: number;
  codes: Record<string, number>;
  slowest: { milliseconds: number; seed: number };
  heapMegabytes: number;
}

// A case takes a few milliseconds; one that takes this long hangs.
const hangAfterMilliseconds = 20_000;
// The maximum memory of a run, for any input.
const heapLimitMegabytes = 512;

/**
 * Feeds mutated manifests to the code of `validate` and `plan`, in a thread that is stopped when it hangs or exceeds
 * its memory.
 */
export async function fuzz(
  cases: number,
  firstSeed: number,
  progress: (done: number) => void = () => {},
): Promise<FuzzReport> {
  const worker = new Worker(new URL('fuzz-worker.ts', import.meta.url), {
    workerData: { cases, firstSeed, corpus: corpus() },
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMegabytes },
  });
  let seed = firstSeed;
  let lastSign = Date.now();
  return new Promise((resolve, reject) => {
    const watchdog = setInterval(() => {
      if (Date.now() - lastSign > hangAfterMilliseconds) finish(() => reject(new Error(`seed ${seed} hangs`)));
    }, 1000);
    const finish = (settle: () => void): void => {
      clearInterval(watchdog);
      void worker.terminate();
      settle();
    };
    worker.on('message', (message: { seed: number } | { report: FuzzReport }) => {
      lastSign = Date.now();
      if ('report' in message) return finish(() => resolve(message.report));
      seed = message.seed;
      progress(seed - firstSeed);
    });
    worker.on('error', (error) =>
      finish(() => reject(new Error(`after seed ${seed}: ${error.message}`, { cause: error }))),
    );
  });
}

/** All examples, as manifests to start from. */
function corpus(): string[] {
  const folder = join(import.meta.dirname, '../examples');
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
}

if (import.meta.main) {
  const cases = Number(process.env.FUZZ_CASES ?? 100_000);
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
  console.log(`${cases} mutated manifests, first seed ${seed} (FUZZ_SEED=${seed} repeats them)`);
  const started = Date.now();
  let next = 10_000;
  const report = await fuzz(cases, seed, (done) => {
    if (done < next) return;
    console.log(`${next} done, ${Math.round((Date.now() - started) / 1000)} s`);
    next += 10_000;
  });
  console.log(JSON.stringify(report, null, 2));
  console.log(`No crash, no hang, memory bounded, all ${report.rejected} rejections placed.`);
}
