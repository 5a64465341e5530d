import { type Element, flagAt, idOf, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import { attachmentsOf, diskOf, type EngineCall, settledDisk, settledVm } from '../engine/vms.ts';
import { applied } from '../protocol/plan.ts';
import type { Resource } from '../protocol/provider.ts';
import type { Attribute } from '../protocol/schema.ts';
import type { Fields } from '../protocol/values.ts';
import { flagIn, given, id, idsIn, oneOf, reference, requiredIn } from './fields.ts';

export const diskInterface: Attribute = {
  type: 'string',
  mode: 'required',
  check: oneOf('ide', 'sata', 'spapr_vscsi', 'virtio', 'virtio_scsi'),
  description: 'Interface of the disk, for example virtio_scsi.',
};

export const diskAttachment: Resource<Engine> = {
  block: {
    description: 'A disk of a VM.',
    attributes: {
      id,
      vm_id: reference('VM that the disk is attached to.'),
      disk_id: reference('Disk to attach.'),
      disk_interface: { ...diskInterface, replaces: true },
      bootable: { type: 'bool', mode: 'adopted', default: false, replaces: true, description: 'Boot from this disk.' },
      active: { type: 'bool', mode: 'adopted', replaces: true, description: 'Plug the disk into the VM.' },
    },
  },
  create: async (call, planned) => {
    const attachment = await attach(call, requiredIn(planned, 'vm_id'), planned);
    return applied(planned, { id: idOf(attachment), ...observed(attachment) });
  },
  read: async ({ client }, state) => {
    const path = `/vms/${requiredIn(state, 'vm_id')}/diskattachments/${requiredIn(state, 'id')}`;
    const found = await client.find(path);
    return found === undefined ? undefined : { disk_id: diskOf(found), ...observed(found) };
  },
  delete: (call, state) => detach(call, requiredIn(state, 'vm_id'), requiredIn(state, 'id')),
  identify: (text) => idsIn(text, 'vm_id', 'id'),
};

/** Attaches the disk, unless it is attached. */
export async function attach(call: EngineCall, vm: string, planned: Fields): Promise<Element> {
  const disk = requiredIn(planned, 'disk_id');
  await settledVm(call, vm);
  await settledDisk(call, disk);
  const body = given({
    disk: { id: disk },
    interface: requiredIn(planned, 'disk_interface'),
    bootable: flagIn(planned, 'bootable') ?? false,
    active: flagIn(planned, 'active') ?? true,
  });
  return call.client.create(`/vms/${vm}/diskattachments`, 'disk_attachment', body, async () =>
    (await attachmentsOf(call, vm)).find((each) => diskOf(each) === disk),
  );
}

/** Detaches the disk and keeps it. */
export async function detach(call: EngineCall, vm: string, attachment: string): Promise<void> {
  if (!(await call.client.find(`/vms/${vm}`))) return;
  await settledVm(call, vm);
  await call.client.delete(`/vms/${vm}/diskattachments/${attachment}?detach_only=true`);
}

export function observed(attachment: Element): Fields {
  return {
    disk_interface: textAt(attachment, 'interface') ?? null,
    bootable: flagAt(attachment, 'bootable') ?? false,
    active: flagAt(attachment, 'active') ?? true,
  };
}
