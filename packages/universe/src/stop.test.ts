import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { universeClient } from '@nova-platform/contracts/universe/client';
import { apiClient } from '@nova-platform/http/client';
import { defaultSite } from '@nova-platform/plan';
import type { StoreLocation } from '@nova-platform/store';
import { describePostgres, eachStore } from '@nova-platform/store/testing';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { documentsOf, eventually, startTestUniverse } from './testing/universe.ts';
import { createUniverse } from './universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Starts a server in its own process. */
async function serve(folder: string, store?: StoreLocation): Promise<ChildProcess> {
  const child = fork(new URL('testing/serve.ts', import.meta.url), [folder, store ? JSON.stringify(store) : ''], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('close', (code) => reject(new Error(`exited with ${code}: ${said}`)));
  });
  return child;
}

test('a stopping server finishes in-flight requests, ends event streams and refuses new requests', async () => {
  const universe = await startTestUniverse();
  const admin = await universe.token('admin');
  const { users } = universe.universe.parts;
  const list = users.list.bind(users);
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  vi.spyOn(users, 'list').mockImplementation(async () => {
    begun.resolve();
    await released.promise;
    return list();
  });
  const follower = get({ ...universe.connection(admin), agent: false, path: '/api/v1/events' });
  const [response] = (await once(follower, 'response')) as [NodeJS.ReadableStream];
  const ended = once(response.resume(), 'end');
  const running = universe.send('/api/v1/users', { token: admin });
  await begun.promise;
  const stopped = universe.stop();
  await ended;
  const late = await universe.send('/api/v1/whoami', { token: admin }).catch(() => ({ status: 503 }));
  expect(late.status).toBe(503);
  released.resolve();
  expect((await running).status).toBe(200);
  await stopped;
  await universe.start();
  expect((await universe.send('/api/v1/whoami', { token: admin })).status).toBe(200);
  await universe.close();
});

eachStore('operations', (open) => {
  test('continue after the server restarts', async () => {
    const universe = await startTestUniverse({ store: await open() });
    const declare = () =>
      universe.local.declareCluster({ params: { cluster: 'demo' }, body: { documents: documentsOf('demo') } });
    const first = await declare();
    await universe.universe.parts.operations.ended(first.operation?.id ?? 0);
    const agent = await universe.enrolled('demo-main-1');
    const operation = await universe.local.runAgents({ params: { cluster: 'demo' }, body: { isNoop: false } });
    const show = () => universe.local.showOperation({ params: { id: operation.id } });
    await eventually(async () =>
      (await show()).steps.some(({ name, state }) => name.startsWith('run/') && state === 'running'),
    );
    await universe.restart();
    expect(await show()).toMatchObject({ state: 'running', steps: [{ name: 'run/demo-main-1' }] });
    const order = await agent.order(30);
    const log = agent.openLog(order.id);
    log.write('exit 0\n');
    await log.end();
    expect(await universe.universe.parts.operations.ended(operation?.id ?? 0)).toMatchObject({ state: 'done' });
    await universe.close();
  });

  test('run on a store whose last server was killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nova-universe-'));
    const store = await open();
    const local = universeClient(apiClient({ socketPath: join(folder, 'universe.sock') }, (error) => error));
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const child = await serve(folder, store);
      if (round === 0) {
        const documents = documentsOf('demo');
        await local.declareCluster({ params: { cluster: 'demo' }, body: { documents } });
      }
      const enough = acknowledged.length + 4 + round * 7;
      const killed = eventually(() => acknowledged.length >= enough).then(() => child.kill('SIGKILL'));
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let number = 0; ; number += 1) {
          const name = `user-${round}-${writer}-${number}`;
          await local.createUser({ body: { name, role: 'viewer' } });
          acknowledged.push(name);
        }
      });
      await Promise.allSettled(writers);
      await killed;
    }
    const child = await serve(folder, store);
    const names = new Set((await local.listUsers({})).users.map(({ name }) => name));
    let entries = 0;
    let before: number | undefined;
    do {
      const page = await local.listAudit({
        query: { limit: 500, who: 'local', ...(before !== undefined && { before }) },
      });
      entries += page.entries.filter(({ action, outcome }) => action === 'createUser' && outcome === 200).length;
      before = page.next;
    } while (before !== undefined);
    // Acknowledged requests are applied and audited; for others both outcomes are possible.
    expect(acknowledged.length).toBeGreaterThan(30);
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    expect(entries).toBeGreaterThanOrEqual(acknowledged.length);
    expect(entries).toBeLessThanOrEqual(names.size);
    await eventually(async () =>
      (await local.listOperations({ query: {} })).operations.every(({ state }) => state !== 'running'),
    );
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await gone)[0]).toBe(0);
    await rm(folder, { recursive: true });
  });
});

test('only one Universe runs per folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nova-universe-'));
  const start = (number: number) =>
    createUniverse({
      data: join(folder, 'data'),
      site: defaultSite,
      listen: { host: '127.0.0.1', port: 0 },
      socket: join(folder, `${number}.sock`),
      config: { listen: { host: '127.0.0.1', port: 0 }, socket: join(folder, `config-${number}.sock`) },
      registrySocket: join(folder, 'registry.sock'),
      git: { folder: join(folder, 'git'), socket: join(folder, 'git.sock') },
      resolver: { corefile: join(folder, 'resolver', 'Corefile'), servers: [], healthPort: 1 },
      logger: pino({ level: 'silent' }),
    });
  const started = await Promise.allSettled([1, 2, 3, 4].map(start));
  const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refused = started.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  expect(running).toHaveLength(1);
  expect(refused.filter((reason) => reason.includes('NOVA8330'))).toHaveLength(3);
  await expect(serve(folder)).rejects.toThrow('NOVA8330');
  await running[0]?.close();
  // The lock ends with its process, even when it is killed.
  const child = await serve(folder);
  await expect(start(5)).rejects.toThrow('NOVA8330');
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  await (await start(6)).close();
  await rm(folder, { recursive: true });
});

describePostgres('readiness', (server) => {
  test('is lost with the database and comes back with it', async () => {
    const universe = await startTestUniverse({ store: { kind: 'postgres', url: await server().newDatabase() } });
    const viewer = await universe.token('viewer');
    const statusOf = async (path: string) => (await universe.send(`/api/v1/${path}`, { token: viewer })).status;
    expect([await statusOf('ready'), await statusOf('whoami')]).toEqual([200, 200]);
    await server().kill();
    expect([await statusOf('health'), await statusOf('ready')]).toEqual([200, 503]);
    // The response has no details; they are in the log.
    const { json } = await universe.send('/api/v1/whoami', { token: viewer });
    expect(json).toMatchObject({ status: 500, code: 'NOVA9002' });
    expect(universe.log()).toContain('a request failed');
    await server().start();
    await eventually(async () => (await statusOf('ready')) === 200);
    expect(await statusOf('whoami')).toBe(200);
    await universe.local.createUser({ body: { name: 'later', role: 'viewer' } });
    await universe.close();
  });
});
