import type { ClusterPlan } from '@nova-platform/plan';
import { confined } from './confined.ts';
import type { KubernetesApi, KubernetesObject } from './kubernetes-api.ts';

const namespace = 'kube-system';
const name = 'coredns';
const labels = { 'k8s-app': 'kube-dns' };
/** Above 1024, so it needs no privilege. */
const port = 1053;

/** CoreDNS resolves the names of the cluster and forwards all others. */
export function coreDns(plan: ClusterPlan, image: string): KubernetesObject[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:coredns' },
      rules: [
        { apiGroups: [''], resources: ['services', 'namespaces', 'pods'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'system:coredns' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:coredns' },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { Corefile: corefile(plan) } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace, labels },
      spec: {
        selector: labels,
        clusterIP: plan.services.kubeDns,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: port },
          { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: port },
        ],
      },
    },
    deployment(plan, image),
  ];
}

/** Whether at least one replica of CoreDNS is available. */
export async function resolvesNames(api: KubernetesApi): Promise<boolean> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
  const { status } = await api.get<{ status: { availableReplicas?: number } }>(path);
  return (status.availableReplicas ?? 0) > 0;
}

function corefile({ declared, dns }: ClusterPlan): string {
  const zone = declared.clusterConfiguration.k8sDefaultDnsZone;
  const zones = dns.zones.filter(({ answeredBy }) => answeredBy !== 'coredns');
  const forwarded = zones.filter((each) => each.name !== '.');
  const rest = zones.find((each) => each.name === '.')?.servers ?? [];
  const common = ['    errors', '    cache 30', '    loop', '    reload', '    loadbalance'];
  return [
    ...forwarded.flatMap((each) => [
      `${each.name}:${port} {`,
      '    errors',
      '    cache 30',
      `    forward . ${(each.servers ?? []).join(' ')}`,
      '}',
    ]),
    `.:${port} {`,
    '    health :8080',
    '    ready :8181',
    `    kubernetes ${zone} in-addr.arpa ip6.arpa {`,
    '        pods insecure',
    '        fallthrough in-addr.arpa ip6.arpa',
    '        ttl 30',
    '    }',
    `    forward . ${rest.join(' ')}`,
    ...common,
    '}',
    '',
  ].join('\n');
}

function deployment({ cluster }: ClusterPlan, image: string): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: cluster.topology === 'HighlyAvailable' ? 2 : 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: 'system-cluster-critical',
          // External names are resolved by the node's own resolver.
          dnsPolicy: 'Default',
          tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [
            {
              name,
              image,
              args: ['-conf', '/etc/coredns/Corefile'],
              ports: [
                { name: 'dns', containerPort: port, protocol: 'UDP' },
                { name: 'dns-tcp', containerPort: port, protocol: 'TCP' },
              ],
              resources: { requests: { cpu: '50m', memory: '40Mi' }, limits: { memory: '170Mi' } },
              readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 2 },
              livenessProbe: { httpGet: { path: '/health', port: 8080 }, initialDelaySeconds: 30 },
              securityContext: confined,
              volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config', configMap: { name } }],
        },
      },
    },
  };
}
