import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@nova-platform/process';
import { mountDisk, unmountDisk, writableFolder } from '../machines/disk.ts';
import type { MachineRecord } from '../machines/record.ts';
import { removeIdentity } from './identity.ts';
import { assertSpace } from './space.ts';
import { layerIn, templateFolder } from './templates.ts';

/**
 * Copies the writable layer of a stopped machine, without its identity, into the folder of a new template. Returns the
 * layers of the template. The folders of containerd, kubelet and etcd are not in this layer.
 */
export async function copyLayer(machine: MachineRecord, name: string, folder: string): Promise<string[]> {
  const layer = layerIn(folder);
  await mkdir(layer);
  await mountDisk(machine);
  try {
    const upper = join(writableFolder(machine), 'upper');
    if (existsSync(upper)) {
      const [bytes = '0'] = (await run('du', ['-sxB1', upper])).split('\t');
      await assertSpace(Number(bytes));
      // With the marks of the overlay, in attributes of the files.
      await run('cp', ['-a', '--reflink=auto', '-T', upper, layer]);
    }
  } finally {
    await unmountDisk(machine.name);
  }
  await removeIdentity(layer);
  return [layerIn(templateFolder(name)), ...machine.image.layers];
}
