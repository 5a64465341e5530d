import { defaultSite, planCluster } from '@nova-platform/plan';
import { declare } from '@nova-platform/plan/testing';
import { line, measure, perRun, result } from './measure.ts';

/** Planning time is linear in the nodes: ten times as many nodes take at most twelve times as long. */
const goal = 12;

function planOf(nodes: number): () => unknown {
  const input = {
    ...declare({
      nodeGroups: [
        { name: 'master', roles: ['control-plane'], count: 3 },
        { name: 'infra', roles: ['infra', 'ingress'], count: 3 },
        { name: 'worker', roles: ['worker'], count: nodes - 6 },
      ],
      config: { nodeNetwork: '10.64.0.0/16', podNetwork: '10.128.0.0/11', serviceNetwork: '10.96.0.0/16' },
    }),
    site: defaultSite,
  };
  return () => planCluster(input);
}

// Ten small plans and one large plan leave the same amount of garbage. Timed alone, a small plan's garbage would be
// collected during the large one.
const times = 10;
const small = planOf(500);
const figures = await measure(
  { small: () => Array.from({ length: times }, small), large: planOf(5000) },
  { warmUp: 20, rounds: 61 },
);
const oneSmall = perRun(figures.small, times);
console.log(line('500 nodes', oneSmall));
console.log(line('5,000 nodes', figures.large));

const ratio = figures.large.median / oneSmall.median;
result('plan-5000-vs-500', `${ratio.toFixed(1)}x`, `<=${goal}x`, ratio <= goal);
