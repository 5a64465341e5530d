import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';
import { machineKinds, provider } from './infrastructure-provider.ts';
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

/** The minimum of the engine. */
export const minimumSizes = { memory: '64Mi', disk: '1Gi' };

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
  network: field(string('network'), 'The external network.', 'Внешняя сеть.', {
    example: '10.250.24.0/24',
    immutable: true,
  }),
  gateway: field(string('address'), 'Default gateway of the network.', 'Шлюз сети по умолчанию.', {
    example: '10.250.24.1',
    immutable: true,
  }),
  addresses: field(
    z.array(string('addressRange')).min(1).max(64),
    'Addresses that the cluster can use: one for its router, one for the API, one for each infra and ingress node.',
    'Адреса, которые может использовать кластер: один для маршрутизатора, один для API и по одному на каждый узел infra и ingress.',
    { example: ['10.250.24.171-10.250.24.190'], unique: 'set' },
  ),
});

const taint = z.strictObject({
  key: field(string('labelKey'), 'Key.', 'Ключ.', { example: 'example.com/gpu' }),
  value: field(string('labelValue').optional(), 'Value.', 'Значение.'),
  effect: field(
    z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    'Effect on pods that do not tolerate the taint.',
    'Действие на поды без соответствующего допуска (toleration).',
  ),
});

const nodeGroup = z.strictObject({
  name: field(
    string('label', maxGroupName),
    'Name of the group. Its nodes are named `<cluster>-<group>-<number>`.',
    'Имя группы. Её узлы называются `<кластер>-<группа>-<номер>`.',
    { example: 'worker' },
  ),
  roles: field(
    z.array(z.enum(roles)).min(1).max(4),
    'Roles of the nodes: `control-plane`, `infra` (platform services), `ingress` (incoming traffic), `worker` (applications). A node without `worker` runs no applications.',
    'Роли узлов: `control-plane`, `infra` (службы платформы), `ingress` (входящий трафик), `worker` (приложения). На узле без `worker` приложения не запускаются.',
    { example: ['worker'], unique: 'set' },
  ),
  count: field(
    z.int().min(0).max(10000).optional(),
    'Number of nodes. Defaults to 1.',
    'Число узлов. По умолчанию 1.',
    { example: 3 },
  ),
  machineKind: field(
    z.enum(machineKinds).optional(),
    'Kind of the machines of this group, if it differs from that of the provider. Only for the provider `local`. The kind of installed nodes cannot change.',
    'Вид машин этой группы, если он отличается от вида у провайдера. Только для провайдера `local`. Вид машин установленных узлов изменить нельзя.',
    { example: 'container' },
  ),
  cpu: field(z.int().min(1).max(512).default(2), 'Virtual CPUs of each node.', 'Число виртуальных процессоров узла.'),
  memory: field(string('quantity').default('4Gi'), 'Memory of each node.', 'Память узла.'),
  disk: field(string('quantity').default('40Gi'), 'Disk of each node.', 'Диск узла.'),
  labels: field(
    z.record(string('labelKey'), string('labelValue')).default({}),
    'Labels of the nodes in Kubernetes, in addition to those of their roles.',
    'Метки узлов в Kubernetes в дополнение к меткам ролей.',
    { example: { 'example.com/zone': 'a' } },
  ),
  taints: field(
    z.array(taint).max(32).default([]),
    'Taints of the nodes, in addition to those of their roles.',
    'Ограничения (taints) узлов в дополнение к ограничениям ролей.',
  ),
  hosts: field(
    z
      .array(
        z.strictObject({
          name: field(string('label', maxNodeName), 'Name of the host.', 'Имя хоста.', { example: 'rack1-n1' }),
          address: field(string('address'), 'Its address in the node network.', 'Его адрес в сети узлов.', {
            example: '10.120.0.21',
          }),
        }),
      )
      .max(10000)
      .optional(),
    'Only for the provider `existing`: the hosts of this group, instead of `count`.',
    'Только для провайдера `existing`: хосты этой группы вместо `count`.',
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
          server: field(string('address'), 'The DNS server of the zone.', 'Сервер DNS этой зоны.', {
            example: '10.0.0.1',
          }),
        }),
      )
      .max(256)
      .default([]),
    'Zones that CoreDNS forwards to your servers. If the base domain is one of them (external mode), Nova DNS is not installed.',
    'Зоны, которые CoreDNS перенаправляет на ваши серверы. Если среди них базовый домен (внешний режим), Nova DNS не устанавливается.',
    { unique: 'name' },
  ),
  servers: field(
    z.array(string('address')).max(16).default([]),
    'DNS servers for all other names, instead of those in /etc/resolv.conf of the nodes.',
    'Серверы DNS для всех остальных имён вместо указанных в /etc/resolv.conf узлов.',
    { example: ['10.0.0.1'], unique: 'set' },
  ),
});

const dns = z.strictObject({
  customerDns: field(customerDns.prefault({}), 'Your own DNS servers.', 'Ваши собственные серверы DNS.'),
});

