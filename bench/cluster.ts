import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { novaCtl } from './host.ts';
import { type Run, removeKubeadm, runKubeadm } from './kubeadm.ts';
import { result, statistics } from './measure.ts';
import { removeNova, runNova, universe, writeGap } from './nova-cluster.ts';

/** Maximum ratio to kubeadm's time from nothing to a Service that responds on all nodes; also next to busy loops. */
const timeGoal = 0.5;
const busyTimeGoal = 0.8;
/** Maximum ratio of CPU-seconds. */
const cpuGoal = 1;
/** Maximum ratio of the control plane's anonymous memory. */
const memoryGoal = 1;
/** Nine nodes take at most this many times as long as three: on two cores the work is CPU-bound. */
const growthGoal = 2;
/** Maximum seconds without a successful write when a control plane fails. */
const gapGoal = 10;
/** Wait after the Service responds, until the measured memory has settled. */
const settleSeconds = 10;
const busyLoops = 4;

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '5' },
    /** Runs only these parts. */
    only: { type: 'string', multiple: true, default: ['pairs', 'busy', 'growth', 'gap'] },
    /** Prints a timeline of each of our nodes. */
    detail: { type: 'boolean', default: false },
  },
});
const pairs = Number(values.pairs);
const settle = () => sleep(settleSeconds * 1000);
const three = { controlPlanes: 1, workers: 2 };
const nine = { controlPlanes: 1, workers: 8 };

const folder = mkdtempSync(join(tmpdir(), 'nova-bench-'));
const isOurs = !(await runs());
if (isOurs) await novaCtl('up', '--no-cluster');
try {
  await novaCtl('image', 'build', 'kubernetes-node');
  await novaCtl('registry', 'import', 'pause', 'coredns', 'nettest');
  await removeNova();
  await removeKubeadm();
  if (values.only.includes('pairs')) await quiet();
  if (values.only.includes('busy')) await busy();
  if (values.only.includes('growth')) await growth();
  if (values.only.includes('gap')) await gap();
} finally {
  rmSync(folder, { recursive: true });
  if (isOurs) await novaCtl('down');
}

async function runs(): Promise<boolean> {
  try {
    await universe().ready({});
    return true;
  } catch {
    return false;
  }
}

/** Alternates the contenders and which one starts: a slow phase of the machine affects both. */
async function interleaved(count: number): Promise<{ nova: Run[]; kubeadm: Run[] }> {
  const nova: Run[] = [];
  const kubeadm: Run[] = [];
  const contenders = [
    async () => void nova.push(detailed(shown('nova', await runNova(three, settle)))),
    async () => void kubeadm.push(shown('kubeadm', await runKubeadm(folder, settle))),
  ];
  for (let pair = 0; pair < count; pair += 1)
    for (const contender of pair % 2 === 0 ? contenders : contenders.toReversed()) await contender();
  summary('nova', nova);
  summary('kubeadm', kubeadm);
  return { nova, kubeadm };
}

async function quiet(): Promise<void> {
  const { nova, kubeadm } = await interleaved(pairs);
  const compare = (name: string, of: (run: Run) => number, goal: number) => {
    const ratio = median(nova.map(of)) / median(kubeadm.map(of));
    result(name, `${ratio.toFixed(2)}x`, `<=${goal}x`, ratio <= goal);
  };
  compare('cluster-time-vs-kubeadm', timeOf, timeGoal);
  compare('cluster-cpu-vs-kubeadm', cpuOf, cpuGoal);
  compare('cluster-control-plane-memory-vs-kubeadm', memoryOf, memoryGoal);
}

/** Repeats the comparison while busy loops compete for the CPUs. */
async function busy(): Promise<void> {
  const loops = Array.from({ length: busyLoops }, () => spawn('sh', ['-c', 'while :; do :; done']));
  try {
    const { nova, kubeadm } = await interleaved(Math.ceil(pairs / 2));
    const ratio = median(nova.map(timeOf)) / median(kubeadm.map(timeOf));
    result('cluster-time-vs-kubeadm-busy', `${ratio.toFixed(2)}x`, `<=${busyTimeGoal}x`, ratio <= busyTimeGoal);
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}

/** Alternates both sizes, like the contenders. */
async function growth(): Promise<void> {
  const [small, large]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < pairs; round += 1) {
    small.push(shown('nova, 3 nodes', await runNova(three, async () => undefined)));
    large.push(shown('nova, 9 nodes', await runNova(nine, async () => undefined)));
  }
  const times = median(large.map(timeOf)) / median(small.map(timeOf));
  const work = median(large.map(cpuOf)) / median(small.map(cpuOf));
  console.log(`  work of 9 nodes: ${work.toFixed(2)}x that of 3`);
  result('cluster-growth-3-to-9', `${times.toFixed(2)}x`, `<=${growthGoal}x`, times <= growthGoal);
}

async function gap(): Promise<void> {
  const seconds = await writeGap();
  result('cluster-write-gap', `${seconds.toFixed(1)}s`, `<=${gapGoal}s`, seconds <= gapGoal);
}

function timeOf({ marks }: Run): number {
  return marks.get('Service answers') ?? Number.NaN;
}

function cpuOf({ cpu }: Run): number {
  return cpu.get('Service answers') ?? Number.NaN;
}

function memoryOf({ memory }: Run): number {
  return [...memory.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function median(samples: readonly number[]): number {
  return statistics(samples).median;
}

function detailed<T extends Run & { nodes: string[] }>(run: T): T {
  if (values.detail) for (const node of run.nodes) console.log(`  ${node}`);
  return run;
}

function shown<T extends Run>(name: string, run: T): T {
  const steps = [...run.marks].toSorted(([, one], [, other]) => one - other);
  console.log(`${name}: ${steps.map(([step, at]) => `${step} ${(at / 1000).toFixed(1)}`).join(', ')} s`);
  return run;
}

/** The end time of each step, and the memory of the control plane. */
function summary(name: string, contender: readonly Run[]): void {
  console.log(`${name}, ${contender.length} runs, seconds from nothing to the end of each step:`);
  for (const step of contender[0]?.marks.keys() ?? []) {
    const {
      median: middle,
      min,
      max,
    } = statistics(contender.map(({ marks }) => (marks.get(step) ?? Number.NaN) / 1000));
    console.log(`  ${step}: median ${middle.toFixed(1)}, min ${min.toFixed(1)}, max ${max.toFixed(1)}`);
  }
  console.log(`  work until the Service answers: median ${median(contender.map(cpuOf)).toFixed(1)} CPU-seconds`);
  const programs = [...(contender[0]?.memory.keys() ?? [])].map((program) => {
    const bytes = median(contender.map(({ memory }) => memory.get(program) ?? 0));
    return `${program} ${(bytes / 1e6).toFixed(0)}`;
  });
  console.log(`  memory ${(median(contender.map(memoryOf)) / 1e6).toFixed(0)} MB: ${programs.join(', ')}`);
}
