import { bindDisks, unbindDisk } from './container-disks.ts';
import {
  completeRestore,
  copyDisks,
  restoreDisks,
  snapshotBytes,
  snapshotRefusal,
  thawDisks,
} from './container-snapshots.ts';
import { copyLayer } from './container-templates.ts';
import { contentIn } from './disks.ts';
import type { DiskDriver } from './driver.ts';
import { createFileSystem } from './filesystem.ts';

/** Disks of containers are XFS images, which the host mounts. */
export const containerDisks: DiskDriver = {
  create: (folder, sizeMebibytes) => createFileSystem(contentIn(folder, 'filesystem'), sizeMebibytes),
  async recover(machine) {
    await thawDisks(machine.name);
    await completeRestore(machine.name);
  },
  apply: bindDisks,
  take: unbindDisk,
  release: async () => undefined,
  snapshotRefusal,
  beginChange: async () => undefined,
  async snapshot(machine, disks, copy) {
    await copyDisks(machine, disks, copy);
    return true;
  },
  restore: restoreDisks,
  snapshotBytes: (machine, snapshot) => snapshotBytes(machine.name, snapshot.name),
  copyTo: copyLayer,
};
