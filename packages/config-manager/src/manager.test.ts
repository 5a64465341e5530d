import { randomBytes, X509Certificate } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import { createKeyPair } from '@nova-platform/pki';
import { codes } from '@nova-platform/pki/testing';
import { allRoles, plan } from '@nova-platform/plan/testing';
import { eachStore } from '@nova-platform/store/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ConfigManagerOptions, startConfigManager } from './manager.ts';
import { reportOf } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const node = 'demo-main-1';

let server: TestManager;

eachStore('a Configuration Manager', (locate) => {
  beforeEach(async () => {
    server = await startTestManager({ location: await locate() });
  });
  afterEach(() => server.remove());

  test('enrols a node, serves its approved catalog and stores its report', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node);
    const { status, body } = await agent.catalog({ virtual: 'container_other' });
    expect(status).toBe(200);
    const { name, environment, version } = JSON.parse(body) as Record<string, string>;
    expect({ name, environment }).toEqual({ name: node, environment: 'production' });
    const report = reportOf(node, { changed: 2, ...(version !== undefined && { catalog: version }) });
    expect((await agent.report(report)).status).toBe(200);
    expect(await server.client.showNode({ params: { name: node } })).toMatchObject({
      cluster: 'demo',
      identity: 'valid',
      roles: allRoles,
      address: plan().nodes[0]?.address,
      sinceLastRun: 0,
      lastRun: { status: 'changed', changed: 2 },
    });
  });

  test('keeps all data across a restart', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node);
    const { body: catalog } = await agent.catalog({ virtual: 'container_other' });
    await agent.report(reportOf(node));
    // The server stops immediately: the latest facts must not be lost either.
    await server.restart();
    expect(await server.facts(node)).toEqual({ virtual: 'container_other' });
    expect(await server.reports(node, 10)).toHaveLength(1);
    expect((await agent.catalog({ virtual: 'container_other' })).body).toBe(catalog);
  });
});

