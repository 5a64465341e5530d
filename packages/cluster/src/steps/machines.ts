import { enrolmentConfig, initialMembersFile } from '@nova-platform/catalog';
import type { ConfigManager } from '@nova-platform/config-manager';
import { type ClusterPlan, machineKindOf } from '@nova-platform/plan';
import { stringify } from 'yaml';
import { createdMachines, plannedNode } from '../approved.ts';
import type { Approved, ClusterTools, EachStep, Log, Planned } from '../operation.ts';

const tokenSeconds = 3600;

/** Machines boot and request their catalogs themselves. Existing ones are started. */
export const machines: EachStep<Approved> = {
  name: 'machine',
  title: { en: 'Create the machine', ru: 'Создать машину' },
  items: createdMachines,
  run: async ({ item, ...context }) => ensureMachine(context, item.name),
};

export const newMachines: typeof machines = {
  ...machines,
  undo: async ({ plan, item, infra, log }) =>
    infra.of(plan).machines.remove(item.name, { log, signal: new AbortController().signal }),
};

export async function ensureMachine(
  {
    plan,
    infra,
    config,
    clusters,
    log,
    signal,
  }: Planned & Pick<ClusterTools, 'infra' | 'config' | 'clusters'> & { log: Log; signal: AbortSignal },
  name: string,
): Promise<void> {
  const node = plannedNode(plan, name);
  const { cpu, memory, disk, address, podNetwork } = node;
  const provider = infra.of(plan);
  // A machine whose token has expired can never enrol.
  if (await config.services.enrolment.isTooLate(name)) await provider.machines.remove(name);
  const machine = {
    name,
    kind: machineKindOf(node),
    cluster: plan.cluster.name,
    address,
    cpu,
    memory,
    disk,
    allowedNetworks: [podNetwork],
    cloudConfig: async () => cloudConfig(plan, name, config, await clusters.initialMembers(plan.cluster.name)),
  };
  await provider.machines.ensure(machine, { log, signal });
}

async function cloudConfig(
  plan: ClusterPlan,
  name: string,
  { services: { catalogs, enrolment, manager } }: ConfigManager,
  initialMembers: readonly string[],
): Promise<string> {
  // Forget the previous machine with this name.
  if ((await enrolment.certificateOf(name)) !== undefined) await catalogs.forgetNode(name);
  const { token } = await enrolment.createToken(name, tokenSeconds);
  const resolver = plan.network.kind === 'sdn' ? plan.network.integration.universe.address : undefined;
  const config = enrolmentConfig({ node: name, token, manager, resolver });
  if (initialMembers.includes(name))
    config.write_files.push(initialMembersFile(initialMembers.map((each) => plannedNode(plan, each))));
  return `#cloud-config\n${stringify(config)}`;
}
