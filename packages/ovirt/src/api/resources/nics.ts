import { ProblemError, problem } from '@nova-platform/api';
import type { MachineStatus } from '@nova-platform/contracts/engine/client';
import type { z } from 'zod';
import { accept, group, named, text } from '../accept.ts';
import type { Call, Vm } from '../call.ts';
import { idOf } from '../ids.ts';
import { assertFits } from '../initialization.ts';
import { type Body, empty, type Fields, type Resource, reference } from '../resource.ts';
import { assertSettled } from './vm-status.ts';
import { defaultProfileId, namedProfile, type Profile, profilesOf } from './vnic-profiles.ts';

const word = { en: 'NIC', ru: 'сетевой адаптер' };

interface Nic {
  id: string;
  machine: MachineStatus;
}

const rules = {
  fields: {
    name: text(50).optional(),
    vnic_profile: named.optional(),
    network: named.optional(),
    mac: group({ address: text(17) }).optional(),
  },
  fixed: { interface: 'virtio', linked: 'true', plugged: 'true', on_boot: 'true' },
  readOnly: ['id', 'vm', 'reported_devices', 'network_filter_parameters', 'statistics'],
};

/** A machine has at most one. */
export const nics: Resource<Nic, Vm> = {
  path: 'nics',
  element: 'nic',
  elements: 'nics',
  kind: word,
  id: ({ id }) => id,
  list: async (_call, { id, machine }) => (machine?.network === undefined ? [] : [{ id: idOf('nic', id), machine }]),
  show: ({ machine: { mac, network = '' } }, _call, { id, record }) => ({
    name: record.nic?.name ?? 'nic1',
    interface: 'virtio',
    linked: true,
    plugged: true,
    ...(mac !== undefined && { mac: { address: mac } }),
    vnic_profile: reference('vnicprofiles', record.nic?.profile ?? defaultProfileId(network)),
    vm: reference('vms', id),
  }),
  add: addNic,
  update: updateNic,
  remove: async (call, { machine }, vm) => {
    assertSettled(call, vm);
    await call.parts.work.run(task(call, vm, 'Removing the NIC of', 'lost its NIC', 933), async () => {
      await call.engine.disconnectMachine(machine.name);
      if (vm.record.nic) await call.records.change('machine', vm.id, vm.record, { nic: undefined });
    });
  },
  actions: { activate: async () => undefined },
  children: [
    empty('networkfilterparameters', 'network_filter_parameter', 'network_filter_parameters'),
    empty('statistics', 'statistic', 'statistics'),
  ],
};

/** NICs of templates: none, so that none collides with a declared one. */
export const templateNics = empty('nics', 'nic', 'nics');

async function addNic(call: Call, body: Body, vm: Vm): Promise<Nic> {
  const nic = accept('nic', body, rules);
  const machine = assertSettled(call, vm);
  if (machine.network !== undefined) throw new ProblemError(problem('NOVA7611', { name: vm.name }));
  const profile = await profileOf(call, nic);
  if (!profile) throw new ProblemError(problem('NOVA7602', { field: 'nic.vnic_profile' }));
  return connect(call, vm, machine, profile, nic);
}

async function updateNic(call: Call, { machine, id }: Nic, body: Body, vm: Vm): Promise<Nic> {
  const nic = accept('nic', body, rules);
  assertSettled(call, vm);
  const profile = await profileOf(call, nic);
  if (profile && profile.network !== machine.network) return connect(call, vm, machine, profile, nic);
  assertMac(nic, machine);
  await call.parts.work.run(task(call, vm, 'Updating the NIC of', 'got its NIC updated', 931), () =>
    call.records.change('machine', vm.id, vm.record, { nic: nicRecord(vm, nic, profile) }),
  );
  return { id, machine };
}

async function connect(call: Call, vm: Vm, machine: MachineStatus, profile: Profile, nic: Given): Promise<Nic> {
  const address = vm.record.unstarted?.address;
  const network = (await call.networks()).find(({ name }) => name === profile.network);
  if (address !== undefined) assertFits({ address }, network);
  assertMac(nic, machine);
  let connected = machine;
  await call.parts.work.run(task(call, vm, 'Adding a NIC to', 'got a NIC', 929), async () => {
    connected = await call.engine.connectMachine(machine.name, {
      network: profile.network,
      ...(address !== undefined && { address }),
    });
    await call.records.change('machine', vm.id, vm.record, { nic: nicRecord(vm, nic, profile) });
  });
  return { id: idOf('nic', vm.id), machine: connected };
}

type Given = z.output<z.ZodObject<typeof rules.fields>>;

/** The MAC address follows from the address. */
function assertMac({ mac }: Given, machine: MachineStatus): void {
  if (mac && mac.address.toLowerCase() !== machine.mac)
    throw new ProblemError(problem('NOVA7600', { field: 'nic.mac' }));
}

function nicRecord(vm: Vm, { name }: Given, profile: Profile | undefined) {
  return { ...vm.record.nic, ...(name !== undefined && { name }), ...(profile && { profile: profile.id }) };
}

async function profileOf(call: Call, { vnic_profile: given, network }: Given): Promise<Profile | undefined> {
  if (given) return namedProfile(call, given);
  if (!network) return undefined;
  const networks = await call.networks();
  const found = networks.find(({ name }) => name === network.name || idOf('network', name) === network.id);
  return (await profilesOf(call)).find((profile) => profile.network === found?.name);
}

/** The address is known before the machine has booted. */
export const reportedDevices: Resource<Nic, Vm> = {
  path: 'reporteddevices',
  element: 'reported_device',
  elements: 'reported_devices',
  kind: word,
  id: ({ id }) => idOf('reported device', id),
  list: async (_call, { id, machine }) =>
    machine?.state === 'running' && machine.address !== undefined ? [{ id: idOf('nic', id), machine }] : [],
  show: ({ machine: { mac, address } }, _call, { id }): Fields => ({
    name: 'eth0',
    description: '',
    type: 'network',
    mac: { address: mac },
    ips: { ip: [{ address, version: 'v4' }] },
    vm: reference('vms', id),
  }),
};

function task(call: Call, vm: Vm, doing: string, done: string, code: number) {
  return { ...call.by, description: `${doing} VM ${vm.name}`, done: `VM ${vm.name} ${done}`, code, vm: vm.id };
}
