import { type MachineKind, quantityText, type Text } from '@nova-platform/api';
import type { CatalogChange, CatalogState, Change, FieldChange, ItemChange, MachineChange } from './schema.ts';

export type Sign = '+' | '~' | '−' | '!';

/** One line of a change for readers, in any medium. */
export interface ChangeLine {
  sign: Sign;
  /** Names of the changed things, which differ in nothing else. */
  subjects: string[];
  text: Text;
  fields: FieldChange[];
  /** The changes of the node's next agent run. */
  catalog: CatalogChange[];
}

export interface ChangeSection {
  title: Text;
  lines: ChangeLine[];
}

/** Whether the change does nothing. */
export function isEmpty({ documents, machines, catalogs, items, unfinished }: Change): boolean {
  return documents.length + machines.length + catalogs.length + items.length === 0 && unfinished === undefined;
}

/** A change as a list of sections; the command line and the console show the same. */
export function viewOf(change: Change): ChangeSection[] {
  const { machines, catalogs, items, isNew } = change;
  const ofKinds = (...kinds: string[]) => items.filter(({ kind }) => kinds.includes(kind));
  const sections: ChangeSection[] = [
    { title: { en: 'Machines', ru: 'Машины' }, lines: grouped(machines.flatMap(machineLines)) },
    {
      title: { en: 'Nodes', ru: 'Узлы' },
      lines: [...nodeLines(ofKinds('node')), ...grouped(catalogs.map(catalogLine))],
    },
    { title: { en: 'Network', ru: 'Сеть' }, lines: itemLines(ofKinds(...networkKinds), isNew) },
    { title: { en: 'Cluster', ru: 'Кластер' }, lines: itemLines(ofKinds('cluster', 'provider', 'proxy'), isNew) },
    {
      title: { en: 'Certificates and keys', ru: 'Сертификаты и ключи' },
      lines: counted(ofKinds('authority', 'certificate', 'sharedKey')),
    },
    { title: { en: 'Modules', ru: 'Модули' }, lines: itemLines(ofKinds('module'), isNew) },
    { title: { en: 'Kubernetes objects', ru: 'Объекты Kubernetes' }, lines: itemLines(ofKinds('object'), isNew) },
    { title: { en: 'Incomplete operation', ru: 'Незавершённая операция' }, lines: unfinishedLines(change) },
    { title: { en: 'Effects on users', ru: 'Последствия для пользователей' }, lines: disruptionLines(change) },
  ];
  const shown = sections.filter(({ lines }) => lines.length > 0);
  return shown.length > 0 ? shown : documentSections(change);
}

const networkKinds = ['network', 'router', 'published', 'route', 'name', 'api', 'services', 'zone'];

const kindNames: Record<string, Text> = {
  cluster: { en: 'cluster', ru: 'кластер' },
  provider: { en: 'provider', ru: 'провайдер' },
  node: { en: 'node', ru: 'узел' },
  network: { en: 'network', ru: 'сеть' },
  router: { en: 'router', ru: 'маршрутизатор' },
  published: { en: 'published address', ru: 'опубликованный адрес' },
  route: { en: 'route', ru: 'маршрут' },
  name: { en: 'name', ru: 'имя' },
  api: { en: 'API', ru: 'API' },
  services: { en: 'service network', ru: 'сеть служб' },
  zone: { en: 'DNS zone', ru: 'зона DNS' },
  authority: { en: 'authority', ru: 'центр сертификации' },
  certificate: { en: 'certificate', ru: 'сертификат' },
  sharedKey: { en: 'shared key', ru: 'общий ключ' },
  module: { en: 'module', ru: 'модуль' },
  proxy: { en: 'proxy', ru: 'прокси' },
  object: { en: 'object', ru: 'объект' },
};

/** The name of a kind; kinds of a newer server are shown as they are. */
export function kindName(kind: string): Text {
  return kindNames[kind] ?? { en: kind, ru: kind };
}

const signs = { add: '+', change: '~', remove: '−' } as const;
const nothing: Text = { en: '', ru: '' };

function line(sign: Sign, subject: string, text: Text, more: Partial<ChangeLine> = {}): ChangeLine {
  return { sign, subjects: [subject], text, fields: [], catalog: [], ...more };
}

