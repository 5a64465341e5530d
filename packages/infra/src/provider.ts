import type { MachineKind, Problem } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';

export interface MachineSize {
  cpu: number;
  memory: string;
  disk: string;
}

/** A machine to create. */
export interface Machine extends MachineSize {
  name: string;
  kind: MachineKind;
  cluster: string;
  address: string;
  /** Networks that the machine may use addresses of, in addition to its own address. */
  allowedNetworks: string[];
  /** The cloud-init configuration of the first boot. Only called to create the machine: it holds a new enrolment token. */
  cloudConfig: () => Promise<string>;
}

/** A machine as the provider reports it. */
export interface MachineState {
  name: string;
  kind: MachineKind;
  address: string;
  state: 'running' | 'stopped' | 'deleting';
  image: string;
  imageDigest: string;
  cpu: number;
  memory: string;
  /** What the running machine has until its next start, if that differs from the above. */
  untilRestart?: Pick<MachineSize, 'cpu' | 'memory'>;
  /** Missing where the machine was created without one. */
  disk?: string;
  /** Whether writing beyond `disk` fails. */
  isDiskLimited: boolean;
  /** Missing where the image was never checked. */
  updates?: { security: string[] };
}

/** What a plan needs beyond what the running machines of its cluster have, and what the provider offers. */
export interface Resource {
  needed: number;
  available: number;
}

export interface Resources {
  /** In bytes. */
  memory: Resource;
  /** In bytes. What new machines use at first: disks are sparse. */
  disk: Resource;
  /** Machines share processors: a plan may need more than the provider has. */
  processors: Resource;
}

export interface Preflight {
  /** Everything that prevents the plan from being applied. */
  problems: Problem[];
  /** Missing where the provider has no resources of its own. */
  resources?: Resources;
  /** The machines of the cluster. */
  machines: MachineState[];
  /** A machine cannot use more processors than this. */
  processors: number;
  /** Whether new containers can write no more than their disk. */
  canLimitDisks: boolean;
  hasKvm: boolean;
}

/** Networks of clusters, where the provider creates them. Every call can be repeated. */
export interface Networks {
  /** Creates or updates the network, its router, its DNS names and its published addresses. */
  ensure: (plan: ClusterPlan) => Promise<void>;
  /** Sets the backends of the API's load balancer. */
  balance: (plan: ClusterPlan, backends: readonly { name: string; address: string }[]) => Promise<void>;
  remove: (cluster: string) => Promise<void>;
}

/** The operation that waits for a provider. */
export interface Waiting {
  log: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Creates the machines of clusters, and their networks. Calls are repeated after crashes, so each accepts its own work
 * half or wholly done.
 */
export interface InfrastructureProvider {
  /** The machines exist already: they cannot be resized, stopped or started. */
  isFixed?: true;
  machines: {
    /** Creates the machine, or starts the existing one. A fixed provider waits until a person has added it. */
    ensure: (machine: Machine, waiting?: Waiting) => Promise<void>;
    /** Takes effect immediately where the provider can, else at the next start. */
    resize: (name: string, size: Partial<MachineSize>) => Promise<void>;
    stop: (name: string) => Promise<void>;
    start: (name: string) => Promise<void>;
    remove: (name: string, waiting?: Waiting) => Promise<void>;
    /** All machines of the cluster, including those that are in no plan. */
    observe: (cluster: string) => Promise<MachineState[]>;
  };
  /** Whether VMs run at the speed of the host. Without KVM their processors are emulated. */
  hasKvm: () => Promise<boolean>;
  /** Missing where clusters use networks of the site. */
  networks?: Networks;
  /** Returns undefined while Universe has no access to the provider: nothing can be checked, and operations fail. */
  preflight: (plan: ClusterPlan) => Promise<Preflight | undefined>;
}
