import { ProblemError, problem } from '@nova-platform/api';
import { waitUntil } from '@nova-platform/process';
import type { Context, Planned, Step } from '../operation.ts';
import { timeoutsOf } from '../timeouts.ts';

const pause = 200;

export const api: Step<Planned> = {
  name: 'api',
  title: { en: 'Wait for the API', ru: 'Дождаться API' },
  run: waitForApi,
};

/** Waits until the API is ready at its load-balanced address. Etcd exists then, and is never initialized again. */
export async function waitForApi({
  plan,
  infra,
  clusters,
  connections,
  signal,
}: Pick<Context<Planned>, 'plan' | 'infra' | 'clusters' | 'connections' | 'signal'>): Promise<void> {
  const { ready } = await timeoutsOf({ plan, infra });
  await connections.withApi(plan, (kubernetes) =>
    waitUntil(async () => ((await kubernetes.isReady()) ? undefined : 'the API'), {
      every: pause,
      within: ready,
      expired: () => new ProblemError(problem('NOVA8343', { cluster: plan.cluster.name })),
      signal,
    }),
  );
  await clusters.forgetInitialMembers(plan.cluster.name);
}
