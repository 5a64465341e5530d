import { randomBytes, randomUUID } from 'node:crypto';
import { formatted, ProblemError, problem } from '@nova-platform/api';
import type { Image } from '@nova-platform/contracts/engine';
import { z } from 'zod';
import { accept, bytes, listOf, named, text } from '../accept.ts';
import type { Call, FloatingDisk, Vm } from '../call.ts';
import { idOf, storageDomainId } from '../ids.ts';
import { empty, type Fields, type Resource, reference } from '../resource.ts';
import { assertStorageDomain } from './places.ts';
import { assertSettled } from './vm-status.ts';

const diskWord = { en: 'disk', ru: 'диск' };
const mebibyte = 1024 ** 2;
/** The disk of a machine whose template and request name no size. */
export const defaultDiskMebibytes = 10 * 1024;

/** The boot disk of a machine or of a template, or a disk of its own. */
export type AnyDisk =
  | { kind: 'boot'; id: string; vm: Vm; mebibytes: number }
  | { kind: 'template'; id: string; image: Image }
  | ({ kind: 'own'; vm: Vm | undefined } & FloatingDisk);

const bootDiskId = (vm: Vm): string => idOf('boot disk', vm.id);
export const templateBootDiskId = (image: string): string => idOf('template disk', image);

export const diskFields = {
  name: formatted('label', 40).optional(),
  alias: formatted('label', 40).optional(),
  description: text().optional(),
  provisioned_size: bytes.optional(),
  format: z.enum(['cow', 'raw']).optional(),
  storage_domains: listOf('storage_domain', named),
  storage_domain: named.optional(),
};

export const diskRules = {
  fixed: {
    sparse: 'true',
    shareable: 'false',
    content_type: 'data',
    storage_type: 'image',
    wipe_after_delete: 'false',
    propagate_errors: 'false',
    read_only: 'false',
    backup: 'none',
  },
  readOnly: ['id', 'status', 'actual_size', 'total_size', 'initial_size', 'image_id', 'disk_profile', 'qcow_version'],
};

export const disks: Resource<AnyDisk, unknown> = {
  path: 'disks',
  element: 'disk',
  elements: 'disks',
  kind: diskWord,
  id: ({ id }) => id,
  list: allDisks,
  show: showDisk,
  search: () => ({
    name: nameOf,
    alias: nameOf,
    id: ({ id }) => id,
    status: (disk) => (disk.kind === 'boot' && !disk.vm.machine ? 'locked' : 'ok'),
    description: (disk) => (disk.kind === 'own' ? (disk.record.description ?? '') : ''),
    vm_names: (disk) => (disk.kind === 'template' ? undefined : disk.vm?.name),
    'vms.name': (disk) => (disk.kind === 'template' ? undefined : disk.vm?.name),
    'vm.name': (disk) => (disk.kind === 'template' ? undefined : disk.vm?.name),
    storage: () => 'local',
    'storage.name': () => 'local',
    datacenter: () => 'Default',
    provisioned_size: sizeOf,
    bootable: (disk) => String(disk.kind !== 'own'),
    disk_type: () => 'image',
  }),
  add: async (call, body) => {
    const disk = accept('disk', body, { fields: diskFields, ...diskRules });
    return createDisk(call, disk, 'block');
  },
  update: async (call, disk, body) =>
    changeDisk(call, disk, accept('disk', body, { fields: diskFields, ...diskRules })),
  remove: removeDisk,
  children: [empty('permissions', 'permission', 'permissions'), empty('statistics', 'statistic', 'statistics')],
};

/** As in oVirt, the disks of templates too. */
async function allDisks(call: Call): Promise<readonly AnyDisk[]> {
  const [vms, own, images] = await Promise.all([call.vms(), call.disks(), call.images()]);
  const byName = new Map(vms.map((vm) => [vm.machine?.name, vm]));
  return [
    ...vms.flatMap(bootDiskOf),
    ...images.map((image): AnyDisk => ({ kind: 'template', id: templateBootDiskId(image.name), image })),
    ...own.map((each): AnyDisk => {
      const { machine } = each.disk;
      return { kind: 'own', ...each, vm: machine === undefined ? undefined : byName.get(machine) };
    }),
  ];
}

/** A machine without a limit has no disk of its own. */
export function bootDiskOf(vm: Vm): AnyDisk[] {
  const mebibytes = vm.machine?.diskMebibytes ?? vm.record.creation?.spec.diskMebibytes;
  return mebibytes === undefined ? [] : [{ kind: 'boot', id: bootDiskId(vm), vm, mebibytes }];
}

export function nameOf(disk: AnyDisk): string {
  if (disk.kind === 'boot') return `${disk.vm.name}-boot`;
  return disk.kind === 'template' ? `${disk.image.name}-boot` : (disk.record.alias ?? disk.disk.name);
}

