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

  test('a node enrols, gets the catalog that was approved, and reports', async () => {
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

  test('everything is there again after a restart', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node);
    const { body: catalog } = await agent.catalog({ virtual: 'container_other' });
    await agent.report(reportOf(node));
    // The server stops in the same moment: facts that came last are not lost either.
    await server.restart();
    expect(await server.facts(node)).toEqual({ virtual: 'container_other' });
    expect(await server.reports(node, 10)).toHaveLength(1);
    expect((await agent.catalog({ virtual: 'container_other' })).body).toBe(catalog);
  });
});

describe('on its host', () => {
  beforeEach(async () => {
    server = await startTestManager();
  });
  afterEach(() => server.remove());

  test('what is kept and where commands come in is its owner’s only', async () => {
    const modeOf = async (...path: string[]) => ((await stat(join(server.folder, ...path))).mode & 0o777).toString(8);
    expect(await modeOf('data')).toBe('700');
    expect(await modeOf('data', 'master.key')).toBe('600');
    expect(await modeOf('config.sock')).toBe('600');
  });

  test('facts that cannot be written are spoken of in the log, and those that come later are written', async () => {
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

  test('the store can give back the room of what is forgotten', () => {
    const db = new DatabaseSync(join(server.folder, 'data', 'config.db'), { readOnly: true });
    onTestFinished(() => db.close());
    const incremental = 2;
    expect(db.prepare('pragma auto_vacuum').get()).toEqual({ auto_vacuum: incremental });
  });

  /** Starts another server with the same data, and stops it when it did start. */
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

  /** The codes of what keeps it from starting. */
  const refusedWith = (options: Partial<ConfigManagerOptions>) => codes(() => startAnother(options));

  test('a store is opened with the key it was made with, and with no other', async () => {
    const keyFile = join(server.folder, 'other.key');
    await writeFile(keyFile, randomBytes(32).toString('base64'));
    // The store is fine: whoever reads this has to look at the key.
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

  test('a store whose key is gone gets no new one', async () => {
    const data = join(server.folder, 'data');
    await rm(join(data, 'master.key'));
    expect(await refusedWith({})).toEqual(['NOVA8034']);
    expect(await refusedWith({ keyFile: join(data, 'moved.key') })).toEqual(['NOVA8034']);
    expect((await readdir(data)).filter((name) => name.includes('.key'))).toEqual([]);
  });

  test('a folder that is none, and a store that is none, are refused', async () => {
    expect(await refusedWith({ data: join(server.folder, 'data', 'config.db') })).toEqual(['NOVA8034']);
    await writeFile(join(server.folder, 'config.db'), 'something else '.repeat(1000));
    expect(await refusedWith({ data: server.folder })).toEqual(['NOVA8034']);
  });

  test('a socket or a port that another has is left to it', async () => {
    expect(await refusedWith({ socket: join(server.folder, 'config.sock') })).toEqual(['NOVA8032']);
    expect((await server.client.health({})).status).toBe('ok');
    const listen = { host: '127.0.0.1', port: server.manager.port };
    expect(await refusedWith({ data: join(server.folder, 'other'), listen })).toEqual(['NOVA8033']);
  });

  test('a socket that a killed server left behind is nobody’s', async () => {
    const socket = join(server.folder, 'stale.sock');
    await writeFile(socket, '');
    expect(await refusedWith({ socket })).toEqual([]);
  });

  test('the registry gets a certificate for its own name over its socket, and nothing else', async () => {
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

  test('figures are served where they are asked for', async () => {
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
