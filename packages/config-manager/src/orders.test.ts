import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunLine } from '@nova-platform/contracts/config-manager/client';
import { codes } from '@nova-platform/pki/testing';
import { allRoles, plan } from '@nova-platform/plan/testing';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Orders } from './orders.ts';
import { createRequest, reportOf, SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const node = 'demo-main-1';
const neighbour = 'demo-more-1';

let server: TestManager;
let agent: SimulatedAgent;
let key: string;

beforeAll(async () => {
  ({ key } = await createRequest('any'));
});
beforeEach(async () => {
  server = await startTestManager();
  const nodeGroups = [
    { name: 'main', roles: allRoles },
    { name: 'more', roles: ['worker' as const] },
  ];
  await server.approve(plan({ nodeGroups }));
  agent = await server.enrolled(node, key);
});
afterEach(async () => {
  vi.useRealTimers();
  await server.remove();
});

/** Requests a run. Its events are added to `lines` as they arrive. */
function askForRun(isNoop = false, name = node) {
  const lines: RunLine[] = [];
  const done = codes(() =>
    server.client.runAgent({ params: { name }, body: { isNoop } }, (line) => void lines.push(line)),
  );
  return { lines, done };
}

async function isAsking(name: string, expected = true): Promise<void> {
  await expect.poll(async () => (await server.nodes()).find((each) => each.name === name)?.isAsking).toBe(expected);
}

/** Waits until the run is requested and waits for its node. */
async function isWaiting({ lines }: { lines: RunLine[] }): Promise<void> {
  await expect.poll(() => lines).toEqual([{ state: 'waiting' }]);
}

test('a requested run starts at once on a polling node, and its log is streamed', async () => {
  const order = agent.order(30);
  await isAsking(node);
  const run = askForRun();
  const { kind, id } = await order;
  expect(kind).toBe('run');
  await expect.poll(() => run.lines).toEqual([{ state: 'running' }]);

  const log = agent.openLog(id);
  log.write('Info: first\nInfo: sec');
  await expect.poll(() => run.lines).toEqual([{ state: 'running' }, { line: 'Info: first' }]);
  log.write('ond\n');
  await expect.poll(() => run.lines.slice(2)).toEqual([{ line: 'Info: second' }]);
  const many = Array.from({ length: 500 }, (_, index) => `Notice: ${index} жёлудь`);
  const bytes = Buffer.from(`${many.join('\n')}\n`);
  // Split where a two-byte character may be.
  for (let at = 0; at < bytes.length; at += 777) log.write(bytes.subarray(at, at + 777));
  await expect.poll(() => run.lines.slice(3)).toEqual(many.map((line) => ({ line })));

  const twin = new SimulatedAgent(node, server.manager.port, agent.identity);
  await twin.report(reportOf(node, { changed: 3 }));
  twin.close();
  log.write('exit 2\n');
  expect((await log.end()).status).toBe(204);
  expect(await run.done).toEqual([]);
  expect(run.lines.at(-1)).toMatchObject({ report: { status: 'changed', resources: { changed: 3 } } });
  expect(run.lines).not.toContainEqual({ line: 'exit 2' });
});

test('a noop run is ordered as noop', async () => {
  const order = agent.order(30);
  await isAsking(node);
  const run = askForRun(true);
  const { kind, id } = await order;
  expect(kind).toBe('noop');
  const log = agent.openLog(id);
  log.write('exit 0\n');
  await log.end();
  expect(await run.done).toEqual([]);
});

test('a run whose log ends without an exit code is reported as interrupted', async () => {
  const ended = askForRun();
  await isWaiting(ended);
  const log = agent.openLog((await agent.order(30)).id);
  log.write('Info: and then the machine was switched off\n');
  await log.end();
  expect(await ended.done).toEqual(['NOVA8014']);
});

test('a run whose log connection breaks is reported as interrupted, whatever came before', async () => {
  const torn = askForRun();
  await isWaiting(torn);
  const log = agent.openLog((await agent.order(30)).id);
  log.write('Info: one\n');
  await expect.poll(() => torn.lines).toContainEqual({ line: 'Info: one' });
  log.tear();
  expect(await torn.done).toEqual(['NOVA8014']);
});

test('a run that a node takes but never starts is reported as interrupted; a started run may be silent', async () => {
  const patience = 90_000;
  const other = await server.enrolled(neighbour, key);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const begun = askForRun();
  await isWaiting(begun);
  const log = agent.openLog((await agent.order(30)).id);
  log.write('Info: one\n');
  await expect.poll(() => begun.lines).toContainEqual({ line: 'Info: one' });

  const silent = askForRun(false, neighbour);
  await isWaiting(silent);
  // The time before the node took the order does not count.
  await vi.advanceTimersByTimeAsync(patience - 1000);
  await other.order(30);
  await expect.poll(() => silent.lines).toContainEqual({ state: 'running' });
  await vi.advanceTimersByTimeAsync(patience - 1000);
  const ended = vi.fn<() => void>();
  void silent.done.then(ended);
  await sleep(50);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await silent.done).toEqual(['NOVA8014']);

  log.write('Info: two\nexit 0\n');
  await log.end();
  expect(await begun.done).toEqual([]);
  expect(begun.lines).toContainEqual({ line: 'Info: two' });
});

