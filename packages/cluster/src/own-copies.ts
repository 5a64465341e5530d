import { infrastructure, terraformLock } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import type { KubernetesObject } from './kubernetes-api.ts';

/** What a cluster knows about itself, also where there is no Universe to ask. */

interface MachineState {
  name: string;
  address: string;
  image: string;
  imageDigest: string;
}

/** Who changes the machines now. */
export interface LockHolder {
  id: number;
  kind: string;
  requestedBy: string;
}

/** What the cluster was made from, without its secrets. */
export function clusterDeclaration({ declared }: ClusterPlan): KubernetesObject {
  return { ...own(infrastructure), spec: declared };
}

/** The machines that it runs on. */
export function machineStates(machines: readonly MachineState[]): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'nova-machines', namespace: 'kube-system' },
    data: Object.fromEntries(
      machines.map(({ name, address, image, imageDigest }) => [name, JSON.stringify({ address, image, imageDigest })]),
    ),
  };
}

/** There while machines change, so that nobody else changes them. */
export function machinesLock({ id, kind, requestedBy }: LockHolder): KubernetesObject {
  const spec = { id: String(id), operation: kind, who: `${requestedBy}@universe`, created: new Date().toISOString() };
  return { ...own(terraformLock), spec };
}

function own({ kind, schema }: typeof infrastructure | typeof terraformLock): KubernetesObject {
  return { apiVersion: schema.shape.apiVersion.value, kind, metadata: { name: 'cluster' } };
}
