import { ProblemError, problem } from '@nova-platform/api';
import type { Image } from '@nova-platform/contracts/engine';
import { z } from 'zod';
import { accept, flag } from '../accept.ts';
import type { Call, Vm } from '../call.ts';
import { type Body, bodyAt, type Fields, type Resource, reference } from '../resource.ts';
import {
  type AnyDisk,
  bootDiskOf,
  changeDisk,
  createDisk,
  diskFields,
  diskRules,
  nameOf,
  ownDisk,
  task,
  templateBootDiskId,
} from './disks.ts';
import { assertSettled } from './vm-status.ts';

const word = { en: 'disk attachment', ru: 'подключение диска' };

const rules = {
  fields: {
    interface: z.enum(['virtio', 'virtio_scsi']).optional(),
    bootable: flag.optional(),
    active: flag.optional(),
  },
  fixed: { read_only: 'false', pass_discard: 'false', uses_scsi_reservation: 'false' },
  readOnly: ['id', 'vm', 'template', 'logical_name', 'disk'],
};

/** The disks of a machine. The ID of an attachment is that of its disk, as in oVirt. */
export const diskAttachments: Resource<AnyDisk, Vm> = {
  path: 'diskattachments',
  element: 'disk_attachment',
  elements: 'disk_attachments',
  kind: word,
  id: ({ id }) => id,
  list: async (call, vm) => {
    const attached = vm.machine ? (await call.disks()).filter(({ disk }) => disk.machine === vm.machine?.name) : [];
    return [...bootDiskOf(vm), ...attached.map((disk): AnyDisk => ({ kind: 'own', vm, ...disk }))];
  },
  show: (disk, _call, vm) => ({
    interface: disk.kind === 'own' ? (disk.record.interface ?? 'virtio') : 'virtio',
    bootable: disk.kind === 'boot',
    active: true,
    read_only: false,
    pass_discard: false,
    uses_scsi_reservation: false,
    ...(disk.kind === 'own' && { logical_name: disk.disk.path ?? `/dev/disk/by-id/virtio-${disk.disk.name}` }),
    disk: reference('disks', disk.id),
    vm: reference('vms', vm.id),
  }),
  add: attachDisk,
  update: async (call, attached, body, vm) => {
    const change = accept('disk_attachment', body, rules);
    if (change.active === false)
      throw new ProblemError(problem('NOVA7601', { field: 'disk_attachment.active', value: 'true' }));
    const isBoot = attached.kind === 'boot';
    if (change.bootable !== undefined && change.bootable !== isBoot)
      throw new ProblemError(problem('NOVA7601', { field: 'disk_attachment.bootable', value: String(isBoot) }));
    if (attached.kind === 'own' && change.interface !== undefined)
      await call.records.change('disk', attached.id, attached.record, { interface: change.interface });
    const given = bodyAt(body, 'disk');
    const disk = given
      ? await changeDisk(call, attached, accept('disk', given, { fields: diskFields, ...diskRules }))
      : attached;
    return disk.kind === 'own' ? { ...disk, vm } : disk;
  },
  remove: async (call, attached, vm) => {
    if (attached.kind !== 'own') throw new ProblemError(problem('NOVA7620', { name: nameOf(attached) }));
    const { name } = assertSettled(call, vm);
    const isDeleted = call.request.query.detach_only === 'false';
    await call.parts.work.run(
      task(call, nameOf(attached), 'Detaching', `detached from VM ${vm.name}`, 2002),
      async () => {
        await call.engine.detachDisk(name, attached.disk.name);
        if (!isDeleted) return;
        await call.engine.deleteDisk(attached.disk.name);
        await call.records.remove('disk', attached.id);
      },
    );
  },
};

/** A template has one disk, of which its machines boot. */
export const templateDiskAttachments: Resource<Image, Image> = {
  path: 'diskattachments',
  element: 'disk_attachment',
  elements: 'disk_attachments',
  kind: word,
  id: ({ name }) => templateBootDiskId(name),
  // Blank has none.
  list: async (_call, image) => (image.layers.length === 0 ? [] : [image]),
  show: ({ name }): Fields => ({
    interface: 'virtio',
    bootable: true,
    active: true,
    disk: reference('disks', templateBootDiskId(name)),
  }),
};

async function attachDisk(call: Call, body: Body, vm: Vm): Promise<AnyDisk> {
  const given = accept('disk_attachment', body, rules);
  for (const [field, value] of [
    ['active', given.active ?? true],
    ['bootable', !(given.bootable ?? false)],
  ] as const)
    if (!value)
      throw new ProblemError(
        problem('NOVA7601', { field: `disk_attachment.${field}`, value: String(field === 'active') }),
      );
  const { kind, name } = assertSettled(call, vm);
  const described = bodyAt(body, 'disk');
  if (!described) throw new ProblemError(problem('NOVA7602', { field: 'disk_attachment.disk' }));
  const format = kind === 'vm' ? 'block' : 'filesystem';
  const known = typeof described.id === 'string' ? described.id : undefined;
  const disk =
    known === undefined
      ? await createDisk(call, accept('disk', described, { fields: diskFields, ...diskRules }), format)
      : await ownDisk(call, known);
  if (disk.kind !== 'own') throw new ProblemError(problem('NOVA7620', { name: nameOf(disk) }));
  await call.parts.work.run(
    {
      ...task(call, nameOf(disk), 'Attaching', `attached to VM ${vm.name}`, 2000),
      vm: vm.id,
      busy: { id: disk.id, status: 'locked' },
    },
    async () => {
      await fit(call, disk, vm, format);
      // Before it is attached: from then on it can have data.
      await call.records.change('disk', disk.id, disk.record, {
        blankBytes: undefined,
        ...(given.interface !== undefined && { interface: given.interface }),
      });
      await call.engine.attachDisk(name, disk.disk.name, kind === 'vm' ? {} : { path: `/mnt/${disk.disk.name}` });
    },
  );
  call.refresh();
  return ownDisk(call, disk.id);
}

/** A disk that nothing has used yet gets the format that the machine needs. */
async function fit(
  call: Call,
  { disk, record, id }: AnyDisk & { kind: 'own' },
  vm: Vm,
  format: 'block' | 'filesystem',
) {
  if (disk.format === format) return;
  if (disk.usedBytes > (record.blankBytes ?? -1) || disk.machine !== undefined)
    throw new ProblemError(problem('NOVA7627', { name: disk.name, format: disk.format, vm: vm.name }));
  const { name, sizeMebibytes } = disk;
  await call.engine.deleteDisk(name);
  const { id: engineId } = await call.engine.createDisk({ name, format, sizeMebibytes });
  await call.records.change('disk', id, record, { engineId });
}
