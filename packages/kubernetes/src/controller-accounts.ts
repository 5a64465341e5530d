import { type KubernetesApi, KubernetesError } from './kubernetes-api.ts';

const namespace = 'kube-system';

/**
 * Controllers of the controller manager that have a service account. At its first start it creates these accounts one
 * after the other before it starts any controller. A name that is missing here only costs time.
 */
const controllers = [
  'attachdetach-controller',
  'certificate-controller',
  'clusterrole-aggregation-controller',
  'cronjob-controller',
  'daemon-set-controller',
  'deployment-controller',
  'device-taint-eviction-controller',
  'disruption-controller',
  'endpoint-controller',
  'endpointslice-controller',
  'endpointslicemirroring-controller',
  'ephemeral-volume-controller',
  'expand-controller',
  'generic-garbage-collector',
  'horizontal-pod-autoscaler',
  'job-controller',
  'legacy-service-account-token-cleaner',
  'namespace-controller',
  'node-controller',
  'persistent-volume-binder',
  'pod-garbage-collector',
  'pv-protection-controller',
  'pvc-protection-controller',
  'replicaset-controller',
  'replication-controller',
  'resource-claim-controller',
  'resourcequota-controller',
  'root-ca-cert-publisher',
  'service-account-controller',
  'service-cidrs-controller',
  'statefulset-controller',
  'ttl-after-finished-controller',
  'ttl-controller',
  'validatingadmissionpolicy-status-controller',
  'volumeattributesclass-protection-controller',
];

/** Creates the missing accounts, several at a time, exactly as the controller manager would. */
export async function createControllerAccounts(api: KubernetesApi): Promise<void> {
  const create = (name: string) =>
    api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace },
    });
  const created = await Promise.allSettled(controllers.map((name) => create(name).catch(ignoreConflict)));
  // A failure waits for the others, so that a retry does not overlap with them.
  for (const each of created) if (each.status === 'rejected') throw each.reason;
}

function ignoreConflict(error: unknown): undefined {
  if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
}
