import { randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import type { Snapshot } from '@nova-platform/contracts/engine';
import { accept, text } from '../accept.ts';
import type { Call, Vm } from '../call.ts';
import { idOf } from '../ids.ts';
import { locked } from '../lifecycle.ts';
import type { Preview } from '../records.ts';
import { type Body, empty, notFound, type Resource, reference } from '../resource.ts';
import { assertDown, assertNoPreview, assertSettled } from './vm-status.ts';

const word = { en: 'snapshot', ru: 'снимок' };
const prefix = 'preview-';

/** A snapshot of the engine, one that is being created, or what the VM is now. */
interface Item {
  id: string;
  type: 'active' | 'regular' | 'preview';
  description: string;
  date: string;
  snapshot?: Snapshot;
}

export const snapshots: Resource<Item, Vm> = {
  path: 'snapshots',
  element: 'snapshot',
  elements: 'snapshots',
  kind: word,
  id: ({ id }) => id,
  list: listSnapshots,
  show: (item, call, vm) => {
    const status = call.parts.work.statusOf(item.id) ?? (item.id === previewedId(vm) ? 'in_preview' : 'ok');
    return {
      description: item.description,
      snapshot_type: item.type,
      snapshot_status: status,
      date: item.date,
      persist_memorystate: false,
      vm: { ...reference('vms', vm.id), name: vm.name },
    };
  },
  add: addSnapshot,
  remove: removeSnapshot,
  actions: {
    restore: async (call, item, body, vm) => {
      accept('action', body, { fields: {}, fixed: { restore_memory: 'false' }, readOnly: ['async', 'disks', 'vm'] });
      const snapshot = stored(item);
      assertNoPreview(vm);
      const { name } = assertDown(call, vm);
      await call.parts.work.run(
        task(call, vm, 'Restoring a snapshot of', 'was restored from a snapshot', 1507),
        async () => {
          await call.engine.restoreSnapshot(name, snapshot.name);
          await forgetFirstBoot(call, vm);
        },
      );
      return undefined;
    },
  },
  children: [empty('disks', 'disk', 'disks'), empty('nics', 'nic', 'nics'), empty('cdroms', 'cdrom', 'cdroms')],
};

async function listSnapshots(call: Call, vm: Vm): Promise<readonly Item[]> {
  const { machine, record } = vm;
  const active: Item = {
    id: idOf('snapshot', vm.id),
    type: record.preview ? 'preview' : 'active',
    description: 'Active VM',
    date: machine?.createdAt ?? new Date(0).toISOString(),
  };
  if (!machine) return [active];
  const known = (await call.engine.snapshots(machine.name))
    .filter(({ name }) => name !== record.preview?.before)
    .map((snapshot): Item => {
      const { name, description, createdAt } = snapshot;
      return {
        id: idOf('snapshot', vm.id, name),
        type: 'regular',
        description: description || name,
        date: createdAt,
        snapshot,
      };
    });
  const created = [...call.parts.pendingSnapshots]
    .filter(([id, pending]) => pending.vm === vm.id && !known.some((each) => each.id === id))
    .map(([id, { description, date }]): Item => ({ id, type: 'regular', description, date }));
  return [active, ...known, ...created];
}

async function addSnapshot(call: Call, body: Body, vm: Vm): Promise<Item> {
  const { description = '' } = accept('snapshot', body, {
    fields: { description: text(255).optional() },
    fixed: { persist_memorystate: 'false' },
    readOnly: ['id', 'disk_attachments', 'date', 'snapshot_status', 'snapshot_type', 'vm'],
  });
  const machine = assertSettled(call, vm);
  assertNoPreview(vm);
  const name = `s-${randomBytes(8).toString('hex')}`;
  const id = idOf('snapshot', vm.id, name);
  const date = new Date().toISOString();
  const busy = { id, status: 'locked' as const };
  const { pendingSnapshots, work } = call.parts;
  pendingSnapshots.set(id, { vm: vm.id, description, date });
  await work.start({ ...task(call, vm, 'Creating a snapshot of', 'got a snapshot', 45), busy }, async () => {
    await call.engine.createSnapshot(machine.name, { name, description }).finally(() => pendingSnapshots.delete(id));
  });
  return { id, type: 'regular', description, date };
}

async function removeSnapshot(call: Call, item: Item, vm: Vm): Promise<void> {
  const snapshot = stored(item);
  const machine = assertSettled(call, vm);
  assertNoPreview(vm);
  if (call.parts.work.statusOf(item.id) !== undefined) throw locked(vm.name, 'image_locked');
  const busy = { id: item.id, status: 'locked' as const };
  await call.parts.work.start(
    { ...task(call, vm, 'Removing a snapshot of', 'lost a snapshot', 342), busy },
    async () => {
      await call.engine.deleteSnapshot(machine.name, snapshot.name);
    },
  );
}

/** Shows the content of a snapshot. What the VM was before is a snapshot too, until commit or undo. */
export async function previewSnapshot(call: Call, vm: Vm, id: string): Promise<undefined> {
  const { engine, records } = call;
  const item = (await listSnapshots(call, vm)).find((each) => each.id === id);
  if (!item) throw notFound(word, id);
  const snapshot = stored(item);
  assertNoPreview(vm);
  const { name } = assertDown(call, vm);
  const before = `${prefix}${randomBytes(8).toString('hex')}`;
  const preview = { snapshot: snapshot.name, before };
  await call.parts.work.run(task(call, vm, 'Previewing a snapshot of', 'previews a snapshot', 1506), async () => {
    await engine.createSnapshot(name, { name: before, description: 'Before the preview' });
    await records.change('machine', vm.id, vm.record, { preview: { ...preview, isBegun: true }, unstarted: undefined });
    await engine.restoreSnapshot(name, snapshot.name);
    await records.change('machine', vm.id, vm.record, { preview });
  });
  return undefined;
}

export async function commitPreview(call: Call, vm: Vm): Promise<undefined> {
  const { name, before, snapshot, isBegun } = previewed(call, vm);
  await call.parts.work.run(
    task(call, vm, 'Restoring a snapshot of', 'was restored from a snapshot', 1507),
    async () => {
      // The preview was interrupted.
      if (isBegun) await call.engine.restoreSnapshot(name, snapshot);
      await deleteIfPresent(call, name, before);
      await call.records.change('machine', vm.id, vm.record, { preview: undefined });
    },
  );
  return undefined;
}

export async function undoPreview(call: Call, vm: Vm): Promise<undefined> {
  const { name, before } = previewed(call, vm);
  await call.parts.work.run(task(call, vm, 'Undoing the preview of', 'is as before the preview', 1508), async () => {
    await call.engine.restoreSnapshot(name, before);
    await call.records.change('machine', vm.id, vm.record, { preview: undefined });
    await deleteIfPresent(call, name, before);
  });
  return undefined;
}

function previewed(call: Call, vm: Vm): Preview & { name: string } {
  const { preview } = vm.record;
  if (!preview) throw new ProblemError(problem('NOVA7622', { name: vm.name }));
  return { ...preview, name: assertDown(call, vm).name };
}

function previewedId({ id, record }: Vm): string | undefined {
  return record.preview && idOf('snapshot', id, record.preview.snapshot);
}

/** A preview that was interrupted may have deleted it already. */
async function deleteIfPresent(call: Call, machine: string, name: string): Promise<void> {
  if ((await call.engine.snapshots(machine)).some((each) => each.name === name))
    await call.engine.deleteSnapshot(machine, name);
}

/** Its disk is not that of a machine that never booted. */
async function forgetFirstBoot(call: Call, vm: Vm): Promise<void> {
  if (vm.record.unstarted) await call.records.change('machine', vm.id, vm.record, { unstarted: undefined });
}

function stored({ snapshot, type, id }: Item): Snapshot {
  if (snapshot) return snapshot;
  if (type === 'regular') throw locked(id, 'locked');
  throw new ProblemError(problem('NOVA7600', { field: 'The active snapshot' }));
}

function task(call: Call, vm: Vm, doing: string, done: string, code: number) {
  return {
    ...call.by,
    description: `${doing} VM ${vm.name}`,
    done: `VM ${vm.name} ${done}`,
    code,
    vm: vm.id,
    busy: { id: vm.id, status: 'image_locked' as const },
  };
}
