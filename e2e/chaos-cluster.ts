import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadDocuments } from '@nova-platform/api';
import { changeOf } from '@nova-platform/change';
import { type ClusterTools, clusterOperations } from '@nova-platform/cluster';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { followEvents, type Operation, type UniverseEvent } from '@nova-platform/contracts/universe/client';
import { type ClusterPlan, checkAgainstPlans, machineKindOf, type PlannedNode, planOf } from '@nova-platform/plan';
import { type UniverseAccess, universeOf } from '../packages/cli/src/universe.ts';
import { complaintsAbout, traces } from './chaos-cluster-world.ts';
import { novaCtl } from './nova-ctl.ts';
import { clusterManifest } from './platform.ts';
import { type Victim, victims } from './victims.ts';

const cluster = 'chaos';
const controlPlane = `${cluster}-cp-1`;
const first = `${cluster}-work-1`;
const second = `${cluster}-work-2`;

/** The lifecycle of a cluster: each act is an operation during which one victim is killed. */
const acts = ['apply', 'grow', 'shrink', 'enlarge', 'reduce', 'stop', 'start', 'destroy'] as const;
type Act = (typeof acts)[number];
/** Acts that reverse each other; a lifecycle has both or neither. */
const pairs: readonly (readonly Act[])[] = [
  ['grow', 'shrink'],
  ['enlarge', 'reduce'],
  ['stop', 'start'],
];
const order = ['universe', 'engine', 'agent', 'machine'] as const satisfies readonly Victim[];

/** The longest duration of an operation. At most one victim is killed per operation. */
const longest = 8 * 60_000;
const mostResumes = 3;
/** The victim has restarted by then; a person would not resume any sooner. */
const resumePause = 5000;
const lookPause = 20;

type Outcome = 'went on' | 'resumed' | 'broke' | 'not there';

/** One kill of a victim while a step runs. */
interface Cell {
  act: Act;
  step: string;
  victim: Victim;
  outcome?: Outcome;
  /** The step had ended before the kill: it was too short. */
  isLate?: boolean;
}

const nameOf = ({ act, step, victim }: Cell): string => `${act}:${step}:${victim}`;
/** A step for a node concerns that node; all others depend most on the control plane. */
const nodeOf = ({ step }: Cell): string => step.split('/')[1] ?? controlPlane;

/** The steps of each act, from the operations' own definitions. */
function stepsOf(): Record<Act, string[]> {
  // No step runs here, so the tools are empty.
  const kinds = clusterOperations({} as ClusterTools);
  const { createCluster, changeCluster, startCluster, stopCluster, destroyCluster } = kinds;
  const [small, more, larger] = [planWith(), planWith({ workers: 2 }), planWith({ memory: '3Gi' })];
  const names = (steps: { name: string }[]) => steps.map(({ name }) => name);
  return {
    apply: names(createCluster.plan(approved(undefined, small))),
    grow: names(changeCluster.plan(approved(small, more))),
    shrink: names(changeCluster.plan(approved(more, small))),
    // More memory is applied while the machine runs; less memory needs a restart.
    enlarge: names(changeCluster.plan(approved(small, larger))),
    reduce: names(changeCluster.plan(approved(larger, small))),
    stop: names(stopCluster.plan({ plan: small })),
    start: names(startCluster.plan({ plan: small })),
    destroy: names(destroyCluster.plan({ plan: small })),
  };
}

/** The memory applies to the workers. */
function manifestWith({ workers = 1, memory = '2Gi' } = {}): string {
  const text = clusterManifest(cluster, '10.47.0.0/24', 1, workers);
  return text.replace(/(?<=name: work,.* memory: )\w+/, memory);
}

function planWith(size: Parameters<typeof manifestWith>[0] = {}): ClusterPlan {
  const text = manifestWith(size);
  return planOf(checkAgainstPlans(loadDocuments([{ name: 'chaos.yaml', text }]), []), undefined).plan;
}

