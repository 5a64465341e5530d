import { mkdir, rename, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Problem, ProblemError, problem } from '@nova-platform/api';
import type { Volume } from '@nova-platform/contracts/engine';
import { run } from '@nova-platform/process';
import { faultPoint } from './fault.ts';
import { namesIn } from './files.ts';
import type { MachineRecord } from './machines/record.ts';
import { paths } from './paths.ts';

export interface VolumeMount {
  name: string;
  /** The path in the machine. */
  path: string;
}

const folder = join(paths.state, 'volumes');
// Names of volumes never contain a dot.
const deletedSuffix = '.deleted';

export function volumeFolder(name: string): string {
  return join(folder, name);
}

/**
 * Creates missing volumes. The folder is closed to other users of the host, because its files have the owners of the
 * machine.
 */
export async function prepareVolumes(mounts: readonly VolumeMount[]): Promise<void> {
  if (mounts.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { name } of mounts) await mkdir(volumeFolder(name), { recursive: true });
}

export async function volumeNames(): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => !name.endsWith(deletedSuffix));
}

export async function readVolumes(machines: readonly MachineRecord[]): Promise<Volume[]> {
  return Promise.all(
    (await volumeNames()).map(async (name) => {
      const machine = holderOf(name, machines);
      const [bytes = '0'] = (await run('du', ['-sB1', volumeFolder(name)]).catch(() => '0')).split('\t');
      return { name, ...(machine !== undefined && { machine }), bytes: Number(bytes) };
    }),
  );
}

function holderOf(volume: string, machines: readonly MachineRecord[]): string | undefined {
  return machines.find(({ volumes = [] }) => volumes.some(({ name }) => name === volume))?.name;
}

/** All reasons why a new machine cannot have these volumes. */
export function volumeProblems(
  machine: string,
  mounts: readonly VolumeMount[],
  machines: readonly MachineRecord[],
): Problem[] {
  return mounts.flatMap(({ name, path }, index) => {
    const before = mounts.slice(0, index);
    const holder = before.some((each) => each.name === name) ? machine : holderOf(name, machines);
    const isTaken = before.some((each) => each.path === path);
    return [
      ...(holder === undefined ? [] : [problem('NOVA7041', { name, machine: holder })]),
      ...(isTaken || !canHoldVolume(path) ? [problem('NOVA7042', { path })] : []),
    ];
  });
}

/** Whether something can be mounted at this path of a machine. */
export function canHoldVolume(path: string): boolean {
  const isPlain = posix.isAbsolute(path) && posix.resolve(path) === path && path !== '/';
  return isPlain && !/^\/(?:proc|sys|dev|run)(?:\/|$)/.test(path);
}

/** Renames the volume first, so that a partly deleted one is never used. */
export async function deleteVolume(name: string, machines: readonly MachineRecord[]): Promise<void> {
  const holder = holderOf(name, machines);
  if (holder !== undefined) throw new ProblemError(problem('NOVA7041', { name, machine: holder }));
  await removeDeletedVolumes();
  await rename(volumeFolder(name), volumeFolder(name) + deletedSuffix);
  faultPoint('volume.marked');
  await removeDeletedVolumes();
}

export async function removeDeletedVolumes(): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.endsWith(deletedSuffix)) await rm(volumeFolder(name), { recursive: true, force: true });
  }
}