function machineLines(machine: MachineChange): ChangeLine[] {
  const { name, action } = machine;
  switch (action) {
    case 'create':
      return [line('+', name, machineSize(machine)), ...lackLines(machine)];
    case 'start':
      return [line('~', name, { en: 'stopped; will be started', ru: 'остановлена; будет запущена' })];
    case 'replace':
      return [
        line('~', name, {
          en: 'never joined the cluster; will be recreated',
          ru: 'не вошла в кластер; будет создана снова',
        }),
        ...lackLines(machine),
      ];
    case 'resize': {
      const sizes = sizeChange(machine.fields);
      return [
        line(
          '~',
          name,
          machine.isLive
            ? { en: `resized without a restart: ${sizes.en}`, ru: `изменение размера без перезапуска: ${sizes.ru}` }
            : { en: `resized with a restart: ${sizes.en}`, ru: `изменение размера с перезапуском: ${sizes.ru}` },
        ),
        ...lackLines(machine, new Set(machine.fields.map((each) => each.name))),
      ];
    }
    case 'remove':
      return [line('−', name, { en: 'drained and removed', ru: 'освобождается (drain) и удаляется' })];
  }
}

/** Shown wherever VMs are about to be created on a host without KVM. */
export const emulation: Text = {
  en: 'emulated: the host has no KVM, about twenty times slower',
  ru: 'эмуляция: на хосте нет KVM, примерно в двадцать раз медленнее',
};

const kindTexts: Record<MachineKind, Text> = {
  container: { en: 'container', ru: 'контейнер' },
  vm: { en: 'VM', ru: 'ВМ' },
};

export function machineKindText(kind: MachineKind): Text {
  return kindTexts[kind];
}

/** What the host does not provide or enforce. */
function lackLines(
  { name, offeredCpu, isDiskEnforced, isEmulated }: Extract<MachineChange, { size: object }>,
  asked: ReadonlySet<string> = new Set(['cpu', 'disk', 'kind']),
): ChangeLine[] {
  const cpu = {
    en: `CPU capacity ${offeredCpu}: the host has no more processors`,
    ru: `ёмкость CPU ${offeredCpu}: больше процессоров на хосте нет`,
  };
  const disk = { en: 'disk not enforced on this host', ru: 'диск на этом хосте не ограничивается' };
  return [
    ...(asked.has('cpu') && offeredCpu !== undefined ? [line('!', name, cpu)] : []),
    ...(asked.has('disk') && !isDiskEnforced ? [line('!', name, disk)] : []),
    ...(asked.has('kind') && isEmulated ? [line('!', name, emulation)] : []),
  ];
}

function machineSize({ size, machineKind }: Extract<MachineChange, { action: 'create' }>): Text {
  const [memory, disk] = [quantityText(size.memory), quantityText(size.disk)];
  const kind = machineKind && machineKindText(machineKind);
  const inLanguage = (language: keyof Text, sizes: string) => (kind ? `${kind[language]}, ${sizes}` : sizes);
  return {
    en: inLanguage('en', `${size.cpu} CPU, ${memory.en} memory, ${disk.en} disk`),
    ru: inLanguage('ru', `${size.cpu} CPU, ${memory.ru} памяти, ${disk.ru} диска`),
  };
}

const sizeNames: Record<string, Text> = {
  cpu: { en: 'CPU', ru: 'CPU' },
  memory: { en: 'memory', ru: 'память' },
  disk: { en: 'disk', ru: 'диск' },
};

/** `memory 2 GiB → 3 GiB, CPU 2 → 4` */
export function sizeChange(fields: readonly FieldChange[]): Text {
  const inLanguage = (language: keyof Text) => {
    const amount = (value: unknown) => (typeof value === 'string' ? quantityText(value)[language] : String(value));
    return fields
      .map(({ name, before, after }) => `${sizeNames[name]?.[language] ?? name} ${amount(before)} → ${amount(after)}`)
      .join(', ');
  };
  return { en: inLanguage('en'), ru: inLanguage('ru') };
}

function nodeLines(items: readonly ItemChange[]): ChangeLine[] {
  const changed = { en: 'labels, taints or roles', ru: 'метки, taints или роли' };
  const ended = {
    en: 'no longer configured; its machine is not changed',
    ru: 'больше не настраивается; машина не изменяется',
  };
  return grouped(
    items.map(({ action, id, fields }) => line(signs[action], id, action === 'remove' ? ended : changed, { fields })),
  );
}

function catalogLine({ node, changes, isFirst, isBehind }: CatalogState): ChangeLine {
  if (isFirst) {
    const sizes = [...Map.groupBy(changes, ({ piece = '' }) => piece)]
      .map(([piece, { length }]) => `${piece} ${length}`)
      .join(', ');
    return line('+', node, {
      en: `first configuration: ${changes.length} resources (${sizes})`,
      ru: `первая конфигурация, ресурсов: ${changes.length} (${sizes})`,
    });
  }
  if (changes.length === 0 && isBehind)
    return line('~', node, {
      en: 'has not applied its approved catalog yet; its agent will run',
      ru: 'ещё не применил утверждённый каталог; агент запустится',
    });
  return line('~', node, countOf(changes), { catalog: changes });
}

