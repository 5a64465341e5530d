import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, run, waitUntil } from '@nova-platform/process';
import { paths } from '../paths.ts';
import type { Service } from '../supervisor.ts';
import { runc } from './oci.ts';
import { Pauses } from './pauses.ts';
import { machinePid, readMachines } from './record.ts';

const folder = join(paths.runtime, 'lxcfs');
const mountPoint = join(folder, 'fs');
/**
 * What machines have of lxcfs. Mounts here, new ones as well, appear in all of them. It is an overlay without an upper
 * folder: root in a machine can neither write to it nor make it writable.
 */
const shared = join(folder, 'shared');
const parts = ['proc', 'sys'] as const;
/** The shared folder in a machine. */
const inMachine = '/run/lxcfs';
const lookPause = 500;
const readyTimeoutMilliseconds = 30_000;
const rebindTimeoutMilliseconds = 20_000;

/** Files of the kernel that lxcfs answers with the limits and the use of the machine that reads them. */
const targets = [
  ...['cpuinfo', 'diskstats', 'loadavg', 'meminfo', 'stat', 'swaps', 'uptime'].map((name) => `/proc/${name}`),
  '/sys/devices/system/cpu',
];

/** lxcfs, in the foreground. What a killed one left is unmounted first: no process can read it. */
export function lxcfsService(): Service {
  const script = [
    'umount -l "$1/fs" 2>/dev/null',
    'mkdir -p "$1/fs"',
    'exec lxcfs --foreground --enable-cfs --enable-pidfd --enable-loadavg --pidfile="$1/pid" "$1/fs"',
  ].join('; ');
  return { name: 'nova-lxcfs', command: '/bin/sh', args: ['-c', script, 'lxcfs', folder] };
}

/** Removes what lxcfs and `share` leave. */
export async function unmountLxcfs(): Promise<void> {
  for (const place of [...parts.map((part) => join(shared, part)), shared, mountPoint])
    while (await attempt('umount', ['-l', place])) {}
}

/**
 * Puts the parts of lxcfs that machines need into the shared folder. Not all of it: its `cgroup` would let root in a
 * machine change groups of the host.
 */
async function share(device: string): Promise<void> {
  const mounts = await mountsOf('self');
  if (!mounts.some(({ place }) => place === shared)) {
    const lower = join(folder, 'lower');
    for (const part of ['empty', ...parts.map((each) => join('parts', each))])
      await mkdir(join(lower, part), { recursive: true });
    await mkdir(shared, { recursive: true });
    const options = `ro,lowerdir=${join(lower, 'parts')}:${join(lower, 'empty')}`;
    await run('mount', ['-t', 'overlay', '--make-private', 'nova-lxcfs', '-o', options, shared]);
    await run('mount', ['--make-shared', shared]);
  }
  for (const part of parts) {
    const place = join(shared, part);
    if (mounts.findLast((mount) => mount.place === place)?.device === device) continue;
    while (await attempt('umount', ['-l', place])) {}
    await run('mount', ['--bind', join(mountPoint, part), place]);
  }
}

/** In the OCI configuration of a machine, after `/proc`, `/sys` and `/run`. */
export function sizeMounts(): object[] {
  const bind = (source: string, destination: string, ...options: string[]) => ({
    destination,
    type: 'bind',
    source,
    options: ['rbind', ...options],
  });
  return [
    bind(shared, inMachine, 'rslave'),
    ...targets.map((target) => bind(join(shared, target), target, 'rprivate')),
  ];
}

/** Until machines can have the files of lxcfs: it is started again when it was killed. */
export async function lxcfsReady(): Promise<void> {
  const isMissing = () =>
    readFile(join(shared, 'proc/uptime')).then(
      () => undefined,
      () => true,
    );
  await waitUntil(isMissing, {
    every: 20,
    within: readyTimeoutMilliseconds,
    expired: () => new Error('lxcfs does not respond'),
  });
}

/**
 * Gives machines the files of a new lxcfs after the old one was killed: theirs lead to the old one and cannot be read.
 * Machines go on meanwhile. Ones that were booted by an older release have none of these files until they boot again.
 */
export async function keepSizes(signal: AbortSignal): Promise<void> {
  const pauses = new Pauses();
  /** The process and the device of lxcfs that a machine was last found to fit. */
  const fitting = new Map<string, string>();
  while (!signal.aborted) {
    const device = await lxcfsDevice();
    if (device !== undefined) await share(device).catch((error: unknown) => console.error('lxcfs:', error));
    for (const { name } of device === undefined ? [] : await readMachines()) {
      const pid = await machinePid(name);
      const state = `${pid} ${device}`;
      if (pid === '' || fitting.get(name) === state) continue;
      const stale = staleTargets(await mountsOf(pid), device ?? '');
      if (stale.length === 0) fitting.set(name, state);
      else if (pauses.isOver(name, Date.now())) await rebind(name, stale).catch(() => undefined);
    }
    await sleep(lookPause, undefined, { signal }).catch(() => undefined);
  }
}

/** By its own programs, in its own namespaces. */
async function rebind(name: string, stale: readonly string[]): Promise<void> {
  const script = `for target; do
    while umount -l "$target" 2>/dev/null; do :; done
    mount --rbind "${inMachine}$target" "$target"
  done`;
  const signal = AbortSignal.timeout(rebindTimeoutMilliseconds);
  await run('runc', runc('exec', name, '/bin/sh', '-c', script, 'rebind', ...stale), { signal });
}

/** The device number of lxcfs on this host; none while it is not mounted. */
async function lxcfsDevice(): Promise<string | undefined> {
  return (await mountsOf('self')).findLast(({ place }) => place === mountPoint)?.device;
}

/** Bytes that the kernel cannot reclaim: the use of a control group without the files that it keeps in memory. */
export function memoryInUse(usage: string, statistics: string): number {
  // In version 1 of control groups `total_…` includes the groups below, as every number does in version 2.
  const of = (name: string) =>
    Number(
      new RegExp(`^total_${name} (\\d+)$`, 'm').exec(statistics)?.[1] ??
        new RegExp(`^${name} (\\d+)$`, 'm').exec(statistics)?.[1] ??
        0,
    );
  return Number(usage) - of('active_file') - of('inactive_file');
}

interface Mount {
  device: string;
  place: string;
}

/** What of a machine does not lead to this lxcfs; nothing in one that never had its files. */
export function staleTargets(mounts: readonly Mount[], device: string): string[] {
  if (!mounts.some(({ place }) => place === inMachine)) return [];
  return targets.filter((target) => mounts.findLast(({ place }) => place === target)?.device !== device);
}

/** As the kernel lists them: reading a file of a killed lxcfs fails, of a stopped one never ends. */
async function mountsOf(pid: string): Promise<Mount[]> {
  const text = await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '');
  return text.split('\n').map((line) => {
    const [, , device = '', , place = ''] = line.split(' ');
    return { device, place };
  });
}
