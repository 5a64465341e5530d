import { z } from 'zod';
import type { OvirtClient } from './client.ts';

const machine = z.object({
  id: z.string(),
  name: z.string(),
  comment: z.string().default(''),
  status: z.string().default(''),
});
export type OvirtMachine = z.output<typeof machine>;

/**
 * Marks the machines of a cluster from the moment they exist: a run that is killed before it adds the tag leaves a machine
 * that is found by this.
 */
export function markOf(cluster: string): string {
  return `nova/${cluster}`;
}

export async function allMachines(client: OvirtClient): Promise<OvirtMachine[]> {
  return client.list('/vms', 'vm', machine, 'sortby name');
}

/** The machines of a cluster, also those that OpenTofu does not know. */
export async function machinesOf(client: OvirtClient, cluster: string): Promise<OvirtMachine[]> {
  return (await allMachines(client)).filter(({ comment }) => comment === markOf(cluster));
}
