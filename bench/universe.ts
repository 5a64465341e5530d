import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Agent, get, type RequestOptions } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type UniverseClient, type UniverseEvent, universeClient } from '@nova-platform/contracts/universe/client';
import { apiClient } from '@nova-platform/http/client';
import { result, statistics } from './measure.ts';
import { addSeenNodes, clusterName, fillStore, fleet, nodeName } from './universe-store.ts';

const goals = { pageMilliseconds: 50, memoryMegabytes: 500, startSeconds: 3, eventSeconds: 1, previewSeconds: 1 };
const clients = 4;
const rounds = 5;
const roundSeconds = 4;
const listeners = 100;
const eventsPerSecond = 50;
const eventSeconds = 10;
const previewedNodes = 500;
const previews = 100;
/** As the service of the image runs it. */
const flags = ['--max-semi-space-size=4', '--heap-growing-percent=100'];

const listed = ['clusters?limit=50', 'nodes?limit=100'];
const searched = [
  (index: number) => `clusters?limit=50&search=${clusterName(index).slice(0, 8)}`,
  (index: number) => `nodes?limit=100&search=${nodeName(index, index % 50).slice(4)}`,
  (index: number) => `nodes?limit=100&search=stage-0${index % 10}`,
  (index: number) => `nodes?limit=100&cluster=${clusterName(index)}`,
  // Nothing has it: everything is looked at.
  () => 'nodes?limit=100&search=nowhere',
];

interface Server {
  child: ChildProcess;
  port: number;
  seconds: number;
}

