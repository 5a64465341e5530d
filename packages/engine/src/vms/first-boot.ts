import { existsSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attempt, run } from '@nova-platform/process';
import { type ArchiveEntry, cpio, joinArchives } from '../cpio.ts';
import { faultPoint } from '../fault.ts';
import { bootFilesOf } from '../images/boot-files.ts';
import { configureRoot } from '../machines/configure.ts';
import { type MachineRecord, machineFolder } from '../machines/record.ts';
import { createFile } from '../storage/folders.ts';
import { uidOf } from './disk.ts';
import { socketFolder } from './sockets.ts';

const archivePath = (name: string): string => join(machineFolder(name), 'first-boot.cpio');
/** Where the first program of the VM finds the files; see `guest-files.ts`. */
const inArchive = 'first-boot';

/**
 * Makes an archive of the files that the configuration of a machine changes in its image. They are written to a copy of the
 * image that only this function sees; the disk of the VM is never mounted on the host.
 */
export async function prepareFirstBoot(record: MachineRecord): Promise<void> {
  const archive = archivePath(record.name);
  if (existsSync(archive)) return;
  const scratch = join(machineFolder(record.name), 'scratch');
  const [root, upper, work] = ['root', 'upper', 'work'].map((each) => join(scratch, each)) as [string, string, string];
  await removeScratch(scratch);
  for (const folder of [root, upper, work]) await mkdir(folder, { recursive: true });
  const layers = record.image.layers.join(':');
  const options = `lowerdir=${layers},upperdir=${upper},workdir=${work}`;
  await run('mount', ['-t', 'overlay', '--make-private', 'nova-machine', '-o', options, root]);
  faultPoint('machine.scratch.mounted');
  await configureRoot(record, root);
  await run('umount', [root]);
  await createFile(archive, async (unfinished) => {
    // It may contain secrets.
    await writeFile(unfinished, cpio(await entriesIn(upper, inArchive)), { mode: 0o600 });
    faultPoint('machine.configured');
  });
  await removeScratch(scratch);
}

/** Gives QEMU the initramfs of the image with the machine's own files. In memory: it may contain secrets. */
export async function writeInitrd(record: MachineRecord): Promise<void> {
  const archives = await Promise.all(
    [bootFilesOf(record.image.layers[0] ?? '').initramfs, archivePath(record.name)].map((file) => readFile(file)),
  );
  const file = await open(join(socketFolder(record.name), 'initrd'), 'wx', 0o400);
  try {
    await file.writeFile(joinArchives(archives));
    await file.chown(uidOf(record), uidOf(record));
  } finally {
    await file.close();
  }
}

async function removeScratch(scratch: string): Promise<void> {
  while (await attempt('umount', [join(scratch, 'root')])) {
    // Until no mount is left.
  }
  await rm(scratch, { recursive: true, force: true });
}

async function entriesIn(folder: string, path: string): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const place = join(folder, name);
    const { mode, uid, gid } = await lstat(place);
    const entry = { path: `${path}/${name}`, mode, uid, gid };
    const type = mode & 0o170000;
    if (type === 0o040000) entries.push(entry, ...(await entriesIn(place, entry.path)));
    else if (type === 0o120000) entries.push({ ...entry, content: Buffer.from(await readlink(place)) });
    else if (type === 0o100000) entries.push({ ...entry, content: await readFile(place) });
  }
  return entries;
}
