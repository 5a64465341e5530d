import { expect, test } from 'vitest';
import { isOutdated, StoredPlans, storedPlan, translatedPlan } from './stored-plan.ts';
import { plan } from './testing.ts';

test.for<[string, object]>([
  ['extra', { ...plan(), extra: 1 }],
  ['services', { ...plan(), services: undefined }],
  ['nodes.0.cpu', { ...plan(), nodes: [{ ...plan().nodes[0], cpu: 'many' }] }],
])('a stored plan is outdated because of %s', ([field, stored]) => {
  expect(storedPlan('demo', stored)).toEqual({ cluster: { name: 'demo' }, isOutdated: true, field });
});

test('a plan of this release is read unchanged, and parsed once', () => {
  const plans = new StoredPlans();
  const read = plans.read('demo', JSON.stringify(plan()));
  expect([isOutdated(read), read]).toEqual([false, plan()]);
  expect(plans.read('demo', JSON.stringify(plan()))).toBe(read);
  expect(plans.read('demo', JSON.stringify({ ...plan(), release: '2.0.0' }))).toMatchObject({ release: '2.0.0' });
});

test('a translated plan has the sections that still match, and no unknown fields', () => {
  const [node] = plan().nodes;
  const stored = { ...plan(), nodes: [{ ...node, address: '10.20.0.99' }], services: { old: true }, extra: 1 };
  expect(translatedPlan(stored, plan())).toEqual({ ...plan(), nodes: stored.nodes });
});
