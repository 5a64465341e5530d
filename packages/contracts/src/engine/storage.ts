import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { diskAttachment, diskSize, diskSpec, label, snapshotSpec, templateSpec } from './requests.ts';
import { disk, image, machineStatus, snapshot } from './views.ts';

const params = z.object({ name: label });
const none = z.object({});

/** Disks, snapshots and templates of machines. */
export const storageContract = {
  listDisks: {
    method: 'GET',
    path: '/v1/disks',
    summary: 'Additional disks, and the machines that they are attached to',
    access: 'anyone',
    response: z.array(disk),
  },
  createDisk: {
    method: 'POST',
    path: '/v1/disks',
    summary: 'Creates an empty disk',
    access: 'anyone',
    body: diskSpec,
    response: disk,
  },
  growDisk: {
    method: 'PATCH',
    path: '/v1/disks/:name',
    summary: 'Grows a disk, also while its machine runs',
    access: 'anyone',
    params,
    body: diskSize,
    response: disk,
  },
  deleteDisk: {
    method: 'DELETE',
    path: '/v1/disks/:name',
    summary: 'Deletes a disk that is attached to no machine',
    access: 'anyone',
    params,
    response: none,
  },
  attachDisk: {
    method: 'PUT',
    path: '/v1/machines/:name/disks/:disk',
    summary: 'Attaches a disk to a machine, at once if it runs',
    access: 'anyone',
    params: z.object({ name: label, disk: label }),
    body: diskAttachment,
    response: disk,
  },
  detachDisk: {
    method: 'DELETE',
    path: '/v1/machines/:name/disks/:disk',
    summary: 'Detaches a disk from a machine, at once if it runs',
    access: 'anyone',
    params: z.object({ name: label, disk: label }),
    response: disk,
  },
  listSnapshots: {
    method: 'GET',
    path: '/v1/machines/:name/snapshots',
    summary: 'Snapshots of a machine, the oldest first',
    access: 'anyone',
    params,
    response: z.array(snapshot),
  },
  createSnapshot: {
    method: 'POST',
    path: '/v1/machines/:name/snapshots',
    summary: 'Creates a snapshot of the disks of a machine, also while it runs',
    access: 'anyone',
    params,
    body: snapshotSpec,
    response: snapshot,
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/v1/machines/:name/snapshots/:snapshot/restore',
    summary: 'Gives a stopped machine the content of its disks from a snapshot',
    access: 'anyone',
    params: z.object({ name: label, snapshot: label }),
    response: machineStatus,
  },
  deleteSnapshot: {
    method: 'DELETE',
    path: '/v1/machines/:name/snapshots/:snapshot',
    summary: 'Deletes a snapshot',
    access: 'anyone',
    params: z.object({ name: label, snapshot: label }),
    response: none,
  },
  createTemplate: {
    method: 'POST',
    path: '/v1/templates',
    summary: 'Creates a template, which is an image, from a stopped machine',
    access: 'anyone',
    body: templateSpec,
    response: image,
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/v1/templates/:name',
    summary: 'Deletes a template that no machine uses',
    access: 'anyone',
    params,
    response: none,
  },
} as const satisfies Contract;
