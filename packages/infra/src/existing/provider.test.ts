import { ProblemError, problem } from '@nova-platform/api';
import { plan as planned } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import type { Machine } from '../provider.ts';
import { existingProvider, type Hosts, type JoinedHost } from './provider.ts';

const hostsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index + 1}`, address: `10.20.0.2${index + 1}` }));
const planWith = (group: object = {}) =>
  planned({
    provider: { type: 'existing' },
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], hosts: hostsOf(1), ...group },
      { name: 'more', roles: ['worker'], hosts: hostsOf(2).slice(1) },
    ],
  });
const plan = planWith();
const machine: Machine = {
  name: 'n1',
  kind: 'container',
  cluster: 'demo',
  address: '10.20.0.21',
  cpu: 2,
  memory: '4Gi',
  disk: '20Gi',
  allowedNetworks: [],
  cloudConfig: async () => '',
};
const signal = new AbortController().signal;

function providerWith(hosts: Partial<Hosts>) {
  return existingProvider({
    joined: async () => [],
    hasJoined: async () => false,
    leave: async () => undefined,
    hasPackages: async () => true,
    ...hosts,
  });
}

const codesOf = async (hosts: Partial<Hosts>, next = plan) =>
  (await providerWith(hosts).preflight(next))?.problems.map(({ code }) => code);

test('ensure names the host that has not joined and the command for it, and waits until it has', async () => {
  const lines: string[] = [];
  let asked = 0;
  const provider = providerWith({
    hasJoined: async () => {
      asked += 1;
      return asked > 2;
    },
  });
  await provider.machines.ensure(machine, { log: (line) => lines.push(line), signal });
  expect(lines).toEqual([
    'n1 has not joined yet. Run on it what this command prints: nova-ctl node join-command n1',
    'n1 has joined.',
  ]);
});

test('resize, stop and start are refused', async () => {
  const { machines } = providerWith({});
  for (const refused of [machines.resize('n1', { cpu: 4 }), machines.stop('n1'), machines.start('n1')])
    await expect(refused).rejects.toMatchObject({ problems: [{ code: 'NOVA8503' }] });
});

test('a host that does not respond is reported and does not block its removal', async () => {
  const lines: string[] = [];
  const silent = new ProblemError(problem('NOVA8013', { node: 'n1', seconds: 90 }));
  const provider = providerWith({ hasJoined: async () => true, leave: () => Promise.reject(silent) });
  await provider.machines.remove('n1', { log: (line) => lines.push(line), signal });
  expect(lines.join()).toContain('was not cleaned');
});

test('preflight finds missing packages, a changed address, and a group that needs larger hosts', async () => {
  const joined = (host: Partial<JoinedHost> = {}) => ({
    joined: async () => [{ name: 'n1', address: '10.20.0.21', ...host }],
  });
  const size = { cpu: 2, memoryBytes: 4 * 1024 ** 3 };
  expect(await codesOf({ hasPackages: async () => false })).toEqual(['NOVA8502']);
  expect(await codesOf(joined({ address: '10.20.0.99' }))).toEqual(['NOVA8504']);
  expect(await codesOf(joined({ size }))).toEqual([]);
  expect(await codesOf(joined({ size }), planWith({ cpu: 4, memory: '16Gi' }))).toEqual(['NOVA8505', 'NOVA8505']);
});

test('joined hosts never differ in size from their plan', async () => {
  const provider = providerWith({ joined: async () => [{ name: 'n1', address: '10.20.0.21' }] });
  const [found] = (await provider.preflight(planWith({ cpu: 4 })))?.machines ?? [];
  expect(found).toMatchObject({ name: 'n1', state: 'running', cpu: 4 });
});