test('a polling node gets both of two runs that are requested at the same moment', async () => {
  const orders = new Orders();
  const { signal } = new AbortController();
  const told: string[] = [];
  const waiting = orders.take(node, 1000, signal);
  for (const name of ['first', 'second'])
    orders.place(node, 'run', (event) => told.push(`${name} ${Object.keys(event).join()}`));
  const first = await waiting;
  expect(told).toEqual(['first taken']);
  orders.end(first?.id ?? '', node, 0);
  const second = await orders.take(node, 1000, signal);
  orders.end(second?.id ?? '', node, 0);
  expect(told.slice(1)).toEqual(['first exitCode', 'second taken', 'second exitCode']);
});

test('a rebooted node gets the order again that had not reached it', async () => {
  const run = askForRun();
  await isWaiting(run);
  const { id } = await agent.order(30);
  const rebooted = new SimulatedAgent(node, server.manager.port, agent.identity);
  expect(await rebooted.order(30)).toEqual({ kind: 'run', id });
  const log = rebooted.openLog(id);
  log.write('exit 0\n');
  await log.end();
  expect(await run.done).toEqual([]);
  expect(run.lines).toEqual([{ state: 'waiting' }, { state: 'running' }]);
  rebooted.close();
});

test('a run is reported as interrupted when its node requests another order, even if the connection is still open', async () => {
  const run = askForRun();
  await isWaiting(run);
  const log = agent.openLog((await agent.order(30)).id);
  log.write('Info: one\n');
  await expect.poll(() => run.lines).toContainEqual({ line: 'Info: one' });
  const rebooted = new SimulatedAgent(node, server.manager.port, agent.identity);
  const next = rebooted.order(30);
  expect(await run.done).toEqual(['NOVA8014']);
  askForRun(true);
  expect((await next).kind).toBe('noop');
  rebooted.close();
});

test('several runs of one node run one after another', async () => {
  const first = askForRun(true);
  await isWaiting(first);
  const second = askForRun(false);
  await isWaiting(second);
  for (const [kind, run] of [
    ['noop', first],
    ['run', second],
  ] as const) {
    const order = await agent.order(30);
    expect(order.kind).toBe(kind);
    const log = agent.openLog(order.id);
    log.write(`this is ${kind}\nexit 0\n`);
    await log.end();
    expect(await run.done).toEqual([]);
    expect(run.lines).toContainEqual({ line: `this is ${kind}` });
  }
  expect(second.lines).not.toContainEqual({ line: 'this is noop' });
});

test('only the node itself can write the log of its run', async () => {
  const other = await server.enrolled(neighbour, key);
  const run = askForRun();
  await isWaiting(run);
  const { id } = await agent.order(30);
  const forged = other.openLog(id);
  forged.write('forged\nexit 0\n');
  expect((await forged.end()).status).toBe(204);
  const log = agent.openLog(id);
  log.write('true\nexit 0\n');
  await log.end();
  expect(await run.done).toEqual([]);
  expect(run.lines).toEqual([{ state: 'waiting' }, { state: 'running' }, { line: 'true' }]);
});

