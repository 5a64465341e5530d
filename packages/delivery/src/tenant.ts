import type { KubernetesObject } from '@nova-platform/cluster';

export interface Tenant {
  name: string;
  quota: { cpu: string; memory: string; pods: number; volumes: string };
}

export const tenantLabel = 'nova-platform.io/tenant';

/** A team's hosts are NAME and APPLICATION--NAME under the base domain: one name must not be read as another's. */
export function isTenantName(name: string): boolean {
  return !/^(kube|nova)-|--/.test(name);
}

/** What a team needs to deliver by itself, and nothing beyond its own namespace. */
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
    // Under a quota a pod that says nothing would be refused.
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: own,
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '50m', memory: '64Mi' } }] },
    },
  ];
}

/** A beginning for the team: its repository, delivered as its own account. */
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
