import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem, sizeTexts } from '@nova-platform/api';
import type { ExecOptions } from '@nova-platform/contracts/engine';
import { attempt, CommandError, run, stillMissing } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { mountDisks, slotMounts, unmountDisks } from '../storage/container-disks.ts';
import { thawDisks } from '../storage/container-snapshots.ts';
import { disksOf } from '../storage/disks.ts';
import { prepareVolumes } from '../volumes.ts';
import { configureRoot } from './configure.ts';
import {
  areApplied,
  consoleOf,
  create,
  deleteContainer,
  deleteStopped,
  hasEnded,
  isRunning,
  limitsRefused,
  memoryUsage,
  mountClone,
  readCgroup,
  removeCgroups,
  removeFiles,
  start,
  unmountClone,
  updateLimits,
} from './containers.ts';
import { limitDevices } from './devices.ts';
import { diskImage, growDisk, mountDisk, unmountDisk, writableFolder } from './disk.ts';
import type { MachineDriver } from './driver.ts';
import { dataFolders, limitsOf, ociConfig, runc } from './oci.ts';
import { type MachineRecord, machineFolder, machinePid } from './record.ts';
import { lxcfsReady, memoryInUse, sizeMounts } from './size.ts';

const haltTimeoutMilliseconds = 15_000;
const bootTimeoutMilliseconds = 60_000;
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

  async boot(record, { netns }) {
    if (await isRunning(record.name)) return;
    await deleteStopped(record.name);
    const folder = machineFolder(record.name);
    await mountRoot(record);
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
    await create(record.name, ['--terminal']);
    faultPoint('machine.created');
    await start(record.name);
  },

  async resize(record) {
    await applyLimits(record);
    // Last, because a disk cannot shrink again.
    await growDisk(record);
  },

  // A size that a container cannot have at once is refused.
  sizeUntilRestart: async () => undefined,

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
    await thawDisks(name);
    if (await attempt('runc', runc('kill', name, haltSignal))) {
      const stillRuns = async () => (await isRunning(name)) || undefined;
      await stillMissing(stillRuns, { every: 50, within: haltTimeoutMilliseconds });
    }
    await deleteContainer(name);
    await removeCgroups(name);
    await unmount(name);
  },

  async remove(name, release) {
    await thawDisks(name);
    await deleteContainer(name);
    faultPoint('machine.deleted');
    await release();
    await removeCgroups(name);
    await unmount(name);
    faultPoint('machine.unmounted');
    await removeFiles(name);
  },

  isRunning,
  hasEnded,

  async exec(name, { command, terminal }) {
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

  console: consoleOf,

  openConsole: async (name) => {
    throw new ProblemError(problem('NOVA7110', { name }));
  },

  async usage(name) {
    const files = existsSync(diskImage(name)) ? diskImage(name) : join(machineFolder(name), 'upper');
    const [disk = '0'] = (await run('du', ['-sB1', files]).catch(() => '0')).split('\t');
    return { memory: Number(await memoryUsage(name)), disk: Number(disk) };
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

/** Changes the limits of a running machine: all of them, or none if the kernel refuses one. */
async function applyLimits(record: MachineRecord): Promise<void> {
  const { name } = record;
  const limits = limitsOf(record);
  if (await areApplied(name, limits)) return;
  // cgroup v2 would kill programs of the machine instead.
  const used = memoryInUse(await memoryUsage(name), await readCgroup(name, ['memory.stat']));
  if (used > limits.memory.limit) {
    const size = sizeTexts(used);
    throw limitsRefused(name, { en: `it uses ${size.en} of memory`, ru: `она использует ${size.ru} памяти` });
  }
  await updateLimits(name, limits);
}

/** Mounts the machine's clone of its image. */
async function mountRoot(record: MachineRecord): Promise<void> {
  const writable = writableFolder(record);
  await prepareVolumes(record.volumes ?? []);
  for (const each of dataFolders) await mkdir(join(writable, 'data', each), { recursive: true });
  await mountClone(record.name, record.image.layers, writable);
}

async function unmount(name: string): Promise<void> {
  await unmountClone(name);
  await unmountDisks(name);
  await unmountDisk(name);
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
