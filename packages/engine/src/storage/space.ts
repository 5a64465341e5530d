import { statfs } from 'node:fs/promises';
import { type Problem, ProblemError, problem, sizeTexts } from '@nova-platform/api';
import type { MachineRecord } from '../machines/record.ts';
import { paths } from '../paths.ts';
import type { DiskRecord } from './disks.ts';

const mebibyte = 1024 ** 2;
/** What copies leave free on the host: a full file system would stop all machines. */
const reservedBytes = 1024 ** 3;
/** Disks are thin: their declared sizes can be this many times the file system that contains them. */
const overcommitment = 4;

/** Refuses to write this much beside the machines. */
export async function assertSpace(bytes: number): Promise<void> {
  const free = await freeBytes();
  if (bytes <= free) return;
  throw new ProblemError(problem('NOVA7126', { folder: paths.state, free: sizeTexts(free), needed: sizeTexts(bytes) }));
}

/** What can be written beside the machines. */
export async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(paths.state);
  return Math.max(0, bavail * bsize - reservedBytes);
}

/** Refuses additional disks that the host can never hold together with all others. */
export async function sizeProblems(
  addedMebibytes: number,
  disks: readonly DiskRecord[],
  machines: readonly MachineRecord[],
): Promise<Problem[]> {
  const declared =
    addedMebibytes +
    disks.reduce((sum, { sizeMebibytes }) => sum + sizeMebibytes, 0) +
    machines.reduce((sum, { diskMebibytes = 0 }) => sum + diskMebibytes, 0);
  const limit = await limitBytes();
  if (declared * mebibyte <= limit) return [];
  return [problem('NOVA7127', { ...limitTexts(limit), declared: sizeTexts(declared * mebibyte) })];
}

/**
 * Refuses the own disk of a machine if the host can never hold it. Those of other machines do not count: a cluster may
 * declare more than its nodes will write.
 */
export async function assertHolds(name: string, diskMebibytes: number): Promise<void> {
  const limit = await limitBytes();
  if (diskMebibytes * mebibyte <= limit) return;
  throw new ProblemError(
    problem('NOVA7141', { ...limitTexts(limit), name, size: sizeTexts(diskMebibytes * mebibyte) }),
  );
}

async function limitBytes(): Promise<number> {
  const { blocks, bsize } = await statfs(paths.state);
  return overcommitment * blocks * bsize;
}

function limitTexts(limit: number) {
  return { folder: paths.state, factor: String(overcommitment), limit: sizeTexts(limit) };
}