describe('a Configuration Manager on its host', () => {
  beforeEach(async () => {
    server = await startTestManager();
  });
  afterEach(() => server.remove());

  test('lets only its owner access its data and socket', async () => {
    const modeOf = async (...path: string[]) => ((await stat(join(server.folder, ...path))).mode & 0o777).toString(8);
    expect(await modeOf('data')).toBe('700');
    expect(await modeOf('data', 'master.key')).toBe('600');
    expect(await modeOf('config.sock')).toBe('600');
  });

  test('logs facts that cannot be written, and writes later ones', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node);
    await agent.catalog({ virtual: 'first' });
    const db = new DatabaseSync(join(server.folder, 'data', 'config.db'), { timeout: 5000 });
    onTestFinished(() => db.close());
    db.exec("create trigger faulty before update of facts on nodes begin select raise(abort, 'out of luck'); end");
    expect((await agent.catalog({ virtual: 'lost' })).status).toBe(200);
    await expect.poll(() => server.log()).toMatch(/out of luck.*facts could not be written/);
    expect(await server.facts(node)).toEqual({ virtual: 'first' });
    db.exec('drop trigger faulty');
    await agent.catalog({ virtual: 'later' });
    await expect.poll(() => server.facts(node)).toEqual({ virtual: 'later' });
  });

  test('has a database that can shrink after deletions', () => {
    const db = new DatabaseSync(join(server.folder, 'data', 'config.db'), { readOnly: true });
    onTestFinished(() => db.close());
    const incremental = 2;
    expect(db.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: incremental });
  });

  /** Starts another server with the same data, and stops it if it starts. */
  async function startAnother(options: Partial<ConfigManagerOptions>): Promise<void> {
    const other = await startConfigManager({
      data: join(server.folder, 'data'),
      name: 'config.universe.nova.internal',
      address: '127.0.0.1',
      listen: { host: '127.0.0.1', port: 0 },
      socket: join(server.folder, 'other.sock'),
      logger: pino({ level: 'silent' }),
      ...options,
    });
    await other.close();
  }

  /** The error codes of a failed start. */
  const refusedWith = (options: Partial<ConfigManagerOptions>) => codes(() => startAnother(options));

  test('opens a database only with its own key', async () => {
    const keyFile = join(server.folder, 'other.key');
    await writeFile(keyFile, randomBytes(32).toString('base64'));
    // The database is fine: the error must point to the key.
    const reason = expect.stringContaining(keyFile) as unknown;
    await expect(startAnother({ keyFile })).rejects.toMatchObject({
      problems: [{ code: 'NOVA8034', params: { reason } }],
    });
    for (const nonsense of ['', 'too short', randomBytes(64).toString('base64')]) {
      await writeFile(keyFile, nonsense);
      expect(await refusedWith({ keyFile })).toEqual(['NOVA8034']);
    }
    await writeFile(keyFile, await readFile(join(server.folder, 'data', 'master.key')));
    expect(await refusedWith({ keyFile })).toEqual([]);
  });

  test('creates no new key for an existing database', async () => {
    const data = join(server.folder, 'data');
    await rm(join(data, 'master.key'));
    expect(await refusedWith({})).toEqual(['NOVA8034']);
    expect(await refusedWith({ keyFile: join(data, 'moved.key') })).toEqual(['NOVA8034']);
    expect((await readdir(data)).filter((name) => name.includes('.key'))).toEqual([]);
  });

  test('rejects an invalid folder and an invalid database', async () => {
    expect(await refusedWith({ data: join(server.folder, 'data', 'config.db') })).toEqual(['NOVA8034']);
    await writeFile(join(server.folder, 'config.db'), 'something else '.repeat(1000));
    expect(await refusedWith({ data: server.folder })).toEqual(['NOVA8034']);
  });

  test('does not take a socket or port that is in use', async () => {
    expect(await refusedWith({ socket: join(server.folder, 'config.sock') })).toEqual(['NOVA8032']);
    expect((await server.client.health({})).status).toBe('ok');
    const listen = { host: '127.0.0.1', port: server.manager.port };
    expect(await refusedWith({ data: join(server.folder, 'other'), listen })).toEqual(['NOVA8033']);
  });

  test('takes the stale socket of a killed server', async () => {
    const socket = join(server.folder, 'stale.sock');
    await writeFile(socket, '');
    expect(await refusedWith({ socket })).toEqual([]);
  });

  test('gives the registry only a certificate for its own name over its socket', async () => {
    const registrySocket = join(server.folder, 'registry.sock');
    const manager = await startConfigManager({
      data: join(server.folder, 'with-registry'),
      name: 'config.universe.nova.internal',
      address: '127.0.0.1',
      listen: { host: '127.0.0.1', port: 0 },
      socket: join(server.folder, 'with-registry.sock'),
      registrySocket,
      logger: pino({ level: 'silent' }),
    });
    onTestFinished(() => manager.close());
    const client = configClient(registrySocket);
    const { publicKey } = await createKeyPair();
    const certify = (dnsNames: string[], addresses: string[]) =>
      client.certifyServer({ body: { dnsNames, addresses, publicKey } });
    const own = 'hub.universe.nova.internal';
    const { certificate } = await certify([own], ['127.0.0.1']);
    expect(new X509Certificate(certificate).subjectAltName).toBe(`DNS:${own}, IP Address:127.0.0.1`);
    for (const [names, addresses] of [
      [['config.universe.nova.internal'], ['127.0.0.1']],
      [[own, 'config.universe.nova.internal'], ['127.0.0.1']],
      [[own], ['10.0.0.1']],
    ] as const) {
      await expect(certify([...names], [...addresses])).rejects.toMatchObject({ problems: [{ code: 'NOVA8210' }] });
    }
    await expect(client.listNodes({ query: {} })).rejects.toThrow('NOVA7034');
    await expect(client.createToken({ body: { node: 'a', lifetimeSeconds: 60 } })).rejects.toThrow('NOVA7034');
  });

  test('serves metrics on the configured address', async () => {
    await server.approve(plan());
    const probe = createServer();
    await new Promise<void>((ready) => probe.listen(0, '127.0.0.1', ready));
    const { port } = probe.address() as { port: number };
    await new Promise((closed) => probe.close(closed));
    const manager = await startConfigManager({
      data: join(server.folder, 'measured'),
      name: 'config.universe.nova.internal',
      address: '127.0.0.1',
      listen: { host: '127.0.0.1', port: 0 },
      socket: join(server.folder, 'measured.sock'),
      metricsListen: { host: '127.0.0.1', port },
      logger: pino({ level: 'silent' }),
    });
    onTestFinished(() => manager.close());
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('nova_config_connections 0');
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  });
});