const clusterConfiguration = z.strictObject({
  clusterName: field(
    string('label', maxClusterName).optional(),
    'Name of the cluster. Defaults to the first part of `dnsBaseDomain`.',
    'Имя кластера. По умолчанию — первая часть `dnsBaseDomain`.',
    { example: 'demo', immutable: true },
  ),
  kubernetesVersion: field(
    string('version').default(kubernetesVersions[0]),
    'Kubernetes version.',
    'Версия Kubernetes.',
  ),
  dnsBaseDomain: field(
    string('domain', 200),
    'Base domain. The names of platform services are `<service>.<dnsBaseDomain>`.',
    'Базовый домен. Имена служб платформы: `<служба>.<dnsBaseDomain>`.',
    { example: 'demo.mycompany.local' },
  ),
  k8sDefaultDnsZone: field(
    string('domain').default('cluster.local'),
    'DNS zone of Kubernetes services (the cluster domain).',
    'Зона DNS служб Kubernetes (домен кластера).',
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
    'Additional DNS names and addresses for the certificate of the Kubernetes API.',
    'Дополнительные имена DNS и адреса в сертификате Kubernetes API.',
    { example: ['k8s.mycompany.local'], unique: 'set' },
  ),
  k8sAPIAddress: field(
    string('address').optional(),
    'Address of your own load balancer in front of the API servers. Only for providers without SDN (`existing`, `vsphere`).',
    'Адрес вашего балансировщика перед серверами API. Только для провайдеров без SDN (`existing`, `vsphere`).',
    { example: '10.120.0.10' },
  ),
  nodeNetwork: field(
    string('network').default('10.20.0.0/24'),
    'Network of the nodes. Must not overlap with those of other clusters.',
    'Сеть узлов. Не должна пересекаться с сетями узлов других кластеров.',
    { immutable: true },
  ),
  podNetwork: field(string('network').default(defaultNetworks.podNetwork), 'Network of the pods.', 'Сеть подов.', {
    immutable: true,
  }),
  podNetworkNodePrefix: field(
    z.int().min(16).max(28).default(24),
    'Prefix length of the pod CIDR of each node.',
    'Длина префикса сети подов одного узла (pod CIDR).',
    { immutable: true },
  ),
  serviceNetwork: field(
    string('network').default(defaultNetworks.serviceNetwork),
    'Network of the services. Its tenth address is kube-dns, its last but one is nova-dns.',
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
    'How kube-proxy balances the load of services.',
    'Как kube-proxy балансирует нагрузку служб.',
  ),
  publishNodePorts: field(
    z.boolean().default(false),
    'Whether published nodes are reachable from outside on the ports of NodePort services (30000–32767), in addition to 80, 443 and DNS. Only for providers with SDN.',
    'Доступны ли опубликованные узлы снаружи на портах служб NodePort (30000–32767) в дополнение к 80, 443 и DNS. Только для провайдеров с SDN.',
  ),
  delivery: field(
    z.enum(['flux', 'none']).default('flux'),
    'Delivery of modules: `flux`, or `none` for Kubernetes without modules. `none` can change to `flux` later, but not back.',
    'Доставка модулей: `flux` или `none` (Kubernetes без модулей). `none` можно позже сменить на `flux`, обратно нельзя.',
  ),
  release: field(
    string('release').optional(),
    'Platform release whose modules are delivered. Defaults to the newest one at installation. Later, it changes only if the manifest names another one.',
    'Выпуск платформы, модули которого доставляются. По умолчанию — новейший на момент установки; затем меняется, только если в манифесте указан другой.',
    { example: '0.1.0' },
  ),
  modules: field(
    z
      .array(
        z.strictObject({
          name: field(z.string().min(1).max(63), 'Name of the module.', 'Имя модуля.', { example: 'metrics-server' }),
          enabled: field(
            z.boolean().default(true),
            'Whether the module is installed. Base modules are always installed.',
            'Установлен ли модуль. Базовые модули установлены всегда.',
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
    'Additional modules, and settings of base modules.',
    'Дополнительные модули и настройки базовых модулей.',
    { unique: 'name' },
  ),
  extraOptions: field(
    z
      .strictObject({
        dns: field(dns.prefault({}), 'Name resolution.', 'Разрешение имён.'),
      })
      .prefault({}),
    'Options that most clusters do not need.',
    'Параметры, которые большинству кластеров не нужны.',
  ),
});

const spec = field(
  z.strictObject({
    provider: field(provider, 'The provider of the machines.', 'Провайдер машин.'),
    externalNetwork: field(
      externalNetwork.optional(),
      'Network for outgoing traffic and published addresses. Only for providers with SDN. `local` defaults to the network of the site, and can use a part of it.',
      'Сеть для исходящего трафика и опубликованных адресов. Только для провайдеров с SDN. У `local` по умолчанию — сеть площадки; можно использовать её часть.',
    ),
    nodeGroups: field(z.array(nodeGroup).min(1).max(64), 'Groups of identical nodes.', 'Группы одинаковых узлов.', {
      unique: 'name',
    }),
    clusterConfiguration: field(clusterConfiguration, 'The Kubernetes cluster.', 'Кластер Kubernetes.'),
  }),
  'Desired state of the cluster.',
  'Желаемое состояние кластера.',
);

export const infrastructure = defineKind({
  kind: 'Infrastructure',
  version: 'v1alpha4',
  plural: 'infrastructures',
  description: {
    en: 'A cluster: the provider of its machines, its nodes, and the configuration of Kubernetes.',
    ru: 'Кластер: провайдер машин, узлы и конфигурация Kubernetes.',
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
  validations: infrastructureValidations({ maxClusterName, platformServices, minimumSizes, networkPrefixes }),
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
 * External if the base domain itself is forwarded. In hybrid mode the company's servers forward the zone to internal
 * DNS, which makes no difference here.
 */
export function dnsMode(document: Infrastructure): DnsMode {
  const { dnsBaseDomain, extraOptions } = document.spec.clusterConfiguration;
  const { enable, forwardZones } = extraOptions.dns.customerDns;
  return enable && forwardZones.some((zone) => zone.name === dnsBaseDomain) ? 'external' : 'internal';
}
