import { programsOf } from '@nova-platform/plan';
import type { NodeInput } from '../../node.ts';

export const folder = '/etc/nova/kubernetes';
const pki = '/etc/nova/pki';

export const keyOf = (name: string): string => `${pki}/${name}.key`;
export const certificateOf = (name: string): string => `${pki}/${name}.crt`;
export const authorityOf = (name: string): string => `${pki}/${name}-ca.crt`;

export function programOf({ plan }: NodeInput, component: 'kubernetes' | 'etcd', program: string): string {
  return `/opt/nova/${component}/${programsOf(plan.cluster.kubernetesVersion)[component]}/bin/${program}`;
}
