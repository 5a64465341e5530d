import { changeOf, type ObservedMachine } from '@nova-platform/change';
import type { ClusterPlan } from '@nova-platform/plan';
import { type Declaration, plan as planOf } from '@nova-platform/plan/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClusterTools, clusterOperations } from './index.ts';

const sizes = fc.record({
  controlPlanes: fc.constantFrom(1, 3),
  workers: fc.integer({ min: 0, max: 4 }),
  cpu: fc.integer({ min: 1, max: 4 }),
  memory: fc.constantFrom('2Gi', '2048Mi', '3Gi', '1536Mi'),
  disk: fc.constantFrom('20Gi', '30Gi'),
});
type Sizes = typeof sizes extends fc.Arbitrary<infer T> ? T : never;
/** How machines may be found. */
const states = fc.constantFrom<Partial<ObservedMachine>>({}, {}, { state: 'stopped' }, { isLost: true });

function declared({ controlPlanes, workers, cpu, memory, disk }: Sizes, current?: ClusterPlan): ClusterPlan {
  const nodeGroups: Declaration['nodeGroups'] = [
    { name: 'main', roles: ['control-plane', 'infra', 'ingress'], count: controlPlanes },
    { name: 'work', roles: ['worker'], count: workers, cpu, memory, disk },
  ];
  return JSON.parse(JSON.stringify(planOf({ nodeGroups }, current && { current }))) as ClusterPlan;
}

test('of any two manifests, each machine and node that the change lists has its steps, and no other has any', () => {
  const { createCluster, changeCluster } = clusterOperations({} as ClusterTools);
  fc.assert(
    fc.property(fc.option(sizes, { nil: undefined }), sizes, fc.array(states), (one, other, found) => {
      const current = one && declared(one);
      const plan = declared(other, current);
      const machines = (current?.nodes ?? []).map((node, index) => ({
        ...node,
        isDiskLimited: true,
        state: 'running' as const,
        isLost: false,
        ...found[index],
      }));
      const change = changeOf({
        plan,
        current,
        isNew: !current,
        documents: [],
        catalogs: plan.nodes.map(({ name }, index) => ({
          node: name,
          changes: [],
          isSeen: machines.some((machine) => machine.name === name),
          isCurrent: index % 2 === 0,
        })),
        observed: { machines, processors: 8, canLimitDisks: true },
        objects: { before: [], after: [] },
      });
      const list = current ? changeCluster : createCluster;
      const steps = list.plan({ plan, change, sealedSecrets: '' }).map(({ name }) => name);
      const stepsOf = ({ name, ...machine }: (typeof change.machines)[number]): string[] => {
        if (machine.action === 'remove') return [`drain/${name}`, `remove/${name}`];
        if (machine.action === 'resize') return [`${machine.isLive ? 'resize' : 'restart'}/${name}`];
        return [`machine/${name}`];
      };
      const planes = new Set(plan.nodes.flatMap(({ name, roles }) => (roles.includes('control-plane') ? name : [])));
      const configured = current ? change.catalogs.map(({ node }) => node) : plan.nodes.map(({ name }) => name);
      const expected = [
        ...change.machines.flatMap(stepsOf),
        ...configured.map((name) => `${current && planes.has(name) ? 'control-plane' : 'configure'}/${name}`),
      ];
      const ofNodes = steps.filter((step) => step.includes('/') && !step.startsWith('module/'));
      expect(ofNodes.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 200 },
  );
});