const folder = mkdtempSync(join(tmpdir(), 'nova-bench-'));
const file = join(folder, 'data', 'universe.db');
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const local: UniverseClient = universeClient(
  apiClient({ socketPath: join(folder, 'universe.sock') }, (error) => error),
);
let server = await start();
try {
  console.log(`others keep ${loadavg()[0]?.toFixed(1)} processors busy`);
  const preview = await measurePreview(await identify());
  const previewMemory = residentMegabytes('VmHWM');
  // What follows is of a store without that cluster.
  await stop(server);
  rmSync(join(folder, 'data'), { recursive: true });
  server = await start();
  const connection = await identify();
  await stop(server);
  console.log(`writing ${fleet.clusters} clusters with ${fleet.clusters * fleet.nodesPerCluster} nodes`);
  fillStore(file);
  console.log(`the store has ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  const starts = await measureStart();
  const pages = await measurePages(connection);
  const delays = await measureEvents(connection);
  const memory = Math.max(previewMemory, residentMegabytes('VmHWM'));
  console.log(
    `memory: at most ${memory.toFixed(0)} MB (previews ${previewMemory.toFixed(0)} MB), at the end ${residentMegabytes('VmRSS').toFixed(0)} MB`,
  );
  const { pageMilliseconds, memoryMegabytes, startSeconds, eventSeconds: delayGoal, previewSeconds } = goals;
  const page = (name: string, p99: number) =>
    result(name, `${p99.toFixed(1)}ms`, `<=${pageMilliseconds}ms`, p99 <= pageMilliseconds);
  page('universe-list-p99', pages.list);
  page('universe-search-p99', pages.search);
  result('universe-memory', `${memory.toFixed(0)}MB`, `<=${memoryMegabytes}MB`, memory <= memoryMegabytes);
  result('universe-start', `${starts.toFixed(2)}s`, `<=${startSeconds}s`, starts <= startSeconds);
  result('universe-events-delay', `${delays.toFixed(3)}s`, `<=${delayGoal}s`, delays <= delayGoal);
  const shown = `universe-preview-${previewedNodes}-p99`;
  result(shown, `${preview.toFixed(3)}s`, `<=${previewSeconds}s`, preview <= previewSeconds);
} finally {
  agent.destroy();
  await stop(server);
  rmSync(folder, { recursive: true });
}

/** As an operator, who can preview changes. */
async function identify() {
  await local.createUser({ body: { name: 'bench', role: 'operator' } });
  const body = { name: 'bench', role: 'operator', seconds: 3600, user: 'bench' } as const;
  const { token } = await local.createAccessToken({ body });
  const { certificate: ca } = await local.authority({});
  return { host: '127.0.0.1', ca, headers: { authorization: `Bearer ${token}` }, agent };
}

async function start(): Promise<Server> {
  const started = performance.now();
  const child = fork(new URL('../packages/universe/src/testing/serve.ts', import.meta.url), [folder], {
    execArgv: flags,
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  await local.ready({});
  return { child, port, seconds: (performance.now() - started) / 1000 };
}

async function stop({ child }: Server): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

function residentMegabytes(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6;
}

/** The slowest of several. */
async function measureStart(): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await stop(server);
    server = await start();
    seconds.push(server.seconds);
  }
  const { median, min, max } = statistics(seconds);
  console.log(`start: median ${median.toFixed(2)} s, min ${min.toFixed(2)}, max ${max.toFixed(2)}`);
  return max;
}

type Target = RequestOptions;

function ask<T>(connection: Target, path: string): Promise<T> {
  return new Promise((resolve, reject) => {
    get({ ...connection, port: server.port, path: `/api/v1/${path}` }, (response) => {
      text(response).then((body) => {
        if (response.statusCode === 200) resolve(JSON.parse(body) as T);
        else reject(new Error(`${path}: ${response.statusCode} ${body}`));
      }, reject);
    }).once('error', reject);
  });
}

/** All at once, each the next when the one before has come. Milliseconds of each. */
async function load(seconds: number, next: (client: number) => () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const work = next(client);
      while (performance.now() < end) {
        const started = performance.now();
        await work();
        taken.push(performance.now() - started);
      }
    }),
  );
  return taken;
}

function p99(taken: readonly number[]): number {
  return taken.toSorted((one, other) => one - other)[Math.ceil(taken.length * 0.99) - 1] ?? Number.NaN;
}

/** In turn: whatever slows the machine down slows all of them down. The median round counts. */
async function measurePages(connection: Target): Promise<{ list: number; search: number }> {
  const list = (client: number) => {
    const path = listed[client % listed.length] ?? '';
    let next: string | undefined;
    // Page after page, from the beginning again at the end.
    return async () => {
      ({ next } = await ask<{ next?: string }>(connection, next === undefined ? path : `${path}&after=${next}`));
    };
  };
  const search = (client: number) => {
    let index = client * 101;
    return async () => {
      index += 1;
      await ask(connection, searched[index % searched.length]?.(index % fleet.clusters) ?? '');
    };
  };
  await load(2, list);
  await load(2, search);
  const figures = { list: [] as number[], search: [] as number[] };
  const medians = { list: [] as number[], search: [] as number[], floor: [] as number[] };
  const counts = { list: 0, search: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of [
      ['list', list],
      ['search', search],
    ] as const) {
      const taken = await load(roundSeconds, work);
      figures[name].push(p99(taken));
      medians[name].push(statistics(taken).median);
      counts[name] += taken.length;
    }
    medians.floor.push(floor());
  }
  for (const name of ['list', 'search'] as const) {
    const { median, min, max } = statistics(figures[name]);
    const rate = counts[name] / rounds / roundSeconds;
    console.log(
      `${name}: ${rate.toFixed(0)} requests/s by ${clients} clients, p50 ${statistics(medians[name]).median.toFixed(1)} ms, ` +
        `p99 median ${median.toFixed(1)} ms, min ${min.toFixed(1)}, max ${max.toFixed(1)}`,
    );
  }
  const least = statistics(medians.floor).median;
  const alone = await load1(() => ask(connection, listed[0] ?? ''));
  console.log(
    `a page of clusters: ${alone.toFixed(2)} ms over HTTPS, ${least.toFixed(2)} ms in SQLite itself: ${(alone / least).toFixed(1)}x`,
  );
  console.log(`memory while listing: ${residentMegabytes('VmRSS').toFixed(0)} MB`);
  return { list: statistics(figures.list).median, search: statistics(figures.search).median };
}

/** The median without other clients. */
async function load1(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return statistics(taken).median;
}

/** The same page from the database itself, without HTTP. */
function floor(): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const clusters = db.prepare(
    'select name, revision, provider, kubernetes_version, node_count, changed_at, changed_by from clusters order by name limit 51',
  );
  const counts = db.prepare(
    `select cluster, count(*), sum(last_status = 'failed'), sum(seen_at is null) from nodes
     where cluster in (select name from clusters order by name limit 50) group by cluster`,
  );
  const taken: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const started = performance.now();
    JSON.stringify([clusters.all(), counts.all()]);
    taken.push(performance.now() - started);
  }
  db.close();
  return statistics(taken).median;
}

/** Seconds of a change that every node of a large cluster has a part in. */
async function measurePreview({ host, ca, headers }: Awaited<ReturnType<typeof identify>>): Promise<number> {
  const cluster = 'large';
  const documents = (more: object) =>
    JSON.stringify({
      apiVersion: 'config.nova-platform.io/v1alpha4',
      kind: 'Infrastructure',
      metadata: { name: 'cluster' },
      spec: {
        provider: { type: 'local' },
        nodeGroups: [
          { name: 'main', roles: ['control-plane', 'infra', 'ingress'], count: 3 },
          { name: 'work', roles: ['worker'], count: previewedNodes - 3 },
        ],
        clusterConfiguration: {
          dnsBaseDomain: `${cluster}.example`,
          nodeNetwork: '10.240.0.0/20',
          podNetwork: '10.128.0.0/15',
          ...more,
        },
      },
    });
  const params = { cluster };
  const names = (group: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${cluster}-${group}-${index + 1}`);
  addSeenNodes(file, [...names('main', 3), ...names('work', previewedNodes - 3)]);
  const { operation } = await local.declareCluster({ params, body: { documents: documents({}) } });
  const isApproved = async () =>
    (await local.showOperation({ params: { id: operation?.id ?? 0 } })).steps[0]?.state === 'done';
  while (!(await isApproved())) await sleep(100);
  const client = universeClient(apiClient({ host, ca, headers, port: server.port }, (error) => error));
  const taken: number[] = [];
  for (let round = -5; round < previews; round += 1) {
    const body = { documents: documents({ k8sAPIDefaultFqdn: `api-${round + 5}.${cluster}.example` }) };
    const started = performance.now();
    const { change } = await client.previewCluster({ params, body });
    if (round >= 0) taken.push(performance.now() - started);
    if (change.catalogs.length !== previewedNodes) throw new Error(`${change.catalogs.length} nodes change`);
  }
  const { median, max } = statistics(taken);
  console.log(
    `preview of ${previewedNodes} nodes: median ${median.toFixed(0)} ms, p99 ${p99(taken).toFixed(0)} ms, max ${max.toFixed(0)} ms`,
  );
  return p99(taken) / 1000;
}

