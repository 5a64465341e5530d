import { ProblemError, problem } from '@nova-platform/api';
import { waitUntil } from '@nova-platform/process';
import { readyTimeout } from '../control-planes.ts';
import type { Context, Planned, Step } from '../operation.ts';

const pause = 200;

export const api: Step<Planned> = {
  name: 'api',
  title: { en: 'Wait for the API', ru: 'Дождаться API' },
  run: waitForApi,
};

/** Waits until the API is ready at its load-balanced address. Etcd exists then, and is never initialized again. */
export async function waitForApi({
  plan,
  clusters,
  connections,
  signal,
}: Pick<Context<Planned>, 'plan' | 'clusters' | 'connections' | 'signal'>): Promise<void> {
  await connections.withApi(plan, (kubernetes) =>
    waitUntil(async () => ((await kubernetes.isReady()) ? undefined : 'the API'), {
      every: pause,
      within: readyTimeout,
      expired: () => new ProblemError(problem('NOVA8343', { cluster: plan.cluster.name })),
      signal,
    }),
  );
  await clusters.forgetInitialMembers(plan.cluster.name);
}
