import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { attempt, run, waitUntil } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { paths, runcRoot } from '../paths.ts';
import { startTimeOf } from '../supervisor.ts';
import { machinesCgroup, vmsCgroup } from './devices.ts';
import { type Limits, runc } from './oci.ts';
import { machineFolder, machinePid } from './record.ts';

// The containers in which machines run, of both kinds: runc creates them, conmon monitors them.

// A console writes little, and only its end is of interest.
const consoleBytes = 1024 * 1024;
// A loaded host may need most of it; the error matters only if runc never creates the machine.
const createTimeoutMilliseconds = 60_000;
/** conmon creates a link to the console socket of each machine here. */
const sockets = join(paths.runtime, 'attach');

/** Mounts the root of a container: a clone of an image whose own files are in `writable`. */
export async function mountClone(name: string, layers: readonly string[], writable: string): Promise<void> {
  const folder = machineFolder(name);
  const rootfs = join(folder, 'rootfs');
  for (const each of [rootfs, join(writable, 'upper'), join(writable, 'work')]) await mkdir(each, { recursive: true });
  const isMounted = (await stat(rootfs)).dev !== (await stat(folder)).dev;
  if (isMounted) return;
  const options = `lowerdir=${layers.join(':')},upperdir=${join(writable, 'upper')},workdir=${join(writable, 'work')}`;
  // Private, so that mounts of the machine do not appear on the host.
  await run('mount', ['-t', 'overlay', '--make-private', 'nova-machine', '-o', options, rootfs]);
}

export async function unmountClone(name: string): Promise<void> {
  while (await attempt('umount', [join(machineFolder(name), 'rootfs')])) {
    // Until no mount is left.
  }
}

/** conmon creates the container, holds its console and outlives the engine. */
export async function create(name: string, options: readonly string[] = []): Promise<void> {
  const folder = machineFolder(name);
  await mkdir(sockets, { recursive: true });
  await rm(join(folder, 'pid'), { force: true });
  const places = (process.env.PATH ?? '').split(':').map((each) => join(each, 'runc'));
  const runcPath = places.find((path) => existsSync(path)) ?? 'runc';
  const [, ...rootArguments] = ['runc', ...runc()];
  const args = [
    '--api-version',
    '1',
    '--cid',
    name,
    '--cuuid',
    name,
    '--runtime',
    runcPath,
    '--runtime-arg',
    rootArguments.join('='),
    '--bundle',
    folder,
    '--container-pidfile',
    join(folder, 'pid'),
    '--socket-dir-path',
    sockets,
    '--log-path',
    `k8s-file:${join(folder, 'console.log')}`,
    '--log-size-max',
    String(consoleBytes),
    ...options,
  ];
  // conmon writes a file to its working directory when the machine runs out of memory.
  await run('conmon', args, { cwd: folder });
  await waitUntil(async () => ((await machinePid(name)) === '' ? name : undefined), {
    every: 5,
    within: createTimeoutMilliseconds,
    expired: () => new Error(`runc did not create ${name}`),
  });
}

export async function start(name: string): Promise<void> {
  await run('runc', runc('start', name)).catch(async (error: unknown) => {
    // The machine was killed before its first program ran. It counts as exited and is restarted like any other.
    if (!(await hasEnded(name))) throw error;
  });
  // Its first program replaces runc a moment later; until then the machine does not count as running.
  while (!(await isRunning(name)) && !(await hasEnded(name))) await new Promise((wake) => setTimeout(wake, 5));
}

/** Kills what still runs. runc keeps the state of a stopped container until then. */
export async function deleteContainer(name: string): Promise<void> {
  await attempt('runc', runc('delete', '--force', name));
}

/** The same before a start, when there is usually nothing to delete. */
export async function deleteStopped(name: string): Promise<void> {
  if (existsSync(join(runcRoot, name))) await deleteContainer(name);
}

