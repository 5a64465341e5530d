import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exec, file, group, type Resource } from '@nova-platform/catalog';
import { createRequest, reportOf, SimulatedAgent } from '@nova-platform/config-manager/testing';
import { allNodes } from '@nova-platform/contracts/config-manager/client';
import { plan } from '@nova-platform/plan/testing';
import { stringify } from 'yaml';
import { type CatalogLoad, fetchCatalogs, type Identity, simulatedFacts } from './agents.ts';
import { type ConfigServer, startConfigServer } from './config-server.ts';
import { novaCtl, onHost } from './host.ts';
import { line, measure, result, statistics } from './measure.ts';
import { type BenchResource, installPuppetserver, startPuppetserver } from './puppetserver.ts';

/** Minimum ratio to puppetserver's catalogs per second. */
const catalogsGoal = 40;
/** Maximum ratio to puppetserver's memory. */
const memoryGoal = 1 / 8;
/** Maximum seconds until a thousand agents have enrolled, fetched their catalog and reported. */
const fleetGoal = 60;
/** A run without changes takes at most this many times as long as a run with an empty catalog. */
const runGoal = 2;

const port = 18142;
const server = await startConfigServer({ host: '127.0.0.1', port });
try {
  await catalogsPerSecond(server);
  await thousandAgents(server);
} finally {
  await server.stop();
}
await onHost(realAgent);

/** Interleaved: a slow phase of the machine affects both servers. */
async function catalogsPerSecond({ approve, memoryBytes }: ConfigServer): Promise<void> {
  const clients = 8;
  const rounds = 5;
  const names = Array.from({ length: clients }, (_, index) => `bench-${index}`);
  const resources = benchResources();
  await installPuppetserver(console.log);
  console.log('starting puppetserver');
  const peer = await startPuppetserver({ resources, clients: names });
  try {
    const identities = await Promise.all(names.map(enrol));
    for (const name of names) await approve(name, resources.map(ours));
    const common = { factsOf: simulatedFacts, clients, resources: resources.length };
    const nova = { ...common, url: `https://127.0.0.1:${port}`, ca: await authority(), identities };
    const puppetserver = {
      ...common,
      url: peer.url,
      ca: peer.ca,
      identities: names.map((name) => peer.identity(name)),
    };
    // The JVM's compiler needs a warm-up.
    await fetchCatalogs({ ...puppetserver, seconds: 30 });
    await fetchCatalogs({ ...nova, seconds: 5 });
    const loads = { nova: [] as CatalogLoad[], puppetserver: [] as CatalogLoad[] };
    for (let round = 0; round < rounds; round += 1) {
      loads.puppetserver.push(await fetchCatalogs({ ...puppetserver, seconds: 6 }));
      loads.nova.push(await fetchCatalogs({ ...nova, seconds: 6 }));
    }
    const rates = { nova: show('nova', loads.nova), puppetserver: show('puppetserver', loads.puppetserver) };
    const memory = { nova: memoryBytes(), puppetserver: peer.memoryBytes() };
    console.log(`memory: nova ${megabytes(memory.nova)}, puppetserver ${megabytes(memory.puppetserver)}`);
    const times = rates.nova / rates.puppetserver;
    const part = memory.nova / memory.puppetserver;
    result('config-catalogs-vs-puppetserver', `${times.toFixed(0)}x`, `>=${catalogsGoal}x`, times >= catalogsGoal);
    result('config-memory-vs-puppetserver', `${part.toFixed(3)}x`, `<=${memoryGoal}x`, part <= memoryGoal);
  } finally {
    await peer.stop();
  }
}

/** About a hundred resources, the same for both servers. */
function benchResources(): BenchResource[] {
  const many = (count: number, make: (index: number) => BenchResource) =>
    Array.from({ length: count }, (_, index) => make(index));
  return [
    ...many(80, (index) => ({
      type: 'file',
      title: `/tmp/bench-${index}`,
      parameters: { content: `setting ${index}\n`.repeat(10), mode: '0644' },
    })),
    ...many(20, (index) => ({
      type: 'exec',
      title: `command ${index}`,
      parameters: { command: '/bin/true', unless: '/bin/true' },
    })),
    ...many(5, (index) => ({ type: 'group', title: `bench${index}`, parameters: { gid: 4000 + index } })),
  ];
}

function ours({ type, title, parameters }: BenchResource): Resource {
  const build = { file, exec, group }[type as 'file' | 'exec' | 'group'];
  return build(title, parameters as never);
}

function show(name: string, loads: readonly CatalogLoad[]): number {
  const { median, min, max } = statistics(loads.map(({ perSecond }) => perSecond));
  const p99 = statistics(loads.map((load) => load.p99));
  const errors = loads.reduce((sum, load) => sum + load.errors, 0);
  const [middle, low, high] = [median, min, max].map((rate) => rate.toFixed(0));
  console.log(
    `${name}: median ${middle} catalogs/s, min ${low}, max ${high}, p99 ${p99.median.toFixed(0)} ms, ${errors} errors`,
  );
  return median;
}

async function enrol(name: string): Promise<Identity> {
  const agent = new SimulatedAgent(name, port);
  await agent.enrol((await server.client.createToken({ body: { node: name, lifetimeSeconds: 600 } })).token);
  agent.close();
  if (!agent.identity) throw new Error(`${name} was refused`);
  return { name, ...agent.identity };
}

async function authority(): Promise<string> {
  const agent = new SimulatedAgent('anybody', port);
  const { body } = await agent.send('GET', '/puppet-ca/v1/certificate/ca');
  agent.close();
  return body;
}

