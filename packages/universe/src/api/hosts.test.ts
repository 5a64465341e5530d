import { createHash } from 'node:crypto';
import { plan as planned } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Answer, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const plan = planned({
  provider: { type: 'existing' },
  nodeGroups: [
    {
      name: 'main',
      roles: ['control-plane', 'infra', 'ingress', 'worker'],
      hosts: [{ name: 'rack1-n1', address: '10.20.0.21' }],
    },
  ],
});
const outcome = ({ status, json }: Answer) => `${status} ${json.code ?? ''}`.trim();
let universe: TestUniverse;
let operator: string;

beforeAll(async () => {
  universe = await startTestUniverse();
  operator = await universe.token('operator');
  await universe.universe.parts.config.services.catalogs.apply(plan, {});
});
afterAll(() => universe.close());

const commandFor = (name: string, token: string | undefined = operator) =>
  universe.send(`/api/v1/hosts/${name}/join-command`, { method: 'POST', body: {}, ...(token && { token }) });
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('the join command pins the CA and the script that everyone can read', async () => {
  const command = String((await commandFor('rack1-n1')).json.command);
  for (const path of ['ca.pem', 'join']) {
    const served = await universe.send(`/hosts/${path}`);
    expect(served.status).toBe(200);
    expect(command).toContain(`/hosts/${path} "$d/${path}" SHA256:${digestOf(served.text)}`);
  }
  expect(Math.abs(Number((await universe.send('/hosts/clock')).text) - Date.now() / 1000)).toBeLessThan(10);
});

test('only operators create join commands, only for planned hosts that have not joined', async () => {
  expect(outcome(await commandFor('rack1-n1', await universe.token('viewer')))).toBe('403 NOVA8311');
  expect((await universe.send('/api/v1/hosts/rack1-n1/join-command', { method: 'POST', body: {} })).status).toBe(401);
  expect(outcome(await commandFor('stranger'))).toBe('404 NOVA8500');
});

test('the files of a host are given only for its own token', async () => {
  const token = String((await commandFor('rack1-n1')).json.command).match(/NOVA_TOKEN=([\w-]{32}) /)?.[1] ?? '';
  const files = (name: string, given: string) => universe.send(`/hosts/files/${name}`, { token: given });
  expect((await files('rack1-n1', token)).text).toContain('etc/puppet/puppet.conf');
  // The certificate request uses it up.
  expect((await files('rack1-n1', token)).status).toBe(200);
  for (const [name, given] of [
    ['rack1-n2', token],
    ['rack1-n1', `${token.slice(1)}x`],
    ['rack1-n1', operator],
  ] as const)
    expect(outcome(await files(name, given))).toMatch(/^40\d NOVA8022$/);
});

test('only administrators replace the repository, and strangers read nothing else', async () => {
  const send = (token?: string) =>
    universe.send('/hosts/repository', { method: 'PUT', body: {}, ...(token && { token }) });
  expect((await send()).status).toBe(401);
  expect(outcome(await send(operator))).toBe('403 NOVA8311');
  for (const path of ['programs', '..%2f..%2funiverse.db', 'sha256/0'])
    expect((await universe.send(`/hosts/repository/${path}`)).status).toBe(404);
});
