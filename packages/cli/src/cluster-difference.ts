import { isDeepStrictEqual } from 'node:util';
import type { CatalogChange } from '@nova-platform/catalog';
import type { ListedNode, NodeChanges } from '@nova-platform/config-manager/client';
import type { Planned } from '@nova-platform/plan';
import { catalogChangesAsLines, countOfChanges } from './catalog-changes.ts';
import type { Look } from './operation-tree.ts';
import { count } from './words.ts';

/** A machine that is not as it should be: there, and running. */
export interface AbsentMachine {
  name: string;
  state: 'missing' | 'stopped';
  /** Where the host has fewer processors than the manifest asks for. */
  offeredCpu?: number;
}

/** What would change on the nodes of a cluster. */
export interface Difference {
  nodes: (NodeChanges & { isFirst: boolean })[];
  /** Nodes of the plan that was applied before, which this one does not have. */
  removed: string[];
  /** Machines that would be made or started. */
  machines: readonly AbsentMachine[];
  /** The operation that should have made it so, and did not. */
  unfinished: number | undefined;
  isAny: boolean;
}

type Plans = Pick<Planned, 'plan' | 'current'>;

/** Nothing is stored of nodes that were never seen: for them, the plan tells whether anything changes. */
export function differenceOf(
  { plan, current }: Plans,
  changes: readonly NodeChanges[],
  known: readonly Pick<ListedNode, 'name' | 'seenAt'>[],
  { machines = [], unfinished }: { machines?: readonly AbsentMachine[]; unfinished?: number | undefined } = {},
): Difference {
  // As the server keeps it: in JSON, what is undefined is not there.
  const isSamePlan = isDeepStrictEqual(current, JSON.parse(JSON.stringify(plan)));
  const seen = new Set(known.filter(({ seenAt }) => seenAt !== undefined).map(({ name }) => name));
  const before = new Set(current?.nodes.map(({ name }) => name));
  const nodes = changes.map((each) => {
    const isFirst = !(seen.has(each.node) && before.has(each.node));
    return { ...each, isFirst, changes: isFirst && isSamePlan ? [] : each.changes };
  });
  const names = new Set(plan.nodes.map(({ name }) => name));
  const removed = [...before].filter((name) => !names.has(name));
  const isAny =
    !isSamePlan || machines.length > 0 || unfinished !== undefined || nodes.some((each) => each.changes.length > 0);
  return { nodes, removed, machines, unfinished, isAny };
}

export function dataOf({ plan }: Plans, { nodes, removed }: Difference, isApproved: boolean) {
  return { cluster: plan.cluster.name, isApproved, nodes, removed };
}

export function differenceAsText(look: Look, plans: Plans, difference: Difference): string {
  const { t, language, style } = look;
  const { plan } = plans;
  const modules = moduleLines(look, plans);
  const name = plan.cluster.name;
  const { nodes, removed, machines, unfinished, isAny } = difference;
  if (!isAny) {
    return `${style.green('✓')} ${t({ en: `${name} is approved as it is: nothing would change.`, ru: `${name} уже утверждён в этом виде: изменений нет.` })}`;
  }
  const changed = nodes.filter(({ changes }) => changes.length > 0);
  const same = nodes.length - changed.length;
  // Whoever gets a first catalog gets a machine.
  const absent = machines.filter(({ name: each }) => !changed.some(({ node, isFirst }) => isFirst && node === each));
  return [
    `${style.bold(name)} · ${t({ en: `${changed.length} of ${count(nodes.length, 'node', 'nodes')} would change`, ru: `изменится узлов: ${changed.length} из ${nodes.length}` })}`,
    '',
    ...alike(changed).flatMap((group) => {
      const names = style.bold(group.nodes.join(', '));
      if (group.isFirst) {
        const what = t({ en: 'first catalog', ru: 'первый каталог' });
        return [`${style.green('+')} ${names}`, `    ${what}: ${pieces(group.changes, t)}`];
      }
      return [
        `${style.yellow('~')} ${names}: ${countOfChanges(group.changes, language)}`,
        ...catalogChangesAsLines(group.changes, language, style).map((line) => `    ${line}`),
      ];
    }),
    ...removed.map(
      (each) =>
        `${style.red('−')} ${style.bold(each)}: ${t({ en: 'no longer planned; gets no catalog any more', ru: 'больше не запланирован; каталогов не получит' })}`,
    ),
    ...absent.map(({ name: each, state }) =>
      state === 'missing'
        ? `${style.green('+')} ${style.bold(each)}: ${t({ en: 'its machine is missing; it is made again', ru: 'машины нет; она будет создана снова' })}`
        : `${style.yellow('~')} ${style.bold(each)}: ${t({ en: 'its machine is stopped; it is started', ru: 'машина остановлена; она будет запущена' })}`,
    ),
    ...smallerNodes(look, machines),
    ...modules,
    ...(unfinished === undefined
      ? []
      : [
          `${style.yellow('~')} ${t({ en: `operation ${unfinished} was not brought to its end: the rest of it is done`, ru: `операция ${unfinished} не доведена до конца: остальное будет сделано` })}`,
        ]),
    ...(same > 0 && changed.length > 0
      ? [
          style.dim(
            t({ en: `= ${count(same, 'node stays', 'nodes stay')} as planned`, ru: `= без изменений: ${same}` }),
          ),
        ]
      : []),
    ...(changed.length + removed.length + absent.length + modules.length === 0 && unfinished === undefined
      ? [
          t({
            en: 'Only the plan itself changes: what nodes get stays the same.',
            ru: 'Меняется только сам план: узлы получат то же самое.',
          }),
        ]
      : []),
  ].join('\n');
}