/** `2 added, 1 changed` */
function countOf(changes: readonly CatalogChange[]): Text {
  const words: Record<CatalogChange['kind'], Text> = {
    added: { en: 'added', ru: 'добавится' },
    changed: { en: 'changed', ru: 'изменится' },
    refreshed: { en: 'restarted', ru: 'перезапустится' },
    'no longer managed': { en: 'no longer managed', ru: 'выйдет из-под управления' },
  };
  const counts = [...Map.groupBy(changes, ({ kind }) => kind)];
  return {
    en: `configuration: ${counts.map(([kind, { length }]) => `${length} ${words[kind].en}`).join(', ')}`,
    ru: `конфигурация: ${counts.map(([kind, { length }]) => `${words[kind].ru}: ${length}`).join(', ')}`,
  };
}

/** In a new cluster everything is new, so counts are enough. */
function itemLines(items: readonly ItemChange[], isNew: boolean): ChangeLine[] {
  if (isNew && items.every(({ action }) => action === 'add')) return counted(items);
  return items.map(({ action, kind, id, fields }) => line(signs[action], id, kindName(kind), { fields }));
}

function counted(items: readonly ItemChange[]): ChangeLine[] {
  const changed = items.filter(({ action }) => action === 'change');
  const groups = Map.groupBy(
    items.filter(({ action }) => action !== 'change'),
    ({ action, kind }) => `${action} ${kind}`,
  );
  return [
    ...[...groups.values()].flatMap((alike) => {
      const [first] = alike;
      if (!first) return [];
      const { action, kind, id } = first;
      if (alike.length === 1) return [line(signs[action], id, kindName(kind))];
      const { en, ru } = kindName(kind);
      return [
        { ...line(signs[action], '', { en: `${en}: ${alike.length}`, ru: `${ru}: ${alike.length}` }), subjects: [] },
      ];
    }),
    ...changed.map(({ kind, id, fields }) => line('~', id, kindName(kind), { fields })),
  ];
}

function unfinishedLines({ unfinished }: Change): ChangeLine[] {
  if (unfinished === undefined) return [];
  const text = {
    en: `operation ${unfinished} is incomplete; this change completes it`,
    ru: `операция ${unfinished} не завершена; это изменение её завершит`,
  };
  return [{ ...line('~', '', text), subjects: [] }];
}

function disruptionLines({ disruptions }: Change): ChangeLine[] {
  return disruptions.map(({ node, text, seconds }) => {
    const limit = seconds === undefined ? nothing : { en: ` (at most ${seconds} s)`, ru: ` (не дольше ${seconds} с)` };
    const limited = { en: `${text.en}${limit.en}`, ru: `${text.ru}${limit.ru}` };
    return { ...line('!', node ?? '', limited), subjects: node === undefined ? [] : [node] };
  });
}

/** Documents can change alone, for example by a field that states its default. */
function documentSections({ documents }: Change): ChangeSection[] {
  if (documents.length === 0) return [];
  const text = { en: 'only the documents change', ru: 'меняются только документы' };
  return [
    {
      title: { en: 'Documents', ru: 'Документы' },
      lines: [{ ...line('~', '', text), subjects: [], fields: documents }],
    },
  ];
}

/** Merges lines that differ only in their subjects. */
function grouped(lines: readonly ChangeLine[]): ChangeLine[] {
  const alike = Map.groupBy(lines, ({ subjects: _subjects, ...rest }) => JSON.stringify(rest));
  return [...alike.values()].flatMap((those) => {
    const [first] = those;
    return first ? [{ ...first, subjects: those.flatMap(({ subjects }) => subjects) }] : [];
  });
}

/** The change in one line. */
export function summaryOf(change: Change): Text {
  const lines = viewOf(change).flatMap((section) => section.lines);
  const inLanguage = (language: keyof Text) =>
    lines
      .map(({ sign, subjects, text }) =>
        [sign, [subjects.join(', '), text[language]].filter(Boolean).join(': ')].join(' '),
      )
      .join('; ');
  if (lines.length === 0) return { en: 'nothing', ru: 'ничего' };
  return { en: inLanguage('en'), ru: inLanguage('ru') };
}
