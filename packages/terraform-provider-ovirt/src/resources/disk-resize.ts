import { numberAt, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import { attachmentsOf, diskOf, type EngineCall, settledDisk, settledVm } from '../engine/vms.ts';
import { DiagnosticError } from '../protocol/diagnostics.ts';
import type { Resource } from '../protocol/provider.ts';
import type { Attribute } from '../protocol/schema.ts';
import type { Fields } from '../protocol/values.ts';
import { grown } from './disk.ts';
import { id, isMarked, isPositive, numberIn, reference, requiredIn } from './fields.ts';

const size: Attribute = {
  type: 'number',
  mode: 'required',
  check: isPositive,
  description: 'Size in bytes. Disks only grow.',
};

/** The size of a disk that another resource, or a template, has created. */
export const diskResize: Resource<Engine> = resize('disk_id', reference('Disk to grow.'), async (_call, disk) => [
  disk,
]);

/** The disks of a template's VM. A disk of its own has its size in `ovirt_disk`. */
export const vmDisksResize: Resource<Engine> = resize('vm_id', reference('VM whose disks grow.'), async (call, vm) => {
  if (!(await call.client.find(`/vms/${vm}`))) return [];
  await settledVm(call, vm);
  const own: string[] = [];
  for (const each of await attachmentsOf(call, vm)) {
    const disk = await call.client.find(`/disks/${diskOf(each)}`);
    if (disk !== undefined && !isMarked(textAt(disk, 'description'))) own.push(diskOf(each));
  }
  return own;
});

function resize(
  owner: string,
  attribute: Attribute,
  disksOf: (call: EngineCall, owner: string) => Promise<readonly string[]>,
): Resource<Engine> {
  const apply = async (call: EngineCall, planned: Fields): Promise<Fields> => {
    const wanted = numberIn(planned, 'size') ?? 0;
    const disks = await disksOf(call, requiredIn(planned, owner));
    for (const disk of disks) {
      const before = numberAt(await settledDisk(call, disk), 'provisioned_size') ?? 0;
      if (before > wanted)
        throw new DiagnosticError(
          'A disk cannot shrink',
          `Disk ${disk} has ${before} bytes, and the configuration declares ${wanted}. Declare at least ${before}, or replace the VM.`,
          ['size'],
        );
      if (before === wanted) continue;
      await call.client.put(`/disks/${disk}`, 'disk', { provisioned_size: wanted });
      await grown(call, disk, wanted);
    }
    return { ...planned, id: requiredIn(planned, owner) };
  };
  return {
    block: { description: 'Grows disks.', attributes: { id, [owner]: attribute, size } },
    create: apply,
    read: async (call, state) => {
      const sizes: number[] = [];
      for (const disk of await disksOf(call, requiredIn(state, owner))) {
        const found = await call.client.find(`/disks/${disk}`);
        if (found) sizes.push(numberAt(found, 'provisioned_size') ?? 0);
      }
      return sizes.length === 0 ? undefined : { size: Math.min(...sizes) };
    },
    update: (call, _prior, planned) => apply(call, planned),
    // The disks stay as they are.
    delete: async () => undefined,
  };
}
