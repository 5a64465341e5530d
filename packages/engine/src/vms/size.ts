import { hostMebibytes } from '@nova-platform/contracts/engine';
import { faultPoint } from '../fault.ts';
import { readRecord, writeRecord } from '../files.ts';
import { areApplied, updateLimits } from '../machines/containers.ts';
import { type Limits, limitsOf } from '../machines/oci.ts';
import type { MachineRecord } from '../machines/record.ts';
import { floorToBlock, memoryBlockMebibytes } from './command-line.ts';
import { diskBytes, runningSizePath } from './disk.ts';
import { runCommand } from './guest-agent.ts';
import { hasKvm } from './kvm.ts';
import { type Qmp, withQmp } from './qmp.ts';

const mebibyte = 1024 ** 2;
const growTimeoutMilliseconds = 30_000;

/** What a running VM has. */
interface RunningSize {
  cpu: number;
  memoryMebibytes: number;
  /** Without hot-plugged memory. */
  bootMebibytes: number;
  /** What the file system of its root has grown to. */
  diskBytes: number;
}

export async function readRunningSize(name: string): Promise<RunningSize | undefined> {
  return readRecord<RunningSize>(runningSizePath(name));
}

/** The size that a VM starts with. */
export async function writeRunningSize(record: MachineRecord): Promise<void> {
  const { name, cpu, memoryMebibytes } = record;
  const size: RunningSize = { cpu, memoryMebibytes, bootMebibytes: memoryMebibytes, diskBytes: diskBytes(record) };
  await writeRecord(runningSizePath(name), size);
}

/** Limits of the container: those of the guest, and what QEMU needs besides. */
export function limitsOfVm(
  { cpu, memoryMebibytes }: Pick<RunningSize, 'cpu' | 'memoryMebibytes'>,
  isFast: boolean,
): Limits {
  return limitsOf({ cpu, memoryMebibytes: hostMebibytes({ kind: 'vm', memoryMebibytes }, isFast) });
}

/** Gives a running VM more memory, more disk and, with KVM, more processors. All else has to wait for its restart. */
export async function resizeRunning(record: MachineRecord): Promise<void> {
  const { name } = record;
  const before = await readRunningSize(name);
  if (!before) return;
  const isFast = await hasKvm();
  const size = {
    ...before,
    // Linux ignores sockets for further processors if it sees no hypervisor that it knows.
    cpu: isFast ? Math.max(record.cpu, before.cpu) : before.cpu,
    memoryMebibytes: Math.max(record.memoryMebibytes, before.memoryMebibytes),
  };
  const bytes = diskBytes(record);
  // First the limits, so that QEMU can use more memory.
  const limits = limitsOfVm(size, isFast);
  if (!(await areApplied(name, limits))) await updateLimits(name, limits);
  faultPoint('machine.limited');
  await withQmp(name, async (qmp) => {
    if (isFast) size.cpu = await plugProcessors(qmp, size.cpu);
    size.memoryMebibytes = size.bootMebibytes + (await plugMemory(qmp, size.memoryMebibytes - size.bootMebibytes));
    if (size.diskBytes < bytes) await qmp.execute('block_resize', { 'node-name': 'root', size: bytes });
  });
  faultPoint('machine.plugged');
  await writeRecord(runningSizePath(name), size);
  faultPoint('machine.disk.extended');
  if (size.diskBytes >= bytes) return;
  // A guest that does not answer grows its file system when it boots.
  const signal = AbortSignal.timeout(growTimeoutMilliseconds);
  await runCommand(name, ['/usr/lib/systemd/systemd-growfs', '/'], signal).catch(() => undefined);
  await writeRecord(runningSizePath(name), { ...size, diskBytes: bytes });
}

interface ProcessorSlot {
  type: string;
  props: Record<string, number>;
  /** Absent while there is no processor in it. */
  'qom-path'?: string;
}

/** Adds processors up to this number. Returns how many there are. */
async function plugProcessors(qmp: Qmp, wanted: number): Promise<number> {
  const slots = await qmp.execute<ProcessorSlot[]>('query-hotpluggable-cpus');
  const free = slots.filter((slot) => slot['qom-path'] === undefined);
  const present = slots.length - free.length;
  const added = free.toReversed().slice(0, Math.max(wanted - present, 0));
  for (const { type, props } of added) await qmp.execute('device_add', { driver: type, id: idOf(props), ...props });
  return present + added.length;
}

function idOf(props: Record<string, number>): string {
  return `cpu-${Object.values(props).join('-')}`;
}

/** Sets the memory beyond that of the boot. Returns how much that is. */
async function plugMemory(qmp: Qmp, wantedMebibytes: number): Promise<number> {
  const property = { path: '/machine/peripheral/memory', property: 'requested-size' };
  const [device] = await qmp.execute<{ data: { 'max-size': number; size: number } }[]>('query-memory-devices');
  const max = (device?.data['max-size'] ?? 0) / mebibyte;
  const size = floorToBlock(Math.min(wantedMebibytes, max));
  await qmp.execute('qom-set', { ...property, value: size * mebibyte });
  // A part of a block cannot be added, so it does not count as missing.
  return wantedMebibytes - size < memoryBlockMebibytes ? wantedMebibytes : size;
}
