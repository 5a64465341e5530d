import type { KubernetesView } from './health-observations.ts';

export interface Pod {
  metadata: { name: string; namespace: string; deletionTimestamp?: string };
  spec: { nodeName?: string };
  status: {
    phase: string;
    conditions?: { type: string; status: string; message?: string }[];
    containerStatuses?: { state: { waiting?: { reason: string; message?: string } } }[];
  };
}

/** Pods that are not ready, with the reason. Finished and terminating pods are left out. */
export function unreadyPods(pods: readonly Pod[]): KubernetesView['pods'] {
  return pods
    .filter(({ metadata, status: { phase, conditions = [] } }) => {
      const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
      return !isReady && phase !== 'Succeeded' && metadata.deletionTimestamp === undefined;
    })
    .map(({ metadata: { namespace, name }, spec, status: { phase, conditions = [], containerStatuses = [] } }) => {
      const waiting = containerStatuses.find(({ state }) => state.waiting)?.state.waiting;
      const unmet = conditions.find(({ status, message }) => status === 'False' && message);
      return {
        namespace,
        name,
        ...(spec.nodeName !== undefined && { node: spec.nodeName }),
        reason: waiting ? [waiting.reason, waiting.message].filter(Boolean).join(': ') : (unmet?.message ?? phase),
      };
    });
}
