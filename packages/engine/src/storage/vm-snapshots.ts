import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { faultPoint } from '../fault.ts';
import { readRecord, removeRecord, writeRecord } from '../files.ts';
import { isRunning } from '../machines/containers.ts';
import { type MachineRecord, machineFolder } from '../machines/record.ts';
import { rootDisk } from '../vms/disk.ts';
import { GuestAgent, withAgent } from '../vms/guest-agent.ts';
import { diskFile, diskId } from '../vms/plugged.ts';
import { withQmp } from '../vms/qmp.ts';
import { type AttachedDisk, disksOf } from './disks.ts';
import type { SnapshotCopy } from './driver.ts';
import { type ImageInfo, insideDisks, machineTool } from './qemu-img.ts';
import { readSnapshots, type SnapshotRecord } from './snapshots.ts';
import { assertSpace } from './space.ts';
import { blockNodes } from './vm-disks.ts';

// Snapshots of VMs are inside their images (qcow2), under the ID of the record. Those without a record are removed.

const freezeTimeoutMilliseconds = 10_000;
const tableBytes = 1024 ** 2;

/** An image of a VM: its node in a running QEMU, and its file for qemu-img. */
interface SnapshotImage {
  node: string;
  file: string;
}

/** There while snapshots of a machine change: `removeOrphans` then has something to do. */
const markOf = (machine: string): string => join(machineFolder(machine), 'snapshots-changing.json');
/** There while a machine gets the content of a snapshot. */
const restoreOf = (machine: string): string => join(machineFolder(machine), 'restore.json');

interface Mark {
  /** Whether the guest may be frozen. */
  isFreezing?: boolean;
}

export async function markChange({ name }: Pick<MachineRecord, 'name'>, mark: Mark = {}): Promise<void> {
  await writeRecord(markOf(name), mark);
}

/** Creates a snapshot of all images at once. Returns whether the guest froze its file systems meanwhile. */
export async function snapshotImages(
  machine: MachineRecord,
  disks: readonly AttachedDisk[],
  copy: SnapshotCopy,
): Promise<boolean> {
  const images = imagesOf(disks);
  // It needs space only for tables, but later changes of the disks need as much as they write.
  await assertSpace(tableBytes);
  if (!copy.isRunning) {
    for (const { file } of images) {
      await machineTool(machine, ['snapshot', '-c', copy.id, file]);
      faultPoint('snapshot.image');
    }
    return true;
  }
  const isFrozen = await freeze(machine);
  try {
    faultPoint('snapshot.frozen');
    const actions = images.map(({ node }) => ({
      type: 'blockdev-snapshot-internal-sync',
      data: { device: node, name: copy.id },
    }));
    await withQmp(machine.name, (qmp) => qmp.execute('transaction', { actions })).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ProblemError(problem('NOVA7131', { name: machine.name, reason }));
    });
    faultPoint('snapshot.taken');
  } finally {
    if (isFrozen !== undefined) await thawGuest(machine.name);
    await markChange(machine);
  }
  return isFrozen ?? false;
}

/** Why a VM cannot have snapshots. */
export function vmSnapshotRefusal({ name }: MachineRecord): Text | undefined {
  if (existsSync(rootDisk(name))) return undefined;
  return { en: 'it has never been started', ru: 'она ещё не запускалась' };
}

/** Applying a snapshot to an image can be repeated while the VM does not run, so a crash on the way loses nothing. */
export async function restoreImages(machine: MachineRecord, { id, disks }: SnapshotRecord): Promise<void> {
  const contained = new Set(disks.map((disk) => disk.id));
  const images = imagesOf((await disksOf(machine.name)).filter((disk) => contained.has(disk.id)));
  for (const { file } of images) {
    if ((await tagsIn(machine, file)).includes(id)) continue;
    throw new ProblemError(problem('NOVA7138', { name: machine.name, reason: `${file} has no snapshot ${id}` }));
  }
  await writeRecord(restoreOf(machine.name), { id, files: images.map(({ file }) => file) });
  faultPoint('restore.recorded');
  await completeRestore(machine);
}

/** Completes what a killed engine left, and removes snapshots without a record. */
export async function recoverSnapshots(machine: MachineRecord): Promise<void> {
  await completeRestore(machine);
  const mark = await readRecord<Mark>(markOf(machine.name));
  if (!mark) return;
  const known = new Set((await readSnapshots(machine.name)).map(({ id }) => id));
  const images = imagesOf(await disksOf(machine.name));
  if (await isRunning(machine.name)) {
    if (mark.isFreezing) await thawGuest(machine.name);
    await withQmp(machine.name, async (qmp) => {
      for (const { 'node-name': device, image } of await blockNodes(qmp)) {
        if (!images.some(({ node }) => node === device)) continue;
        for (const { name } of orphans(image, known)) {
          await qmp.execute('blockdev-snapshot-delete-internal-sync', { device, name });
          faultPoint('snapshot.removed');
        }
      }
    });
  } else if (existsSync(rootDisk(machine.name))) {
    for (const { file } of images)
      for (const name of await tagsIn(machine, file)) {
        if (known.has(name)) continue;
        await machineTool(machine, ['snapshot', '-d', name, file]);
        faultPoint('snapshot.removed');
      }
  }
  await removeRecord(markOf(machine.name));
}

async function completeRestore(machine: MachineRecord): Promise<void> {
  const restore = await readRecord<{ id: string; files: string[] }>(restoreOf(machine.name));
  for (const file of restore?.files ?? []) {
    await machineTool(machine, ['snapshot', '-a', restore?.id ?? '', file]);
    faultPoint('restore.applied');
  }
  await removeRecord(restoreOf(machine.name));
}

async function tagsIn(machine: MachineRecord, file: string): Promise<string[]> {
  const info = JSON.parse(await machineTool(machine, ['info', '--output=json', '-f', 'qcow2', file])) as ImageInfo;
  return (info.snapshots ?? []).map(({ name }) => name);
}

function orphans({ snapshots = [] }: ImageInfo, known: ReadonlySet<string>): { name: string }[] {
  return snapshots.filter(({ name }) => !known.has(name));
}

/**
 * Without an agent that responds, the snapshot is like the disk after a power failure: the result is then undefined. It is
 * false if the agent could not freeze the file systems, or did not say so in time.
 */
async function freeze(machine: MachineRecord): Promise<boolean | undefined> {
  const agent = await GuestAgent.connect(machine.name, freezeTimeoutMilliseconds).catch(() => undefined);
  if (!agent) return undefined;
  using session = agent;
  await markChange(machine, { isFreezing: true });
  // Awaited here: the session ends with this function.
  return await session.execute('guest-fsfreeze-freeze', {}, freezeTimeoutMilliseconds).then(
    (count) => Number(count) > 0,
    () => false,
  );
}

async function thawGuest(name: string): Promise<void> {
  await withAgent(name, (agent) => agent.execute('guest-fsfreeze-thaw', {}, freezeTimeoutMilliseconds)).catch(
    () => undefined,
  );
}

function imagesOf(disks: readonly AttachedDisk[]): SnapshotImage[] {
  return [
    ...disks.map(({ attachment: { slot } }) => ({ node: diskId(slot), file: insideDisks(diskFile(slot)) })),
    { node: 'root', file: insideDisks('root.qcow2') },
  ];
}
