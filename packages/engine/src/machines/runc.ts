import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem, sizeTexts, type Text } from '@nova-platform/api';
import type { ExecOptions } from '@nova-platform/contracts/engine';
import { attempt, CommandError, run, stillMissing, waitUntil } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { paths, runcRoot } from '../paths.ts';
import { mountDisks, slotMounts, unmountDisks } from '../storage/container-disks.ts';
import { disksOf } from '../storage/disks.ts';
import { startTimeOf } from '../supervisor.ts';
import { prepareVolumes } from '../volumes.ts';
import { configureRoot } from './configure.ts';
import { limitDevices, machinesCgroup } from './devices.ts';
import { diskImage, growDisk, mountDisk, unmountDisk, writableFolder } from './disk.ts';
import type { MachineDriver } from './driver.ts';
import { dataFolders, limitsOf, ociConfig, runc } from './oci.ts';
import { type MachineRecord, machineFolder, machinePid } from './record.ts';
import { lxcfsReady, memoryInUse, sizeMounts } from './size.ts';

// A console writes little, and only its end is of interest.
const consoleBytes = 1024 * 1024;
// A loaded host may need most of it; the error matters only if runc never creates the machine.
const createTimeoutMilliseconds = 60_000;
const haltTimeoutMilliseconds = 15_000;
const bootTimeoutMilliseconds = 60_000;
/** conmon creates a link to the console socket of each machine here. */
const sockets = join(paths.runtime, 'attach');
// SIGRTMIN+3, which makes systemd halt. runc knows no names of real-time signals.
const haltSignal = '37';

/**
 * Machines are privileged containers that boot systemd: overlay clones of an image, run by runc and monitored by
 * conmon.
 */
