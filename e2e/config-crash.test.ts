import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createRequest,
  type PreparedRequest,
  refusalOf,
  reportOf,
  SimulatedAgent,
} from '@nova-platform/config-manager/testing';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import { allRoles, plan } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, temporaryFolder } from './nova-ctl.ts';

const workers = 50;
const newcomers = 10;
const kills = 8;
const facts = { virtual: 'container_other' };

const folder = temporaryFolder();
const socket = join(folder.path, 'config.sock');
const data = join(folder.path, 'data');
const client = configClient(socket);

let port: number;
let server: ChildProcess | undefined;
/** The server's log, failures only. */
let failures = '';

/** Starts the server as an operator does, in a process that can be killed at any time. */
function spawnServer(): { ready: Promise<void> } {
  const listen = ['--listen', `127.0.0.1:${port}`, '--address', '127.0.0.1'];
  const args = ['config', 'serve', '--data', data, ...listen, '--socket', socket];
  const main = join(root, 'packages/cli/src/main.ts');
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, NOVA_LOG: 'error' } });
  server = child;
  child.stderr.on('data', (chunk: Buffer) => {
    failures += chunk.toString();
  });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`the server ended: ${failures}`)));
  const ready = Promise.race([once(child.stdout, 'data').then(() => undefined), exited]);
  // A kill before the server is ready is not a failure.
  ready.catch(() => undefined);
  return { ready };
}

