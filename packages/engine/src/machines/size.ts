import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, run, waitUntil } from '@nova-platform/process';
import { paths } from '../paths.ts';
import type { Service } from '../supervisor.ts';
import { type Mount, mountsOf } from './mounts.ts';
import { runc } from './oci.ts';
import { Pauses } from './pauses.ts';
import { machinePid, readMachines } from './record.ts';

const folder = join(paths.runtime, 'lxcfs');
const mountPoint = join(folder, 'fs');
/**
 * The part of lxcfs that machines see. Mounts below it, also later ones, propagate to all machines. It is an overlay
 * without an upper folder: root in a machine can neither write to it nor make it writable.
 */
const shared = join(folder, 'shared');
const parts = ['proc', 'sys'] as const;
/** The path of the shared folder in a machine. */
const inMachine = '/run/lxcfs';
const lookPause = 500;
const readyTimeoutMilliseconds = 30_000;
const rebindTimeoutMilliseconds = 20_000;

/** Kernel files for which lxcfs shows the limits and the usage of the machine that reads them. */
const targets = [
  ...['cpuinfo', 'diskstats', 'loadavg', 'meminfo', 'stat', 'swaps', 'uptime'].map((name) => `/proc/${name}`),
  '/sys/devices/system/cpu',
];

/** Runs lxcfs in the foreground. Unmounts the leftovers of a killed instance first, because they cannot be read. */
export function lxcfsService(): Service {
  const script = [
    'umount -l "$1/fs" 2>/dev/null',
    'mkdir -p "$1/fs"',
    'exec lxcfs --foreground --enable-cfs --enable-pidfd --enable-loadavg --pidfile="$1/pid" "$1/fs"',
  ].join('; ');
  return { name: 'nova-lxcfs', command: '/bin/sh', args: ['-c', script, 'lxcfs', folder] };
}

/** Removes the mounts of lxcfs and `share`. */
export async function unmountLxcfs(): Promise<void> {
  for (const place of [...parts.map((part) => join(shared, part)), shared, mountPoint])
    while (await attempt('umount', ['-l', place])) {}
}

/**
 * Mounts the parts of lxcfs that machines need into the shared folder. Its `cgroup` is left out: with it root in a
 * machine could change cgroups of the host.
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

/** Mounts for the OCI configuration of a machine, after `/proc`, `/sys` and `/run`. */
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

/** Waits until the files of lxcfs are readable: it may be restarting. */
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
 * Gives machines the files of the new lxcfs after a crash: their mounts belong to the old one and cannot be read.
 * Machines keep running. Those booted by an older release have none of these files until they reboot.
 */
export async function keepSizes(signal: AbortSignal): Promise<void> {
  const pauses = new Pauses();
  /** The init process of a machine and the device of lxcfs that it last matched. */
  const fitting = new Map<string, string>();
  while (!signal.aborted) {
    const device = await lxcfsDevice();
    if (device !== undefined) await share(device).catch((error: unknown) => console.error('lxcfs:', error));
    for (const { name } of device === undefined ? [] : await readMachines()) {
      const pid = await machinePid(name);
      const state = `${pid} ${device}`;
      if (pid === '' || fitting.get(name) === state) continue;
      const stale = staleTargets(await mountsOf(pid), device ?? '');
      if (stale.length === 0) {
        fitting.set(name, state);
        pauses.forget(name);
        continue;
      }
      // The kernel may give the number of an earlier lxcfs to a later one.
      fitting.delete(name);
      if (pauses.isOver(name, Date.now()))
        await rebind(name, stale).catch((error: unknown) => console.error(`lxcfs of ${name}:`, error));
    }
    await sleep(lookPause, undefined, { signal }).catch(() => undefined);
  }
}

/** Runs the machine's own programs in its own namespaces. */
async function rebind(name: string, stale: readonly string[]): Promise<void> {
  const script = `for target; do
    while umount -l "$target" 2>/dev/null; do :; done
    mount --rbind "${inMachine}$target" "$target"
  done`;
  const signal = AbortSignal.timeout(rebindTimeoutMilliseconds);
  await run('runc', runc('exec', name, '/bin/sh', '-c', script, 'rebind', ...stale), { signal });
}

/** The device number of lxcfs on this host; undefined while it is not mounted. */
async function lxcfsDevice(): Promise<string | undefined> {
  return (await mountsOf('self')).findLast(({ place }) => place === mountPoint)?.device;
}

/** Bytes that the kernel cannot reclaim: the usage of a cgroup without the page cache. */
export function memoryInUse(usage: string, statistics: string): number {
  // In cgroup v1 `total_…` includes the groups below, as every number does in v2.
  const of = (name: string) =>
    Number(
      new RegExp(`^total_${name} (\\d+)$`, 'm').exec(statistics)?.[1] ??
        new RegExp(`^${name} (\\d+)$`, 'm').exec(statistics)?.[1] ??
        0,
    );
  return Number(usage) - of('active_file') - of('inactive_file');
}

/** Files of a machine that do not belong to the current lxcfs; empty for a machine that never had them. */
export function staleTargets(mounts: readonly Mount[], device: string): string[] {
  if (!mounts.some(({ place }) => place === inMachine)) return [];
  return targets.filter((target) => mounts.findLast(({ place }) => place === target)?.device !== device);
}
