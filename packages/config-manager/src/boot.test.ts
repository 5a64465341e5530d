import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { enrolmentConfig } from '@nova-platform/catalog';
import { allRoles, plan } from '@nova-platform/plan/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refusalOf } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const run = promisify(execFile);
const node = 'demo-main-1';
const neighbour = 'demo-more-1';

let server: TestManager;
beforeEach(async () => {
  server = await startTestManager();
  const nodeGroups = [
    { name: 'main', roles: allRoles },
    { name: 'more', roles: ['worker' as const] },
  ];
  await server.approve(plan({ nodeGroups }));
});
afterEach(() => server.remove());

const statusOf = async (name: string) => (await server.nodes()).find((each) => each.name === name);

test('a node gets only the archive of its own catalog', async () => {
  const agent = await server.enrolled(node);
  const { status, headers, body } = await agent.send('GET', `/nova/v1/nodes/${node}/boot?virtual=container_other`);
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toContain('kubelet.yaml');
  expect(body).toContain(node);
  expect(refusalOf(await agent.send('GET', `/nova/v1/nodes/${neighbour}/boot`))).toBe('403 NOVA8021');
});

test('a successful boot makes the node current; a failed boot or another node’s catalog does not', async () => {
  const [agent, other] = [await server.enrolled(node), await server.enrolled(neighbour)];
  for (const each of [agent, other]) await each.send('GET', `/nova/v1/nodes/${each.name}/boot`);
  const { id: own } = (await server.manager.services.catalogs.approved(node)) ?? { id: 0 };
  const report = (catalog: number, exit: number) =>
    agent.send('POST', `/nova/v1/nodes/${node}/boot/${catalog}?exit=${exit}&seconds=2`, {
      body: 'Exec[read units]\nno such unit\n',
      headers: { 'content-type': 'text/plain' },
    });
  const isCurrent = async () => (await server.manager.services.nodes.progress(node)).isCurrent;
  expect((await report(own, 1)).status).toBe(204);
  expect(await isCurrent()).toBe(false);
  expect((await server.reports(node, 1))[0]).toMatchObject({
    status: 'failed',
    agentVersion: 'boot',
    log: [
      { level: 'err', message: 'Exec[read units]' },
      { level: 'err', message: 'no such unit' },
    ],
  });
  await report(own + 1, 0);
  expect(await isCurrent()).toBe(false);
  await report(own, 0);
  expect(await isCurrent()).toBe(true);
  expect((await statusOf(node))?.lastRun).toMatchObject({ status: 'changed' });
});

/** A machine in a folder: the files of its first boot, with their paths moved there. */
async function machine(token: string) {
  const folder = join(server.folder, 'machine');
  const { services, port } = server.manager;
  const manager = { ...services.manager, name: '127.0.0.1', port };
  const moved = (text: string) =>
    text.replaceAll(/\/(etc|var\/lib|usr\/local\/lib|run\/nova-boot)(?=\/|\b)/g, `${folder}/$1`);
  for (const { path, content } of enrolmentConfig({ node, token, manager }).write_files) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), moved(content), { mode: 0o755 });
  }
  const enrol = () =>
    run(join(folder, 'usr/local/lib/nova/enrol')).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
  const file = (path: string) => join(folder, path);
  return { enrol, file };
}

test('a new machine exchanges its token for an identity without an agent', async () => {
  const { token } = await server.client.createToken({ body: { node, lifetimeSeconds: 60 } });
  const { enrol, file } = await machine(token);
  expect(await enrol()).toEqual({ code: 0, stderr: '' });
  const certificate = readFileSync(file(`var/lib/puppet/ssl/certs/${node}.pem`), 'utf8');
  expect(certificate).toBe(await server.manager.services.enrolment.certificateOf(node));
  expect(existsSync(file('var/lib/nova-boot-pending'))).toBe(true);
  // After a crash, the same key gets the same certificate.
  expect((await enrol()).code).toBe(0);
  expect(readFileSync(file(`var/lib/puppet/ssl/certs/${node}.pem`), 'utf8')).toBe(certificate);
});

test('a machine rejects a CA with another fingerprint and keeps its token', async () => {
  const { token } = await server.client.createToken({ body: { node, lifetimeSeconds: 60 } });
  const { enrol, file } = await machine(token);
  const settings = file('etc/nova/agent.conf');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^fingerprint=.*/m, `fingerprint=${'0'.repeat(64)}`));
  expect(await enrol()).toEqual({ code: 1, stderr: 'the authority has another fingerprint\n' });
  expect(existsSync(file('var/lib/puppet/ssl/certs/ca.pem'))).toBe(false);
  expect(await server.rows('tokens')).toMatchObject([{ used_at: null }]);
});

test('a machine with a wrong token gets no identity', async () => {
  const { enrol, file } = await machine('wrong');
  expect((await enrol()).code).not.toBe(0);
  expect(existsSync(file(`var/lib/puppet/ssl/certs/${node}.pem`))).toBe(false);
});
