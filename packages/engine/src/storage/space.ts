import { statfs } from 'node:fs/promises';
import { type Problem, ProblemError, problem, sizeTexts } from '@nova-platform/api';
import type { MachineRecord } from '../machines/record.ts';
import { paths } from '../paths.ts';
import type { DiskRecord } from './disks.ts';

const mebibyte = 1024 ** 2;
/** What copies leave free on the host: a full file system would stop all machines. */
const reservedBytes = 1024 ** 3;
/** Disks are thin: their declared sizes together can be this many times the file system that contains them. */
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

/** Refuses disks that the host can never hold. */
export async function sizeProblems(
  addedMebibytes: number,
  disks: readonly DiskRecord[],
  machines: readonly MachineRecord[],
): Promise<Problem[]> {
  if (addedMebibytes <= 0) return [];
  const { blocks, bsize } = await statfs(paths.state);
  const declared =
    addedMebibytes +
    disks.reduce((sum, { sizeMebibytes }) => sum + sizeMebibytes, 0) +
    machines.reduce((sum, { diskMebibytes = 0 }) => sum + diskMebibytes, 0);
  const limit = overcommitment * blocks * bsize;
  if (declared * mebibyte <= limit) return [];
  return [
    problem('NOVA7127', {
      folder: paths.state,
      factor: String(overcommitment),
      limit: sizeTexts(limit),
      declared: sizeTexts(declared * mebibyte),
    }),
  ];
}
