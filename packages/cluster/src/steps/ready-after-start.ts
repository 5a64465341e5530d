import { type Problem, ProblemError, problem } from '@nova-platform/api';
import { heartbeats, type KubernetesApi, leaders, silentSince, withoutLeader } from '@nova-platform/kubernetes';
import { type ClusterPlan, controlPlanes } from '@nova-platform/plan';
import { waitUntil } from '@nova-platform/process';
import type { Planned, Step } from '../operation.ts';
import { timeoutsOf } from '../timeouts.ts';
import { ready, waitUntilReady } from './ready.ts';

const pause = 200;

type WaitOptions = Parameters<typeof waitUntil<Problem>>[1];

/** As `ready`, after the API has new heartbeats and leaders: those from before the stop stay valid for some seconds. */
export const readyAfterStart: Step<Planned> = {
  ...ready,
  run: async (context) => {
    const { plan, connections, signal } = context;
    const { ready: within } = await timeoutsOf(context);
    const options = { every: pause, within, expired: (missing: Problem) => new ProblemError(missing), signal };
    await connections.withApi(plan, (api) =>
      Promise.all([waitForHeartbeats(api, plan, options), waitForLeaders(api, plan, options)]),
    );
    await waitUntilReady(context);
  },
};

async function waitForHeartbeats(api: KubernetesApi, { nodes }: ClusterPlan, options: WaitOptions): Promise<void> {
  const before = await heartbeats(api);
  const check = async () => {
    const names = nodes.map(({ name }) => name);
    const [silent] = silentSince(before, await heartbeats(api), names);
    const reason = {
      en: 'its kubelet has not reported since the start',
      ru: 'его kubelet ещё не сообщал о состоянии после запуска',
    };
    return silent === undefined ? undefined : problem('NOVA8344', { node: silent, reason });
  };
  await waitUntil(check, options);
}

async function waitForLeaders(api: KubernetesApi, { nodes }: ClusterPlan, options: WaitOptions): Promise<void> {
  const renewals = async () => new Map((await leaders(api)).map(({ service, renewTime }) => [service, renewTime]));
  const before = await renewals();
  const check = async () => {
    const now = await renewals();
    const [idle] = silentSince(before, now, now.keys());
    if (idle === undefined) return undefined;
    const [node] = controlPlanes(nodes);
    const renewedAt = now.get(idle);
    return withoutLeader(idle, renewedAt === undefined ? undefined : new Date(renewedAt), node?.name ?? '');
  };
  await waitUntil(check, options);
}