async function kill(): Promise<void> {
  const child = server;
  server = undefined;
  if (!child || child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Below the ephemeral port range, so that no connection takes the port while the server is down. */
async function freePort(): Promise<number> {
  for (;;) {
    const candidate = randomInt(20_000, 30_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(candidate, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return candidate;
  }
}

/** An agent and its externally visible state. */
interface Node {
  name: string;
  agent: SimulatedAgent;
  token: string;
  prepared: PreparedRequest;
  sent: string[];
  acknowledged: string[];
  versions: Set<string>;
}

async function createNode(name: string): Promise<Node> {
  const { token } = await client.createToken({ body: { node: name, lifetimeSeconds: 3600 } });
  return {
    name,
    token,
    agent: new SimulatedAgent(name, port),
    prepared: await createRequest(name, { token }),
    sent: [],
    acknowledged: [],
    versions: new Set(),
  };
}

async function createNodes(names: readonly string[]): Promise<Node[]> {
  const nodes: Node[] = [];
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) nodes.push(await createNode(name));
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return nodes;
}

let nodes: Node[];
let late: Node[];
let stranger: string;

beforeAll(async () => {
  port = await freePort();
  await spawnServer().ready;
  const planned = plan({
    nodeGroups: [
      { name: 'main', roles: allRoles },
      { name: 'work', roles: ['worker'], count: workers + newcomers },
    ],
  });
  await client.approvePlan({ body: { plan: planned, secrets: {} } });
  const names = planned.nodes.filter(({ group }) => group === 'work').map(({ name }) => name);
  nodes = await createNodes(names.slice(0, workers));
  late = await createNodes(names.slice(workers));
  ({ key: stranger } = await createRequest('any'));
  for (const { agent, token, prepared } of nodes) expect((await agent.enrol(token, prepared)).status).toBe(200);
});

afterAll(async () => {
  for (const { agent } of [...(nodes ?? []), ...(late ?? [])]) agent.close();
  await kill();
  folder.remove();
});

let isOver = false;
/** Responses that a crash does not explain. */
const unexpected: string[] = [];

/** Fetches and reports until the end; never resends an unanswered report. */
async function live(node: Node): Promise<void> {
  const { name, agent, sent, acknowledged, versions } = node;
  while (!isOver && sent.length < 400) {
    try {
      const catalog = await agent.catalog(facts);
      if (catalog.status !== 200) unexpected.push(`${name} ${refusalOf(catalog)}`);
      const { version } = JSON.parse(catalog.body) as { version: string };
      versions.add(version);
      const title = `${name}-${sent.length}`;
      sent.push(title);
      const { status, body } = await agent.report(reportNamed(name, title, version));
      if (status === 200) acknowledged.push(title);
      else unexpected.push(`${name} ${status} ${body}`);
    } catch {
      agent.reconnect();
    }
    await sleep(randomInt(20, 120));
  }
}

/** A report that can be identified among the stored ones. */
function reportNamed(name: string, title: string, catalog: string): object {
  const { resource_statuses: statuses, ...rest } = reportOf(name, { changed: 1, catalog }) as {
    resource_statuses: Record<string, object>;
  };
  return { ...rest, resource_statuses: { [`File[${title}]`]: Object.values(statuses)[0] } };
}

async function kept(name: string): Promise<string[]> {
  const reports = await client.listReports({ params: { name }, query: { limit: 500 } });
  return reports.flatMap(({ changes }) => changes.map(({ resource }) => resource.slice('File['.length, -1)));
}

/** Requests a certificate until a response arrives, like an agent that restarts again and again. */
async function persist<T>(agent: SimulatedAgent, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      agent.reconnect();
      await sleep(20);
    }
  }
}

/** Enrols while the server restarts; a second client races with the same token. */
async function enrolLate({ name, agent, token, prepared }: Node): Promise<string[]> {
  await sleep(randomInt(0, 8000));
  const rival = new SimulatedAgent(name, port);
  const { request } = await createRequest(name, { token, key: stranger });
  const [own, other] = await Promise.all([
    persist(agent, () => agent.submit(prepared.request)),
    persist(rival, () => rival.submit(request)),
  ]);
  const [winner, key] = own.status === 200 ? [agent, prepared.key] : [rival, stranger];
  const { body: certificate } = await persist(winner, () => winner.certificate());
  agent.use({ key, certificate });
  rival.close();
  return [refusalOf(own), refusalOf(other)].map((each) => each.trim()).toSorted();
}

/** Independent of the machine's speed: waits for one acknowledged report per node, then a random time. */
async function someReports(): Promise<void> {
  const count = () => nodes.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const before = count();
  while (count() < before + workers) await sleep(10);
  await sleep(randomInt(0, 400));
}

test('a server that is killed repeatedly loses nothing that it acknowledged', async () => {
  const living = nodes.map(live);
  const enrolling = late.map(enrolLate);
  for (let round = 1; round <= kills; round += 1) {
    // Kill it during its work, and now and then during its start.
    const isStarting = round % 3 === 0;
    await (isStarting ? sleep(randomInt(50, 700)) : someReports());
    await kill();
    const { ready } = spawnServer();
    if ((round + 1) % 3 !== 0) await ready;
  }
  await kill();
  await spawnServer().ready;
  const outcomes = await Promise.all(enrolling);
  isOver = true;
  await Promise.all(living);
  expect(unexpected).toEqual([]);
  expect(failures).toBe('');

  // Every acknowledged report is stored once, every other report at most once, and nothing else is stored.
  for (const node of nodes) {
    const titles = await kept(node.name);
    expect(titles).toHaveLength(new Set(titles).size);
    expect(node.acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
    expect(titles.filter((title) => !node.sent.includes(title))).toEqual([]);
    // The approved catalog did not change either.
    expect(node.versions.size).toBe(1);
  }

  // One token, one key: only one of the racing clients is enrolled, and its identity works.
  expect(outcomes).toEqual(late.map(() => ['200', '403 NOVA8022']));
  for (const { name, agent } of [...nodes, ...late]) {
    agent.reconnect();
    const { status, body } = await agent.catalog(facts);
    expect(status, `${name}: ${body}`).toBe(200);
  }
  const thief = (await createRequest('any')).key;
  for (const { name, token } of [...nodes, ...late]) {
    const agent = new SimulatedAgent(name, port);
    const { request } = await createRequest(name, { token, key: thief });
    expect(refusalOf(await agent.submit(request))).toBe('403 NOVA8022');
    agent.close();
  }

  await kill();
  const db = new DatabaseSync(join(data, 'config.db'));
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  const identities = db
    .prepare("select node from certificates where purpose = 'identity' and revoked_at is null order by node")
    .all();
  db.close();
  expect(identities.map(({ node }) => node)).toEqual([...nodes, ...late].map(({ name }) => name).toSorted());
}, 240_000);
