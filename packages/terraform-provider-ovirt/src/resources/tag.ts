import { type Element, idOf, listAt, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import type { Resource } from '../protocol/provider.ts';
import { claim, given, id, idsIn, isClaimed, isFilled, isMarked, reference, requiredIn, textIn } from './fields.ts';

export const tag: Resource<Engine> = {
  block: {
    description: 'A tag.',
    attributes: {
      id,
      name: { type: 'string', mode: 'required', replaces: true, check: isFilled, description: 'Name of the tag.' },
      description: { type: 'string', mode: 'optional', replaces: true, description: 'Description of the tag.' },
    },
  },
  create: async ({ client }, planned) => {
    const name = requiredIn(planned, 'name');
    const description = textIn(planned, 'description');
    // Tag names are unique. One that no other VMs have is what a killed apply left.
    const existing = async (): Promise<Element | undefined> => {
      const same = listAt(await client.get('/tags'), 'tag').find(
        (each) =>
          textAt(each, 'name') === name &&
          (textAt(each, 'description') ?? '') === (description ?? '') &&
          !isClaimed(idOf(each)),
      );
      if (!same) return undefined;
      const used = listAt(await client.get(`/vms?search=${encodeURIComponent(`tag=${name}`)}`), 'vm');
      return used.every((each) => isMarked(textAt(each, 'description'))) ? same : undefined;
    };
    const created = await client.create('/tags', 'tag', given({ name, description }), existing);
    return { ...planned, id: claim(idOf(created)) };
  },
  read: async ({ client }, state) => {
    const found = await client.find(`/tags/${requiredIn(state, 'id')}`);
    return found === undefined
      ? undefined
      : { name: textAt(found, 'name') ?? null, description: textAt(found, 'description') ?? '' };
  },
  delete: ({ client }, state) => client.delete(`/tags/${requiredIn(state, 'id')}`),
  identify: (text) => idsIn(text, 'id'),
};

export const vmTag: Resource<Engine> = {
  block: {
    description: 'A tag of a VM.',
    attributes: { id, tag_id: reference('Tag.'), vm_id: reference('VM.') },
  },
  create: async ({ client }, planned) => {
    const [own, vm] = [requiredIn(planned, 'tag_id'), requiredIn(planned, 'vm_id')];
    await client.create(`/vms/${vm}/tags`, 'tag', { id: own }, async () =>
      listAt(await client.get(`/vms/${vm}/tags`), 'tag').find((each) => idOf(each) === own),
    );
    return { ...planned, id: `${own}_${vm}` };
  },
  read: async ({ client }, state) => {
    const [own, vm] = [requiredIn(state, 'tag_id'), requiredIn(state, 'vm_id')];
    const tags = await client.find(`/vms/${vm}/tags`);
    return listAt(tags, 'tag').some((each) => idOf(each) === own) ? { tag_id: own, vm_id: vm } : undefined;
  },
  delete: ({ client }, state) =>
    client.delete(`/vms/${requiredIn(state, 'vm_id')}/tags/${requiredIn(state, 'tag_id')}`),
};
