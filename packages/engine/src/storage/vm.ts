import { basename } from 'node:path';
import { storageUid } from '../vms/uids.ts';
import { contentIn } from './disks.ts';
import type { DiskDriver } from './driver.ts';
import { createFileFor } from './folders.ts';
import { imageTool, insideDisks } from './qemu-img.ts';
import { plugDisks, releaseDisk, unplugDisk } from './vm-disks.ts';
import { markChange, recoverSnapshots, restoreImages, snapshotImages, vmSnapshotRefusal } from './vm-snapshots.ts';
import { copyVm } from './vm-templates.ts';

const mebibyte = 1024 ** 2;

/** Disks of VMs are qcow2 images, which their QEMU opens. */
export const vmDisks: DiskDriver = {
  async create(folder, sizeMebibytes) {
    const file = contentIn(folder, 'block');
    await createFileFor(storageUid, file);
    const target = insideDisks(basename(file));
    await imageTool(basename(folder), folder, [
      'create',
      '-q',
      '-f',
      'qcow2',
      target,
      String(sizeMebibytes * mebibyte),
    ]);
  },
  recover: recoverSnapshots,
  apply: plugDisks,
  take: unplugDisk,
  release: releaseDisk,
  snapshotRefusal: vmSnapshotRefusal,
  beginChange: markChange,
  snapshot: snapshotImages,
  restore: restoreImages,
  // The blocks of a snapshot are shared with the disk.
  snapshotBytes: async () => 0,
  copyTo: copyVm,
};
