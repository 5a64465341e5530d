import { type Element, idOf, listAt, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import { type EngineCall, settledVm } from '../engine/vms.ts';
import { applied } from '../protocol/plan.ts';
import type { Resource } from '../protocol/provider.ts';
import type { Fields, Value } from '../protocol/values.ts';
import { given, id, idsIn, isFilled, reference, requiredIn, textIn } from './fields.ts';

export const nic: Resource<Engine> = {
  block: {
    description: 'A network interface of a VM.',
    attributes: {
      id,
      vm_id: reference('VM of the NIC.'),
      vnic_profile_id: { ...reference('vNIC profile of the NIC.'), replaces: () => false },
      name: { type: 'string', mode: 'required', replaces: true, check: isFilled, description: 'Name of the NIC.' },
      mac: {
        type: 'string',
        mode: 'adopted',
        replaces: (before, after) => lowerCase(before) !== lowerCase(after),
        check: (value) =>
          /^[\da-f]{2}(:[\da-f]{2}){5}$/i.test(String(value))
            ? undefined
            : `is "${value}", but must look like 56:6f:1a:2b:3c:4d`,
        description: 'MAC address. The engine chooses one if it is not given.',
      },
    },
  },
  create: async (call, planned) => {
    const vm = requiredIn(planned, 'vm_id');
    await settledVm(call, vm);
    const before = await named(call, vm, requiredIn(planned, 'name'));
    // The template has a NIC with this name, or a killed apply has created it.
    const created = before
      ? await call.client.put(`/vms/${vm}/nics/${idOf(before)}`, 'nic', bodyOf(planned))
      : await call.client.create(`/vms/${vm}/nics`, 'nic', bodyOf(planned), () =>
          named(call, vm, requiredIn(planned, 'name')),
        );
    return applied(planned, { id: idOf(created), ...observed(created) });
  },
  read: async ({ client }, state) => {
    const found = await client.find(`/vms/${requiredIn(state, 'vm_id')}/nics/${requiredIn(state, 'id')}`);
    if (!found) return undefined;
    const seen = observed(found);
    // The engine may write it in other letters.
    const isSame = lowerCase(state.mac) === lowerCase(seen.mac);
    return { ...seen, ...(isSame && { mac: state.mac ?? null }) };
  },
  update: async ({ client }, _prior, planned) => {
    const path = `/vms/${requiredIn(planned, 'vm_id')}/nics/${requiredIn(planned, 'id')}`;
    const profile = { vnic_profile: { id: requiredIn(planned, 'vnic_profile_id') } };
    return applied(planned, observed(await client.put(path, 'nic', profile)));
  },
  delete: async (call, state) => {
    const vm = requiredIn(state, 'vm_id');
    if (!(await call.client.find(`/vms/${vm}`))) return;
    await settledVm(call, vm);
    await call.client.delete(`/vms/${vm}/nics/${requiredIn(state, 'id')}`);
  },
  identify: (text) => idsIn(text, 'vm_id', 'id'),
};

function lowerCase(mac: Value | undefined): Value | undefined {
  return typeof mac === 'string' ? mac.toLowerCase() : mac;
}

async function named({ client }: EngineCall, vm: string, name: string): Promise<Element | undefined> {
  const nics = listAt(await client.get(`/vms/${vm}/nics`), 'nic');
  return nics.find((each) => textAt(each, 'name') === name);
}

function bodyOf(planned: Fields) {
  const mac = textIn(planned, 'mac');
  return given({
    name: requiredIn(planned, 'name'),
    vnic_profile: { id: requiredIn(planned, 'vnic_profile_id') },
    mac: mac === undefined ? undefined : { address: mac },
  });
}

function observed(nic: Element): Fields {
  return {
    name: textAt(nic, 'name') ?? null,
    vnic_profile_id: textAt(nic, 'vnic_profile.id') ?? null,
    mac: textAt(nic, 'mac.address') ?? null,
  };
}