export const runcDriver: MachineDriver = {
  async prepare(record) {
    await mountDisk(record);
    await mountDisks(record.name);
  },

  async boot(record, netns) {
    if (await isRunning(record.name)) return;
    // runc keeps the state of a stopped container.
    if (existsSync(join(runcRoot, record.name))) await attempt('runc', runc('delete', '--force', record.name));
    const folder = machineFolder(record.name);
    await mountRoot(record, folder);
    faultPoint('machine.mounted');
    // The file is written last, and outside the machine's disk: a machine that has run cannot pretend to be new.
    const configPath = join(folder, 'config.json');
    if (!existsSync(configPath)) await configureRoot(record, join(folder, 'rootfs'));
    faultPoint('machine.configured');
    const config = ociConfig({
      record,
      netns,
      dataRoot: join(writableFolder(record), 'data'),
      hostCapabilities: await hostCapabilities(),
      disks: await disksOf(record.name),
      ownMounts: [...slotMounts(record.name), ...sizeMounts()],
    });
    await writeFile(configPath, JSON.stringify(config));
    limitDevices();
    await lxcfsReady();
    await create(record.name, folder);
    faultPoint('machine.created');
    await run('runc', runc('start', record.name)).catch(async (error: unknown) => {
      // The machine was killed before its first program ran. It counts as exited and is restarted like any other.
      if (!(await this.hasEnded(record.name))) throw error;
    });
    // Its first program replaces runc a moment later; until then the machine does not count as running.
    while (!(await isRunning(record.name)) && !(await this.hasEnded(record.name)))
      await new Promise((wake) => setTimeout(wake, 5));
  },

  async resize(record) {
    await applyLimits(record);
    // Last, because a disk cannot shrink again.
    await growDisk(record);
  },

  async booted(name) {
    const signal = AbortSignal.timeout(bootTimeoutMilliseconds);
    const ask = runc('exec', name, 'systemctl', 'is-system-running', '--wait');
    while (!signal.aborted) {
      // `--wait` needs a running systemd.
      const state = (await hasSystemd(name))
        ? await run('runc', ask, { signal }).catch((error: unknown) =>
            error instanceof CommandError ? error.stdout : '',
          )
        : '';
      if (/^(?:running|degraded)/.test(state)) return;
      await new Promise((wake) => setTimeout(wake, 20));
    }
    throw new ProblemError(problem('NOVA7013', { name }));
  },

  async halt(name) {
    if (await attempt('runc', runc('kill', name, haltSignal))) {
      const stillRuns = async () => (await isRunning(name)) || undefined;
      await stillMissing(stillRuns, { every: 50, within: haltTimeoutMilliseconds });
    }
    await attempt('runc', runc('delete', '--force', name));
    await removeCgroups(name);
    await unmount(name);
  },

  async remove(name, release) {
    await attempt('runc', runc('delete', '--force', name));
    faultPoint('machine.deleted');
    await release();
    await removeCgroups(name);
    const folder = machineFolder(name);
    await unmount(name);
    faultPoint('machine.unmounted');
    // The record is removed last, so that the machine stays known until then.
    for (const entry of await readdir(folder).catch(() => [])) {
      if (entry !== 'machine.json') await rm(join(folder, entry), { recursive: true, force: true });
    }
    faultPoint('machine.emptied');
    await rm(join(sockets, name), { force: true });
    await rm(folder, { recursive: true, force: true });
  },

  isRunning,

  async hasEnded(name) {
    const pid = await machinePid(name);
    return pid !== '' && !(await isAlive(name, pid));
  },

  exec(name, { command, terminal }) {
    const inside = [
      'exec',
      ...(terminal ? ['--tty'] : []),
      '--env',
      'TERM=xterm-256color',
      '--env',
      'HOME=/root',
      '--cwd',
      '/root',
      name,
      ...command,
    ];
    return terminal ? onTerminal(['runc', ...runc(...inside)], terminal) : spawn('runc', runc(...inside));
  },

  async console(name) {
    const text = await readFile(join(machineFolder(name), 'console.log'), 'utf8').catch(() => '');
    // conmon writes "<time> stdout <F|P> <text>": F ends a line, P does not.
    return text.replace(/^\S+ std(?:out|err) F (.*)$/gm, '$1').replace(/^\S+ std(?:out|err) P (.*)\n?/gm, '$1');
  },

  async usage(name) {
    const files = existsSync(diskImage(name)) ? diskImage(name) : join(machineFolder(name), 'upper');
    const [disk = '0'] = (await run('du', ['-sB1', files]).catch(() => '0')).split('\t');
    return { memory: Number(await readCgroup(name, usageFiles)), disk: Number(disk) };
  },
};

/**
 * Whether the machine's systemd listens. It is checked from outside, because programs in the machine would slow down
 * its boot. It uses the kernel's list of sockets and not the machine's file: opening that file could lead out of the
 * machine or block forever.
 */
async function hasSystemd(name: string): Promise<boolean> {
  const pid = await machinePid(name);
  const sockets = pid === '' ? '' : await readFile(`/proc/${pid}/net/unix`, 'utf8').catch(() => '');
  return / \/run\/systemd\/private$/m.test(sockets);
}

/** Checked without runc, which would have to run for every machine of a list. */
async function isRunning(name: string): Promise<boolean> {
  const pid = await machinePid(name);
  if (pid === '' || !(await isAlive(name, pid))) return false;
  // A container that is created and not started still runs runc's own program.
  const program = await readlink(`/proc/${pid}/exe`).catch(() => 'runc');
  return !program.includes('runc');
}

async function isAlive(name: string, pid: string): Promise<boolean> {
  // The PID may have been reused. Machines of older releases are in the cgroup `/nova`.
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  return (await startTimeOf(Number(pid))) !== '' && new RegExp(`/nova(?:-machines)?/${name}(/|$)`, 'm').test(groups);
}

