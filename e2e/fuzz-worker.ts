import { parentPort, workerData } from 'node:worker_threads';
import {
  checkCluster,
  describe,
  errors,
  groupClusters,
  loadDocuments,
  type Problem,
  ProblemError,
} from '@nova-platform/api';
import { defaultSite, planCluster, siteNetworks, siteZones } from '@nova-platform/plan';
import type { FuzzReport } from './fuzz.ts';
import { mutate, randomFrom } from './mutate.ts';

const { cases, firstSeed, corpus } = workerData as { cases: number; firstSeed: number; corpus: string[] };
const secret = 'hunter2-canary';

const report: FuzzReport = { cases, rejected: 0, codes: {}, slowest: { milliseconds: 0, seed: 0 }, heapMegabytes: 0 };
for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
  if (seed % 50 === 0) parentPort?.postMessage({ seed });
  const text = mutate(corpus, randomFrom(seed)).replaceAll('change-me', secret);
  const started = performance.now();
  let problems: Problem[];
  try {
    problems = judge(text);
    for (const problem of problems) assertPlaced(problem, text);
    if (isSecretKept(text) && JSON.stringify(problems).includes(secret)) throw new Error('a secret is shown');
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${text.slice(0, 2000)}`, { cause: error });
  }
  const milliseconds = performance.now() - started;
  if (milliseconds > report.slowest.milliseconds) report.slowest = { milliseconds: Math.round(milliseconds), seed };
  if (problems.length > 0) report.rejected += 1;
  for (const code of new Set(problems.map((each) => each.code))) report.codes[code] = (report.codes[code] ?? 0) + 1;
  if (seed % 1000 === 0)
    report.heapMegabytes = Math.max(report.heapMegabytes, Math.round(process.memoryUsage().heapUsed / 2 ** 20));
}
parentPort?.postMessage({ report });

/** Whether the secret is only in password fields: mutations also copy it into other fields. */
function isSecretKept(text: string): boolean {
  return text.split(secret).length === text.split(`password: ${secret}\n`).length;
}

/** Does what `validate` does, and `plan` if nothing is wrong. */
function judge(text: string): Problem[] {
  const { documents, problems } = loadDocuments([{ name: 'fuzz.yaml', text }]);
  const { clusters, problems: groupProblems } = groupClusters(documents);
  const findings = clusters.flatMap((cluster) =>
    checkCluster(cluster, { siteNetworks: siteNetworks(defaultSite), siteZones: siteZones(defaultSite), clusters: [] }),
  );
  const all = [...problems, ...groupProblems, ...findings];
  if (all.length > 0) return all;
  return clusters.flatMap(({ infrastructure, proxy }) => {
    try {
      const plan = planCluster({ infrastructure: infrastructure.value, proxy: proxy?.value, site: defaultSite });
      if (isSecretKept(text) && JSON.stringify(plan).includes(secret)) throw new Error('a secret is in the plan');
      return [];
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return error.problems.map((each) => ({ ...each, place: infrastructure.yaml.locate(each.path) }));
    }
  });
}

function assertPlaced(problem: Problem, text: string): void {
  const { place, code } = problem;
  if (!(code in errors)) throw new Error(`${code} is not in the table`);
  const lines = text.split('\n').length;
  if (!place || place.line < 1 || place.line > lines || place.column < 1 || place.length < 1) {
    throw new Error(`${code} is not placed: ${JSON.stringify(place)}`);
  }
  for (const language of ['en', 'ru'] as const) {
    const { message, remedy } = describe(problem, language);
    if (/\{\w+\}|undefined|\[object/.test(message + remedy)) throw new Error(`${code} says: ${message} ${remedy}`);
  }
}
