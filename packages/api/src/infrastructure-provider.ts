import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';

export const providers = ['local', 'existing', 'zvirt', 'ovirt', 'vsphere'] as const;
export type Provider = (typeof providers)[number];

/**
 * The providers that can create clusters. Documents can name the others, which are planned, but forms do not offer
 * them.
 */
export const usableProviders = ['local', 'existing'] as const satisfies readonly Provider[];
export type UsableProvider = (typeof usableProviders)[number];

export function isUsable(provider: Provider): provider is UsableProvider {
  return usableProviders.some((usable) => usable === provider);
}

/** A container shares the kernel of its host; a VM has its own. */
export const machineKinds = ['container', 'vm'] as const;
export type MachineKind = (typeof machineKinds)[number];

const username = field(z.string().min(1).max(256), 'User name.', 'Имя пользователя.', { example: 'nova@internal' });
const password = field(z.string().min(1).max(1024), 'Password.', 'Пароль.', {
  secret: true,
  sentTo: ['url', 'server'],
});
const caBundle = field(
  string('certificates').optional(),
  'CA certificates to trust for this connection: PEM in base64.',
  'Сертификаты CA, которым доверять при подключении: PEM в base64.',
);
const template = field(
  z.string().min(1).max(256),
  'Template or image from which the machines are cloned.',
  'Шаблон или образ, из которого клонируются машины.',
  { example: 'nova-node-debian13' },
);

const ovirtOptions = z.strictObject({
  url: field(string('url'), 'URL of the API of the oVirt engine.', 'URL API сервера управления oVirt.', {
    example: 'https://engine.mycompany.local/ovirt-engine/api',
  }),
  username,
  password,
  caBundle,
  cluster: field(
    z.string().min(1).max(256),
    'Cluster in which the machines run.',
    'Кластер, в котором работают машины.',
    {
      example: 'Default',
    },
  ),
  storageDomain: field(z.string().min(1).max(256), 'Storage domain for the disks.', 'Домен хранения для дисков.', {
    example: 'data',
  }),
  template,
  vnicProfile: field(
    z.string().min(1).max(256).optional(),
    'vNIC profile of the machines, as `profile` or `network/profile`. Defaults to the name of the cluster.',
    'Профиль vNIC машин: `профиль` или `сеть/профиль`. По умолчанию — имя кластера.',
    { example: 'nodes' },
  ),
});

export type OvirtOptions = z.output<typeof ovirtOptions>;

const vsphereOptions = z.strictObject({
  server: field(string('domain'), 'vCenter server.', 'Сервер vCenter.', { example: 'vcenter.mycompany.local' }),
  username,
  password,
  caBundle,
  datacenter: field(z.string().min(1).max(256), 'Data center.', 'Центр обработки данных.', { example: 'dc1' }),
  cluster: field(z.string().min(1).max(256), 'Compute cluster.', 'Вычислительный кластер.', { example: 'compute' }),
  datastore: field(z.string().min(1).max(256), 'Datastore for the disks.', 'Хранилище для дисков.', {
    example: 'datastore1',
  }),
  portGroup: field(z.string().min(1).max(256), 'Port group of the machines.', 'Группа портов машин.', {
    example: 'VLAN-120',
  }),
  folder: field(z.string().min(1).max(1024).optional(), 'Folder for the machines.', 'Папка для машин.', {
    example: 'nova',
  }),
  template,
  gateway: field(string('address'), 'Default gateway of the node network.', 'Шлюз по умолчанию в сети узлов.', {
    example: '10.120.0.1',
  }),
  addresses: field(
    z.array(string('addressRange')).min(1).max(64),
    'Addresses of the node network that nodes can use.',
    'Адреса сети узлов, которые могут использовать узлы.',
    { example: ['10.120.0.20-10.120.0.60'], unique: 'set' },
  ),
});

/** `spec.provider` of an Infrastructure. */
export const provider = z.strictObject({
  type: field(
    z.enum(providers),
    'Provider of the machines: `local` (this Linux host) or `existing` (your own hosts with Debian). Clusters of `zvirt`, `ovirt` and `vsphere` can be planned, but not created yet.',
    'Провайдер машин: `local` (этот хост с Linux) или `existing` (ваши хосты с Debian). Кластеры провайдеров `zvirt`, `ovirt` и `vsphere` пока можно только планировать, но не создавать.',
    { immutable: true, planned: providers.filter((each) => !isUsable(each)) },
  ),
  machineKind: field(
    z.enum(machineKinds).optional(),
    'Kind of the machines: `container` (shares the kernel of the host) or `vm` (a virtual machine with a kernel of its own). Only for the provider `local`. Defaults to `vm` on a host with KVM, else to `container`; the default of a cluster never changes after installation.',
    'Вид машин: `container` (с ядром хоста) или `vm` (виртуальная машина со своим ядром). Только для провайдера `local`. По умолчанию на хосте с KVM — `vm`, иначе — `container`; после установки это значение кластера не меняется.',
    { example: 'vm' },
  ),
  zvirt: field(ovirtOptions.optional(), 'Settings of the zVirt provider.', 'Настройки провайдера zVirt.'),
  ovirt: field(ovirtOptions.optional(), 'Settings of the oVirt provider.', 'Настройки провайдера oVirt.'),
  vsphere: field(
    vsphereOptions.optional(),
    'Settings of the VMware vSphere provider.',
    'Настройки провайдера VMware vSphere.',
  ),
});

export type ProviderSettings = z.output<typeof provider>;

/**
 * `sdn`: the platform creates the networks: logical networks, routers, NAT. `external`: the external network of the
 * clusters.
 */
const networking = {
  local: { sdn: true, external: 'of the site' },
  zvirt: { sdn: true, external: 'declared' },
  ovirt: { sdn: true, external: 'declared' },
  existing: { sdn: false, external: 'none' },
  vsphere: { sdn: false, external: 'none' },
} as const satisfies Record<Provider, { sdn: boolean; external: 'of the site' | 'declared' | 'none' }>;

export function hasSdn(type: Provider): boolean {
  return networking[type].sdn;
}

/** Whether a document chooses between containers and VMs. */
export function hasMachineKinds(type: Provider): boolean {
  return type === 'local';
}

/** Whether clusters use the external network of the site. A document cannot declare another one. */
export function isInSiteNetwork(type: Provider): boolean {
  return networking[type].external === 'of the site';
}
