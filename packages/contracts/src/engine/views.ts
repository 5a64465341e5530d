/** Features of a kernel that clusters may need. */
export type KernelFeature = 'nftables' | 'iptablesLegacy' | 'iptablesNft' | 'ipvs' | 'bridgeNetfilter' | 'conntrack';

export interface HostFeatures {
  processors: number;
  memory: { totalBytes: number; freeBytes: number };
  /** Where the disks of machines are. */
  disk: { totalBytes: number; freeBytes: number; canLimit: boolean };
  kernel: { release: string; cgroupVersion: 1 | 2 } & Record<KernelFeature, boolean>;
  /** How many watches of files root may have at once: machines share them. */
  inotifyInstances: number;
  /** Networks that the host itself is in, but for those of machines. */
  networks: { name: string; network: string }[];
}

export interface MachineStatus {
  name: string;
  state: 'running' | 'stopped' | 'deleting';
  image: string;
  /** Of the image as it was when the machine was made. */
  imageDigest: string;
  network: string;
  address: string;
  cpu: number;
  memoryMebibytes: number;
  diskMebibytes?: number;
  /** Whether writing beyond `diskMebibytes` fails. */
  isDiskLimited: boolean;
  /** Newer packages than those of its image; absent where no check has seen the image yet. */
  updates?: MachineUpdates;
}

/** A package that is installed in a layer, and the newer version that Debian offers. */
export interface PackageUpdate {
  name: string;
  installed: string;
  available: string;
  isSecurity: boolean;
}

export interface Image {
  name: string;
  digest: string;
  /** Folders of its file system, the topmost first. */
  layers: string[];
  isBuilt: boolean;
  /** When the oldest of its packages were installed. */
  packagesFrom?: string;
}

/** Newer packages for an image, as of the last check. */
export interface ImageUpdates {
  checkedAt: string;
  packages: PackageUpdate[];
}

export interface CheckedImage extends Image {
  /** Absent where no check has seen this image yet. */
  updates?: ImageUpdates;
}

/** Names of packages that are newer than those of a machine's image. */
export interface MachineUpdates {
  checkedAt: string;
  all: string[];
  security: string[];
}

/** Without a time until the first check. */
export interface LastCheck {
  checkedAt?: string;
  /** Suites that the mirror lacks. */
  missing: string[];
  /** Of the image that the networks of this host run on, which may be an older one. */
  networks?: MachineUpdates;
}

export interface ClientCertificate {
  /** PEM */
  certificate: string;
  /** PEM: the authority of the engine's own certificate. */
  authority: string;
}

/** A certificate that the engine accepts. */
export interface Client {
  name: string;
  serial: string;
  issuedAt: string;
  notAfter: string;
}

/** A folder that outlives the machine it is in. */
export interface Volume {
  name: string;
  /** The machine that has it now. */
  machine?: string;
  bytes: number;
}

export interface ExecOptions {
  command: readonly string[];
  /** A terminal of this size, or plain pipes. */
  terminal?: { columns: number; rows: number };
}

/** A router's addresses as a plan has them. */
export interface PlannedRouter {
  externalAddress: string;
  transitAddress: string;
}

/** A network as it should be. */
export interface EngineNetwork {
  name: string;
  network: string;
  gateway: string;
  /** Without an address in a network, the router is not connected to it. */
  router: { name: string; transitAddress?: string; externalAddress?: string };
  /** The next hop of the default route. */
  externalGateway: string;
  names: readonly { name: string; addresses: readonly string[] }[];
  published: readonly { externalAddress: string; address: string; ports: readonly string[] }[];
  loadBalancers: readonly {
    name: string;
    address: string;
    externalAddress?: string;
    port: number;
    backends: readonly { address: string; port: string }[];
    healthCheckSource: string;
  }[];
  wanted: 'present' | 'gone';
}

/** A network as OVN has it, with its machines. */
export interface NetworkView {
  name: string;
  network: string;
  router: {
    name: string;
    ports: { network: string; address: string; mac: string }[];
    routes: { network: string; via: string }[];
    /** `ports` are those that are reachable at an inbound address: `80/tcp`. */
    nat: { type: string; externalAddress: string; address: string; ports: string[] }[];
  };
  /** Ports of machines; `up` once the machine's link is plugged in. */
  ports: { name: string; mac: string; address: string; up: boolean }[];
  names: { name: string; addresses: string[] }[];
  loadBalancers: { name: string; address: string; backends: string[] }[];
  machines: MachineStatus[];
}
