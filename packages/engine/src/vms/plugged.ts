import { join } from 'node:path';
import type { AttachedDisk } from '../storage/disks.ts';
import { inside } from './hypervisor.ts';

/** The file of an additional disk in the folder of a VM's disks. */
export const diskFile = (slot: number): string => `disk-${slot}.qcow2`;

/** The name of an additional disk in QEMU: of its node and of its device. */
export const diskId = (slot: number): string => `disk-${slot}`;

/** An image of a machine can name another file as its base: these have none. */
export function diskBlockdev({ attachment: { slot } }: AttachedDisk): Record<string, unknown> {
  const file = { driver: 'file', filename: join(inside.disks, diskFile(slot)), discard: 'unmap' };
  return { driver: 'qcow2', 'node-name': diskId(slot), discard: 'unmap', backing: null, file };
}

/** In the VM the disk is `/dev/disk/by-id/virtio-<name>`. */
export function diskDevice({ name, attachment: { slot } }: AttachedDisk): Record<string, unknown> {
  return { driver: 'virtio-blk-pci', id: diskId(slot), drive: diskId(slot), bus: `disk-port-${slot}`, serial: name };
}
