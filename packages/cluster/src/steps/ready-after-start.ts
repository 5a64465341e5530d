import { ProblemError, problem } from '@nova-platform/api';
import { heartbeats, type KubernetesApi, leaders } from '@nova-platform/kubernetes';
import { type ClusterPlan, controlPlanes } from '@nova-platform/plan';
import { waitUntil } from '@nova-platform/process';
import { readyTimeout } from '../control-planes.ts';
import type { Planned, Step } from '../operation.ts';
import { ready, waitUntilReady } from './ready.ts';

const pause = 200;

/** As `ready`, after the API has new heartbeats and leaders: those from before the stop stay valid for some seconds. */
export const readyAfterStart: Step<Planned> = {
  ...ready,
  run: async (context) => {
    const { plan, connections, signal } = context;
    await connections.withApi(plan, (api) =>
      Promise.all([waitForHeartbeats(api, plan, signal), waitForLeaders(api, plan, signal)]),
    );
    await waitUntilReady(context);
  },
};

async function waitForHeartbeats(api: KubernetesApi, { nodes }: ClusterPlan, signal: AbortSignal): Promise<void> {
  const before = await heartbeats(api);
  const check = async () => {
    const now = await heartbeats(api);
    const silent = nodes.find(({ name }) => now.get(name) === before.get(name));
    return silent && problem('NOVA8344', { node: silent.name, reason: 'its kubelet has not reported since the start' });
  };
  await waitUntil(check, { ...waitOptions, signal });
}

async function waitForLeaders(api: KubernetesApi, { nodes }: ClusterPlan, signal: AbortSignal): Promise<void> {
  const before = new Map((await leaders(api)).map(({ service, renewTime }) => [service, renewTime]));
  const check = async () => {
    const idle = (await leaders(api)).find(({ service, renewTime }) => before.get(service) === renewTime);
    if (!idle) return undefined;
    const [node] = controlPlanes(nodes);
    const { service, renewTime: at = '—' } = idle;
    return problem('NOVA8358', { service, at, node: node?.name ?? '' });
  };
  await waitUntil(check, { ...waitOptions, signal });
}

const waitOptions = {
  every: pause,
  within: readyTimeout,
  expired: (missing: ReturnType<typeof problem>) => new ProblemError(missing),
};
