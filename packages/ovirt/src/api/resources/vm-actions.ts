import { randomBytes, randomUUID } from 'node:crypto';
import type { MachineStatus } from '@nova-platform/contracts/engine/client';
import { accept, flag, group, text } from '../accept.ts';
import type { Call, Vm } from '../call.ts';
import { initialization, initialized } from '../initialization.ts';
import type { Initialized } from '../records.ts';
import { type Body, type Fields, reference } from '../resource.ts';
import type { Activity } from '../work.ts';
import { commitPreview, previewSnapshot, undoPreview } from './snapshots.ts';
import { assertFreeName, vmName } from './vm-names.ts';
import { assertDown, assertNoPreview, assertUp } from './vm-status.ts';

/** What clients send with every action; all of these mean what happens here anyway. */
const readOnly = ['async', 'filter', 'grace_period', 'force', 'reason', 'status', 'job', 'correlation_id'];

const start = {
  fields: {
    use_cloud_init: flag.optional(),
    vm: group({ initialization: initialization.optional() }).optional(),
  },
  fixed: { pause: 'false', use_sysprep: 'false', volatile: 'false', use_initialization: 'true' },
  readOnly,
};

const clone = {
  fields: { vm: group({ name: vmName }) },
  fixed: { discard_snapshots: 'true' },
  readOnly: [...readOnly, 'storage_domain'],
};

const snapshotAction = {
  fields: { snapshot: group({ id: text() }) },
  fixed: { restore_memory: 'false' },
  readOnly: [...readOnly, 'vm'],
};

export const vmActions = {
  start: startVm,
  shutdown: (call: Call, vm: Vm, body: Body) => stopVm(call, vm, body, 'shut down', 33),
  stop: (call: Call, vm: Vm, body: Body) => stopVm(call, vm, body, 'stopped', 33),
  reboot: (call: Call, vm: Vm, body: Body) => restartVm(call, vm, body, 'rebooted', 157),
  reset: (call: Call, vm: Vm, body: Body) => restartVm(call, vm, body, 'reset', 157),
  clone: cloneVm,
  previewsnapshot: async (call: Call, vm: Vm, body: Body) => {
    const { snapshot } = accept('action', body, snapshotAction);
    return previewSnapshot(call, vm, snapshot.id);
  },
  commitsnapshot: async (call: Call, vm: Vm, body: Body) => {
    accept('action', body, { fields: {}, readOnly });
    return commitPreview(call, vm);
  },
  undosnapshot: async (call: Call, vm: Vm, body: Body) => {
    accept('action', body, { fields: {}, readOnly });
    return undoPreview(call, vm);
  },
};

async function startVm(call: Call, vm: Vm, body: Body): Promise<undefined> {
  const { parts, records, engine } = call;
  const { vm: runOnce } = accept('action', body, start);
  const machine = assertDown(call, vm);
  const wanted = runOnce?.initialization;
  const first = wanted && (await firstBoot(call, vm, machine, initialized(wanted, await networkOf(call, machine))));
  await parts.work.start(task(call, vm, 'Starting', 'started', 32, 'powering_up'), async () => {
    if (first) await parts.lifecycle.initialize(vm.id, records.all('machine').get(vm.id) ?? vm.record, machine, first);
    const record = records.all('machine').get(vm.id);
    if (record?.unstarted) await records.change('machine', vm.id, record, { unstarted: undefined });
    await engine.startMachine(machine.name);
  });
  return undefined;
}

async function networkOf(call: Call, { network }: MachineStatus) {
  return (await call.networks()).find(({ name }) => name === network);
}

/**
 * The initialization to create the machine again with: it is part of a machine, but clients send it with the start.
 * Undefined if the machine has it already. A machine that has booted keeps what it has, as in oVirt.
 */
async function firstBoot(
  call: Call,
  vm: Vm,
  machine: MachineStatus,
  wanted: Initialized,
): Promise<Initialized | undefined> {
  const { unstarted } = vm.record;
  const isSame =
    unstarted?.cloudConfig === wanted.cloudConfig && (wanted.address ?? machine.address) === machine.address;
  if (unstarted && isSame) return undefined;
  // It may have been started through another interface.
  const [usage, snapshots] = await Promise.all([
    call.engine.machineUsage(machine.name),
    call.engine.snapshots(machine.name),
  ]);
  if (unstarted && usage.disk <= unstarted.diskBytes && snapshots.length === 0) return wanted;
  const description = `VM ${vm.name} has booted before: its initialization was not applied again.`;
  await call.parts.work.report({ user: call.by.user, code: 9001, severity: 'warning', description, vm: vm.id });
  return undefined;
}

async function stopVm(call: Call, vm: Vm, body: Body, done: string, code: number): Promise<undefined> {
  accept('action', body, { fields: {}, readOnly });
  // A VM that does not finish booting can be stopped.
  const busy = call.parts.work.statusOf(vm.id);
  const machine = busy === 'powering_up' && vm.machine ? vm.machine : assertUp(call, vm);
  await call.parts.work.start(task(call, vm, 'Stopping', done, code, 'powering_down'), async () => {
    await call.engine.stopMachine(machine.name);
  });
  return undefined;
}

async function restartVm(call: Call, vm: Vm, body: Body, done: string, code: number): Promise<undefined> {
  accept('action', body, { fields: {}, readOnly });
  const machine = assertUp(call, vm);
  await call.parts.work.start(task(call, vm, 'Restarting', done, code, 'reboot_in_progress'), async () => {
    await call.engine.restartMachine(machine.name);
  });
  return undefined;
}

/** A clone is created from a template that exists only for it. */
async function cloneVm(call: Call, vm: Vm, body: Body): Promise<Fields> {
  const { name } = accept('action', body, clone).vm;
  const machine = assertDown(call, vm);
  assertNoPreview(vm);
  await assertFreeName(call, name);
  const { cpu, memoryMebibytes, diskMebibytes } = machine;
  const template = `clone-${randomBytes(6).toString('hex')}`;
  const size = { cpu, memoryMebibytes, ...(diskMebibytes !== undefined && { diskMebibytes }) };
  const {
    engineId: _id,
    engineName: _name,
    name: _shown,
    nic: _nic,
    preview: _preview,
    unstarted: _first,
    ...kept
  } = vm.record;
  const id = randomUUID();
  const spec = { name, image: template, ...size, isStarted: false };
  const creation = { spec, template: { name: template, machine: machine.name } };
  await call.parts.lifecycle.create(
    id,
    { ...kept, isProtected: false, engineName: name, ownTemplate: template, creation },
    { ...call.by, description: `Cloning VM ${vm.name}`, done: `VM ${name} was cloned from ${vm.name}`, code: 53 },
  );
  return { vm: { ...reference('vms', id), name } };
}

function task(call: Call, vm: Vm, doing: string, done: string, code: number, status: Activity) {
  return {
    ...call.by,
    description: `${doing} VM ${vm.name}`,
    done: `VM ${vm.name} was ${done}`,
    code,
    vm: vm.id,
    busy: { id: vm.id, status },
  };
}
