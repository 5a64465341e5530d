import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { run, stillMissing } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import {
  consoleOf,
  create,
  deleteContainer,
  deleteStopped,
  hasEnded,
  isRunning,
  memoryUsage,
  removeCgroups,
  removeFiles,
  start,
} from '../machines/containers.ts';
import type { MachineDriver } from '../machines/driver.ts';
import { machineFolder, machinePid } from '../machines/record.ts';
import { disksOf } from '../storage/disks.ts';
import { linkDisks } from '../storage/vm-disks.ts';
import { commandLine } from './command-line.ts';
import { baseDisk, cannotRun, diskFolder, prepareDisk, rootDisk, uidOf } from './disk.ts';
import { prepareFirstBoot, writeInitrd } from './first-boot.ts';
import { runCommand, withAgent } from './guest-agent.ts';
import { GuestCommand } from './guest-command.ts';
import { devices, hypervisorConfig, hypervisorLayers, hypervisorRoot, inside } from './hypervisor.ts';
import { hasKvm } from './kvm.ts';
import { withQmp } from './qmp.ts';
import { limitsOfVm, readRunningSize, resizeRunning, writeRunningSize } from './size.ts';
import { connectTo, socketFolder } from './sockets.ts';

const startTimeoutMilliseconds = 60_000;
// Emulated, a VM is about twenty times slower.
const bootTimeoutMilliseconds = { kvm: 120_000, emulated: 900_000 };
const haltTimeoutMilliseconds = { kvm: 60_000, emulated: 180_000 };
/** The guest misses the power button until its login manager runs. */
const buttonPause = 3000;
const tries = 3;
/** Longer than the pauses between the first tries; a VM that is stopped does not restart. */
const absenceMilliseconds = 30_000;
/** A guest can write to the console too. */
const longestReason = 500;
const reasonPattern = /^(?:qemu-system-x86_64|nova): (.*)/;