/** The input of an operation from one plan to another, with all machines of the first plan present. */
function approved(current: ClusterPlan | undefined, plan: ClusterPlan) {
  const state = { isDiskLimited: true, state: 'running', isLost: false } as const;
  // A catalog contains the routes to all other nodes, and the size of its own node.
  const isCurrent = (node: PlannedNode) =>
    current?.nodes.length === plan.nodes.length &&
    current.nodes.some(({ name, memory }) => name === node.name && memory === node.memory);
  const change = changeOf({
    plan,
    current,
    isNew: current === undefined,
    documents: [],
    catalogs: plan.nodes.map((node) => ({ node: node.name, changes: [], isSeen: true, isCurrent: isCurrent(node) })),
    observed: {
      machines: (current?.nodes ?? []).map((node) => ({ ...node, ...state, kind: machineKindOf(node) })),
      processors: 2,
      canLimitDisks: true,
      hasKvm: false,
    },
    objects: { before: [], after: [] },
  });
  return { plan, change, sealedSecrets: '' };
}

function begun({ operation }: { operation?: Operation }): Operation {
  if (!operation) throw new Error('nothing was to be done');
  return operation;
}

/** Follows the cluster's events, and kills in the first armed cell whose victim exists. */
class Assassin {
  #armed: Cell[] = [];
  #newest = 0;
  readonly #running = new Set<string>();
  killed: { cell: Cell; at: number } | undefined;

  /** Applies to operations that start from now on. */
  arm(cells: readonly Cell[]): void {
    this.#armed = [...cells];
    this.#running.clear();
    this.killed = undefined;
  }

  /** Ignores replayed events of earlier operations. */
  ended({ id }: Operation): void {
    this.#newest = id;
  }

