import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chown, link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ProblemError, problem } from '@nova-platform/api';
import type { Disk } from '@nova-platform/contracts/engine';
import type { ContentFormat } from '@nova-platform/contracts/engine/content';
import { faultPoint } from '../fault.ts';
import { diskImage } from '../machines/disk.ts';
import type { Drivers } from '../machines/drivers.ts';
import { assertStopped, knownMachine } from '../machines/known.ts';
import type { MachineRecord } from '../machines/record.ts';
import { paths } from '../paths.ts';
import type { Turns } from '../turns.ts';
import { rootDisk, uidOf } from '../vms/disk.ts';
import { storageUid } from '../vms/uids.ts';
import { snapshotRefusal } from './container-snapshots.ts';
import type { DiskStore } from './disk-store.ts';
import { contentIn, contentOf, type DiskRecord } from './disks.ts';
import { createFileFor, usedBytes } from './folders.ts';
import { type ImageInfo, imageTool, insideDisks, machineTool, workFolder } from './qemu-img.ts';
import { assertSpace, freeBytes } from './space.ts';
import { vmSnapshotRefusal } from './vm-snapshots.ts';

const mebibyte = 1024 ** 2;
const largestMebibytes = 8 * 1024 * 1024;
/** Folders of imports and exports; each is removed when it ends. */
const workFolders = join(paths.state, 'transfers');
const formatOf = { filesystem: 'raw', block: 'qcow2' } as const;

/** Import and export of disks. Files pass through a folder that only the tools of one transfer see. */
export class ContentStore {
  readonly #turns: Turns;
  readonly #drivers: Drivers;
  readonly #disks: DiskStore;

  constructor(turns: Turns, drivers: Drivers, disks: DiskStore) {
    this.#turns = turns;
    this.#drivers = drivers;
    this.#disks = disks;
  }

  async recover(): Promise<void> {
    await rm(workFolders, { recursive: true, force: true });
  }

  /** A copy of a disk that is attached to no machine. */
  async exportDisk(name: string, format: ContentFormat): Promise<Readable> {
    return this.#exported((folder) =>
      this.#disks.whileDetached(name, async (disk) =>
        this.#convert(disk.name, contentOf(disk), disk.format, format, folder),
      ),
    );
  }

  /** A copy of the own disk of a stopped machine. */
  async exportMachine(name: string, format: ContentFormat): Promise<Readable> {
    return this.#exported((folder) =>
      this.#turns.take(`machine ${name}`, async () => {
        const machine = await knownMachine(name);
        await assertStopped(machine, this.#drivers[machine.kind]);
        const reason = machine.kind === 'vm' ? vmSnapshotRefusal(machine) : snapshotRefusal(machine);
        if (reason) throw new ProblemError(problem('NOVA7132', { name, reason }));
        if (machine.kind === 'container') return this.#convert(name, diskImage(name), 'filesystem', format, folder);
        return this.#flatten(machine, format, folder);
      }),
    );
  }

  /** Creates a disk for VMs from a file. Nothing of its header is believed: another file as its base is refused. */
  async importDisk(name: string, format: ContentFormat, content: Readable): Promise<Disk> {
    return withFolder(async (folder) => {
      const source = join(folder, 'source');
      await createFileFor(storageUid, source);
      await receive(content, source);
      faultPoint('transfer.received');
      const info = await this.#inspect(name, folder, format);
      const sizeMebibytes = Math.ceil(info['virtual-size'] / mebibyte);
      return this.#disks.add(name, 'block', sizeMebibytes, async (target) => {
        const file = contentIn(target, 'block');
        await createFileFor(storageUid, file);
        const args = [
          'convert',
          '-q',
          '-f',
          format,
          '-O',
          'qcow2',
          insideDisks('source'),
          join(workFolder, 'disk.qcow2'),
        ];
        await imageTool(name, folder, args, target);
        await imageTool(name, target, ['resize', '-q', insideDisks('disk.qcow2'), String(sizeMebibytes * mebibyte)]);
      });
    });
  }

  async #inspect(name: string, folder: string, format: ContentFormat): Promise<ImageInfo> {
    const source = insideDisks('source');
    const info = JSON.parse(
      await imageTool(name, folder, ['info', '--output=json', '-f', format, source]),
    ) as ImageInfo;
    const refuse = (reason: { en: string; ru: string }) => new ProblemError(problem('NOVA7138', { name, reason }));
    if (info['backing-filename'] !== undefined)
      throw refuse({ en: 'it is based on another file', ru: 'он основан на другом файле' });
    if (info['format-specific']?.data?.['data-file'] !== undefined)
      throw refuse({ en: 'its data is in another file', ru: 'его данные в другом файле' });
    if (info.encrypted) throw refuse({ en: 'it is encrypted', ru: 'он зашифрован' });
    const size = info['virtual-size'];
    if (size === 0 || size > largestMebibytes * mebibyte)
      throw refuse({ en: `it has ${size} bytes`, ru: `его размер ${size} байт` });
    const measure = ['measure', '--output=json', '-f', format, '-O', 'qcow2', source];
    // A small compressed file can become a large one.
    const { required } = JSON.parse(await imageTool(name, folder, measure)) as { required: number };
    await assertSpace(required);
    return info;
  }

  /** The file is removed when the stream is closed. */
  async #exported(make: (folder: string) => Promise<string>): Promise<Readable> {
    const folder = await newFolder();
    try {
      const stream = createReadStream(await make(folder));
      return stream.once('close', () => void rm(folder, { recursive: true, force: true }));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async #convert(
    name: string,
    image: string,
    kind: DiskRecord['format'],
    format: ContentFormat,
    folder: string,
  ): Promise<string> {
    await assertSpace(await usedBytes(image));
    await link(image, join(folder, 'source'));
    await chown(image, storageUid, storageUid);
    const target = join(folder, 'target');
    await createFileFor(storageUid, target);
    const args = ['convert', '-q', '-f', formatOf[kind], '-O', format, insideDisks('source'), insideDisks('target')];
    await imageTool(name, folder, args);
    return target;
  }

  async #flatten(machine: MachineRecord, format: ContentFormat, folder: string): Promise<string> {
    await assertSpace(await usedBytes(rootDisk(machine.name)));
    const target = join(folder, 'target');
    await createFileFor(uidOf(machine), target);
    const args = ['convert', '-q', '-O', format, insideDisks('root.qcow2'), join(workFolder, 'target')];
    await machineTool(machine, args, folder);
    return target;
  }
}

async function newFolder(): Promise<string> {
  const folder = join(workFolders, randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await newFolder();
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a stream to a file, as much as the host has space for. */
async function receive(content: Readable, file: string): Promise<void> {
  const limit = await freeBytes();
  let received = 0;
  await pipeline(
    content,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        received += chunk.length;
        if (received > limit) await assertSpace(received);
        yield chunk;
      }
    },
    createWriteStream(file, { flags: 'r+' }),
  );
}
