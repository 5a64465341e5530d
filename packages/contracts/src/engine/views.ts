import { type MachineKind, machineKinds } from '@nova-platform/api';
import { z } from 'zod';

const packageUpdate = z.object({
  name: z.string(),
  installed: z.string(),
  available: z.string(),
  isSecurity: z.boolean(),
});

/** Names of packages with newer versions than in the image of a machine. */
const machineUpdates = z.object({ checkedAt: z.string(), all: z.array(z.string()), security: z.array(z.string()) });

/** No machine runs meanwhile, and none can be started or created. */
const hostMaintenance = z.object({
  /** When it began. */
  since: z.string(),
  /** The machines that start when it ends. */
  machines: z.array(z.string()),
});

export const hostFeatures = z.object({
  processors: z.int(),
  /** Processors in use, as an average of the last minute; more than the host has if programs wait for them. */
  load: z.number(),
  memory: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
  /** The file system with the disks of machines. */
  disk: z.object({ totalBytes: z.number(), freeBytes: z.number(), canLimit: z.boolean() }),
  /** The kernel features that clusters may need. */
  kernel: z.object({
    release: z.string(),
    cgroupVersion: z.literal([1, 2]),
    nftables: z.boolean(),
    iptablesLegacy: z.boolean(),
    iptablesNft: z.boolean(),
    ipvs: z.boolean(),
    bridgeNetfilter: z.boolean(),
    conntrack: z.boolean(),
  }),
  /** Whether VMs run on KVM. Without it QEMU emulates their processors, which is about twenty times slower. */
  hasKvm: z.boolean(),
  /** The maximum number of inotify instances of root, which all machines share. */
  inotifyInstances: z.number(),
  /** Networks of the host itself, without those of machines. */
  networks: z.array(z.object({ name: z.string(), network: z.string() })),
  /** Absent while the host is not in maintenance. */
  maintenance: hostMaintenance.exactOptional(),
});

/** `container` shares the host's kernel, `vm` has its own on QEMU. */
const machineKind = z.enum(machineKinds);

export const machineStatus = z.object({
  /** Stays the same while the machine exists. */
  id: z.string(),
  name: z.string(),
  kind: machineKind,
  state: z.enum(['running', 'stopped', 'deleting']),
  image: z.string(),
  /** The digest of the image when the machine was created. */
  imageDigest: z.string(),
  /** Absent if the machine is in no network. */
  network: z.string().exactOptional(),
  address: z.string().exactOptional(),
  mac: z.string().exactOptional(),
  /** Absent for machines of older releases. */
  createdAt: z.string().exactOptional(),
  cpu: z.number(),
  memoryMebibytes: z.number(),
  /** What a running machine has until its next start, if that differs from the above. */
  untilRestart: z.object({ cpu: z.number(), memoryMebibytes: z.number() }).exactOptional(),
  diskMebibytes: z.number().exactOptional(),
  /** Whether writing beyond `diskMebibytes` fails. */
  isDiskLimited: z.boolean(),
  /** Packages with newer versions than in its image; absent if the image was never checked. */
  updates: machineUpdates.exactOptional(),
});

/** In bytes. */
export const machineUsage = z.object({ memory: z.number(), disk: z.number() });

export const image = z.object({
  name: z.string(),
  digest: z.string(),
  /** The kind of its machines. */
  kind: machineKind,
  /** Folders of the file system, the topmost first. */
  layers: z.array(z.string()),
  isBuilt: z.boolean(),
  /** The install time of the oldest packages. */
  packagesFrom: z.string().exactOptional(),
  /** Whether it was created from a machine. */
  isTemplate: z.boolean(),
  description: z.string().exactOptional(),
  createdAt: z.string().exactOptional(),
  /** The smallest disk that its content fits on. */
  diskMebibytes: z.number().exactOptional(),
});

/** An additional disk. */
export const disk = z.object({
  /** Stays the same while the disk exists. */
  id: z.string(),
  name: z.string(),
  format: z.enum(['filesystem', 'block']),
  sizeMebibytes: z.number(),
  /** What it uses on the host. */
  usedBytes: z.number(),
  createdAt: z.string(),
  /** The machine that it is attached to. */
  machine: z.string().exactOptional(),
  /** Where a container mounts it. */
  path: z.string().exactOptional(),
});