  hear({ kind, operation = 0, step = '', data }: UniverseEvent): void {
    if (kind !== 'step' || operation <= this.#newest || this.killed) return;
    if (data.state === 'running') {
      this.#running.add(step);
      for (const cell of this.#armed.filter((each) => each.step === step)) void this.#lieInWait(cell);
      return;
    }
    this.#running.delete(step);
    for (const cell of this.#armed.filter((each) => each.step === step)) cell.outcome = 'not there';
  }

  /** The victim may start while the step runs. */
  async #lieInWait(cell: Cell): Promise<void> {
    while (!this.killed && this.#running.has(cell.step)) {
      if (victims[cell.victim](nodeOf(cell))) this.killed = { cell, at: Date.now() };
      else await sleep(lookPause);
    }
  }
}

class Chaos {
  readonly #home: string;
  readonly #assassin = new Assassin();
  readonly complaints: string[] = [];
  /** Operations that had to be resumed, with the cause. */
  readonly resumed: string[] = [];
  readonly #universe: UniverseAccess;
  #isHeard = false;

  constructor(home: string) {
    this.#home = home;
    this.#universe = this.#access();
  }

  follow(signal: AbortSignal): void {
    const onConnection = (isThere: boolean) => {
      this.#isHeard = isThere;
    };
    const { connection } = this.#universe;
    void followEvents(connection, { after: 0, onConnection }, (event) => this.#assassin.hear(event), signal);
  }

  /** Plays one act with at most one of the cells. Cells without a victim at the time of the kill are marked as such. */
  async play(act: Act, cells: readonly Cell[]): Promise<void> {
    // Wait until the last victim is back, so that the next request succeeds and its events arrive.
    while (!this.#isHeard || !(await engineClient.health().catch(() => undefined))) await sleep(lookPause);
    this.#assassin.arm(cells);
    const { id } = await this.#begin(act);
    const { operation, failures } = await this.#bringToItsEnd(id);
    this.#assassin.ended(operation);
    const { killed } = this.#assassin;
    const complaints = operation.state === 'done' ? [] : [`operation ${id} is ${operation.state}`];
    complaints.push(...(await this.#complaintsAfter(act)));
    if (!killed) {
      // An act without a kill must succeed; otherwise the other cells would prove nothing.
      if (complaints.length > 0) throw new Error(`${act}, undisturbed:\n${complaints.join('\n')}`);
      return;
    }
    const { cell, at } = killed;
    const step = operation.steps.find(({ name }) => name === cell.step);
    cell.isLate = step?.attempts === 1 && Date.parse(step.endedAt ?? '') < at;
    cell.outcome = complaints.length > 0 ? 'broke' : failures.length > 0 ? 'resumed' : 'went on';
    this.complaints.push(...complaints.map((each) => `${nameOf(cell)}: ${each}`));
    this.resumed.push(...failures.map((each) => `${nameOf(cell)}: ${each}`));
  }

  async #begin(act: Act): Promise<{ id: number }> {
    const { client } = this.#universe;
    const params = { cluster };
    if (act === 'destroy') return client.destroyCluster({ params });
    if (act === 'stop') return client.stopCluster({ params });
    if (act === 'start') return client.startCluster({ params });
    if (act === 'apply' || act === 'enlarge' || act === 'reduce') {
      const documents = manifestWith({ memory: act === 'enlarge' ? '3Gi' : '2Gi' });
      return begun(await client.declareCluster({ params, body: { documents } }));
    }
    const groups = { work: act === 'grow' ? 2 : 1 };
    return begun(await client.scaleCluster({ params, body: { groups } }));
  }

  /** Acts like a person who only resumes failed operations. */
  async #bringToItsEnd(id: number): Promise<{ operation: Operation; failures: string[] }> {
    const { client } = this.#universe;
    const params = { id };
    const failures: string[] = [];
    const deadline = Date.now() + longest;
    for (;;) {
      // While Universe is unreachable, keep polling.
      const operation = await client.showOperation({ params }).catch(() => undefined);
      if (operation && (operation.state === 'done' || Date.now() > deadline)) return { operation, failures };
      if (operation?.state === 'failed') {
        if (failures.length === mostResumes) return { operation, failures };
        const { step = '', problems = [] } = operation.failure ?? {};
        failures.push(
          `${step}: ${problems.map(({ code, params: about }) => `${code} ${JSON.stringify(about)}`).join()}`,
        );
        await sleep(resumePause);
        await client.resumeOperation({ params });
      }
      await sleep(200);
    }
  }

  async #complaintsAfter(act: Act): Promise<string[]> {
    if (act === 'destroy' || act === 'stop') return [];
    const nodes = [controlPlane, first, ...(act === 'grow' ? [second] : [])];
    return complaintsAbout({ cluster, controlPlane, nodes, access: () => this.#clusterAccess() });
  }

  async #clusterAccess() {
    const { server, authority, certificate, key } = await this.#universe.client.kubeconfig({ params: { cluster } });
    const { hostname, port } = new URL(server);
    return { host: hostname, port: Number(port), ca: authority, cert: certificate, key };
  }

  #access(): UniverseAccess {
    const { stdin, stdout, stderr } = process;
    const env = { ...process.env, ...environment(this.#home) };
    return universeOf({ stdin, stdout, stderr, env, cwd: process.cwd(), untilStopped: () => Promise.resolve() });
  }
}

const environment = (home: string) => ({ HOME: home, XDG_CONFIG_HOME: join(home, '.config'), NOVA_CONTEXT: '' });

/** Repeats the cluster's lifecycle until every cell is played. */
async function playAll(chaos: Chaos, cells: readonly Cell[]): Promise<void> {
  const started = Date.now();
  const before = await traces(cluster);
  const waiting = (act: Act) => cells.filter((cell) => cell.act === act && cell.outcome === undefined);
  let told: readonly Cell[] = [];
  while (acts.some((act) => waiting(act).length > 0)) {
    const isOver = (act: Act) => waiting(act).length === 0;
    const idle = pairs.filter((pair) => pair.every(isOver)).flat();
    for (const act of acts.filter((each) => !idle.includes(each))) {
      const [next] = waiting(act);
      // Arm all cells of one victim: if it does not run yet, a later step may have it.
      await chaos.play(act, next ? waiting(act).filter(({ victim }) => victim === next.victim) : []);
      const news = cells.filter((cell) => cell.outcome !== undefined && !told.includes(cell));
      told = [...told, ...news];
      for (const cell of news) {
        const seconds = Math.round((Date.now() - started) / 1000);
        const late = cell.isLate === true ? ', the step was over' : '';
        console.log(`${seconds} s, ${told.length}/${cells.length}  ${nameOf(cell)}: ${cell.outcome}${late}`);
      }
    }
    const after = await traces(cluster);
    const left = [
      ...after.filter((each) => !before.includes(each)).map((each) => `left over: ${each}`),
      ...before.filter((each) => !after.includes(each)).map((each) => `missing: ${each}`),
    ];
    if (left.length === 0) continue;
    chaos.complaints.push(...left);
    // One of the last cells is the cause. Later cells would report the same leftovers, so stop here.
    throw new Error(`after ${told.slice(-4).map(nameOf).join(', ')}:\n${left.join('\n')}`);
  }
}

const marks: Record<Outcome, string> = { 'went on': '✓', resumed: '↻', broke: '✗', 'not there': '–' };

/** A row for each step, a column for each victim. */
function table(cells: readonly Cell[]): string {
  const rows = Map.groupBy(cells, ({ act, step }) => `${act.padEnd(8)} ${step}`);
  const width = Math.max(...[...rows.keys()].map(({ length }) => length));
  const head = ['', ...order].map((each, index) => (index === 0 ? each.padEnd(width) : each.padEnd(9)));
  const lines = [...rows].map(([name, row]) => {
    const columns = order.map((victim) => {
      const cell = row.find((each) => each.victim === victim);
      const mark = cell?.outcome ? marks[cell.outcome] : ' ';
      return `${mark}${cell?.isLate === true ? ' late' : ''}`.padEnd(9);
    });
    return [name.padEnd(width), ...columns].join(' ').trimEnd();
  });
  return [
    head.join(' '),
    ...lines,
    '',
    '✓ went on  ↻ resumed  ✗ broke  – not there then  late: the step was over',
  ].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      /** Only cells whose name (`apply:machine/chaos-cp-1:engine`) contains this; can be repeated. */
      only: { type: 'string', multiple: true, default: [''] },
      list: { type: 'boolean', default: false },
    },
  });
  const steps = stepsOf();
  const cells = acts
    .flatMap((act) => order.flatMap((victim) => steps[act].map((step): Cell => ({ act, step, victim }))))
    .filter((cell) => values.only.some((part) => nameOf(cell).includes(part)));
  if (values.list) return console.log(cells.map(nameOf).join('\n'));
  const home = mkdtempSync(join(tmpdir(), 'nova-chaos-'));
  const stopped = new AbortController();
  const ctl = async (...args: string[]) => {
    const { exitCode, stderr } = await novaCtl(args, { env: environment(home) });
    if (exitCode !== 0) throw new Error(`nova-ctl ${args.join(' ')}: ${stderr}`);
  };
  try {
    await ctl('up', '--no-cluster');
    await ctl('registry', 'import', 'pause', 'coredns');
    await ctl('image', 'build', 'kubernetes-node');
    const chaos = new Chaos(home);
    chaos.follow(stopped.signal);
    const failure = await playAll(chaos, cells).then(
      () => undefined,
      (error: unknown) => error,
    );
    console.log(`\n${table(cells)}\n`);
    for (const each of chaos.resumed) console.log(`resumed after ${each}`);
    if (failure === undefined && chaos.complaints.length === 0) {
      console.log('Everything ended right, and nothing was left over or doubled.');
      return;
    }
    process.exitCode = 1;
    for (const each of chaos.complaints) console.error(each);
    if (failure !== undefined) console.error(failure instanceof Error ? failure.message : failure);
  } finally {
    stopped.abort();
    await novaCtl(['down', '--purge', '--yes'], { env: environment(home) });
    rmSync(home, { recursive: true });
  }
}

if (import.meta.main) await main();
