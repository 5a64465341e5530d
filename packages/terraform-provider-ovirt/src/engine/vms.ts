import { DiagnosticError } from '../protocol/diagnostics.ts';
import type { Call } from '../protocol/provider.ts';
import { type Element, flagAt, idOf, listAt, textAt } from './elements.ts';
import type { Engine } from './engine.ts';
import { until } from './wait.ts';

export type EngineCall = Call<Engine>;

/** A VM that does not leave `down` in this time has failed to start. */
const startTime = 15_000;

export function statusOf(vm: Element): string {
  return textAt(vm, 'status') ?? 'unknown';
}

/** Waits until the VM exists completely: its disks are copied, and nothing else changes it. */
export async function settledVm({ client, signal }: EngineCall, id: string): Promise<Element> {
  const timeout = client.timeouts.locked;
  return until(
    async () => {
      const vm = await client.find(`/vms/${id}`);
      if (!vm) throw vanished(id);
      return statusOf(vm) === 'image_locked' ? undefined : vm;
    },
    () =>
      lateError(`VM ${id} stays locked`, timeout, 'Its image is locked. Look at the tasks and events of the engine.'),
    { timeout, signal },
  );
}

/** Waits until the disk exists completely. */
export async function settledDisk({ client, signal }: EngineCall, id: string): Promise<Element> {
  const timeout = client.timeouts.locked;
  return until(
    async () => {
      const disk = await client.find(`/disks/${id}`);
      if (!disk)
        throw new DiagnosticError(
          `Disk ${id} no longer exists`,
          'The engine removed it again, for example because the storage domain is full. Look at the events of the engine.',
        );
      if (textAt(disk, 'status') === 'illegal')
        throw new DiagnosticError(
          `Disk ${id} is not usable`,
          'Its status is "illegal". Look at the events of the engine.',
        );
      return textAt(disk, 'status') === 'locked' ? undefined : disk;
    },
    () => lateError(`Disk ${id} stays locked`, timeout, 'Look at the tasks and events of the engine.'),
    { timeout, signal },
  );
}

export async function attachmentsOf({ client }: EngineCall, vm: string): Promise<readonly Element[]> {
  return listAt((await client.find(`/vms/${vm}/diskattachments`)) ?? '', 'disk_attachment');
}

export function isBootable(attachment: Element): boolean {
  return flagAt(attachment, 'bootable') ?? false;
}

/** The disk of an attachment; both have the same ID in oVirt. */
export function diskOf(attachment: Element): string {
  return textAt(attachment, 'disk.id') ?? idOf(attachment);
}

/** Starts the VM, unless it runs. */
export async function startVm(call: EngineCall, id: string): Promise<void> {
  const { client, signal } = call;
  const timeout = client.timeouts.vm;
  let requestedAt: number | undefined;
  await settledVm(call, id);
  await until(
    async () => {
      const vm = await client.find(`/vms/${id}`);
      if (!vm) throw vanished(id);
      const status = statusOf(vm);
      if (status === 'up') return vm;
      if ((status === 'down' || status === 'suspended') && requestedAt === undefined) {
        requestedAt = Date.now();
        await client.act(`/vms/${id}/start`, {}, async () => !(await isIn(call, id, 'down', 'suspended')));
      } else if (status === 'down' && Date.now() - (requestedAt ?? 0) > startTime)
        throw new DiagnosticError(
          `VM ${textAt(vm, 'name')} does not start`,
          `The engine started it, and its status is "down" again. Look at the events of VM ${id} in the engine: there may ` +
            'be no host with enough free memory, or an affinity group may forbid every host.',
        );
      return undefined;
    },
    () => lateError(`VM ${id} is not up`, timeout, 'Look at its console and at its events in the engine.'),
    { timeout, signal },
  );
}

/** Stops the VM: a shutdown first if it is asked for, and power-off if the guest does not react. */
export async function stopVm(call: EngineCall, id: string, isGraceful: boolean, isForced = false): Promise<void> {
  const { client, signal } = call;
  const down = (timeout: number) =>
    until(
      async () => {
        const vm = await client.find(`/vms/${id}`);
        return !vm || statusOf(vm) === 'down' ? (vm ?? '') : undefined;
      },
      () => lateError(`VM ${id} does not stop`, timeout, 'Look at its console and at its events in the engine.'),
      { timeout, signal },
    );
  const vm = await client.find(`/vms/${id}`);
  if (!vm) return;
  const status = statusOf(await settledVm(call, id));
  if (status === 'down') return;
  const action = isForced ? { force: true } : {};
  const isStopping = () => isIn(call, id, 'down', 'powering_down');
  if (status === 'powering_down') return void (await down(client.timeouts.vm));
  if (isGraceful) {
    await client.act(`/vms/${id}/shutdown`, action, isStopping);
    try {
      return void (await down(client.timeouts.shutdown));
    } catch (error) {
      if (signal.aborted || !(error instanceof DiagnosticError)) throw error;
      call.warn(
        `VM ${textAt(vm, 'name')} was powered off`,
        'It did not shut down: its guest ignores ACPI, or did not react in time. stop_behavior = "stop" powers it off at once.',
      );
    }
  }
  await client.act(`/vms/${id}/stop`, action, isStopping);
  await down(client.timeouts.vm);
}

/** A VM that does not exist has every status. */
async function isIn({ client }: EngineCall, id: string, ...statuses: readonly string[]): Promise<boolean> {
  const vm = await client.find(`/vms/${id}`);
  return vm === undefined || statuses.includes(statusOf(vm));
}

export function vanished(id: string): DiagnosticError {
  return new DiagnosticError(
    `VM ${id} no longer exists`,
    'It was deleted, or the engine removed it because its creation failed, for example because the storage is full. Look ' +
      'at the events of the engine, then plan again.',
  );
}

function lateError(summary: string, timeout: number, detail: string): DiagnosticError {
  return new DiagnosticError(summary, `The provider waited for ${Math.round(timeout / 1000)} s. ${detail}`);
}