export const snapshot = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  createdAt: z.string(),
  /** The additional disks that it contains, besides the machine's own. */
  disks: z.array(z.string()),
  /** Whether the file systems were frozen while it was taken; otherwise it is like after a power failure. */
  isFrozen: z.boolean(),
  usedBytes: z.number(),
});

/** Newer packages for an image, from the last check. */
const imageUpdates = z.object({ checkedAt: z.string(), packages: z.array(packageUpdate) });

export const checkedImage = image.extend({
  /** Absent if this image was never checked. */
  updates: imageUpdates.exactOptional(),
});

/** Without a time before the first check. */
export const lastCheck = z.object({
  checkedAt: z.string().exactOptional(),
  /** Suites that the mirror does not have. */
  missing: z.array(z.string()),
  /** Updates for the image that runs the networks of this host, which may be an older one. */
  networks: machineUpdates.exactOptional(),
});

/** PEM; the authority is the CA of the engine's own certificate. */
export const clientCertificate = z.object({ certificate: z.string(), authority: z.string() });

/** A certificate that the engine accepts. */
export const client = z.object({
  name: z.string(),
  serial: z.string(),
  issuedAt: z.string(),
  notAfter: z.string(),
});

/** A folder that outlives its machine. */
export const volume = z.object({
  name: z.string(),
  /** The machine that uses it now. */
  machine: z.string().exactOptional(),
  bytes: z.number(),
});

/** The desired state of a network. */
export const engineNetwork = z.object({
  name: z.string(),
  network: z.string(),
  gateway: z.string(),
  /** Without an address in a network, the router is not connected to it. */
  router: z.object({
    name: z.string(),
    transitAddress: z.string().exactOptional(),
    externalAddress: z.string().exactOptional(),
  }),
  /** The next hop of the default route. */
  externalGateway: z.string(),
  names: z.array(z.object({ name: z.string(), addresses: z.array(z.string()).readonly() })).readonly(),
  published: z
    .array(z.object({ externalAddress: z.string(), address: z.string(), ports: z.array(z.string()).readonly() }))
    .readonly(),
  loadBalancers: z
    .array(
      z.object({
        name: z.string(),
        address: z.string(),
        externalAddress: z.string().exactOptional(),
        port: z.int(),
        backends: z.array(z.object({ address: z.string(), port: z.string() })).readonly(),
        healthCheckSource: z.string(),
      }),
    )
    .readonly(),
  wanted: z.enum(['present', 'gone']),
});

/** A network in OVN, with its machines. */
export const networkView = z.object({
  name: z.string(),
  network: z.string(),
  router: z.object({
    name: z.string(),
    ports: z.array(z.object({ network: z.string(), address: z.string(), mac: z.string() })),
    routes: z.array(z.object({ network: z.string(), via: z.string() })),
    /** `ports` are reachable at an inbound address: `80/tcp`. */
    nat: z.array(
      z.object({
        type: z.string(),
        externalAddress: z.string(),
        address: z.string(),
        ports: z.array(z.string()),
      }),
    ),
  }),
  /** Ports of machines; `up` once the machine's link is plugged in. */
  ports: z.array(z.object({ name: z.string(), mac: z.string(), address: z.string(), up: z.boolean() })),
  names: z.array(z.object({ name: z.string(), addresses: z.array(z.string()) })),
  loadBalancers: z.array(z.object({ name: z.string(), address: z.string(), backends: z.array(z.string()) })),
  machines: z.array(machineStatus),
});

export type HostMaintenance = z.output<typeof hostMaintenance>;
export type HostFeatures = z.output<typeof hostFeatures>;
export type MachineStatus = z.output<typeof machineStatus>;
export type { MachineKind };
export type Disk = z.output<typeof disk>;
export type Snapshot = z.output<typeof snapshot>;
/** A package that is installed in a layer, and the newer version that Debian offers. */
export type PackageUpdate = z.output<typeof packageUpdate>;
export type MachineUpdates = z.output<typeof machineUpdates>;
export type Image = z.output<typeof image>;
export type ImageUpdates = z.output<typeof imageUpdates>;
export type CheckedImage = z.output<typeof checkedImage>;
export type LastCheck = z.output<typeof lastCheck>;
export type ClientCertificate = z.output<typeof clientCertificate>;
export type Client = z.output<typeof client>;
export type Volume = z.output<typeof volume>;
export type NetworkView = z.output<typeof networkView>;
