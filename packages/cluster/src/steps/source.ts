import { ProblemError, problem } from '@nova-platform/api';
import { revisionOf, sourceProblem } from '@nova-platform/delivery';
import { waitUntil } from '@nova-platform/process';
import { asReason, waitOptions } from '../delivery.ts';
import type { Planned, Step } from '../operation.ts';

/** The source of the release, until Flux has fetched it. */
export const source: Step<Planned> = {
  name: 'source',
  title: { en: 'Fetch the release with Flux', ru: 'Получить выпуск через Flux' },
  run: async ({ plan, infra, delivery, connections, log, signal }) => {
    const cluster = plan.cluster.name;
    const release = await delivery.releaseOf(plan);
    if (!release) return;
    await connections.withApi(plan, async (api) => {
      for (const object of delivery.sourceOf(cluster, release.version)) await api.apply(object);
      await waitUntil(() => sourceProblem(api, revisionOf(release)).catch(asReason), {
        ...(await waitOptions({ plan, infra })),
        expired: (reason) => new ProblemError(problem('NOVA8409', { cluster, reason })),
        onMissing: log,
        signal,
      });
    });
  },
};