/** All agents at once: each enrols, fetches its planned catalog, and reports. Keys are generated beforehand. */
async function thousandAgents({ client, memoryBytes }: ConfigServer): Promise<void> {
  const fleet = plan({
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra', 'ingress'] },
      { name: 'work', roles: ['worker'], count: 999 },
    ],
    config: { nodeNetwork: '10.64.0.0/16', podNetwork: '10.128.0.0/11', serviceNetwork: '10.96.0.0/16' },
  });
  await client.approvePlan({ body: { plan: fleet, secrets: {} } });
  console.log(`making ${fleet.nodes.length} keys`);
  const prepared = await prepareRequests(fleet.nodes.map(({ name }) => name));
  const latencies: number[] = [];
  let retries = 0;
  const timed = async (step: () => Promise<{ status: number; body: string }>): Promise<void> => {
    const started = performance.now();
    const answer = await step().catch(async () => {
      // As on a node: a failed connection is retried a little later.
      retries += 1;
      await new Promise((wake) => setTimeout(wake, 5000));
      return step();
    });
    if (answer.status !== 200) throw new Error(`status ${answer.status}: ${answer.body}`);
    latencies.push(performance.now() - started);
  };
  const started = performance.now();
  await Promise.all(
    prepared.map(async ({ name, token, ...request }) => {
      const agent = new SimulatedAgent(name, port);
      await timed(() => agent.enrol(token, request));
      await timed(() => agent.catalog(factsOf(name)));
      await timed(() => agent.report(reportOf(name, { changed: 40 })));
      agent.close();
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const p99 = latencies.toSorted((a, b) => a - b)[Math.ceil(latencies.length * 0.99) - 1] ?? Number.NaN;
  const reported = (await allNodes(client)).filter(({ lastRun }) => lastRun !== undefined).length;
  console.log(
    `${reported} agents at once: ${seconds.toFixed(1)} s, p99 of a step ${(p99 / 1000).toFixed(1)} s, ${retries} retries, memory ${megabytes(memoryBytes())}`,
  );
  result(
    'config-1000-agents',
    `${seconds.toFixed(1)}s`,
    `<=${fleetGoal}s`,
    seconds <= fleetGoal && reported === prepared.length,
  );
}

function factsOf(name: string): object {
  const moment = { uptimeSeconds: 100, freeMemoryBytes: 1e9, loadAverage: 1, timestamp: '', expiration: '' };
  return (simulatedFacts(name, moment) as { values: object }).values;
}

async function prepareRequests(names: readonly string[]) {
  const queue = [...names];
  const prepared: { name: string; token: string; key: string; request: string }[] = [];
  const work = async () => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const { token } = await server.client.createToken({ body: { node: name, lifetimeSeconds: 3600 } });
      prepared.push({ name, token, ...(await createRequest(name, { token })) });
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return prepared;
}

/** The stock agent in a machine: a full node catalog without changes and an empty catalog, in turn. */
async function realAgent(): Promise<void> {
  const manager = await startConfigServer({ host: '172.30.0.1', port: 8140 });
  await novaCtl('host', 'open', '8140/tcp');
  const folder = mkdtempSync(join(tmpdir(), 'nova-bench-'));
  try {
    const cluster = plan({ config: { nodeNetwork: '10.60.0.0/24' } });
    const [node] = cluster.nodes;
    if (!node) throw new Error('a plan without nodes');
    await manager.client.approvePlan({ body: { plan: cluster, secrets: {} } });
    const { cloudConfig } = await manager.client.createToken({
      body: { node: node.name, lifetimeSeconds: 600 },
    });
    writeFileSync(join(folder, 'cloud.yaml'), `#cloud-config\n${stringify(cloudConfig)}`);
    await novaCtl('component', 'build', 'kubernetes', 'etcd');
    await novaCtl('image', 'build', 'kubernetes-node');
    await novaCtl('network', 'create', 'bench', '--cidr', '10.60.0.0/24');
    const options = [
      '--image',
      'kubernetes-node',
      '--network',
      'bench',
      '--address',
      node.address,
      '--cloud-config',
      join(folder, 'cloud.yaml'),
    ];
    await novaCtl('machine', 'create', node.name, ...options);
    const params = { name: node.name };
    const reports = () => manager.client.listReports({ params, query: { limit: 1 } });
    while ((await reports()).length === 0) await new Promise((wake) => setTimeout(wake, 500));
    const { resources } = await manager.client.showCatalog({ params });

    const run = promisify(execFile);
    const program = join(import.meta.dirname, '..', 'nova-ctl');
    const agent = ['puppet', 'agent', '--onetime', '--no-daemonize', '--waitforlock', '60'];
    const runAgent = async (approved: readonly Resource[]) => {
      await manager.approve(node.name, approved);
      await run(program, ['machine', 'exec', node.name, '--', ...agent]);
    };
    const figures = await measure(
      { whole: () => runAgent(resources), empty: () => runAgent([]) },
      { warmUp: 1, rounds: 7 },
    );
    console.log(line(`a run with ${resources.length} resources, nothing to do`, figures.whole));
    console.log(line('a run with an empty catalog', figures.empty));
    const [last] = await reports();
    if (last?.status !== 'unchanged') throw new Error(`a run changed something: ${JSON.stringify(last?.changes)}`);
    const ratio = figures.whole.median / figures.empty.median;
    result('config-run-vs-empty', `${ratio.toFixed(2)}x`, `<=${runGoal}x`, ratio <= runGoal);
  } finally {
    await manager.stop();
    rmSync(folder, { recursive: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
