import { ProblemError, problem, usableProviders } from '@nova-platform/api';
import { plan, problemsOf } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { localProvider } from './local/provider.ts';
import { Providers, suitableKind } from './providers.ts';
import { memoryProvider } from './testing.ts';

const local = localProvider({
  isConnected: false,
  client: () => {
    throw new Error('no engine');
  },
});
const providers = new Providers({ local });

test('every provider that users can choose is implemented', () => {
  for (const provider of usableProviders) {
    const { cluster } = plan();
    expect(providers.of({ cluster: { ...cluster, provider } })).toBe(local);
  }
});

test('clusters of other providers can only be planned', () => {
  const elsewhere = plan({
    provider: { type: 'existing' },
    nodeGroups: [
      {
        name: 'main',
        roles: ['control-plane', 'infra', 'ingress', 'worker'],
        hosts: [{ name: 'n1', address: '10.20.0.21' }],
      },
    ],
  });
  expect(problemsOf(() => providers.of(elsewhere)).map(({ code }) => code)).toEqual(['NOVA3029']);
});

test('nothing is checked while Universe has no access to the engine', async () => {
  expect(await local.preflight(plan())).toBeUndefined();
});

test('VMs suit a host with KVM, containers any other host, and nothing is known about an unreachable one', async () => {
  const provider = memoryProvider();
  expect(await suitableKind(provider)).toBe('container');
  provider.isKvmThere = true;
  expect(await suitableKind(provider)).toBe('vm');
  const unreachable = async () => Promise.reject(new ProblemError(problem('NOVA7030', {})));
  expect(await suitableKind({ ...provider, hasKvm: unreachable })).toBeUndefined();
});
