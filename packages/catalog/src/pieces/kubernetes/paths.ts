import { programsOf } from '@nova-platform/plan';
import type { NodeInput } from '../../node.ts';
import { scriptFolder } from '../../node-scripts.ts';

export const folder = '/etc/nova/kubernetes';
const pki = '/etc/nova/pki';

export const keyOf = (name: string): string => `${pki}/${name}.key`;
export const certificateOf = (name: string): string => `${pki}/${name}.crt`;
export const authorityOf = (name: string): string => `${pki}/${name}-ca.crt`;

/**
 * Delays a program that needs the API: until the API responds, or until it is ready for programs whose permissions come
 * from a role. `certificate` is the client certificate of the program.
 */
export function whenApi(state: 'answers' | 'ready', server: string, certificate: string): string {
  return `${scriptFolder}/when-api ${state} ${server} ${certificate}`;
}

/** Delays a program on a restarted node until kube-proxy has written the rules of services. */
export const whenServices = `${scriptFolder}/when-services`;

export function programOf({ plan }: NodeInput, component: 'kubernetes' | 'etcd', program: string): string {
  return `/opt/nova/${component}/${programsOf(plan.cluster.kubernetesVersion)[component]}/bin/${program}`;
}
