import { ProblemError, problem } from '@nova-platform/api';
import { clusterObjects, createControllerAccounts, type KubernetesApi } from '@nova-platform/kubernetes';
import { waitUntil } from '@nova-platform/process';
import type { Context, Planned, Step } from '../operation.ts';
import { timeoutsOf } from '../timeouts.ts';

const pause = 100;

/** RBAC roles, CoreDNS, CustomResourceDefinitions. */
export const objects: Step<Planned> = {
  name: 'objects',
  title: { en: 'Install RBAC, CoreDNS, CRDs', ru: 'Установить RBAC, CoreDNS, CRD' },
  run: async (context) => context.connections.withApi(context.plan, (api) => applyObjects(context, api)),
};

/**
 * The same for a new cluster as soon as its API responds. The API becomes ready a second or more later, when it has
 * created its own roles, which Universe does not need. Until then, any refusal may be temporary.
 */
export const newObjects: Step<Planned> = {
  ...objects,
  run: async (context) => {
    const { plan, connections, signal } = context;
    const { ready } = await timeoutsOf(context);
    await connections.withApi(plan, (api) =>
      waitUntil(
        async () => {
          const readiness = await api.readiness();
          if (readiness === 'unreachable') return 'the API';
          // A failure waits for the others, so that a retry does not overlap with them.
          const applied = await Promise.allSettled([createControllerAccounts(api), applyObjects(context, api)]);
          const failed = applied.find(({ status }) => status === 'rejected');
          if (failed?.status === 'rejected' && readiness === 'ready') throw failed.reason;
          return failed && 'an object';
        },
        {
          every: pause,
          within: ready,
          expired: () => new ProblemError(problem('NOVA8343', { cluster: plan.cluster.name })),
          signal,
        },
      ),
    );
  },
};

type Tools = Pick<Context<Planned>, 'plan' | 'config'>;

async function applyObjects({ plan, config }: Tools, api: KubernetesApi): Promise<void> {
  for (const object of clusterObjects(plan, config.services.manager.registry)) await api.apply(object);
}
