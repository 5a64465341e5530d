import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';
import { provider } from './infrastructure-provider.ts';
import { infrastructureValidations } from './infrastructure-validations.ts';
import { defineKind } from './kind.ts';
import { kubernetesVersions } from './versions.ts';

export const roles = ['control-plane', 'infra', 'ingress', 'worker'] as const;
export type Role = (typeof roles)[number];

// The name of a node is part of a common name (`system:node:<name>`), which has at most 64 characters.
const maxNodeName = 52;
export const maxClusterName = 30;
const maxGroupName = 15;

/** Names of platform services under `dnsBaseDomain`. */
export const platformServices = [
  'nova-console',
  'nova-oauth',
  'nova-release-git-main',
  'nova-grafana-main',
  'nova-prometheus-main',
  'nova-alertmanager-main',
  'nova-cilium-hubble',
] as const;

/** The engine's minimum. */
export const leastSizes = { memory: '64Mi', disk: '1Gi' };

/** The default networks of a cluster. */
export const defaultNetworks = { podNetwork: '10.233.64.0/18', serviceNetwork: '10.233.0.0/18' } as const;

/**
 * Shortest and longest prefix. kube-apiserver accepts no service network wider than /12; nova-dns and kube-dns need a
 * few addresses.
 */
export const networkPrefixes = {
  nodeNetwork: [8, 28],
  podNetwork: [8, 28],
  serviceNetwork: [12, 26],
  externalNetwork: [8, 29],
} as const;

const externalNetwork = z.strictObject({
  network: field(string('network'), 'The network outside.', 'Внешняя сеть.', {
    example: '10.250.24.0/24',
    immutable: true,
  }),
  gateway: field(string('address'), 'Its default gateway.', 'Её шлюз по умолчанию.', {
    example: '10.250.24.1',
    immutable: true,
  }),
  addresses: field(
    z.array(string('addressRange')).min(1).max(64),
    'Addresses this cluster may take: one for its router, one for the API, one for each infra and ingress node.',
    'Адреса, которые может занять кластер: один для маршрутизатора, один для API и по одному на каждый узел infra и ingress.',
    { example: ['10.250.24.171-10.250.24.190'], unique: 'set' },
  ),
});

const taint = z.strictObject({
  key: field(string('labelKey'), 'Key.', 'Ключ.', { example: 'example.com/gpu' }),
  value: field(string('labelValue').optional(), 'Value.', 'Значение.'),
  effect: field(
    z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    'What happens to pods that do not tolerate it.',
    'Что происходит с подами, которые его не допускают.',
  ),
});

const nodeGroup = z.strictObject({
  name: field(
    string('label', maxGroupName),
    'Name of the group; nodes are called `<cluster>-<group>-<number>`.',
    'Имя группы; узлы называются `<кластер>-<группа>-<номер>`.',
    { example: 'worker' },
  ),
  roles: field(
    z.array(z.enum(roles)).min(1).max(4),
    'What the nodes do: `control-plane`, `infra` (platform services), `ingress` (traffic from outside), `worker` (applications). A node without `worker` runs no applications.',
    'Что делают узлы: `control-plane`, `infra` (службы платформы), `ingress` (входящий трафик), `worker` (приложения). На узле без `worker` приложения не запускаются.',
    { example: ['worker'], unique: 'set' },
  ),
  count: field(
    z.int().min(0).max(10000).optional(),
    'Number of nodes; 1 if nothing is said.',
    'Число узлов; 1, если не указано.',
    { example: 3 },
  ),
  cpu: field(
    z.int().min(1).max(512).default(2),
    'Virtual processors of each node.',
    'Виртуальных процессоров на узел.',
  ),
  memory: field(string('quantity').default('4Gi'), 'Memory of each node.', 'Память узла.'),
  disk: field(string('quantity').default('40Gi'), 'Disk of each node.', 'Диск узла.'),
  labels: field(
    z.record(string('labelKey'), string('labelValue')).default({}),
    'Labels of the nodes in Kubernetes, besides those of their roles.',
    'Метки узлов в Kubernetes помимо меток ролей.',
    { example: { 'example.com/zone': 'a' } },
  ),
  taints: field(
    z.array(taint).max(32).default([]),
    'Taints of the nodes, besides those of their roles.',
    'Ограничения (taints) узлов помимо тех, что дают роли.',
  ),
  hosts: field(
    z
      .array(
        z.strictObject({
          name: field(string('label', maxNodeName), 'Name of the host.', 'Имя узла.', { example: 'rack1-n1' }),
          address: field(string('address'), 'Its address in the node network.', 'Его адрес в сети узлов.', {
            example: '10.120.0.21',
          }),
        }),
      )
      .max(10000)
      .optional(),
    'Provider `existing` only: the hosts of this group, in place of `count`.',
    'Только для провайдера `existing`: узлы этой группы вместо `count`.',
    { unique: 'name' },
  ),
});