/** Changes the limits of a running machine: all of them, or none if the kernel refuses one. */
async function applyLimits(record: MachineRecord): Promise<void> {
  const { name } = record;
  const { memory, cpu } = limitsOf(record);
  const isApplied =
    Number(await readCgroup(name, ['memory.limit_in_bytes', 'memory.max'])) === memory.limit &&
    (await readCgroup(name, ['cpu.cfs_quota_us', 'cpu.max'])).split(' ')[0] === String(cpu.quota);
  if (isApplied) return;
  const refusal = (reason: Text) => new ProblemError(problem('NOVA7084', { name, reason }));
  // cgroup v2 would kill programs of the machine instead.
  const used = memoryInUse(await readCgroup(name, usageFiles), await readCgroup(name, ['memory.stat']));
  if (used > memory.limit) {
    const size = sizeTexts(used);
    throw refusal({ en: `it uses ${size.en} of memory`, ru: `она использует ${size.ru} памяти` });
  }
  const limits = [`--memory=${memory.limit}`, `--cpu-quota=${cpu.quota}`, `--cpu-period=${cpu.period}`];
  await run('runc', runc('update', ...limits, name)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal({ en: reason, ru: reason });
  });
}

const usageFiles = ['memory.usage_in_bytes', 'memory.current'];

/** The first of these files in the machine's cgroups: v1 and v2 use different names. */
async function readCgroup(name: string, files: readonly string[]): Promise<string> {
  const places = (await cgroupFolders(name)).flatMap((folder) => files.map((file) => join(folder, file)));
  const texts = await Promise.all(places.map((place) => readFile(place, 'utf8').catch(() => '')));
  return texts.find((text) => text !== '')?.trim() ?? '';
}

/** Mounts the machine's clone of its image. */
async function mountRoot(record: MachineRecord, folder: string): Promise<void> {
  const rootfs = join(folder, 'rootfs');
  const writable = writableFolder(record);
  await prepareVolumes(record.volumes ?? []);
  await mkdir(rootfs, { recursive: true });
  for (const name of ['upper', 'work', ...dataFolders.map((each) => `data/${each}`)])
    await mkdir(join(writable, name), { recursive: true });
  const isMounted = (await stat(rootfs)).dev !== (await stat(folder)).dev;
  if (isMounted) return;
  const options = `lowerdir=${record.image.layers.join(':')},upperdir=${join(writable, 'upper')},workdir=${join(writable, 'work')}`;
  // Private, so that mounts of the machine do not appear on the host.
  await run('mount', ['-t', 'overlay', '--make-private', 'nova-machine', '-o', options, rootfs]);
}

async function unmount(name: string): Promise<void> {
  while (await attempt('umount', [join(machineFolder(name), 'rootfs')])) {
    // Until no mount is left.
  }
  await unmountDisks(name);
  await unmountDisk(name);
}

/** conmon creates the container, holds its console and outlives the engine. */
async function create(name: string, folder: string): Promise<void> {
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
    '--terminal',
  ];
  // conmon writes a file to its working directory when the machine runs out of memory.
  await run('conmon', args, { cwd: folder });
  await waitUntil(async () => ((await machinePid(name)) === '' ? name : undefined), {
    every: 5,
    within: createTimeoutMilliseconds,
    expired: () => new Error(`runc did not create ${name}`),
  });
}

/** systemd leaves its own cgroups below ours. */
async function removeCgroups(name: string): Promise<void> {
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
  const candidates = tops.flatMap((each) => [join(each, machinesCgroup, name), join(each, 'nova', name)]);
  const present = await Promise.all(
    candidates.map(async (folder) => ((await readdir(folder).catch(() => undefined)) ? [folder] : [])),
  );
  return present.flat();
}

async function hostCapabilities(): Promise<bigint> {
  const status = await readFile('/proc/self/status', 'utf8');
  return BigInt(`0x${/CapBnd:\s*(\w+)/.exec(status)?.[1] ?? '0'}`);
}

/** Runs a command on a terminal; `script` provides one without a native module. */
function onTerminal(command: readonly string[], { columns, rows }: NonNullable<ExecOptions['terminal']>): ChildProcess {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return spawn('script', ['-qfec', `stty cols ${columns} rows ${rows}; exec ${quoted}`, '/dev/null']);
}