/** Removes the files of a machine, its record last, so that the machine stays known until then. */
export async function removeFiles(name: string): Promise<void> {
  const folder = machineFolder(name);
  for (const entry of await readdir(folder).catch(() => [])) {
    if (entry !== 'machine.json') await rm(join(folder, entry), { recursive: true, force: true });
  }
  faultPoint('machine.emptied');
  await rm(join(sockets, name), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Checked without runc, which would have to run for every machine of a list. */
export async function isRunning(name: string): Promise<boolean> {
  const pid = await machinePid(name);
  if (pid === '' || !(await isAlive(name, pid))) return false;
  // A container that is created and not started still runs runc's own program: a copy of it that may have no path.
  const program = await readlink(`/proc/${pid}/exe`).catch(() => 'runc');
  return program !== '/' && !program.includes('runc');
}

/** Whether the machine was booted and has exited since. */
export async function hasEnded(name: string): Promise<boolean> {
  const pid = await machinePid(name);
  return pid !== '' && !(await isAlive(name, pid));
}

async function isAlive(name: string, pid: string): Promise<boolean> {
  // The PID may have been reused. Machines of older releases are in the cgroup `/nova`.
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  return (
    (await startTimeOf(Number(pid))) !== '' && new RegExp(`/nova(?:-machines|-vms)?/${name}(/|$)`, 'm').test(groups)
  );
}

/** The end of what the container has written. */
export async function consoleOf(name: string): Promise<string> {
  const text = await readFile(join(machineFolder(name), 'console.log'), 'utf8').catch(() => '');
  // conmon writes "<time> stdout <F|P> <text>": F ends a line, P does not.
  return text.replace(/^\S+ std(?:out|err) F (.*)$/gm, '$1').replace(/^\S+ std(?:out|err) P (.*)\n?/gm, '$1');
}

export async function areApplied(name: string, { memory, cpu }: Limits): Promise<boolean> {
  return (
    Number(await readCgroup(name, ['memory.limit_in_bytes', 'memory.max'])) === memory.limit &&
    (await readCgroup(name, ['cpu.cfs_quota_us', 'cpu.max'])).split(' ')[0] === String(cpu.quota)
  );
}

/** Changes the limits of a running machine: all of them, or none if the kernel refuses one. */
export async function updateLimits(name: string, { memory, cpu }: Limits): Promise<void> {
  const limits = [`--memory=${memory.limit}`, `--cpu-quota=${cpu.quota}`, `--cpu-period=${cpu.period}`];
  await run('runc', runc('update', ...limits, name)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw limitsRefused(name, { en: reason, ru: reason });
  });
}

export function limitsRefused(name: string, reason: Text): ProblemError {
  return new ProblemError(problem('NOVA7084', { name, reason }));
}

/** The memory that the machine uses, with the page cache. */
export function memoryUsage(name: string): Promise<string> {
  return readCgroup(name, ['memory.usage_in_bytes', 'memory.current']);
}

/** The first of these files in the machine's cgroups: v1 and v2 use different names. */
export async function readCgroup(name: string, files: readonly string[]): Promise<string> {
  const places = (await cgroupFolders(name)).flatMap((folder) => files.map((file) => join(folder, file)));
  const texts = await Promise.all(places.map((place) => readFile(place, 'utf8').catch(() => '')));
  return texts.find((text) => text !== '')?.trim() ?? '';
}

/** systemd leaves its own cgroups below ours. */
export async function removeCgroups(name: string): Promise<void> {
  for (const folder of await cgroupFolders(name)) {
    const below = (await run('find', [folder, '-depth', '-type', 'd']).catch(() => ''))
      .split('\n')
      .filter((line) => line !== '');
    for (const each of below) await rmdir(each).catch(() => undefined);
  }
}

/** The machine's cgroups: one per controller (v1), or one for all (v2). */
async function cgroupFolders(name: string): Promise<string[]> {
  const top = '/sys/fs/cgroup';
  const controllers = await readdir(top, { withFileTypes: true });
  const tops = [top, ...controllers.filter((entry) => entry.isDirectory()).map((entry) => join(top, entry.name))];
  const candidates = tops.flatMap((each) =>
    [machinesCgroup, vmsCgroup, 'nova'].map((group) => join(each, group, name)),
  );
  const present = await Promise.all(
    candidates.map(async (folder) => ((await readdir(folder).catch(() => undefined)) ? [folder] : [])),
  );
  return present.flat();
}