const customerDns = z.strictObject({
  enable: field(
    z.boolean().default(false),
    'Whether your own DNS servers are used.',
    'Используются ли ваши собственные серверы DNS.',
  ),
  forwardZones: field(
    z
      .array(
        z.strictObject({
          name: field(string('domain'), 'The zone.', 'Зона.', { example: 'mycompany.local' }),
          server: field(string('address'), 'The server that answers for it.', 'Сервер, который за неё отвечает.', {
            example: '10.0.0.1',
          }),
        }),
      )
      .max(256)
      .default([]),
    'Zones that CoreDNS forwards to your servers. With the base domain among them (external mode) Nova DNS is not installed.',
    'Зоны, которые CoreDNS перенаправляет на ваши серверы. Если среди них базовый домен (внешний режим), Nova DNS не устанавливается.',
    { unique: 'name' },
  ),
  servers: field(
    z.array(string('address')).max(16).default([]),
    "Servers for all other names, in place of those in the nodes' /etc/resolv.conf.",
    'Серверы для всех остальных имён вместо указанных в /etc/resolv.conf узлов.',
    { example: ['10.0.0.1'], unique: 'set' },
  ),
});

const dns = z.strictObject({
  customerDns: field(customerDns.prefault({}), 'Your own DNS servers.', 'Ваши собственные серверы DNS.'),
});

const clusterConfiguration = z.strictObject({
  clusterName: field(
    string('label', maxClusterName).optional(),
    'Name of the cluster. By default the first label of `dnsBaseDomain`.',
    'Имя кластера. По умолчанию первая метка `dnsBaseDomain`.',
    { example: 'demo', immutable: true },
  ),
  kubernetesVersion: field(
    string('version').default(kubernetesVersions[0]),
    'Kubernetes version.',
    'Версия Kubernetes.',
  ),
  dnsBaseDomain: field(
    string('domain', 200),
    'Base domain: platform services are `<service>.<dnsBaseDomain>`.',
    'Базовый домен: службы платформы доступны как `<служба>.<dnsBaseDomain>`.',
    { example: 'demo.mycompany.local' },
  ),
  k8sDefaultDnsZone: field(
    string('domain').default('cluster.local'),
    "DNS zone of the cluster's own services.",
    'Зона DNS для служб внутри кластера.',
    { immutable: true },
  ),
  k8sAPIDefaultFqdn: field(
    string('domain').optional(),
    'DNS name of the Kubernetes API. Without it the address is used.',
    'Имя DNS для Kubernetes API. Без него используется адрес.',
    { example: 'api.demo.mycompany.local' },
  ),
  k8sAPIAdditionalSANs: field(
    z.array(string('subjectName')).max(100).default([]),
    'More DNS names and addresses for the certificate of the Kubernetes API.',
    'Дополнительные имена DNS и адреса в сертификате Kubernetes API.',
    { example: ['k8s.mycompany.local'], unique: 'set' },
  ),
  k8sAPIAddress: field(
    string('address').optional(),
    'Address of your own load balancer in front of the API servers; for providers without SDN (`existing`, `vsphere`).',
    'Адрес вашего балансировщика перед серверами API; для провайдеров без SDN (`existing`, `vsphere`).',
    { example: '10.120.0.10' },
  ),
  nodeNetwork: field(
    string('network').default('10.20.0.0/24'),
    'Network of the nodes. Unique across clusters.',
    'Сеть узлов. У каждого кластера своя.',
    { immutable: true },
  ),
  podNetwork: field(string('network').default(defaultNetworks.podNetwork), 'Network of the pods.', 'Сеть подов.', {
    immutable: true,
  }),
  podNetworkNodePrefix: field(
    z.int().min(16).max(28).default(24),
    'Prefix length of the part of the pod network that one node gets.',
    'Длина префикса той части сети подов, которую получает один узел.',
    { immutable: true },
  ),
  serviceNetwork: field(
    string('network').default(defaultNetworks.serviceNetwork),
    'Network of the services. Its tenth address is kube-dns, its last but one nova-dns.',
    'Сеть служб. Её десятый адрес — kube-dns, предпоследний — nova-dns.',
    { immutable: true },
  ),
  cni: field(
    z.enum(['basic', 'cilium', 'calico']).default('basic'),
    'Pod networking. `basic` (bridge and routes) does not enforce network policies.',
    'Сеть подов. `basic` (мост и маршруты) не применяет сетевые политики.',
    { immutable: true },
  ),
  kubeProxyMode: field(
    z.enum(['nftables', 'iptables', 'ipvs']).default('nftables'),
    'How kube-proxy balances services.',
    'Как kube-proxy балансирует службы.',
  ),
  publishNodePorts: field(
    z.boolean().default(false),
    'Whether published nodes are reachable from outside on the ports of NodePort services (30000–32767), besides 80, 443 and DNS. Providers with SDN only.',
    'Доступны ли опубликованные узлы снаружи на портах служб NodePort (30000–32767), кроме 80, 443 и DNS. Только для провайдеров с SDN.',
  ),
  delivery: field(
    z.enum(['flux', 'none']).default('flux'),
    'What delivers modules: `flux`, or `none` for Kubernetes alone. `none` can become `flux` later, but not the reverse.',
    'Что доставляет модули: `flux` или `none`, если нужен только Kubernetes. `none` можно позже сменить на `flux`, обратно нельзя.',
  ),
  release: field(
    string('release').optional(),
    'Release of the platform whose modules are delivered. By default the newest one at installation, which then stays.',
    'Выпуск платформы, модули которого доставляются. По умолчанию новейший на момент установки; дальше он не меняется.',
    { example: '0.1.0' },
  ),
  modules: field(
    z
      .array(
        z.strictObject({
          name: field(z.string().min(1).max(63), 'Name of the module.', 'Имя модуля.', { example: 'metrics-server' }),
          enabled: field(
            z.boolean().default(true),
            'Whether the module is installed. Base modules always are.',
            'Установлен ли модуль. Базовые установлены всегда.',
          ),
          settings: field(
            z.record(z.string().max(253), z.unknown()).default({}),
            'Settings of the module.',
            'Настройки модуля.',
          ),
        }),
      )
      .max(256)
      .default([]),
    'Additional modules, and settings of base ones.',
    'Дополнительные модули и настройки базовых.',
    { unique: 'name' },
  ),
  extraOptions: field(
    z
      .strictObject({
        dns: field(dns.prefault({}), 'Name resolution.', 'Разрешение имён.'),
      })
      .prefault({}),
    'Options most clusters do not need.',
    'Параметры, которые большинству кластеров не нужны.',
  ),
});

