import { modules } from '@nova-platform/api';
import { fluxComponents } from '@nova-platform/delivery/build';

/** Tests that need root, and the artifacts to build before they run: their sandbox has no network for downloads. */
export interface Area {
  files: readonly string[];
  components: readonly string[];
  images: readonly string[];
}

const kubernetes = ['kubernetes', 'etcd'];
const universe = ['distribution', 'coredns', 'opentofu'];
const cluster = [...kubernetes, ...universe, 'pause', 'nettest'];
const delivered = [...fluxComponents, ...modules.flatMap(({ components }) => components)];
const machineImages = ['network', 'node'];
const clusterImages = [...machineImages, 'kubernetes-node', 'universe'];
/** On a host with KVM, `up` creates its first cluster of VMs. */
export const vmImages: readonly string[] = ['hypervisor', 'kubernetes-vm'];

export const areas = {
  machines: {
    files: [
      'e2e/machines.host.test.ts',
      'e2e/ovirt.host.test.ts',
      'packages/engine/src/host/host.host.test.ts',
      'packages/engine/src/host/maintenance.host.test.ts',
      'packages/engine/src/host/site.host.test.ts',
      'packages/engine/src/images/updates.host.test.ts',
      'packages/engine/src/machines/containment.host.test.ts',
      'packages/engine/src/machines/disk.host.test.ts',
      'packages/engine/src/machines/resize.host.test.ts',
      'packages/engine/src/machines/size.host.test.ts',
      'packages/engine/src/storage/disks.host.test.ts',
      'packages/engine/src/storage/snapshots.host.test.ts',
      'packages/engine/src/storage/templates.host.test.ts',
      'packages/sdn/src/apply.host.test.ts',
      'packages/sdn/src/ovsdb.host.test.ts',
      'packages/sdn/src/sdn.host.test.ts',
    ],
    components: [],
    images: machineImages,
  },
  vms: {
    files: ['packages/engine/src/vms/vms.host.test.ts', 'e2e/vm-node.host.test.ts'],
    components: kubernetes,
    images: [...machineImages, 'kubernetes-node', ...vmImages, 'vm'],
  },
  /** Boots many VMs: takes half an hour without KVM. */
  'vms-thorough': {
    files: [
      'packages/engine/src/storage/content.host.test.ts',
      'packages/engine/src/storage/vm-disks.host.test.ts',
      'packages/engine/src/vms/vm-failures.host.test.ts',
      'packages/engine/src/vms/vm-kills.host.test.ts',
      'e2e/ovirt-vm.host.test.ts',
      'e2e/vm-isolation.host.test.ts',
    ],
    components: [],
    images: [...machineImages, 'hypervisor', 'vm'],
  },
  /** Boots VMs in the console: takes a quarter of an hour without KVM. */
  'vms-console': {
    files: ['e2e/console-vm.host.test.ts'],
    components: cluster,
    images: [...clusterImages, 'hypervisor', 'vm'],
  },
  agents: {
    files: ['e2e/config.host.test.ts'],
    components: kubernetes,
    images: [...machineImages, 'kubernetes-node'],
  },
  registry: {
    files: [
      'e2e/images.host.test.ts',
      'packages/registry/src/registry.host.test.ts',
      'packages/universe/src/api/images.host.test.ts',
    ],
    components: [...kubernetes, 'distribution', 'crane', 'nettest', 'pause'],
    images: [...machineImages, 'kubernetes-node'],
  },
  /** Every page of the console, without machines. */
  pages: { files: ['e2e/console-pages.host.test.ts'], components: [], images: [] },
  providers: {
    files: [
      'e2e/ovirt-machines.host.test.ts',
      'e2e/ovirt-tofu.host.test.ts',
      'packages/infra/src/tofu/tofu.host.test.ts',
    ],
    components: ['opentofu'],
    images: [],
  },
  universe: {
    files: [
      'e2e/universe.host.test.ts',
      'packages/dns/src/resolver.host.test.ts',
      'packages/engine/src/universe.host.test.ts',
    ],
    components: cluster,
    images: clusterImages,
  },
  cluster: {
    files: [
      'e2e/cluster.host.test.ts',
      'packages/universe/src/cluster-access.host.test.ts',
      'packages/universe/src/cluster-nodes.host.test.ts',
      'packages/universe/src/definitions.host.test.ts',
      'packages/universe/src/machine-lock.host.test.ts',
      'packages/universe/src/revocation.host.test.ts',
    ],
    components: cluster,
    images: clusterImages,
  },
  delivery: {
    files: [
      'e2e/delivery.host.test.ts',
      'packages/universe/src/delivery.host.test.ts',
      'packages/universe/src/ingress-nginx.host.test.ts',
      'packages/universe/src/tenants.host.test.ts',
    ],
    components: [...cluster, ...delivered],
    images: clusterImages,
  },
  console: { files: ['e2e/console.host.test.ts'], components: [...cluster, ...delivered], images: clusterImages },
  /** Existing hosts: bare machines of Debian, which prepare.ts makes. */
  existing: { files: ['e2e/existing-hosts.host.test.ts'], components: cluster, images: ['network', 'universe'] },
  /** Takes more than half an hour. */
  long: {
    files: [
      'e2e/cluster-certificates.long.host.test.ts',
      'e2e/cluster-ha.long.host.test.ts',
      'e2e/cluster-scale.long.host.test.ts',
      'e2e/delivery.long.host.test.ts',
    ],
    components: [...cluster, ...delivered],
    images: clusterImages,
  },
  /** Takes an hour without KVM, and must run alone. */
  'vms-long': {
    files: ['e2e/cluster-vm.long.host.test.ts'],
    components: cluster,
    images: [...clusterImages, ...vmImages],
  },
  /** Has no tests; used by `npm run attack`. */
  attack: { files: [], components: [...cluster, ...delivered], images: [...clusterImages, 'hypervisor', 'vm'] },
  /** Has no tests; used by the benchmark against kubeadm. */
  kubeadm: { files: [], components: [...cluster, 'kubeadm'], images: clusterImages },
} as const satisfies Record<string, Area>;

export type AreaName = keyof typeof areas;

/**
 * The areas that each command always runs, those that it runs only if their programs are already built, and how many
 * sandboxes run at once: tests without clusters wait more than they compute.
 */
export const tiers = {
  quick: { always: ['machines'], whenBuilt: ['agents'], sandboxes: 2 },
  system: {
    always: ['vms', 'agents', 'registry', 'pages', 'providers', 'universe', 'cluster'],
    whenBuilt: ['delivery', 'console'],
    sandboxes: 1,
  },
} as const satisfies Record<string, { always: AreaName[]; whenBuilt: AreaName[]; sandboxes: number }>;