/** Nodes that offer fewer processors than their manifest asks for. */
function smallerNodes({ t, style }: Look, machines: readonly AbsentMachine[]): string[] {
  const smaller = Map.groupBy(machines, ({ offeredCpu }) => offeredCpu ?? 0);
  return [...smaller].flatMap(([cpu, those]) => {
    if (cpu === 0) return [];
    const names = style.bold(those.map(({ name }) => name).join(', '));
    return [
      `${style.yellow('!')} ${names}: ${t({ en: `CPU capacity ${cpu}: the host has no more processors`, ru: `ёмкость CPU ${cpu}: больше процессоров на хосте нет` })}`,
    ];
  });
}

/** Modules that come, change and go, and the release that they come from. */
function moduleLines({ t, style }: Look, { plan, current }: Plans): string[] {
  const nameOf = ({ name }: { name: string }) => style.bold(name);
  const module = t({ en: 'module', ru: 'модуль' });
  const release = t({ en: 'release', ru: 'выпуск' });
  if (!current) {
    const from = plan.release === undefined ? '' : ` (${release} ${plan.release})`;
    const all = t({ en: 'modules', ru: 'модули' });
    return plan.modules.length === 0
      ? []
      : [`${style.green('+')} ${all}: ${plan.modules.map(nameOf).join(', ')}${from}`];
  }
  const before = new Map(current.modules.map((each) => [each.name, each]));
  const now = new Set(plan.modules.map(({ name }) => name));
  return [
    ...(plan.release === current.release
      ? []
      : [
          `${style.yellow('~')} ${release} ${current.release ?? '—'} → ${style.bold(plan.release ?? '—')}: ${t({ en: 'all modules change to what it has', ru: 'все модули сменятся на те, что в нём' })}`,
        ]),
    ...plan.modules.flatMap((each) => {
      const earlier = before.get(each.name);
      if (!earlier) return [`${style.green('+')} ${module} ${nameOf(each)}`];
      return isDeepStrictEqual(earlier.settings, each.settings)
        ? []
        : [`${style.yellow('~')} ${module} ${nameOf(each)}: ${t({ en: 'other settings', ru: 'другие настройки' })}`];
    }),
    ...current.modules
      .filter(({ name }) => !now.has(name))
      .map(
        (each) =>
          `${style.red('−')} ${module} ${nameOf(each)}: ${t({ en: 'everything it made is removed', ru: 'всё созданное им будет удалено' })}`,
      ),
  ];
}

interface Alike {
  nodes: string[];
  isFirst: boolean;
  changes: CatalogChange[];
}

/** Nodes that would change in the same way are shown together; of first catalogs only the size is. */
function alike(nodes: Difference['nodes']): Alike[] {
  const groups = new Map<string, Alike>();
  for (const { node, isFirst, changes } of nodes) {
    const key = isFirst ? sizes(changes) : JSON.stringify(changes);
    const group = groups.get(key) ?? { nodes: [], isFirst, changes };
    group.nodes.push(node);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function sizes(changes: readonly CatalogChange[]): string {
  const amounts = Map.groupBy(changes, ({ piece = '' }) => piece);
  return [...amounts].map(([piece, { length }]) => `${piece} ${length}`).join(', ');
}

function pieces(changes: readonly CatalogChange[], t: Look['t']): string {
  const resources = t({
    en: count(changes.length, 'resource', 'resources'),
    ru: `ресурсов: ${changes.length}`,
  });
  return `${resources} (${sizes(changes)})`;
}
