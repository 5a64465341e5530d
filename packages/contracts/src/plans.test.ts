import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDocuments } from '@nova-platform/api';
import { type ClusterPlan, checkAgainstPlans, clusterPlan, type OutdatedPlan, planOf } from '@nova-platform/plan';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { configContract } from './config-manager/contract.ts';
import { type Preview, universeContract } from './universe/contract.ts';

const examples = join(import.meta.dirname, '../../../examples');

function planOfExample(name: string): ClusterPlan {
  const read = loadDocuments([{ name, text: readFileSync(join(examples, name), 'utf8') }]);
  return planOf(checkAgainstPlans(read, []), undefined, { newestRelease: '1.0.0' }).plan;
}

test.each(readdirSync(examples))('the plan of %s is sent and received unchanged', (name) => {
  const plan = planOfExample(name);
  const shown = { problems: [], plan };
  expect(z.encode(universeContract.checkDocuments.response, shown)).toStrictEqual(shown);
});

test('a plan with an unknown field is refused, at any depth', () => {
  const plan = planOfExample('ha.yaml');
  const [node] = plan.nodes;
  const changed = [
    { ...plan, extra: 1 },
    { ...plan, nodes: [{ ...node, extra: 1 }] },
    { ...plan, declared: { ...plan.declared, extra: 1 } },
  ];
  expect(changed.map((each) => clusterPlan.safeParse(each).success)).toEqual([false, false, false]);
});

test('a received plan has the type of a plan', () => {
  type Answer<Route extends { response: z.ZodType }> = z.output<Route['response']>;
  type Universe = typeof universeContract;
  expectTypeOf<z.output<typeof clusterPlan>>().toEqualTypeOf<ClusterPlan>();
  expectTypeOf<Preview['plan']>().toEqualTypeOf<ClusterPlan>();
  expectTypeOf<Answer<Universe['showCluster']>['plan']>().toEqualTypeOf<ClusterPlan>();
  expectTypeOf<Answer<Universe['checkDocuments']>['plan']>().toEqualTypeOf<ClusterPlan | undefined>();
  expectTypeOf<Answer<(typeof configContract)['listPlans']>>().toEqualTypeOf<(ClusterPlan | OutdatedPlan)[]>();
  expectTypeOf<z.output<(typeof configContract)['approvePlan']['body']>['plan']>().toEqualTypeOf<ClusterPlan>();
});
