import type { ClusterPlan } from './cluster-plan.ts';

/** Programs of a node by Kubernetes version; each is in `/opt/nova/<name>/<version>`. */
const programs = {
  '1.36.3': { kubernetes: '1.36.3', etcd: '3.6.16', pause: '1.0.0', coredns: '1.15.0' },
} as const;

export type Programs = Record<keyof (typeof programs)['1.36.3'], string>;

export function programsOf(kubernetesVersion: string): Programs {
  const found = (programs as Record<string, Programs>)[kubernetesVersion];
  if (!found) throw new Error(`no programs are known for Kubernetes ${kubernetesVersion}`);
  return found;
}

/** Images that a node pulls before any release is delivered. */
export const coreImages = ['pause', 'coredns'] as const;
export type CoreImage = (typeof coreImages)[number];

/** The reference of a core image on the nodes of a cluster: the tag is for readers, the digest for the runtime. */
export function coreImageOf({ cluster, images }: ClusterPlan, registry: string, name: CoreImage): string {
  const tagged = `${registry}/nova/${name}:${programsOf(cluster.kubernetesVersion)[name]}`;
  const digest = images?.[name];
  return digest === undefined ? tagged : `${tagged}@${digest}`;
}
