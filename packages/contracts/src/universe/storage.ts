import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { diskAttachment, diskSize, diskSpec, label, snapshotSpec, templateSpec } from '../engine/requests.ts';
import { disk, snapshot } from '../engine/views.ts';
import { none, problem } from './common.ts';
import { operation } from './operations.ts';

const machineParams = z.object({ machine: label });
const diskParams = z.object({ disk: label });
const attachmentParams = z.object({ machine: label, disk: label });
const snapshotParams = z.object({ machine: label, snapshot: label });
const templateParams = z.object({ template: label });
const problems = z.object({ problems: z.array(problem) });
/** With the cluster of its machine. */
const hostDisk = disk.extend({ cluster: z.string().exactOptional() });

/** Disks, snapshots and templates of the engine's host. Those of clusters can be read, but not changed. */
export const storageContract = {
  listDisks: {
    method: 'GET',
    path: '/v1/disks',
    summary: 'Additional disks, and the machines that they are attached to',
    access: 'viewer',
    response: z.object({ disks: z.array(hostDisk) }),
  },
  checkDisk: {
    method: 'POST',
    path: '/v1/disks/check',
    summary: 'Validates a new disk; returns all problems at once',
    access: 'admin',
    body: z.looseObject({}),
    // Forms call it after every change.
    isReading: true,
    response: problems,
  },
  createDisk: {
    method: 'POST',
    path: '/v1/disks',
    summary: 'Creates an empty disk',
    access: 'admin',
    body: diskSpec,
    target: 'disks/{name}',
    audited: ['format', 'sizeMebibytes'],
    response: hostDisk,
  },
  growDisk: {
    method: 'PATCH',
    path: '/v1/disks/:disk',
    summary: 'Grows a disk, also while its machine runs',
    access: 'admin',
    params: diskParams,
    body: diskSize,
    response: hostDisk,
  },
  deleteDisk: {
    method: 'DELETE',
    path: '/v1/disks/:disk',
    summary: 'Deletes a disk that is attached to no machine',
    access: 'admin',
    params: diskParams,
    response: none,
  },
  attachDisk: {
    method: 'PUT',
    path: '/v1/machines/:machine/disks/:disk',
    summary: 'Attaches a disk to a machine, at once if it runs',
    access: 'admin',
    params: attachmentParams,
    body: diskAttachment,
    audited: ['path'],
    response: hostDisk,
  },
  detachDisk: {
    method: 'DELETE',
    path: '/v1/machines/:machine/disks/:disk',
    summary: 'Detaches a disk from a machine, at once if it runs',
    access: 'admin',
    params: attachmentParams,
    response: hostDisk,
  },
  listSnapshots: {
    method: 'GET',
    path: '/v1/machines/:machine/snapshots',
    summary: 'Snapshots of a machine, the oldest first',
    access: 'viewer',
    params: machineParams,
    response: z.object({ snapshots: z.array(snapshot) }),
  },
  checkSnapshot: {
    method: 'POST',
    path: '/v1/machines/:machine/snapshots/check',
    summary: 'Validates a new snapshot; returns all problems at once',
    access: 'admin',
    params: machineParams,
    body: z.looseObject({}),
    isReading: true,
    response: problems,
  },
  createSnapshot: {
    method: 'POST',
    path: '/v1/machines/:machine/snapshots',
    summary: 'Starts an operation that creates a snapshot of the disks of a machine, also while it runs',
    access: 'admin',
    params: machineParams,
    body: snapshotSpec,
    response: operation,
  },
  restoreSnapshot: {
    method: 'POST',
    path: '/v1/machines/:machine/snapshots/:snapshot/restore',
    summary: 'Starts an operation that gives a stopped machine the content of its disks from a snapshot',
    access: 'admin',
    params: snapshotParams,
    response: operation,
  },
  deleteSnapshot: {
    method: 'DELETE',
    path: '/v1/machines/:machine/snapshots/:snapshot',
    summary: 'Starts an operation that deletes a snapshot',
    access: 'admin',
    params: snapshotParams,
    response: operation,
  },
  checkTemplate: {
    method: 'POST',
    path: '/v1/templates/check',
    summary: 'Validates a new template; returns all problems at once',
    access: 'admin',
    body: z.looseObject({}),
    isReading: true,
    response: problems,
  },
  createTemplate: {
    method: 'POST',
    path: '/v1/templates',
    summary: 'Starts an operation that creates a template from a stopped machine; listMachineImages lists it',
    access: 'admin',
    body: templateSpec,
    target: 'templates/{name}',
    response: operation,
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/v1/templates/:template',
    summary: 'Deletes a template that no machine uses',
    access: 'admin',
    params: templateParams,
    response: none,
  },
} as const satisfies Contract;
