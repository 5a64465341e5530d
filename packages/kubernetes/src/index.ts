export { administrators, operators, viewers } from './access.ts';
export { admissionPolicy } from './admission-policies.ts';
export { applyNode } from './apply-node.ts';
export { confined } from './confined.ts';
export { createControllerAccounts } from './controller-accounts.ts';
export { resolvesNames } from './core-dns.ts';
export { cordon, drain, uncordon } from './drain.ts';
export { Etcd, type EtcdNode, joinMembers, missedBy, unhealthyFirst } from './etcd.ts';
export { eventsOf, type KubernetesEvent } from './events.ts';
export {
  type ClusterState,
  diagnose,
  endingCertificates,
  type Finding,
  inBothLanguages,
  stateOf,
  withoutLeader,
} from './health.ts';
export {
  type Agent,
  type Answer,
  type KubernetesView,
  known,
  type Observations,
  type ObservedNode,
} from './health-observations.ts';
export { type ProbeIdentity, probe } from './health-probe.ts';
export {
  type ClusterAccess,
  ignoreNotFound,
  KubernetesApi,
  KubernetesError,
  type KubernetesObject,
} from './kubernetes-api.ts';
export { kubernetesNode } from './kubernetes-node.ts';
export { missingImages, repositoryIn } from './missing-images.ts';
export { isRoutine } from './module-health.ts';
export { heartbeats, leaders, readiness, silentSince, viewOf } from './nodes.ts';
export { clusterObjects } from './objects.ts';
export {
  applyDeclaration,
  type LockHolder,
  lockHolder,
  lockMachines,
  machineStates,
  machinesLock,
  releaseMachines,
} from './own-copies.ts';
export { type Pod, unreadyPods } from './pods.ts';
export { shortened } from './shortened.ts';
