import { expect, test } from 'vitest';
import { differenceOf, linesOf } from './difference.ts';
import type { Change } from './schema.ts';

const change: Change = {
  cluster: 'demo',
  isNew: false,
  documents: [],
  machines: [],
  catalogs: [],
  items: [{ action: 'change', kind: 'node', id: 'demo-1', fields: [{ name: 'labels', after: { tier: 'gold' } }] }],
  disruptions: [],
};

test('the difference lists new lines and lines that are no longer included, with their details', () => {
  const now: Change = {
    ...change,
    items: [{ action: 'change', kind: 'node', id: 'demo-1', fields: [{ name: 'labels', after: { tier: 'silver' } }] }],
    unfinished: 7,
  };
  expect(differenceOf(linesOf(change), now)).toMatchInlineSnapshot(`
    {
      "en": "New: ~ demo-1: labels, taints or roles (labels — → {"tier":"silver"}); ~ operation 7 is incomplete; this change completes it. No longer included: ~ demo-1: labels, taints or roles (labels — → {"tier":"gold"})",
      "ru": "Добавилось: ~ demo-1: метки, taints или роли (labels — → {"tier":"silver"}); ~ операция 7 не завершена; это изменение её завершит. Больше не входит: ~ demo-1: метки, taints или роли (labels — → {"tier":"gold"})",
    }
  `);
});

test('a change with the same lines differs in what a preview does not show', () => {
  expect(differenceOf(linesOf(change), structuredClone(change)).en).toBe(
    'Only secrets or values that a preview does not show are different',
  );
});

test('without the shown lines the difference is the whole change', () => {
  expect(differenceOf(undefined, change).en).toBe('The change is now: ~ demo-1: labels, taints or roles');
});
