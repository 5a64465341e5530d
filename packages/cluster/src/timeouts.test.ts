import { ProblemError, problem } from '@nova-platform/api';
import { Providers } from '@nova-platform/infra';
import { memoryProvider } from '@nova-platform/infra/testing';
import { type Declaration, plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { timeoutsOf } from './timeouts.ts';

const local = memoryProvider();
const infra = new Providers({ local });
const ofVms: Declaration = { provider: { type: 'local', machineKind: 'vm' } };

test('waits for emulated VMs are twenty times as long as for all other machines', async () => {
  const usual = await timeoutsOf({ plan: plan(), infra });
  local.isKvmThere = true;
  expect(await timeoutsOf({ plan: plan(ofVms), infra })).toEqual(usual);
  local.isKvmThere = false;
  const emulated = await timeoutsOf({ plan: plan(ofVms), infra });
  expect(emulated).toEqual(Object.fromEntries(Object.entries(usual).map(([what, time]) => [what, 20 * time])));
});

test('the provider is not asked about a cluster of containers', async () => {
  const unreachable = new Providers({
    local: { ...local, hasKvm: () => Promise.reject(new ProblemError(problem('NOVA7030', {}))) },
  });
  await expect(timeoutsOf({ plan: plan(), infra: unreachable })).resolves.toHaveProperty('ready', 300_000);
  await expect(timeoutsOf({ plan: plan(ofVms), infra: unreachable })).rejects.toThrow(ProblemError);
});
