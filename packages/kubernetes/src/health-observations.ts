import type { Text } from '@nova-platform/api';

/** What a source answered, or why it did not. */
export type Answer<T> = { value: T } | { silence: string | Text };

export function known<T>(answer: Answer<T>): T | undefined {
  return 'value' in answer ? answer.value : undefined;
}

/** A service of a node, asked at the node's own address. */
export interface Probe {
  service: 'kubelet' | 'kube-apiserver' | 'etcd';
  /** `refused`: the machine is there, but nobody listens. `silent`: nothing comes back at all. */
  outcome: 'answers' | 'refused' | 'silent';
  /** Why it does not call itself well, though it answers. */
  complaint?: string;
  /** Those that it shows. */
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
  /** It waits for orders, so that it can be told to run. */
  isAsking: boolean;
  seenAt?: Date;
  lastRun?: { at: Date; status: 'unchanged' | 'changed' | 'failed' };
}

interface Certificate {
  node: string;
  name: string;
  notAfter: Date;
  /** When it should have been renewed. */
  overdueAt: Date;
}

/** What the API of Kubernetes says. */
export interface KubernetesView {
  nodes: {
    name: string;
    version: string;
    /** `Unknown` when the kubelet has not been heard from. */
    ready: 'True' | 'False' | 'Unknown';
    reason: string;
    /** When its kubelet last said anything; its state follows up to a minute later. */
    heardAt?: Date;
    /** Too little memory, disk or process numbers. */
    pressures: { type: string; message: string }[];
  }[];
  /** Pods of the platform itself that are not ready. */
  pods: { namespace: string; name: string; node?: string; reason: string }[];
  /** Of the last minutes, and not over; those of a pod with its node. */
  warnings: { object: string; reason: string; message: string; node?: string }[];
  /** Those that ingresses answer to. */
  names: string[];
  /** When whoever leads last said so. */
  leaders: { service: 'kube-controller-manager' | 'kube-scheduler'; renewedAt?: Date }[];
}

/** Everything that is known about a cluster; what is made of it needs no cluster. */
export interface Observations {
  now: Date;
  cluster: string;
  apiAddress: string;
  nodes: ObservedNode[];
  /** Those of a check of images are known with the security updates that they lack. */
  machines: Answer<{ name: string; state: 'running' | 'stopped' | 'deleting'; updates?: { security: string[] } }[]>;
  agents: Answer<Agent[]>;
  certificates: Answer<Certificate[]>;
  kubernetes: Answer<KubernetesView>;
  /** Those that the cluster should have; none where nothing is delivered. */
  modules: Answer<{ name: string; state: string; reason?: string }[]>;
  /** The newest one. */
  operation: Answer<
    | { id: number; kind: string; title: Text; state: 'running' | 'done' | 'failed' | 'cancelled'; failedStep?: string }
    | undefined
  >;
}
