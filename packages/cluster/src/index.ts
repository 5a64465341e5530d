export { type ClusterAccess, KubernetesApi, KubernetesError, type KubernetesObject } from './kubernetes-api.ts';
export { readiness } from './nodes.ts';
export { administrators, clusterObjects, nodeObject } from './objects.ts';
