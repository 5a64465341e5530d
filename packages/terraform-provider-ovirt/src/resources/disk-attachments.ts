import { type Element, idOf } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import { attachmentsOf, diskOf, type EngineCall, isBootable } from '../engine/vms.ts';
import type { Resource } from '../protocol/provider.ts';
import { type Fields, isEqual, type Value } from '../protocol/values.ts';
import { attach, detach, diskInterface, observed } from './disk-attachment.ts';
import { flagIn, id, idsIn, isUuid, reference, requiredIn } from './fields.ts';
import { blocksOf } from './vm-body.ts';

/** Several attachments at once. Without an option, disks that are not listed stay as they are. */
export const diskAttachments: Resource<Engine> = {
  block: {
    description: 'The disks of a VM.',
    attributes: {
      id,
      vm_id: reference('VM that the disks are attached to.'),
      detach_unmanaged: {
        type: 'bool',
        mode: 'adopted',
        default: false,
        description: 'Detach all other disks except the boot disk.',
      },
      remove_unmanaged: {
        type: 'bool',
        mode: 'adopted',
        default: false,
        description: 'Delete all other disks except the boot disk, with their data.',
      },
    },
    blocks: {
      attachment: {
        nesting: 'set',
        min: 1,
        block: {
          description: 'A disk.',
          attributes: {
            id,
            disk_id: { type: 'string', mode: 'required', check: isUuid, description: 'Disk to attach.' },
            disk_interface: diskInterface,
            bootable: { type: 'bool', mode: 'optional', description: 'Boot from this disk.' },
            active: { type: 'bool', mode: 'optional', description: 'Plug the disk into the VM.' },
          },
        },
      },
    },
  },
  check: ({ detach_unmanaged: detached, remove_unmanaged: removed }) =>
    detached === true && removed === true
      ? [
          {
            severity: 'error',
            summary: 'Two ways for unmanaged disks',
            detail: 'Give only one of detach_unmanaged and remove_unmanaged.',
            attribute: ['remove_unmanaged'],
          },
        ]
      : [],
  // The ID of an attachment is that of its disk.
  plan: (planned) => ({
    ...planned,
    state: {
      ...planned.state,
      attachment: blocksOf(planned.state.attachment).map((each) => ({ ...each, id: each.disk_id ?? null })),
    },
  }),
  create: (call, planned) => apply(call, [], planned),
  read: async (call, state) => {
    const vm = requiredIn(state, 'id');
    if (!(await call.client.find(`/vms/${vm}`))) return undefined;
    const declared = blocksOf(state.attachment);
    const isImport = state.vm_id === undefined || state.vm_id === null;
    const attached = await attachmentsOf(call, vm);
    const isAll = flagIn(state, 'detach_unmanaged') || flagIn(state, 'remove_unmanaged');
    const shown = attached.filter((each) =>
      isImport || isAll ? !isBootable(each) || isListed(declared, each) : isListed(declared, each),
    );
    return { vm_id: vm, attachment: shown.map((each) => block(each, declared)) };
  },
  update: (call, prior, planned) => apply(call, blocksOf(prior.attachment), planned),
  delete: async (call, state) => {
    for (const each of blocksOf(state.attachment))
      await detach(call, requiredIn(state, 'vm_id'), requiredIn(each, 'disk_id'));
  },
  identify: (text) => ({ ...idsIn(text, 'id'), detach_unmanaged: false, remove_unmanaged: false }),
};

async function apply(call: EngineCall, before: readonly Fields[], planned: Fields): Promise<Fields> {
  const vm = requiredIn(planned, 'vm_id');
  const wanted = blocksOf(planned.attachment);
  call.keep({ ...planned, id: vm, attachment: before });
  for (const each of before) {
    const same = wanted.find(({ disk_id: disk }) => disk === each.disk_id);
    if (!same || !isEqual(same, each)) await detach(call, vm, requiredIn(each, 'disk_id'));
  }
  for (const each of wanted) await attach(call, vm, each);
  const others = (await attachmentsOf(call, vm)).filter((each) => !isListed(wanted, each) && !isBootable(each));
  const isRemoved = flagIn(planned, 'remove_unmanaged');
  if (isRemoved || flagIn(planned, 'detach_unmanaged'))
    for (const each of others) {
      await detach(call, vm, idOf(each));
      if (isRemoved) await call.client.delete(`/disks/${diskOf(each)}`);
    }
  return { ...planned, id: vm };
}

function isListed(declared: readonly Fields[], attachment: Element): boolean {
  return declared.some(({ disk_id: disk }) => disk === diskOf(attachment));
}

/** What is not declared is shown only if it is not the default. */
function block(attachment: Element, declared: readonly Fields[]): Value {
  const disk = diskOf(attachment);
  const seen = observed(attachment);
  const before = declared.find(({ disk_id: each }) => each === disk);
  const shown = (name: string, usual: boolean) =>
    (before?.[name] ?? null) === null && seen[name] === usual ? null : (seen[name] ?? null);
  return {
    id: disk,
    disk_id: disk,
    disk_interface: seen.disk_interface ?? null,
    bootable: shown('bootable', false),
    active: shown('active', true),
  };
}
