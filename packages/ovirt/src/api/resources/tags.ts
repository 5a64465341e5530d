import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { accept, text } from '../accept.ts';
import type { Call, Vm } from '../call.ts';
import { zeroId } from '../ids.ts';
import type { RecordKinds } from '../records.ts';
import { notFound, type Resource, reference } from '../resource.ts';

const word = { en: 'tag', ru: 'метка' };

interface Tag {
  id: string;
  tag: RecordKinds['tag'];
}

const rules = {
  fields: { name: text(50).min(1).optional(), description: text().optional() },
  fixed: { 'parent.id': zeroId, 'parent.name': 'root' },
  readOnly: ['id'],
};

const common = {
  path: 'tags',
  element: 'tag',
  elements: 'tags',
  kind: word,
  id: ({ id }: Tag) => id,
  show: ({ id, tag }: Tag) => ({
    name: tag.name,
    description: tag.description ?? '',
    ...(id !== zeroId && { parent: reference('tags', zeroId) }),
  }),
};

/** The parent of all others. */
const root: Tag = { id: zeroId, tag: { name: 'root', vms: [] } };

const tagsOf = (call: Call): Tag[] => [root, ...[...call.records.all('tag')].map(([id, tag]) => ({ id, tag }))];

export const tags: Resource<Tag, undefined> = {
  ...common,
  list: async (call) => tagsOf(call),
  search: () => ({ name: ({ tag }) => tag.name, id: ({ id }) => id, description: ({ tag }) => tag.description ?? '' }),
  add: async (call, body) => {
    const { name, description } = accept('tag', body, rules);
    if (name === undefined) throw new ProblemError(problem('NOVA7602', { field: 'tag.name' }));
    assertFree(call, name);
    const id = randomUUID();
    const tag = { name, ...(description !== undefined && { description }), vms: [] };
    await call.parts.work.run(task(call, name, 'Adding', 'added', 430), () => call.records.put('tag', id, tag));
    return { id, tag };
  },
  update: async (call, { id, tag }, body) => {
    const { name = tag.name, description } = accept('tag', body, rules);
    assertNotRoot(id);
    if (name !== tag.name) assertFree(call, name);
    const changed = { ...tag, name, ...(description !== undefined && { description }) };
    await call.parts.work.run(task(call, name, 'Updating', 'updated', 432), () => call.records.put('tag', id, changed));
    return { id, tag: changed };
  },
  remove: async (call, { id, tag }) => {
    assertNotRoot(id);
    await call.parts.work.run(task(call, tag.name, 'Removing', 'removed', 434), () => call.records.remove('tag', id));
  },
};

/** The tags of a VM: added by ID or name, removed by ID. */
export const vmTags: Resource<Tag, Vm> = {
  ...common,
  list: async (call, vm) => tagsOf(call).filter(({ tag }) => tag.vms.includes(vm.id)),
  add: async (call, body, vm) => {
    const given = accept('tag', body, { fields: { id: text().optional(), name: text().optional() } });
    const found = tagsOf(call).find(({ id, tag }) =>
      given.id !== undefined ? id === given.id : tag.name === given.name,
    );
    if (!found) throw notFound(word, given.id ?? given.name ?? '');
    assertNotRoot(found.id);
    const { id, tag } = found;
    const changed = { ...tag, vms: [...new Set([...tag.vms, vm.id])] };
    const work = { ...task(call, tag.name, 'Assigning', `assigned to VM ${vm.name}`, 440), vm: vm.id };
    await call.parts.work.run(work, () => call.records.put('tag', id, changed));
    return { id, tag: changed };
  },
  remove: async (call, { id, tag }, vm) => {
    const changed = { ...tag, vms: tag.vms.filter((each) => each !== vm.id) };
    const work = { ...task(call, tag.name, 'Removing', `removed from VM ${vm.name}`, 442), vm: vm.id };
    await call.parts.work.run(work, () => call.records.put('tag', id, changed));
  },
};

function assertNotRoot(id: string): void {
  if (id === zeroId) throw new ProblemError(problem('NOVA7600', { field: 'The root tag' }));
}

function assertFree(call: Call, name: string): void {
  if (tagsOf(call).some(({ tag }) => tag.name === name))
    throw new ProblemError(problem('NOVA7021', { kind: word, name }));
}

function task(call: Call, name: string, doing: string, done: string, code: number) {
  return { ...call.by, description: `${doing} tag ${name}`, done: `Tag ${name} was ${done}`, code };
}
