import { infrastructure, proxy, type TerraformLock, terraformLock } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import { ignoreNotFound, type KubernetesApi, KubernetesError, type KubernetesObject } from './kubernetes-api.ts';

/** Copies of a cluster's own state inside the cluster, for use without Universe. */

interface MachineState {
  name: string;
  address: string;
  image: string;
  imageDigest: string;
}

/** The operation that changes the machines. */
export interface LockHolder {
  id: number;
  kind: string;
  requestedBy: string;
}

/** Writes the declared documents into the cluster, without secrets. Removes a proxy that is no longer declared. */
export async function applyDeclaration(
  api: KubernetesApi,
  { declared, declaredProxy }: Pick<ClusterPlan, 'declared' | 'declaredProxy'>,
): Promise<void> {
  await api.apply({ ...own(infrastructure), spec: declared });
  if (declaredProxy) await api.apply({ ...own(proxy), spec: declaredProxy });
  else await api.remove(own(proxy));
}

/** The machines of the cluster. */
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

/** The suffix of holders that are operations of Universe; the ID of such a lock is the number of the operation. */
const ourSuffix = '@universe';

/** The lock that exists while an operation changes the machines. */
export function machinesLock({ id, kind, requestedBy }: LockHolder): KubernetesObject {
  const spec = {
    id: String(id),
    operation: kind,
    who: `${requestedBy}${ourSuffix}`,
    created: new Date().toISOString(),
  };
  return { ...own(terraformLock), spec };
}

/** Creates the lock, or takes over that of another operation of Universe. Returns any other holder, whose lock stays. */
export async function lockMachines(
  api: KubernetesApi,
  operation: LockHolder,
): Promise<TerraformLock['spec'] | undefined> {
  const lock = machinesLock(operation);
  try {
    await api.create(`/apis/${lock.apiVersion}/${terraformLock.plural}`, lock);
    return undefined;
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 409) throw error;
  }
  const holder = await lockHolder(api);
  if (!holder) await api.apply(lock);
  return holder;
}

/** The holder of the lock, unless it is an operation of Universe: those have locks of their own. */
export async function lockHolder(api: KubernetesApi): Promise<TerraformLock['spec'] | undefined> {
  const { apiVersion, metadata } = own(terraformLock);
  const path = `/apis/${apiVersion}/${terraformLock.plural}/${metadata.name}`;
  const lock = await api.get<TerraformLock>(path).catch(ignoreNotFound);
  const isOurs = lock !== undefined && /^\d+$/.test(lock.spec.id) && lock.spec.who.endsWith(ourSuffix);
  return isOurs ? undefined : lock?.spec;
}

/** Removes the lock of any operation of Universe; that of another holder stays. */
export async function releaseMachines(api: KubernetesApi): Promise<void> {
  if (!(await lockHolder(api))) await api.remove(own(terraformLock));
}

function own({ kind, schema }: typeof infrastructure | typeof proxy | typeof terraformLock): KubernetesObject {
  return { apiVersion: schema.shape.apiVersion.value, kind, metadata: { name: 'cluster' } };
}