/** VMs: QEMU as an unprivileged user in a container of its own, which runc runs and conmon monitors. */
export const vmDriver: MachineDriver = {
  async prepare(record) {
    await prepareDisk(record);
    await linkDisks(record);
    await prepareFirstBoot(record);
  },

  async boot(record, link) {
    const { name } = record;
    if (await isRunning(name)) return;
    await deleteStopped(name);
    const uid = uidOf(record);
    const sockets = socketFolder(name);
    await rm(sockets, { recursive: true, force: true });
    await mkdir(sockets, { recursive: true, mode: 0o700 });
    await run('chown', [`${uid}:${uid}`, sockets]);
    await writeInitrd(record);
    const host = { processors: availableParallelism(), memoryMebibytes: Math.floor(totalmem() / 1024 ** 2) };
    const isFast = await hasKvm();
    const config = hypervisorConfig({
      root: await hypervisorRoot(await hypervisorLayers(record.vm?.hypervisor ?? [])),
      args: commandLine({ record, link, hasKvm: isFast, disks: await disksOf(name), host }),
      uid,
      group: name,
      netns: link.netns,
      devices: [devices.tun, ...(isFast ? [devices.kvm] : [])],
      limits: limitsOfVm(record, isFast),
      binds: [
        { source: dirname(baseDisk(record)), destination: inside.base, isReadOnly: true },
        { source: diskFolder(name), destination: inside.disks },
        { source: sockets, destination: inside.run },
      ],
    });
    await writeFile(join(machineFolder(name), 'config.json'), JSON.stringify(config));
    await writeRunningSize(record);
    await create(name);
    faultPoint('machine.created');
    await start(name);
    faultPoint('machine.started');
    await assertStarted(name);
  },

  resize: resizeRunning,

  async sizeUntilRestart({ name, cpu, memoryMebibytes }) {
    const running = await readRunningSize(name);
    if (!running || (running.cpu === cpu && running.memoryMebibytes === memoryMebibytes)) return undefined;
    return { cpu: running.cpu, memoryMebibytes: running.memoryMebibytes };
  },

  async booted(name) {
    const within = (await hasKvm()) ? bootTimeoutMilliseconds.kvm : bootTimeoutMilliseconds.emulated;
    const signal = AbortSignal.timeout(within);
    const starts = new Set<string>();
    let runningAt = Date.now();
    while (!signal.aborted && Date.now() < runningAt + absenceMilliseconds) {
      if (await isRunning(name)) runningAt = Date.now();
      const state = await systemState(name, signal).catch(() => '');
      if (/^(?:running|degraded)/.test(state)) return;
      // It is started again, but a VM that always ends needs help.
      starts.add(await machinePid(name));
      if (starts.size > tries) throw cannotRun(name, await lastReason(name));
      await sleep(100);
    }
    throw new ProblemError(problem('NOVA7013', { name }));
  },

  async halt(name) {
    const within = (await hasKvm()) ? haltTimeoutMilliseconds.kvm : haltTimeoutMilliseconds.emulated;
    const deadline = Date.now() + within;
    while ((await isRunning(name)) && Date.now() < deadline) {
      await withQmp(name, (qmp) => qmp.execute('system_powerdown')).catch(() => undefined);
      await stillMissing(async () => (await isRunning(name)) || undefined, { every: 50, within: buttonPause });
    }
    await end(name);
  },

  async remove(name, release) {
    await deleteContainer(name);
    faultPoint('machine.deleted');
    await release();
    await end(name);
    faultPoint('machine.unmounted');
    await removeFiles(name);
  },

  isRunning,
  hasEnded,

  async exec(name, { command, terminal }) {
    if (terminal) throw new ProblemError(problem('NOVA7111', { name }));
    await withAgent(name, (agent) => agent.execute('guest-ping')).catch(() => {
      throw new ProblemError(problem('NOVA7116', { name }));
    });
    return new GuestCommand(name, command);
  },

  console: consoleOf,

  async openConsole(name, kind) {
    // QEMU serves one client of the serial console, and lets the next one wait.
    if (kind === 'serial' && serialClients.has(name)) throw new ProblemError(problem('NOVA7115', { name }));
    if (kind === 'serial') serialClients.add(name);
    try {
      const socket = await connectTo(name, kind);
      if (kind === 'serial') socket.once('close', () => serialClients.delete(name));
      return socket;
    } catch (error) {
      if (kind === 'serial') serialClients.delete(name);
      throw error;
    }
  },

  async usage(name) {
    const [disk = '0'] = (await run('du', ['-sB1', rootDisk(name)]).catch(() => '0')).split('\t');
    return { memory: Number(await memoryUsage(name)), disk: Number(disk) };
  },
};

/** Names of VMs whose serial console is open. */
const serialClients = new Set<string>();

/** Removes what a container of QEMU leaves. */
async function end(name: string): Promise<void> {
  await deleteContainer(name);
  await removeCgroups(name);
  await rm(socketFolder(name), { recursive: true, force: true });
}

/** QEMU opens disks and devices before it answers: a missing or corrupt file ends it. */
async function assertStarted(name: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMilliseconds;
  while (!(await hasEnded(name)) && Date.now() < deadline) {
    const answers = await withQmp(name, async () => true).catch(() => false);
    if (answers) return;
    await sleep(20);
  }
  throw cannotRun(name, await lastReason(name));
}

/** The last reason that QEMU or the first program of the guest wrote. */
async function lastReason(name: string): Promise<string> {
  const lines = (await consoleOf(name)).split('\n').flatMap((line) => reasonPattern.exec(line)?.[1] ?? []);
  return (lines.at(-1) ?? '').trim().slice(0, longestReason);
}

/** What systemd of the guest reports once it has booted. */
async function systemState(name: string, signal: AbortSignal): Promise<string> {
  if (!(await isRunning(name))) return '';
  const { stdout } = await runCommand(name, ['systemctl', 'is-system-running', '--wait'], signal);
  return stdout.toString();
}
