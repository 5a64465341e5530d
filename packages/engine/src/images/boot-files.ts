import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { run } from '@nova-platform/process';
import { type ArchiveEntry, cpio } from '../cpio.ts';
import { faultPoint } from '../fault.ts';
import { initPath } from './guest-files.ts';
import { mountTree } from './mounts.ts';
import { assertSpace } from './space.ts';

const mebibyte = 1024 ** 2;
const spaceBytes = 256 * mebibyte;
/** Modules that the root disk and the network need. */
const bootModules = ['virtio_blk', 'virtio_net'];

/** What QEMU boots a VM from. It is beside the topmost layer of the image, and has its life. */
export interface BootFiles {
  kernel: string;
  initramfs: string;
  /** The content of the image (qcow2), on which the disks of VMs are based. */
  disk: string;
}

export const bootEnding = '.boot';

export function bootFilesOf(layer: string): BootFiles {
  const folder = `${layer}${bootEnding}`;
  return { kernel: join(folder, 'kernel'), initramfs: join(folder, 'initramfs'), disk: join(folder, 'disk.qcow2') };
}

/** The size that a VM sees; in the header of the file. */
export async function qcow2Bytes(file: string): Promise<number> {
  const handle = await open(file);
  try {
    const header = Buffer.alloc(32);
    await handle.read(header, 0, header.length, 0);
    return Number(header.readBigUInt64BE(24));
  } finally {
    await handle.close();
  }
}

/**
 * Makes the boot files of an image in a folder of a build, and moves them to their place when they are complete. The tools
 * come from the hypervisor: the host needs none.
 */
export async function makeBootFiles(
  building: string,
  layers: readonly string[],
  hypervisor: readonly string[],
): Promise<void> {
  const [tree, tools, out] = [join(building, 'tree'), join(building, 'tools'), join(building, 'out')];
  for (const folder of [tree, tools, out]) await mkdir(folder);
  await mountTree(layers, tree);
  await mountTree(hypervisor, tools);
  await run('mount', ['--bind', tree, join(tools, 'media')]);
  await run('mount', ['--bind', out, join(tools, 'mnt')]);
  const bytes = await treeBytes(tree);
  // Two copies: before and after the conversion.
  await assertSpace(building, 2 * bytes + spaceBytes);
  const version = await kernelVersion(tree);
  await copyFile(join(tree, 'boot', `vmlinuz-${version}`), join(out, 'kernel'));
  await writeFile(join(out, 'initramfs'), await initramfs(tree, version));
  await makeDisk(bytes, tools, out);
  for (const each of ['kernel', 'initramfs', 'disk.qcow2']) await sync(join(out, each));
  faultPoint('image.boot-files');
  await rename(out, `${layers[0]}${bootEnding}`);
}

async function treeBytes(tree: string): Promise<number> {
  const [used = '0'] = (await run('du', ['-sxB1', tree])).split('\t');
  return Number(used);
}

async function makeDisk(bytes: number, tools: string, out: string): Promise<void> {
  // Tables of inodes, a journal, and some space for the first boot.
  const size = Math.ceil((bytes * 1.2 + spaceBytes) / mebibyte);
  // The reserved space lets the file system grow while it is mounted.
  const options = 'lazy_itable_init=1,lazy_journal_init=1,resize=33554432';
  const format = ['mke2fs', '-q', '-t', 'ext4', '-L', 'nova-root', '-m', '1', '-E', options];
  await run('chroot', [tools, ...format, '-d', '/media', '/mnt/disk.raw', `${size}M`]);
  await run('chroot', [tools, 'qemu-img', 'convert', '-O', 'qcow2', '/mnt/disk.raw', '/mnt/disk.qcow2']);
  await rm(join(out, 'disk.raw'));
}

/** The newest kernel of an image. */
async function kernelVersion(tree: string): Promise<string> {
  const versions = (await readdir(join(tree, 'usr/lib/modules'))).toSorted((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const version = versions.at(-1);
  if (version === undefined) throw new Error(`${basename(tree)} has no kernel`);
  return version;
}

async function initramfs(tree: string, version: string): Promise<Buffer> {
  const modules = join('usr/lib/modules', version);
  const dependencies = await readFile(join(tree, modules, 'modules.dep'), 'utf8');
  const files = [...new Set(bootModules.flatMap((name) => inLoadOrder(name, dependencies)))];
  const unpacked = await Promise.all(files.map((file) => unpack(tree, `/${join(modules, file)}`)));
  const nameOf = (file: string) => basename(file).replace(/\.ko.*/, '.ko');
  const file = (path: string, mode: number, content: Buffer): ArchiveEntry => ({
    path,
    mode: 0o100000 | mode,
    content,
  });
  const folder = (path: string): ArchiveEntry => ({ path, mode: 0o040755 });
  const entries = [
    ...['bin', 'dev', 'modules', 'first-boot'].map(folder),
    { path: 'dev/console', mode: 0o020600 },
    file('init', 0o755, await readFile(join(tree, initPath))),
    file('bin/busybox', 0o755, await readFile(join(tree, 'usr/bin/busybox'))),
    file('modules/order', 0o644, Buffer.from(files.map((each) => `${nameOf(each)}\n`).join(''))),
    ...files.map((each, index) => file(`modules/${nameOf(each)}`, 0o644, unpacked[index] ?? Buffer.alloc(0))),
  ];
  return promisify(gzip)(cpio(entries));
}

/** The files of a module and of those that it needs, from `modules.dep`; none if it is part of the kernel. */
export function inLoadOrder(name: string, dependencies: string): string[] {
  const line = dependencies.split('\n').find((each) => each.split(':')[0]?.match(`/${name}\\.ko[.a-z]*$`));
  const [file, needed = ''] = line?.split(':') ?? [];
  // The last one is needed by all others.
  return file === undefined ? [] : [...needed.trim().split(' ').filter(Boolean).toReversed(), file];
}

/** The kernel modules of Debian are compressed, and the initramfs loads only uncompressed ones. */
async function unpack(tree: string, file: string): Promise<Buffer> {
  if (!file.endsWith('.xz')) return readFile(join(tree, file));
  const script = 'busybox xzcat "$1" | busybox base64';
  return Buffer.from(await run('chroot', [tree, 'sh', '-c', script, 'unpack', file]), 'base64');
}

async function sync(file: string): Promise<void> {
  const handle = await open(file);
  await handle.sync();
  await handle.close();
}
