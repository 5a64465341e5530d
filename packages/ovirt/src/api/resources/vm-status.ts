import { ProblemError, problem, type Text } from '@nova-platform/api';
import type { MachineStatus } from '@nova-platform/contracts/engine/client';
import type { Call, Vm } from '../call.ts';
import { locked } from '../lifecycle.ts';

export const vmWord: Text = { en: 'VM', ru: 'ВМ' };

/** The status as oVirt names it; work in progress goes first. */
export function statusOf(call: Call, { id, machine }: Vm): string {
  const activity = call.parts.work.statusOf(id);
  if (activity !== undefined) return activity;
  if (!machine || machine.state === 'deleting') return 'image_locked';
  return machine.state === 'running' ? 'up' : 'down';
}

/** Throws while other work on the VM goes on. */
export function assertSettled(call: Call, vm: Vm): MachineStatus {
  const busy = call.parts.work.statusOf(vm.id);
  if (busy === undefined && vm.machine && vm.machine.state !== 'deleting') return vm.machine;
  throw locked(vm.name, busy ?? 'image_locked');
}

export function assertDown(call: Call, vm: Vm): MachineStatus {
  const machine = assertSettled(call, vm);
  if (machine.state === 'stopped') return machine;
  throw new ProblemError(problem('NOVA7612', { name: vm.name, status: 'up', needed: 'down' }));
}

export function assertUp(call: Call, vm: Vm): MachineStatus {
  const machine = assertSettled(call, vm);
  if (machine.state === 'running') return machine;
  throw new ProblemError(problem('NOVA7612', { name: vm.name, status: 'down', needed: 'up' }));
}

export function assertNoPreview({ name, record }: Vm): void {
  if (record.preview) throw new ProblemError(problem('NOVA7621', { name }));
}
