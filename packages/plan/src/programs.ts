/** Programs of a node by the Kubernetes version that they belong to; each is in `/opt/nova/<name>/<version>`. */
const programs = {
  '1.36.3': { kubernetes: '1.36.3', etcd: '3.6.16', pause: '1.0.0', coredns: '1.15.0' },
} as const;

export type Programs = Record<keyof (typeof programs)['1.36.3'], string>;

export function programsOf(kubernetesVersion: string): Programs {
  const found = (programs as Record<string, Programs>)[kubernetesVersion];
  if (!found) throw new Error(`no programs are known for Kubernetes ${kubernetesVersion}`);
  return found;
}
