import type { KubernetesApi, KubernetesObject } from '@nova-platform/kubernetes';
import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import type { Context, Planned } from '../operation.ts';
import { newObjects } from './objects.ts';

type Readiness = Awaited<ReturnType<KubernetesApi['readiness']>>;

/** Runs the step against an API in these states, one per attempt. It refuses CoreDNS in the first `refusals` attempts. */
async function install(states: Readiness[], refusals: number) {
  const applied: string[] = [];
  let attempts = 0;
  const api = {
    readiness: async () => states.shift() ?? 'ready',
    create: async () => undefined,
    apply: async ({ kind, metadata }: KubernetesObject) => {
      if (kind === 'Deployment') attempts += 1;
      if (kind === 'Deployment' && attempts <= refusals) throw new Error(`refused ${metadata.name}`);
      applied.push(`${kind} ${metadata.name}`);
    },
  } as unknown as KubernetesApi;
  const context = {
    plan: plan(),
    config: { services: { manager: { registry: 'hub:5000' } } },
    connections: { withApi: (_plan: unknown, work: (api: KubernetesApi) => unknown) => work(api) },
    signal: new AbortController().signal,
  } as unknown as Context<Planned>;
  await newObjects.run(context);
  return { applied, attempts, left: states.length };
}

test('objects of a new cluster are applied before its API is ready, and again after a refusal', async () => {
  const { applied, attempts, left } = await install(['unreachable', 'not ready', 'not ready', 'ready'], 1);
  expect(applied.at(-1)).toMatch(/^(Deployment coredns|Service nova-dns)$/);
  expect([attempts, left]).toEqual([2, 1]);
});

test('a refusal by an API that is ready fails the step', async () => {
  await expect(install(['not ready', 'ready'], 2)).rejects.toThrow('refused coredns');
});