/** Requests a run like a user who then disconnects. */
async function askAndLeave(until: 'waiting' | 'running', meanwhile: () => Promise<void>): Promise<void> {
  const outgoing = request({
    socketPath: join(server.folder, 'config.sock'),
    method: 'POST',
    path: `/v1/nodes/${node}/run`,
    headers: { 'content-type': 'application/json' },
  });
  let said = '';
  outgoing.on('response', (response) => response.on('data', (chunk: Buffer) => (said += chunk.toString())));
  outgoing.on('error', () => undefined);
  outgoing.end(JSON.stringify({ isNoop: false }));
  await expect.poll(() => said).toContain('waiting');
  await meanwhile();
  await expect.poll(() => said).toContain(until);
  outgoing.destroy();
}

test('a run that has not started is cancelled when its client disconnects', async () => {
  await askAndLeave('waiting', async () => undefined);
  await sleep(100);
  // Orders are served in turn, so the cancelled one would come first.
  const run = askForRun(true);
  await isWaiting(run);
  const { kind, id } = await agent.order(30);
  expect(kind).toBe('noop');
  const log = agent.openLog(id);
  log.write('exit 0\n');
  await log.end();
  expect(await run.done).toEqual([]);
});

test('a started run completes after its client disconnects', async () => {
  let id = '';
  await askAndLeave('running', async () => {
    ({ id } = await agent.order(30));
  });
  const log = agent.openLog(id);
  log.write('Info: done\nexit 0\n');
  expect((await log.end()).status).toBe(204);
});

test('a poll without an order ends after the requested time', async () => {
  expect(await agent.send('GET', `/nova/v1/nodes/${node}/order?wait=0`)).toMatchObject({ status: 204, body: '' });
  expect(await agent.send('GET', `/nova/v1/nodes/${node}/order?wait=nonsense`)).toMatchObject({ status: 204 });
  expect(await agent.send('GET', `/nova/v1/nodes/${node}/order?wait=0.2`)).toMatchObject({ status: 204 });
});

test('a node can poll any number of times over one connection', async () => {
  const warnings: string[] = [];
  const collect = ({ name }: Error) => void warnings.push(name);
  process.on('warning', collect);
  onTestFinished(() => void process.off('warning', collect));
  for (let index = 0; index < 30; index += 1) {
    const { status, isReused } = await agent.send('GET', `/nova/v1/nodes/${node}/order?wait=0`);
    expect({ status, isReused }).toEqual({ status: 204, isReused: index > 0 });
  }
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});

test('a node that disconnected does not consume the order', async () => {
  const lost = new SimulatedAgent(node, server.manager.port, agent.identity);
  const hungUp = lost.order(30).catch(() => undefined);
  await isAsking(node);
  lost.close();
  await hungUp;
  await isAsking(node, false);
  const run = askForRun(true);
  await isWaiting(run);
  expect((await agent.order(30)).kind).toBe('noop');
});

test('the newer of two polls of one node gets the order', async () => {
  const twin = new SimulatedAgent(node, server.manager.port, agent.identity);
  const older = twin.order(30);
  await isAsking(node);
  const newer = agent.order(30);
  expect((await older).kind).toBe('');
  askForRun(true);
  expect((await newer).kind).toBe('noop');
  twin.close();
});

test('a run on an unknown node or a node without an identity is rejected', async () => {
  const run = (name: string) =>
    codes(() => server.client.runAgent({ params: { name: name }, body: { isNoop: false } }, () => undefined));
  expect(await run('nobody')).toEqual(['NOVA8010']);
  expect(await run(neighbour)).toEqual(['NOVA8015']);
  await server.client.revokeNode({ params: { name: node } });
  expect(await run(node)).toEqual(['NOVA8015']);
});

test('a stopping server ends the requests of nodes and users', async () => {
  const order = agent.order(60).catch(() => ({ kind: 'torn' }));
  await isAsking(node);
  const other = await server.enrolled(neighbour, key);
  const waiting = codes(() =>
    server.client.runAgent({ params: { name: neighbour }, body: { isNoop: false } }, () => undefined),
  );
  await expect.poll(async () => (await other.order(0)).kind).toBe('run');
  // Well before their own timeouts.
  await server.restart();
  expect(['', 'torn']).toContain((await order).kind);
  expect(await waiting).toEqual(['NOVA8030']);
});
