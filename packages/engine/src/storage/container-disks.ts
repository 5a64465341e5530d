import { mkdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { CommandError, run } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { mountsOf } from '../machines/mounts.ts';
import { runc } from '../machines/oci.ts';
import { type MachineRecord, machinePid } from '../machines/record.ts';
import { paths } from '../paths.ts';
import { type AttachedDisk, contentOf, disksOf, fileSystemOf, slots, slotsFolder } from './disks.ts';
import { isImageInUse, isMounted, mountFileSystem, unmountFileSystem } from './filesystem.ts';

// Disks of containers. The host mounts a disk in a folder of the machine, whose mounts propagate into the machine. From
// there a program of the machine itself binds it to its path: the host never follows a path of the machine, so a link
// in the machine cannot lead out of it.

/** The folder with the slots in a machine. */
const inMachine = '/run/nova-disks';
/** The lower folders of all slots. */
const lower = join(paths.runtime, 'disk-slots');
const commandTimeoutMilliseconds = 20_000;

/** Mounts the disks of a machine that boots or runs, and grows them to their recorded sizes. */
export async function mountDisks(machine: string): Promise<void> {
  await mountSlots(machine);
  for (const disk of await disksOf(machine)) await mountFileSystem(fileSystemOf(disk));
}

/** Call it when the machine does not run. */
export async function unmountDisks(machine: string): Promise<void> {
  const folder = slotsFolder(machine);
  if (!(await isMounted(folder))) return;
  for (const slot of slots) {
    const place = join(folder, String(slot));
    if (await isMounted(place)) await unmountFileSystem(place);
  }
  await unmountFileSystem(folder);
  // With the folder the kernel removes the copies of the mounts that host services have in namespaces of their own.
  await rmdir(folder);
}

/** Mounts for the OCI configuration of a machine, besides those of its disks. */
export function slotMounts(machine: string): object[] {
  const source = slotsFolder(machine);
  return [{ destination: inMachine, type: 'bind', source, options: ['rbind', 'rslave'] }];
}

/** Binds disks that were attached while the machine ran. */
export async function bindDisks(machine: MachineRecord): Promise<void> {
  await mountDisks(machine.name);
  for (const disk of await disksOf(machine.name)) {
    if ((await placesOf(disk)).length > 0) continue;
    if (!(await hasSlots(machine.name)))
      throw refusal(machine, disk, {
        en: `it gets ${inMachine} at its next start`,
        ru: `${inMachine} появится в ней при следующем запуске`,
      });
    const { slot, path = '' } = disk.attachment;
    const script = 'mkdir -p "$2" && mount --bind "$1" "$2"';
    await inside(machine, disk, script, `${inMachine}/${slot}`, path);
    faultPoint('disk.bound');
    // Programs of the machine may pretend to have mounted it.
    if ((await placesOf(disk)).length === 0)
      throw refusal(machine, disk, { en: 'its mount program did nothing', ru: 'её программа mount ничего не сделала' });
  }
}

/**
 * Takes a disk from a machine. While anything in the machine uses it, the disk stays attached: two machines must never
 * have the same file system.
 */
export async function unbindDisk(machine: MachineRecord, disk: AttachedDisk, isRunning: boolean): Promise<void> {
  if (isRunning) for (const place of await placesOf(disk)) await inside(machine, disk, 'umount "$1"', place);
  faultPoint('disk.unbound');
  await unmountFileSystem(fileSystemOf(disk).place);
  if (!(await isImageInUse(contentOf(disk)))) return;
  if (isRunning) await bindDisks(machine);
  throw refusal(machine, disk, inUse);
}

const inUse: Text = { en: 'its programs use the disk', ru: 'диск занят её программами' };

/** Where the machine has the disk mounted, besides its slot. */
async function placesOf(disk: AttachedDisk): Promise<string[]> {
  const { machine } = disk.attachment;
  const { place } = fileSystemOf(disk);
  if (!(await isMounted(place))) return [];
  const { dev } = await stat(place);
  // The kernel's encoding of device numbers.
  const device = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
  const mounts = await mountsOf(await machinePid(machine));
  return mounts
    .filter((mount) => mount.device === device && !mount.place.startsWith(`${inMachine}/`))
    .map((mount) => mount.place)
    .toReversed();
}

async function hasSlots(machine: string): Promise<boolean> {
  return (await mountsOf(await machinePid(machine))).some(({ place }) => place === inMachine);
}

/** Runs the machine's own programs in its own namespaces. */
async function inside(machine: MachineRecord, disk: AttachedDisk, script: string, ...args: string[]): Promise<void> {
  const signal = AbortSignal.timeout(commandTimeoutMilliseconds);
  await run('runc', runc('exec', machine.name, '/bin/sh', '-c', script, 'disk', ...args), { signal }).catch(
    (error: unknown) => {
      const reason = error instanceof CommandError ? error.stderr.trim().slice(-200) : String(error);
      throw refusal(machine, disk, reason.includes('busy') ? inUse : { en: reason, ru: reason });
    },
  );
}

function refusal({ name }: MachineRecord, disk: AttachedDisk, reason: Text): ProblemError {
  return new ProblemError(problem('NOVA7128', { name: disk.name, machine: name, reason }));
}

/**
 * Mounts the folder with the slots. It is an overlay without an upper folder: root in a machine can neither replace a
 * slot by a link, which the host would follow, nor make the folder writable.
 */
async function mountSlots(machine: string): Promise<void> {
  const folder = slotsFolder(machine);
  await mkdir(folder, { recursive: true });
  if (await isMounted(folder)) return;
  for (const slot of slots) await mkdir(join(lower, 'slots', String(slot)), { recursive: true });
  await mkdir(join(lower, 'empty'), { recursive: true });
  const options = `ro,lowerdir=${join(lower, 'slots')}:${join(lower, 'empty')}`;
  await run('mount', ['-t', 'overlay', '--make-private', 'nova-disks', '-o', options, folder]);
  await run('mount', ['--make-shared', folder]);
}
