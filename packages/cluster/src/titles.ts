import type { Text } from '@nova-platform/api';
import type { Change } from '@nova-platform/change';
import { sizeChange } from '@nova-platform/change/view';
import { shortened } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';

const group = String.raw`^Infrastructure\.spec\.nodeGroups\[\d+\]`;
const counts = new RegExp(`${group}\\.count$`);
const sizes = new RegExp(`${group}\\.(cpu|memory|disk)$`);
const modules = /^Infrastructure\.spec\.clusterConfiguration\.modules\b/;

/** What a change does, in a few words; `current` is the plan before it. */
export function changeTitle(change: Change, plan: ClusterPlan, current: ClusterPlan | undefined): Text {
  const { name } = plan.cluster;
  const isAbout = (pattern: RegExp) => change.documents.every((field) => pattern.test(field.name));
  if (change.documents.length === 0)
    return change.unfinished === undefined
      ? { en: `Update ${name}`, ru: `Обновить ${name}` }
      : { en: `Complete the change of ${name}`, ru: `Завершить изменение ${name}` };
  const details = groupDetails(plan, current);
  if (isAbout(counts) && details.counts.length > 0) {
    const groups = shortened(details.counts);
    return { en: `Scale ${name}: ${groups.en}`, ru: `Масштабировать ${name}: ${groups.ru}` };
  }
  if (isAbout(sizes) && details.sizes.length > 0) {
    const groups = (language: keyof Text) => shortened(details.sizes.map((each) => each[language]))[language];
    return { en: `Resize ${name}: ${groups('en')}`, ru: `Изменить размер ${name}: ${groups('ru')}` };
  }
  return (isAbout(modules) && modulesTitle(change)) || { en: `Change ${name}`, ru: `Изменить ${name}` };
}

/** For example `worker 1 → 0`, and `worker memory 2 GiB → 3 GiB`. */
function groupDetails(plan: ClusterPlan, current: ClusterPlan | undefined): { counts: string[]; sizes: Text[] } {
  const before = Map.groupBy(current?.nodes ?? [], (node) => node.group);
  const after = Map.groupBy(plan.nodes, (node) => node.group);
  const names = [...new Set([...after.keys(), ...before.keys()])];
  return {
    counts: names.flatMap((each) => {
      const [was = 0, is = 0] = [before.get(each)?.length, after.get(each)?.length];
      return was === is ? [] : [`${each} ${was} → ${is}`];
    }),
    sizes: names.flatMap((each) => {
      const [[was], [is]] = [before.get(each) ?? [], after.get(each) ?? []];
      return (['cpu', 'memory', 'disk'] as const).flatMap((field) => {
        if (!was || !is || was[field] === is[field]) return [];
        const { en, ru } = sizeChange([{ name: field, before: was[field], after: is[field] }]);
        return [{ en: `${each} ${en}`, ru: `${each} ${ru}` }];
      });
    }),
  };
}

const verbs = {
  add: { en: 'enable', ru: 'включить' },
  remove: { en: 'disable', ru: 'выключить' },
  change: { en: 'configure', ru: 'настроить' },
};

/** For example `Enable metrics-server`. */
function modulesTitle({ items }: Change): Text | undefined {
  const parts = (['add', 'remove', 'change'] as const).flatMap((action) => {
    const ids = items.filter((item) => item.kind === 'module' && item.action === action).map(({ id }) => id);
    const named = shortened(ids);
    const verb = verbs[action];
    return ids.length === 0 ? [] : [{ en: `${verb.en} ${named.en}`, ru: `${verb.ru} ${named.ru}` }];
  });
  if (parts.length === 0) return undefined;
  const joined = (language: keyof Text) => capitalized(parts.map((part) => part[language]).join(', '));
  return { en: joined('en'), ru: joined('ru') };
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
