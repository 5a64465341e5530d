import { ProblemError, problem, quantityText } from '@nova-platform/api';
import type { Image } from '@nova-platform/contracts/engine';
import { imageOf } from '../images/build.ts';
import { hypervisorName } from '../images/recipes.ts';
import type { MachineRecord } from '../machines/record.ts';
import { defaultDiskMebibytes } from './disk.ts';
import { freeUid } from './uids.ts';

interface Requested {
  name: string;
  diskMebibytes?: number | undefined;
  volumes: readonly unknown[];
}

/** What the record of a new VM has besides that of a container. */
export async function newVm(
  { name, diskMebibytes = defaultDiskMebibytes, volumes }: Requested,
  image: Image,
  machines: readonly MachineRecord[],
): Promise<Pick<MachineRecord, 'vm' | 'diskMebibytes' | 'isDiskLimited'>> {
  if (volumes.length > 0) throw new ProblemError(problem('NOVA7114', { name }));
  if (diskMebibytes < (image.diskMebibytes ?? 0)) {
    const [size, needed] = [diskMebibytes, image.diskMebibytes].map((each) => quantityText(`${each}Mi`));
    throw new ProblemError(problem('NOVA7113', { name, image: image.name, size: size ?? '', needed: needed ?? '' }));
  }
  const { layers: hypervisor } = await imageOf(hypervisorName);
  const uid = freeUid(machines.flatMap(({ vm }) => vm?.uid ?? []));
  return { vm: { uid, hypervisor }, diskMebibytes, isDiskLimited: true };
}
