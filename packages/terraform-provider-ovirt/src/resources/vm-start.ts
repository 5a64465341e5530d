import type { Engine } from '../engine/engine.ts';
import { startVm, statusOf, stopVm } from '../engine/vms.ts';
import type { Resource } from '../protocol/provider.ts';
import type { Fields } from '../protocol/values.ts';
import { flagIn, id, idsIn, oneOf, reference, requiredIn, textIn } from './fields.ts';

/** What a VM passes through while it runs: none of these needs a start. */
const running: ReadonlySet<string> = new Set([
  'up',
  'migrating',
  'not_responding',
  'powering_up',
  'reboot_in_progress',
  'restoring_state',
  'unassigned',
  'unknown',
  'wait_for_launch',
]);

export const vmStart: Resource<Engine> = {
  block: {
    description: 'Keeps a VM running. The VM is stopped when this is destroyed.',
    attributes: {
      id,
      vm_id: reference('VM to start.'),
      status: {
        type: 'string',
        mode: 'adopted',
        default: 'up',
        check: oneOf('up'),
        description: 'Status of the VM. Only "up" can be declared.',
      },
      stop_behavior: {
        type: 'string',
        mode: 'adopted',
        default: 'shutdown',
        check: oneOf('shutdown', 'stop'),
        description: '"shutdown" asks the guest, and powers it off if it does not react; "stop" powers it off at once.',
      },
      force_stop: {
        type: 'bool',
        mode: 'adopted',
        default: false,
        description: 'Stop the VM even while it is backed up.',
      },
    },
  },
  create: async (call, planned) => {
    const vm = requiredIn(planned, 'vm_id');
    const started: Fields = { ...planned, id: vm, status: 'up' };
    call.keep(started);
    await startVm(call, vm);
    return started;
  },
  read: async ({ client }, state) => {
    const vm = await client.find(`/vms/${requiredIn(state, 'id')}`);
    if (!vm) return undefined;
    const status = statusOf(vm);
    return { vm_id: requiredIn(state, 'id'), status: running.has(status) ? 'up' : status };
  },
  update: async (call, _prior, planned) => {
    await startVm(call, requiredIn(planned, 'vm_id'));
    return { ...planned, status: 'up' };
  },
  delete: (call, state) =>
    stopVm(call, requiredIn(state, 'vm_id'), textIn(state, 'stop_behavior') !== 'stop', flagIn(state, 'force_stop')),
  identify: (text) => ({ ...idsIn(text, 'id'), stop_behavior: 'shutdown', force_stop: false }),
};