const spec = field(
  z.strictObject({
    provider: field(provider, 'Where the machines come from.', 'Откуда берутся машины.'),
    externalNetwork: field(
      externalNetwork.optional(),
      'Network through which the cluster reaches out and is published. Providers with SDN only. `local` has one by default, and can take a part of it.',
      'Сеть, через которую кластер выходит наружу и публикуется. Только для провайдеров с SDN. У `local` есть по умолчанию, и можно занять её часть.',
    ),
    nodeGroups: field(z.array(nodeGroup).min(1).max(64), 'Groups of equal nodes.', 'Группы одинаковых узлов.', {
      unique: 'name',
    }),
    clusterConfiguration: field(clusterConfiguration, 'The Kubernetes cluster.', 'Кластер Kubernetes.'),
  }),
  'What the cluster should be.',
  'Каким должен быть кластер.',
);

export const infrastructure = defineKind({
  kind: 'Infrastructure',
  version: 'v1alpha4',
  plural: 'infrastructures',
  description: {
    en: 'A cluster: where its machines come from, which nodes it has, and how Kubernetes is set up on them.',
    ru: 'Кластер: откуда берутся машины, какие в нём узлы и как на них настроен Kubernetes.',
  },
  example: `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata:
  name: cluster
spec:
  provider:
    type: local
  nodeGroups:
    - name: main
      roles: [control-plane, infra, ingress, worker]
      memory: 4Gi
  clusterConfiguration:
    dnsBaseDomain: demo.nova.local
`,
  validations: infrastructureValidations({ maxClusterName, platformServices, least: leastSizes, networkPrefixes }),
  spec,
});

export type Infrastructure = z.output<typeof infrastructure.schema>;
export type NodeGroup = Infrastructure['spec']['nodeGroups'][number];

export function groupSize(group: NodeGroup): number {
  return group.hosts?.length ?? group.count ?? 1;
}

export function clusterName(document: Infrastructure): string {
  const { clusterName: name, dnsBaseDomain } = document.spec.clusterConfiguration;
  return name ?? dnsBaseDomain.split('.', 1)[0] ?? dnsBaseDomain;
}

export type DnsMode = 'internal' | 'external';

/**
 * External if the base domain itself is forwarded. Hybrid is internal DNS as seen from the company's servers: no
 * difference here.
 */
export function dnsMode(document: Infrastructure): DnsMode {
  const { dnsBaseDomain, extraOptions } = document.spec.clusterConfiguration;
  const { enable, forwardZones } = extraOptions.dns.customerDns;
  return enable && forwardZones.some((zone) => zone.name === dnsBaseDomain) ? 'external' : 'internal';
}
