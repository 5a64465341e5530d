import { existsSync } from 'node:fs';
import { chown, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { faultPoint } from '../fault.ts';
import { qcow2Bytes } from '../images/boot-files.ts';
import type { MachineRecord } from '../machines/record.ts';
import { diskFolder as disksOfVm, uidOf } from '../vms/disk.ts';
import { hasKvm } from '../vms/kvm.ts';
import { diskBlockdev, diskDevice, diskFile, diskId } from '../vms/plugged.ts';
import { type Qmp, withQmp } from '../vms/qmp.ts';
import { storageUid } from '../vms/uids.ts';
import { type AttachedDisk, contentOf, type DiskRecord, disksOf } from './disks.ts';
import { type ImageInfo, imageTool, insideDisks, machineTool } from './qemu-img.ts';
import { readSnapshots } from './snapshots.ts';

// Disks of VMs. A hard link in the folder of the VM's disks makes the image of an attached disk visible to QEMU; only an
// attached disk has one. While the VM runs, only its QEMU opens the image.

const mebibyte = 1024 ** 2;
const contentFile = 'disk.qcow2';
// An emulated guest is about twenty times slower.
const unplugTimeoutMilliseconds = { kvm: 30_000, emulated: 300_000 };

interface BlockNode {
  'node-name': string;
  image: ImageInfo;
}

/** Gives a VM that does not run the files of its recorded disks, in their recorded sizes. */
export async function linkDisks(machine: MachineRecord): Promise<void> {
  const disks = await disksOf(machine.name);
  await removeLinks(machine.name, disks);
  for (const disk of disks) {
    await linkDisk(machine, disk);
    const bytes = disk.sizeMebibytes * mebibyte;
    const file = insideDisks(diskFile(disk.attachment.slot));
    if ((await qcow2Bytes(contentOf(disk))) < bytes) await machineTool(machine, ['resize', '-q', file, String(bytes)]);
  }
}

/** Plugs recorded disks into a running VM, unplugs others, and grows them. */
export async function plugDisks(machine: MachineRecord): Promise<void> {
  const { name } = machine;
  const disks = await disksOf(name);
  for (const disk of disks) await linkDisk(machine, disk);
  await withQmp(name, async (qmp) => {
    const devices = await deviceIds(qmp);
    const nodes = await blockNodes(qmp);
    for (const disk of disks) {
      const id = diskId(disk.attachment.slot);
      const node = nodes.find((each) => each['node-name'] === id);
      if (!node) await qmp.execute('blockdev-add', diskBlockdev(disk));
      if (!devices.includes(id)) await qmp.execute('device_add', diskDevice(disk));
      faultPoint('disk.plugged');
      const bytes = disk.sizeMebibytes * mebibyte;
      const before = node ? node.image['virtual-size'] : await qcow2Bytes(contentOf(disk));
      if (before < bytes) await qmp.execute('block_resize', { 'node-name': id, size: bytes });
    }
    const wanted = new Set(disks.map(({ attachment }) => diskId(attachment.slot)));
    const others = nodes.map((node) => node['node-name']).filter((id) => /^disk-\d+$/.test(id) && !wanted.has(id));
    for (const id of others) await unplug(qmp, id);
  }).catch((error: unknown) => {
    // Also if QEMU has ended meanwhile.
    throw refusal(machine, disks.at(-1)?.name ?? '', error instanceof Error ? error.message : String(error));
  });
  await removeLinks(name, disks);
}

/** Takes a disk from a VM. A guest that runs must release it first. */
export async function unplugDisk(machine: MachineRecord, disk: AttachedDisk, isRunning: boolean): Promise<void> {
  const { name } = machine;
  const snapshots = (await readSnapshots(name)).filter(({ disks }) => disks.some(({ id }) => id === disk.id));
  // They are inside the image of the disk.
  if (snapshots.length > 0) {
    const names = snapshots.map((snapshot) => snapshot.name).join(', ');
    throw new ProblemError(problem('NOVA7133', { name: disk.name, machine: name, snapshots: names }));
  }
  if (isRunning)
    await withQmp(name, (qmp) => unplug(qmp, diskId(disk.attachment.slot))).catch((error: unknown) => {
      throw refusal(machine, disk.name, error instanceof Error ? error.message : String(error));
    });
  faultPoint('disk.unplugged');
  await releaseDisk(disk);
}

/** Takes the file of a disk from its VM, which no longer uses it. */
export async function releaseDisk(disk: AttachedDisk): Promise<void> {
  await rm(join(disksOfVm(disk.attachment.machine), diskFile(disk.attachment.slot)), { force: true });
  await chown(contentOf(disk), storageUid, storageUid);
  await removeSnapshots(disk);
}

/** Removes the snapshots in a disk whose machine is deleted. */
async function removeSnapshots(disk: DiskRecord): Promise<void> {
  const folder = dirname(contentOf(disk));
  const { snapshots = [] } = await inspect(disk.name, folder, contentFile, 'qcow2');
  for (const { name } of snapshots)
    await imageTool(disk.name, folder, ['snapshot', '-d', name, insideDisks(contentFile)]);
}

/** What qemu-img finds in an image of a folder. */
async function inspect(subject: string, folder: string, file: string, format: string): Promise<ImageInfo> {
  const args = ['info', '--output=json', '-f', format, insideDisks(file)];
  return JSON.parse(await imageTool(subject, folder, args)) as ImageInfo;
}

export async function blockNodes(qmp: Qmp): Promise<BlockNode[]> {
  return qmp.execute<BlockNode[]>('query-named-block-nodes', { flat: true });
}

async function deviceIds(qmp: Qmp): Promise<string[]> {
  const devices = await qmp.execute<{ name: string }[]>('qom-list', { path: '/machine/peripheral' });
  return devices.map(({ name }) => name);
}

async function unplug(qmp: Qmp, id: string): Promise<void> {
  if ((await deviceIds(qmp)).includes(id)) {
    await qmp.execute('device_del', { id });
    const within = (await hasKvm()) ? unplugTimeoutMilliseconds.kvm : unplugTimeoutMilliseconds.emulated;
    await qmp.event(({ event, data }) => event === 'DEVICE_DELETED' && data.device === id, within);
  }
  if ((await blockNodes(qmp)).some((node) => node['node-name'] === id))
    await qmp.execute('blockdev-del', { 'node-name': id });
}

async function linkDisk(machine: MachineRecord, disk: AttachedDisk): Promise<void> {
  const folder = disksOfVm(machine.name);
  const place = join(folder, diskFile(disk.attachment.slot));
  await mkdir(folder, { recursive: true, mode: 0o755 });
  if (existsSync(place) && (await stat(place)).ino !== (await stat(contentOf(disk))).ino) await rm(place);
  if (!existsSync(place)) await link(contentOf(disk), place);
  await chown(place, uidOf(machine), uidOf(machine));
}

/** Removes links of disks that are no longer attached. */
async function removeLinks(machine: string, disks: readonly AttachedDisk[]): Promise<void> {
  const wanted = new Set(disks.map(({ attachment }) => diskFile(attachment.slot)));
  for (const file of await readdir(disksOfVm(machine)).catch((): string[] => []))
    if (/^disk-\d+\.qcow2$/.test(file) && !wanted.has(file)) await rm(join(disksOfVm(machine), file));
}

function refusal({ name }: MachineRecord, disk: string, reason: string | Text): ProblemError {
  return new ProblemError(problem('NOVA7128', { name: disk, machine: name, reason }));
}
