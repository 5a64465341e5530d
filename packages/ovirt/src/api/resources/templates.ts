import { formatted, ProblemError, problem } from '@nova-platform/api';
import type { Image } from '@nova-platform/contracts/engine';
import { accept, group, type Named, named, text } from '../accept.ts';
import type { Call } from '../call.ts';
import { clusterId, idOf, zeroId } from '../ids.ts';
import { locked } from '../lifecycle.ts';
import { type Body, empty, notFound, type Resource, reference } from '../resource.ts';
import { templateDiskAttachments } from './disk-attachments.ts';
import { templateNics } from './nics.ts';
import { assertDown } from './vm-status.ts';

const word = { en: 'template', ru: 'шаблон' };
const gibibyte = 1024 ** 3;

/** Every oVirt has it; machines cannot be created from it. */
const blank: Image = {
  name: 'Blank',
  digest: '',
  kind: 'container',
  layers: [],
  isBuilt: true,
  isTemplate: false,
  description: 'Blank template',
};

export const templateId = (image: string): string => (image === blank.name ? zeroId : idOf('template', image));

export const templates: Resource<Image, undefined> = {
  path: 'templates',
  element: 'template',
  elements: 'templates',
  kind: word,
  id: ({ name }) => templateId(name),
  list: async (call) => [
    blank,
    ...(await call.images()),
    ...[...call.parts.pendingTemplates].map((name): Image => ({ ...blank, name, isTemplate: true })),
  ],
  show: ({ name, description, createdAt, kind }, call) => ({
    name,
    description: description ?? (kind === 'vm' ? 'Virtual machine' : 'Container machine'),
    comment: '',
    status: call.parts.work.statusOf(templateId(name)) === undefined ? 'ok' : 'locked',
    type: 'server',
    memory: gibibyte,
    memory_policy: { guaranteed: gibibyte, max: gibibyte, ballooning: false },
    cpu: { architecture: 'x86_64', topology: { cores: 1, sockets: 1, threads: 1 } },
    os: { type: 'other', boot: { devices: { device: ['hd'] } } },
    cluster: reference('clusters', clusterId),
    ...(createdAt !== undefined && { creation_time: createdAt }),
    version: {
      version_name: 'base version',
      version_number: 1,
      base_template: reference('templates', templateId(name)),
    },
    stateless: false,
    delete_protected: false,
    high_availability: { enabled: true, priority: 1 },
    origin: 'nova',
  }),
  search: () => ({
    name: ({ name }) => name,
    id: ({ name }) => templateId(name),
    description: ({ description }) => description ?? '',
    status: () => 'ok',
    datacenter: () => 'Default',
    cluster: () => 'Default',
    os: () => 'other',
    creationdate: ({ createdAt }) => createdAt,
  }),
  add: addTemplate,
  remove: async (call, { name, isTemplate }) => {
    if (!isTemplate) throw new ProblemError(problem('NOVA7616', { name }));
    const busy = { id: templateId(name), status: 'locked' as const };
    if (call.parts.work.statusOf(busy.id) !== undefined) throw locked(name, 'locked');
    await call.parts.work.run({ ...task(call, name, 'Removing', 'removed', 253), busy }, async () => {
      await call.engine.deleteTemplate(name);
    });
  },
  children: [
    templateDiskAttachments,
    templateNics,
    empty('tags', 'tag', 'tags'),
    empty('permissions', 'permission', 'permissions'),
    empty('cdroms', 'cdrom', 'cdroms'),
    empty('graphicsconsoles', 'graphics_console', 'graphics_consoles'),
    empty('watchdogs', 'watchdog', 'watchdogs'),
  ],
};

async function addTemplate(call: Call, body: Body): Promise<Image> {
  const {
    name,
    description,
    vm: source,
  } = accept('template', body, {
    fields: {
      name: formatted('label', 40),
      description: text(255).optional(),
      vm: group({ id: text().optional(), name: text().optional() }),
      cluster: named.optional(),
    },
    fixed: { comment: '', stateless: 'false' },
    readOnly: ['id', 'version', 'vm.disk_attachments'],
  });
  const vm = (await call.vms()).find((each) =>
    source.id !== undefined ? each.id === source.id : each.name === source.name,
  );
  if (!vm) throw notFound({ en: 'VM', ru: 'ВМ' }, source.id ?? source.name ?? '');
  const machine = assertDown(call, vm);
  if ((await call.images()).some((each) => each.name === name))
    throw new ProblemError(problem('NOVA7021', { kind: word, name }));
  const { pendingTemplates, work } = call.parts;
  const busy = { id: templateId(name), status: 'locked' as const };
  pendingTemplates.add(name);
  await work.start({ ...task(call, name, 'Creating', `created from VM ${vm.name}`, 51), vm: vm.id, busy }, async () => {
    const spec = { name, machine: machine.name, ...(description !== undefined && { description }) };
    await call.engine.createTemplate(spec).finally(() => pendingTemplates.delete(name));
  });
  call.refresh();
  const created = (await call.images()).find((each) => each.name === name);
  return created ?? { ...blank, name, isTemplate: true, description: description ?? '' };
}

/** The image that a machine is created from. */
export async function namedTemplate(call: Call, { id, name }: Named): Promise<Image> {
  const images = await call.images();
  const isBlank = id === zeroId || (id === undefined && name === blank.name);
  if (isBlank)
    throw new ProblemError(problem('NOVA7615', { known: images.map((image) => image.name).join(', ') || '—' }));
  const found = images.find((image) => (id !== undefined ? templateId(image.name) === id : image.name === name));
  if (found) return found;
  throw notFound(word, id ?? name ?? '');
}

function task(call: Call, name: string, doing: string, done: string, code: number) {
  return { ...call.by, description: `${doing} template ${name}`, done: `Template ${name} was ${done}`, code };
}
