import type { OvirtOptions } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import { z } from 'zod';
import type { TofuStates } from '../tofu/states.ts';
import type { Tofu } from '../tofu/tofu.ts';
import { OvirtClient } from './client.ts';
import { groupOf, nicName, type OvirtPlaces, ovirtConfiguration, tagOf } from './configuration.ts';
import { machinesOf, type OvirtMachine } from './machines.ts';

const state = z.object({
  resources: z
    .array(
      z.object({
        instances: z.array(z.object({ attributes: z.object({ id: z.string().nullish() }) })).default([]),
      }),
    )
    .default([]),
});
const named = z.object({ id: z.string(), name: z.string() });

interface Input {
  plan: ClusterPlan;
  settings: OvirtOptions;
  places: OvirtPlaces;
}

interface Found {
  address: string;
  /** As OpenTofu imports it. */
  id: string;
}

/**
 * Makes everything part of the state that a killed run created, but could not note: the next plan completes what is
 * planned, and removes the rest. Returns the addresses.
 */
export async function adoptMachines(
  { tofu, states }: { tofu: Tofu; states: TofuStates },
  { plan, settings, places }: Input,
): Promise<string[]> {
  const { name: cluster } = plan.cluster;
  const client = await OvirtClient.login(settings);
  const noted = idsIn(await states.read(cluster));
  const machines = await machinesOf(client, cluster);
  const planned = new Set(plan.nodes.map(({ name }) => name));
  const found = await Promise.all([
    ...machines.map((machine) => partsOf(client, machine, planned.has(machine.name))),
    tagIn(client, cluster),
    groupIn(client, cluster, places),
  ]);
  const lost = found.flat().filter(({ id }) => !noted.has(id.split('/').at(-1) ?? ''));
  const adopted = machines.map(({ name }) => name);
  await tofu.adopt({ cluster, configuration: ovirtConfiguration({ plan, settings, places, adopted }) }, lost);
  return lost.map(({ address }) => address);
}

/** Only the machine itself where it is to be removed: its parts are removed with it. */
async function partsOf(client: OvirtClient, { id, name, status }: OvirtMachine, isPlanned: boolean): Promise<Found[]> {
  const addressOf = (type: string) => `${type}.machine["${name}"]`;
  const machine = { address: addressOf('ovirt_vm'), id };
  if (!isPlanned) return [machine];
  const nics = await client.list(`/vms/${id}/nics`, 'nic', named);
  const nic = nics.find((each) => each.name === nicName);
  return [
    machine,
    ...(nic ? [{ address: addressOf('ovirt_nic'), id: `${id}/${nic.id}` }] : []),
    ...(status === 'up' ? [{ address: addressOf('ovirt_vm_start'), id }] : []),
  ];
}

async function tagIn(client: OvirtClient, cluster: string): Promise<Found[]> {
  const tags = await client.list('/tags', 'tag', named);
  return tags.filter(({ name }) => name === tagOf(cluster)).map(({ id }) => ({ address: 'ovirt_tag.cluster', id }));
}

/** Only where the configuration has one. */
async function groupIn(client: OvirtClient, cluster: string, places: OvirtPlaces): Promise<Found[]> {
  if (places.hosts < 2) return [];
  const groups = await client.list(`/clusters/${places.cluster}/affinitygroups`, 'affinity_group', named);
  const address = 'ovirt_affinity_group.spread';
  return groups
    .filter(({ name }) => name === groupOf(cluster))
    .map(({ id }) => ({ address, id: `${places.cluster}/${id}` }));
}

/** What OpenTofu knows. The start of a machine has the ID of the machine. */
function idsIn(text: string | undefined): Set<string> {
  const { resources } = state.parse(text === undefined ? {} : JSON.parse(text));
  return new Set(resources.flatMap(({ instances }) => instances).flatMap(({ attributes }) => attributes.id ?? []));
}
