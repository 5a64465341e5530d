import { chmod, chown, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cpio, joinArchives } from '../cpio.ts';
import { bootEnding, bootFilesOf } from '../images/boot-files.ts';
import { identityPath } from '../images/guest-files.ts';
import type { MachineRecord } from '../machines/record.ts';
import { baseDisk, prepareDisk, rootDisk, uidOf } from '../vms/disk.ts';
import { createFileFor, usedBytes } from './folders.ts';
import { identity } from './identity.ts';
import { insideDisks, machineTool, workFolder } from './qemu-img.ts';
import { assertSpace } from './space.ts';
import { layerIn, templateFolder } from './templates.ts';

/**
 * Copies the disk of a stopped VM and what it is based on into one image, in the folder of a new template. Its own layer is
 * empty; beside it are the boot files. They remove the identity of the VM at the first boot of a machine, before any of its
 * programs: the host never mounts the disk of a VM.
 */
export async function copyVm(machine: MachineRecord, name: string, folder: string): Promise<string[]> {
  const boot = layerIn(folder) + bootEnding;
  await mkdir(layerIn(folder));
  await mkdir(boot);
  // A VM that has never been started has none yet.
  await prepareDisk(machine);
  await assertSpace((await usedBytes(rootDisk(machine.name))) + (await usedBytes(baseDisk(machine))));
  const files = { from: bootFilesOf(machine.image.layers[0] ?? ''), to: bootFilesOf(layerIn(folder)) };
  await copyFile(files.from.kernel, files.to.kernel);
  const list = Buffer.from(identity.map((path) => `${path}\n`).join(''));
  const own = cpio([{ path: identityPath.slice(1), mode: 0o100644, content: list }]);
  await writeFile(files.to.initramfs, joinArchives([await readFile(files.from.initramfs), own]));
  await createFileFor(uidOf(machine), files.to.disk);
  const target = join(workFolder, basename(files.to.disk));
  await machineTool(machine, ['convert', '-q', '-O', 'qcow2', insideDisks('root.qcow2'), target], boot);
  // For the users of all machines that are based on it; each sees nothing else of this host.
  await chown(files.to.disk, 0, 0);
  await chmod(files.to.disk, 0o444);
  return [layerIn(templateFolder(name)), ...machine.image.layers];
}
