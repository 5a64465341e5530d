import type { MachineStatus } from '@nova-platform/contracts/engine';
import { type Check, machineUpdates } from '../images/check.ts';
import type { MachineDriver } from './driver.ts';
import type { MachineRecord } from './record.ts';

/** What users see of a machine. */
export async function machineStatus(
  record: MachineRecord,
  driver: MachineDriver,
  check: Check | undefined,
): Promise<MachineStatus> {
  const { name, kind, wanted, image, card, cpu, memoryMebibytes, diskMebibytes, createdAt } = record;
  const state = wanted === 'gone' ? 'deleting' : (await driver.isRunning(name)) ? 'running' : 'stopped';
  const updates = machineUpdates(image.layers, check);
  const untilRestart = state === 'running' && (await driver.sizeUntilRestart(record));
  return {
    id: record.machineId,
    name,
    kind,
    state,
    image: image.name,
    imageDigest: image.digest,
    ...(card && { network: card.network, address: card.address, mac: card.mac }),
    ...(createdAt && { createdAt }),
    cpu,
    memoryMebibytes,
    ...(untilRestart && { untilRestart }),
    ...(diskMebibytes !== undefined && { diskMebibytes }),
    isDiskLimited: record.isDiskLimited ?? false,
    ...(updates && { updates }),
  };
}
