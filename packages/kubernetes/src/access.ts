import type { KubernetesObject } from './kubernetes-api.ts';

/** The group of Universe's administrators. They can do everything in a cluster. */
export const administrators = 'nova:administrators';
/** The group of Universe's operators. They run applications; they cannot change the platform or access its nodes. */
export const operators = 'nova:operators';
/** The group of Universe's viewers. They can read everything except secrets. */
export const viewers = 'nova:viewers';

const rbac = 'rbac.authorization.k8s.io';
const reads = ['get', 'list', 'watch'];
const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** RBAC objects of a new cluster. */
export function accessObjects(): KubernetesObject[] {
  return [
    binding('nova:kubelet-api', 'system:kubelet-api-admin', { kind: 'User', name: 'kube-apiserver-kubelet-client' }),
    binding('nova:administrators', 'cluster-admin', { kind: 'Group', name: administrators }),
    operatorRole(),
    binding('nova:operators', 'nova:operator', { kind: 'Group', name: operators }),
    binding('nova:operators:view', 'view', { kind: 'Group', name: operators }),
    viewerRole(),
    binding('nova:viewers', 'nova:viewer', { kind: 'Group', name: viewers }),
    binding('nova:viewers:view', 'view', { kind: 'Group', name: viewers }),
  ];
}

/**
 * Access to everything that applications consist of. Excluded is everything that would make an operator an
 * administrator: `impersonate`, cluster roles, host volumes, webhooks, kubelets. An admission policy denies writes to
 * the platform's namespaces.
 */
function operatorRole(): KubernetesObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'nova:operator' },
    rules: [
      {
        apiGroups: [''],
        resources: [
          'pods',
          'services',
          'configmaps',
          'secrets',
          'persistentvolumeclaims',
          'serviceaccounts',
          'replicationcontrollers',
          'replicationcontrollers/scale',
          'resourcequotas',
          'limitranges',
          'namespaces',
        ],
        verbs: [...reads, ...writes],
      },
      { apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs: ['get', 'create'] },
      { apiGroups: [''], resources: ['pods/ephemeralcontainers'], verbs: ['get', 'update', 'patch'] },
      { apiGroups: [''], resources: ['pods/eviction', 'serviceaccounts/token'], verbs: ['create'] },
      {
        apiGroups: ['apps'],
        resources: ['deployments', 'statefulsets', 'replicasets'].flatMap((each) => [each, `${each}/scale`]),
        verbs: [...reads, ...writes],
      },
      { apiGroups: ['apps'], resources: ['daemonsets'], verbs: [...reads, ...writes] },
      { apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], verbs: [...reads, ...writes] },
      { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'], verbs: [...reads, ...writes] },
      {
        apiGroups: ['networking.k8s.io'],
        resources: ['ingresses', 'networkpolicies'],
        verbs: [...reads, ...writes],
      },
      { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: [...reads, ...writes] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: [...reads, ...writes] },
      // Kubernetes prevents privilege escalation: users can grant only permissions that they have.
      { apiGroups: [rbac], resources: ['roles', 'rolebindings'], verbs: [...reads, ...writes] },
      { apiGroups: [''], resources: ['nodes', 'persistentvolumes'], verbs: reads },
      {
        apiGroups: [rbac, 'storage.k8s.io', 'scheduling.k8s.io', 'networking.k8s.io', 'apiextensions.k8s.io'],
        resources: ['*'],
        verbs: reads,
      },
      { apiGroups: ['admissionregistration.k8s.io', 'config.nova-platform.io'], resources: ['*'], verbs: reads },
    ],
  };
}

/** What `view` of Kubernetes lacks because it belongs to no namespace. */
function viewerRole(): KubernetesObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'nova:viewer' },
    rules: [
      { apiGroups: [''], resources: ['nodes', 'persistentvolumes'], verbs: reads },
      { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: reads },
    ],
  };
}

function binding(name: string, role: string, subject: { kind: string; name: string }): KubernetesObject {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: rbac, ...subject }],
  };
}
