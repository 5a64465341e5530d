import { ProblemError, problem } from '@nova-platform/api';
import { moduleStates, revisionOf } from '@nova-platform/delivery';
import { waitUntil } from '@nova-platform/process';
import { named } from '../approved.ts';
import { asReason, waitOptions } from '../delivery.ts';
import type { EachStep, Planned } from '../operation.ts';

/** Waits until a module is ready, and logs what it is waiting for. */
export const module: EachStep<Planned> = {
  name: 'module',
  title: { en: 'Wait for the module', ru: 'Дождаться модуля' },
  items: ({ plan }) => plan.modules.map(named),
  run: async ({ plan, infra, item, delivery, connections, log, signal }) => {
    const release = await delivery.releaseOf(plan);
    if (!release) return;
    await connections.withApi(plan, async (api) => {
      const check = async () => {
        const found = (await moduleStates(api, revisionOf(release))).find(({ name }) => name === item.name);
        return found?.state === 'ready' ? undefined : (found?.reason ?? 'Flux has no Kustomization for it yet');
      };
      await waitUntil(() => check().catch(asReason), {
        ...(await waitOptions({ plan, infra })),
        expired: (reason) =>
          new ProblemError(problem('NOVA8407', { module: item.name, cluster: plan.cluster.name, reason })),
        onMissing: log,
        signal,
      });
    });
  },
};