function sizeOf(disk: AnyDisk): number {
  if (disk.kind === 'boot') return disk.mebibytes * mebibyte;
  if (disk.kind === 'own') return disk.disk.sizeMebibytes * mebibyte;
  return (disk.image.diskMebibytes ?? defaultDiskMebibytes) * mebibyte;
}

function showDisk(disk: AnyDisk, call: Call): Fields {
  const size = sizeOf(disk);
  const record = disk.kind === 'own' ? disk.record : undefined;
  const isLocked = call.parts.work.statusOf(disk.id) !== undefined || (disk.kind === 'boot' && !disk.vm.machine);
  return {
    name: nameOf(disk),
    alias: nameOf(disk),
    description: record?.description ?? '',
    status: isLocked ? 'locked' : 'ok',
    format: record?.format ?? 'cow',
    sparse: true,
    shareable: false,
    bootable: disk.kind !== 'own',
    content_type: 'data',
    storage_type: 'image',
    wipe_after_delete: false,
    propagate_errors: false,
    backup: 'none',
    image_id: disk.id,
    provisioned_size: size,
    total_size: size,
    actual_size: disk.kind === 'own' ? disk.disk.usedBytes : 0,
    storage_domains: { storage_domain: [reference('storagedomains', storageDomainId)] },
  };
}

type Given = z.output<z.ZodObject<typeof diskFields>>;

/** An empty disk; the machine that it is for decides its format. */
export async function createDisk(call: Call, given: Given, format: 'block' | 'filesystem'): Promise<AnyDisk> {
  const {
    provisioned_size: size,
    description,
    format: shown,
    storage_domains: domains,
    storage_domain: domain,
  } = given;
  for (const each of domain ? [domain] : domains) assertStorageDomain(each);
  if (size === undefined) throw new ProblemError(problem('NOVA7602', { field: 'disk.provisioned_size' }));
  const name = given.alias ?? given.name ?? `disk-${randomBytes(4).toString('hex')}`;
  const id = randomUUID();
  await call.parts.work.run(task(call, name, 'Adding', 'added', 2020), async () => {
    const disk = await call.engine.createDisk({ name, format, sizeMebibytes: size / mebibyte });
    await call.records.put('disk', id, {
      engineName: name,
      engineId: disk.id,
      blankBytes: disk.usedBytes,
      ...(description !== undefined && { description }),
      ...(shown !== undefined && { format: shown }),
    });
  });
  call.refresh();
  return ownDisk(call, id);
}

export async function ownDisk(call: Call, id: string): Promise<AnyDisk> {
  const found = (await allDisks(call)).find((disk) => disk.id === id);
  if (found) return found;
  throw new ProblemError(problem('NOVA7605', { kind: diskWord, id: id.slice(0, 100) }));
}

/** Disks grow, also while their machine runs. */
export async function changeDisk(call: Call, disk: AnyDisk, given: Given): Promise<AnyDisk> {
  const { provisioned_size: size, description, format, storage_domains: domains } = given;
  for (const each of domains) assertStorageDomain(each);
  const name = given.alias ?? given.name;
  const current = nameOf(disk);
  if (disk.kind === 'template') throw new ProblemError(problem('NOVA7620', { name: current }));
  const sizeMebibytes = size === undefined || size === sizeOf(disk) ? undefined : size / mebibyte;
  if (disk.kind === 'boot') {
    if (name !== undefined && name !== current)
      throw new ProblemError(problem('NOVA7601', { field: 'disk.alias', value: current }));
    if (description) throw new ProblemError(problem('NOVA7600', { field: 'disk.description' }));
  }
  await call.parts.work.run(task(call, current, 'Updating', 'updated', 88), async () => {
    if (disk.kind === 'boot') {
      const machine = assertSettled(call, disk.vm);
      if (sizeMebibytes !== undefined) await call.engine.resizeMachine(machine.name, { diskMebibytes: sizeMebibytes });
      return;
    }
    if (sizeMebibytes !== undefined) await call.engine.growDisk(disk.disk.name, sizeMebibytes);
    await call.records.change('disk', disk.id, disk.record, {
      ...(name !== undefined && { alias: name }),
      ...(description !== undefined && { description }),
      ...(format !== undefined && { format }),
    });
  });
  call.refresh();
  return ownDisk(call, disk.id);
}

async function removeDisk(call: Call, disk: AnyDisk): Promise<void> {
  const name = nameOf(disk);
  if (disk.kind !== 'own') throw new ProblemError(problem('NOVA7620', { name }));
  await call.parts.work.run(task(call, name, 'Removing', 'removed', 2014), async () => {
    await call.engine.deleteDisk(disk.disk.name);
    await call.records.remove('disk', disk.id);
  });
}

export function task(call: Call, name: string, doing: string, done: string, code: number) {
  return { ...call.by, description: `${doing} disk ${name}`, done: `Disk ${name} was ${done}`, code };
}
