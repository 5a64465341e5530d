import { changeOf } from '@nova-platform/change';
import type { ClusterPlan } from '@nova-platform/plan';
import { type Declaration, plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { changeTitle } from './titles.ts';

interface Shape {
  workers?: number;
  memory?: string;
  modules?: string[];
}

const cluster = ({ workers = 1, memory = '2Gi', modules = ['ingress'] }: Shape): ClusterPlan =>
  plan({
    nodeGroups: [
      { name: 'cp', roles: ['control-plane', 'infra'], count: 1 },
      { name: 'work', roles: ['ingress', 'worker'], count: workers, memory },
    ],
    config: { modules: modules.map((name) => ({ name })) },
  } as Declaration);

/** The title of the change from one cluster to another, with these fields of the documents. */
function title(before: Shape, after: Shape, fields: string[], unfinished?: number) {
  const [current, next] = [cluster(before), cluster(after)];
  const change = changeOf({
    plan: next,
    current,
    isNew: false,
    documents: fields.map((name) => ({ name: `Infrastructure.spec.${name}` })),
    catalogs: [],
    observed: { machines: [], processors: 8, canLimitDisks: true, hasKvm: false },
    objects: { before: [], after: [] },
    ...(unfinished !== undefined && { unfinished }),
  });
  const { en, ru } = changeTitle(change, next, current);
  return [en, ru];
}

const count = 'nodeGroups[1].count';
const module = 'clusterConfiguration.modules[1].enabled';

test.each([
  ['a new count', {}, { workers: 0 }, [count], ['Scale demo: work 1 → 0', 'Масштабировать demo: work 1 → 0']],
  [
    'a new size',
    {},
    { memory: '3Gi' },
    ['nodeGroups[1].memory'],
    ['Resize demo: work memory 2 GiB → 3 GiB', 'Изменить размер demo: work память 2 ГиБ → 3 ГиБ'],
  ],
  [
    'an enabled module',
    {},
    { modules: ['ingress', 'metrics-server'] },
    [module],
    ['Enable metrics-server', 'Включить metrics-server'],
  ],
  [
    'a disabled module',
    { modules: ['ingress', 'metrics-server'] },
    {},
    [module],
    ['Disable metrics-server', 'Выключить metrics-server'],
  ],
  [
    'several kinds of fields',
    {},
    { workers: 2, memory: '3Gi' },
    [count, 'nodeGroups[1].memory'],
    ['Change demo', 'Изменить demo'],
  ],
  ['no field', {}, {}, [], ['Update demo', 'Обновить demo']],
])('a change of %s has a title of its own', (_what, before, after, fields, titles) => {
  expect(title(before, after, fields)).toEqual(titles);
});

test('a change that only completes an earlier one has a title of its own', () => {
  expect(title({}, {}, [], 7)).toEqual(['Complete the change of demo', 'Завершить изменение demo']);
});
