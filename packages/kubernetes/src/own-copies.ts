import { infrastructure, proxy, type TerraformLock, terraformLock } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import { ignoreNotFound, type KubernetesApi, type KubernetesObject } from './kubernetes-api.ts';

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

/** Writes into the cluster what it is declared as, without secrets. A proxy that is no longer declared is removed. */
export async function applyDeclaration(
  api: KubernetesApi,
  { declared, declaredProxy }: Pick<ClusterPlan, 'declared' | 'declaredProxy'>,
): Promise<void> {
  await api.apply({ ...own(infrastructure), spec: declared });
  if (declaredProxy) await api.apply({ ...own(proxy), spec: declaredProxy });
  else await api.remove(own(proxy));
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

/** Ends the name of each holder that is an operation of Universe; its id is the operation's number. */
const ourSuffix = '@universe';

/** There while machines change, so that nobody else changes them. */
export function machinesLock({ id, kind, requestedBy }: LockHolder): KubernetesObject {
  const spec = {
    id: String(id),
    operation: kind,
    who: `${requestedBy}${ourSuffix}`,
    created: new Date().toISOString(),
  };
  return { ...own(terraformLock), spec };
}

/** Who holds the machines of a cluster, where it is not an operation of Universe: those know of each other. */
export async function lockHolder(api: KubernetesApi): Promise<TerraformLock['spec'] | undefined> {
  const { apiVersion, metadata } = own(terraformLock);
  const path = `/apis/${apiVersion}/${terraformLock.plural}/${metadata.name}`;
  const lock = await api.get<TerraformLock>(path).catch(ignoreNotFound);
  const isOurs = lock !== undefined && /^\d+$/.test(lock.spec.id) && lock.spec.who.endsWith(ourSuffix);
  return isOurs ? undefined : lock?.spec;
}

function own({ kind, schema }: typeof infrastructure | typeof proxy | typeof terraformLock): KubernetesObject {
  return { apiVersion: schema.shape.apiVersion.value, kind, metadata: { name: 'cluster' } };
}