/** Seconds until the last of all listeners has the slowest event, while others list. */
async function measureEvents(connection: Target): Promise<number> {
  const delays: number[] = [];
  const followers = await Promise.all(
    Array.from({ length: listeners }, async () => {
      const outgoing = get({ ...connection, agent: false, port: server.port, path: '/api/v1/events' });
      const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          if (data !== undefined) delays.push(Date.now() - Date.parse((JSON.parse(data) as UniverseEvent).at));
        }
      });
      return outgoing;
    }),
  );
  const count = eventsPerSecond * eventSeconds;
  const busy = load(eventSeconds, (client) => async () => {
    await ask(connection, listed[client % listed.length] ?? '');
    // Some people who look at something, and not as much as can be.
    await sleep(100);
  });
  const started = performance.now();
  for (let number = 0; number < count; number += 1) {
    await sleep(Math.max(0, started + (number * 1000) / eventsPerSecond - performance.now()));
    const name = clusterName(number % fleet.clusters);
    server.child.send({
      kind: 'log',
      cluster: name,
      operation: 1,
      step: 'run',
      data: { line: 'x'.repeat(120), number },
    });
  }
  await busy;
  for (let left = 100; left > 0 && delays.length < count * listeners; left -= 1) await sleep(50);
  for (const follower of followers) follower.destroy();
  if (delays.length !== count * listeners) throw new Error(`${delays.length} events of ${count * listeners} came`);
  const { median, max } = statistics(delays);
  console.log(
    `events: ${count} at ${listeners} listeners each: median ${median.toFixed(0)} ms, p99 ${p99(delays).toFixed(0)} ms, max ${max.toFixed(0)} ms`,
  );
  return max / 1000;
}
