import type { Text } from '@nova-platform/api';

/** The response of a data source, or the reason why there is none. */
export type Answer<T> = { value: T } | { failure: string | Text };

export function known<T>(answer: Answer<T>): T | undefined {
  return 'value' in answer ? answer.value : undefined;
}

/** The probe of a service at its node's own address. */
export interface Probe {
  service: 'kubelet' | 'kube-apiserver' | 'etcd';
  /** `refused`: the machine responds, but the port is closed. `silent`: no response at all. */
  outcome: 'responds' | 'refused' | 'timeout';
  /** Why the service reports itself unhealthy, although it responds. */
  complaint?: string;
  /** The certificates that the service presents. */
  certificates: { name: string; notAfter: Date }[];
}

export interface ObservedNode {
  name: string;
  address: string;
  isControlPlane: boolean;
  probes: Probe[];
}

export interface Agent {
  node: string;
  /** The agent polls for orders, so a run can be requested. */
  isAsking: boolean;
  seenAt?: Date;
  lastRun?: { at: Date; status: 'unchanged' | 'changed' | 'failed' };
}

interface Certificate {
  node: string;
  name: string;
  notAfter: Date;
  /** The time by which it should have been renewed. */
  overdueAt: Date;
}

/** State from the Kubernetes API. */
export interface KubernetesView {
  nodes: {
    name: string;
    version: string;
    /** `Unknown` if the kubelet has stopped reporting. */
    ready: 'True' | 'False' | 'Unknown';
    reason: string;
    /** The last heartbeat of the kubelet; the condition changes up to a minute later. */
    lastHeartbeatAt?: Date;
    /** Conditions such as memory, disk or PID pressure. */
    pressures: { type: string; message: string }[];
  }[];
  /** Pods of the platform that are not ready. */
  pods: { namespace: string; name: string; node?: string; reason: string }[];
  /** Recent warnings that still apply; those about a pod include its node. */
  warnings: { object: string; reason: string; message: string; node?: string }[];
  /** Host names of ingresses. */
  names: string[];
  /** The last renewal of each node's lease. */
  heartbeats: { node: string; at: Date }[];
  /** The last renewal of each leader's lease. */
  leaders: { service: 'kube-controller-manager' | 'kube-scheduler'; renewedAt?: Date }[];
}

/** All observations of a cluster. The diagnosis is a pure function of them. */
export interface Observations {
  now: Date;
  cluster: string;
  apiAddress: string;
  nodes: ObservedNode[];
  /** Machines; those covered by an image check include their missing security updates. */
  machines: Answer<{ name: string; state: 'running' | 'stopped' | 'deleting'; updates?: { security: string[] } }[]>;
  /** The machines are hosts that a person adds, so a missing one has not joined. */
  areHosts: boolean;
  agents: Answer<Agent[]>;
  certificates: Answer<Certificate[]>;
  kubernetes: Answer<KubernetesView>;
  /** The existing tags, by missing image, as far as the image belongs to the registry of Universe. */
  tags: ReadonlyMap<string, readonly string[]>;
  /** Modules that the cluster should have; empty if nothing is delivered. */
  modules: Answer<{ name: string; state: string; reason?: string | Text; reconcilingSince?: Date }[]>;
  /** The newest operation. */
  operation: Answer<
    | { id: number; kind: string; title: Text; state: 'running' | 'done' | 'failed' | 'cancelled'; failedStep?: string }
    | undefined
  >;
}
