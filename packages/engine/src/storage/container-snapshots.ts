import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { CommandError, run } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { readRecord, removeRecord, writeRecord } from '../files.ts';
import { diskImage, diskPlace } from '../machines/disk.ts';
import { type MachineRecord, machineFolder } from '../machines/record.ts';
import { type AttachedDisk, contentOf, disksOf, fileSystemOf } from './disks.ts';
import type { SnapshotCopy } from './driver.ts';
import { thaw } from './filesystem.ts';
import { usedBytes } from './folders.ts';
import { type SnapshotRecord, snapshotFolder } from './snapshots.ts';
import { assertSpace } from './space.ts';

// Snapshots of containers are copies of the images of their file systems.

const restoredSuffix = '.restored';

/** An image of a machine, and its copy in a snapshot. */
interface Copied {
  image: string;
  place: string;
  copy: string;
}

/**
 * Freezes file systems, copies images and thaws the file systems, also if the engine is killed meanwhile. Fails if a
 * file system is no longer frozen: root in a machine can thaw those of the machine, and the copy is then worthless.
 */
const copyScript = `set -e
frozen=
finish() {
  code=$?
  for place in $frozen; do xfs_freeze -u "$place" || code=1; done
  exit $code
}
trap finish EXIT
trap 'exit 1' HUP INT PIPE TERM
count=$1
shift
while [ "$count" -gt 0 ]; do
  xfs_freeze -f "$1"
  frozen="$frozen $1"
  count=$((count - 1))
  shift
done
echo frozen
while [ "$#" -gt 0 ]; do
  cp --sparse=always --reflink=auto "$1" "$2"
  shift 2
done
`;

/** Copies the file systems of a machine into the folder of a new snapshot. */
export async function copyDisks(
  machine: MachineRecord,
  disks: readonly AttachedDisk[],
  { folder, isRunning }: SnapshotCopy,
): Promise<void> {
  const copied = imagesOf(machine, disks, folder);
  const sizes = await Promise.all(copied.map(({ image }) => usedBytes(image)));
  await assertSpace(sizes.reduce((sum, size) => sum + size, 0));
  // Those of a stopped machine are not mounted.
  const places = isRunning ? copied.map(({ place }) => place) : [];
  const args = [String(places.length), ...places, ...copied.flatMap(({ image, copy }) => [image, copy])];
  const onLine = (line: string) => line === 'frozen' && faultPoint('snapshot.frozen');
  await run('sh', ['-c', copyScript, 'snapshot', ...args], { onLine }).catch((error: unknown) => {
    const reason = error instanceof CommandError ? error.stderr.trim().slice(-200) : String(error);
    throw new ProblemError(problem('NOVA7131', { name: machine.name, reason }));
  });
}

/** Why a machine cannot have snapshots. */
export function snapshotRefusal({ name, isDiskLimited }: MachineRecord): Text | undefined {
  if (!isDiskLimited)
    return {
      en: 'its disk is not limited, so its files are not in a file system of their own',
      ru: 'её диск не ограничен, поэтому у её файлов нет собственной файловой системы',
    };
  if (!existsSync(join(machineFolder(name), 'config.json')))
    return { en: 'it has never been started', ru: 'она ещё не запускалась' };
  return undefined;
}

/**
 * Gives a stopped machine the content of a snapshot. The copies are made beside the images; the record then decides that
 * they replace them, all together.
 */
export async function restoreDisks(machine: MachineRecord, snapshot: SnapshotRecord): Promise<void> {
  const ids = new Set(snapshot.disks.map(({ id }) => id));
  const disks = (await disksOf(machine.name)).filter(({ id }) => ids.has(id));
  const copied = imagesOf(machine, disks, snapshotFolder(machine.name, snapshot.name));
  const sizes = await Promise.all(copied.map(({ copy }) => usedBytes(copy)));
  await assertSpace(sizes.reduce((sum, size) => sum + size, 0));
  const images = copied.map(({ image }) => image);
  try {
    for (const { image, copy } of copied) {
      await run('cp', ['--sparse=always', '--reflink=auto', copy, image + restoredSuffix]);
      await run('sync', [image + restoredSuffix]);
      faultPoint('restore.copied');
    }
    await writeRecord(recordOf(machine.name), { images });
  } catch (error) {
    for (const image of images) await rm(image + restoredSuffix, { force: true });
    throw error;
  }
  faultPoint('restore.recorded');
  await completeRestore(machine.name);
}

/** Completes a restore that was decided, and removes the copies of one that was not. */
export async function completeRestore(machine: string): Promise<void> {
  const record = await readRecord<{ images: string[] }>(recordOf(machine));
  const folders = [machineFolder(machine), ...(await disksOf(machine)).map((disk) => join(contentOf(disk), '..'))];
  for (const image of record?.images ?? []) {
    if (existsSync(image + restoredSuffix)) await rename(image + restoredSuffix, image);
    faultPoint('restore.renamed');
  }
  await removeRecord(recordOf(machine));
  for (const folder of folders)
    for (const name of await readdir(folder))
      if (name.endsWith(restoredSuffix)) await rm(join(folder, name), { force: true });
}

/**
 * The shell that would have thawed the file systems may have been killed, and root in a machine can freeze them: its
 * programs then cannot exit.
 */
export async function thawDisks(machine: string): Promise<void> {
  await thaw(diskPlace(machine));
  for (const disk of await disksOf(machine)) await thaw(fileSystemOf(disk).place);
}

/** What the copies of a snapshot use on the host. */
export async function snapshotBytes(machine: string, name: string): Promise<number> {
  const folder = snapshotFolder(machine, name);
  const sizes = await Promise.all((await readdir(folder)).map((file) => usedBytes(join(folder, file))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The own disk is the last one: the others may depend on programs that write to it. */
function imagesOf(machine: MachineRecord, disks: readonly AttachedDisk[], folder: string): Copied[] {
  return [
    ...disks.map((disk) => ({ ...fileSystemOf(disk), copy: join(folder, `disk-${disk.id}.img`) })),
    { image: diskImage(machine.name), place: diskPlace(machine.name), copy: join(folder, 'own.img') },
  ];
}

const recordOf = (machine: string): string => join(machineFolder(machine), 'restore.json');
