import { ProblemError, problem, usableProviders } from '@nova-platform/api';
import { plan, problemsOf } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { existingProvider } from './existing/provider.ts';
import { localProvider } from './local/provider.ts';
import { Providers, suitableKind } from './providers.ts';
import { memoryProvider } from './testing.ts';

const local = localProvider({
  isConnected: false,
  client: () => {
    throw new Error('no engine');
  },
});
const existing = existingProvider({
  joined: async () => [],
  hasJoined: async () => false,
  leave: async () => undefined,
  hasPackages: async () => true,
});
const providers = new Providers({ local, existing });

test('every provider that users can choose is implemented', () => {
  for (const provider of usableProviders) {
    const { cluster } = plan();
    expect(providers.of({ cluster: { ...cluster, provider } })).toBe({ local, existing }[provider]);
  }
});

test('clusters of other providers can only be planned', () => {
  const { cluster } = plan();
  const elsewhere = { cluster: { ...cluster, provider: 'zvirt' as const } };
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
