import { contentIn, type DiskRecord } from './disks.ts';
import type { DiskDriver } from './driver.ts';
import { createFileFor, imageTool, workFolder } from './qemu-img.ts';
import { linkDisks, plugDisks, releaseDisk, unplugDisk } from './vm-disks.ts';
import { markChange, recoverSnapshots, restoreImages, snapshotImages, vmSnapshotRefusal } from './vm-snapshots.ts';
import { copyVm } from './vm-templates.ts';
