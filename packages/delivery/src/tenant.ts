import { admissionPolicy, type KubernetesObject } from '@nova-platform/kubernetes';
import { fluxKinds } from './names.ts';

export interface Tenant {
  name: string;
  quota: { cpu: string; memory: string; pods: number; volumes: string };
}

export const tenantLabel = 'nova-platform.io/tenant';

/** Hosts of a team are NAME and APPLICATION--NAME under the base domain: no name may be read as another team's. */
export function isTenantName(name: string): boolean {
  return !/^(kube|nova)-|--/.test(name);
}

/** Everything that a team needs to deliver by itself, limited to its own namespace. */
export function tenantObjects({ name, quota }: Tenant): KubernetesObject[] {
  const labels = { [tenantLabel]: name };
  const own = { name, namespace: name, labels };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: own,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace: name }],
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: own,
      spec: {
        hard: {
          'requests.cpu': quota.cpu,
          'requests.memory': quota.memory,
          'requests.storage': quota.volumes,
          pods: String(quota.pods),
        },
      },
    },
    objectQuota(name),
    // A quota refuses pods without requests, so defaults are set.
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: own,
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '50m', memory: '64Mi' } }] },
    },
  ];
}

/** The maximum number of objects of a kind per team: etcd and the controllers are shared. */
const objectBounds: Readonly<Record<string, number>> = {
  services: 50,
  // Both open ports on every node; an administrator raises the limit for a team that needs them.
  'services.nodeports': 0,
  'services.loadbalancers': 0,
  // Helm keeps ten per release.
  secrets: 200,
  configmaps: 100,
  persistentvolumeclaims: 20,
  replicationcontrollers: 20,
  'count/serviceaccounts': 20,
  'count/deployments.apps': 50,
  // Each Deployment keeps ten.
  'count/replicasets.apps': 500,
  'count/statefulsets.apps': 50,
  'count/daemonsets.apps': 20,
  'count/jobs.batch': 200,
  'count/cronjobs.batch': 50,
  'count/ingresses.networking.k8s.io': 50,
  'count/networkpolicies.networking.k8s.io': 50,
  'count/poddisruptionbudgets.policy': 50,
  'count/horizontalpodautoscalers.autoscaling': 50,
  'count/leases.coordination.k8s.io': 50,
  'count/roles.rbac.authorization.k8s.io': 50,
  'count/rolebindings.rbac.authorization.k8s.io': 50,
  'count/resourceclaims.resource.k8s.io': 20,
  'count/resourceclaimtemplates.resource.k8s.io': 20,
  ...Object.fromEntries(fluxKinds.map((kind) => [`count/${kind}`, 50])),
};

/** In addition to the team's own quota. It is the same for all teams, and an administrator can change it. */
export function objectQuota(tenant: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'objects', namespace: tenant, labels: { [tenantLabel]: tenant } },
    spec: { hard: Object.fromEntries(Object.entries(objectBounds).map(([kind, most]) => [kind, String(most)])) },
  };
}

/** Limits that quotas and roles do not cover: nodes and priorities of the pods of teams. */
export function tenantPolicies(): KubernetesObject[] {
  return admissionPolicy({
    name: 'nova-tenant-pods',
    namespaceLabel: tenantLabel,
    resources: [{ apiGroups: [''], resources: ['pods'] }],
    operations: ['CREATE', 'UPDATE'],
    variables: {
      // The classes that an administrator allowed, separated by commas.
      classes: `namespaceObject.metadata.?annotations[?'nova-platform.io/priority-classes'].orValue('').split(',')`,
      // Of an existing pod only the added tolerations: controllers change pods after the team created them.
      tolerations: `object.spec.?tolerations.orValue([]).filter(each,
        oldObject == null || !(each in oldObject.spec.?tolerations.orValue([])))`,
    },
    validations: [
      {
        expression: `oldObject != null || object.spec.?priority.orValue(0) <= 0 ||
          object.spec.priorityClassName in variables.classes`,
        message: 'a team can use only the priority classes that its namespace allows',
      },
      {
        // A toleration without a key tolerates everything.
        expression: `variables.tolerations.all(each,
          each.?key.orValue('') != '' && !each.key.startsWith('node-role.kubernetes.io/'))`,
        message: 'a team cannot tolerate the taints of nodes that run no applications',
      },
      {
        expression: `oldObject != null || object.spec.?nodeName.orValue('') == ''`,
        message: 'only the scheduler can bind pods of a team to nodes',
      },
    ],
  });
}

/** An example for a new team: its repository, delivered with its own account. */
export function tenantExample(name: string): string {
  return `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: apps, namespace: ${name} }
spec:
  interval: 10m
  url: https://git.example.com/${name}/apps.git
  ref: { branch: main }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: apps, namespace: ${name} }
spec:
  interval: 10m
  sourceRef: { kind: GitRepository, name: apps }
  path: ./
  targetNamespace: ${name}
  serviceAccountName: ${name}
  prune: true
  wait: true
`;
}
