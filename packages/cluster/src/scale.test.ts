import type { ProblemError } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { withCounts } from './scale.ts';

const documents = `# ours
apiVersion: config.nova-platform.io/v1alpha1
kind: Proxy
metadata: {name: cluster}
spec: {httpProxy: {server: 'http://10.9.9.9', port: 3128, username: nova, password: 'pa55'}}
---
apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: {name: cluster}
spec:
  nodeGroups:
    - {name: cp, roles: [control-plane], count: 1} # small
    - {name: work, roles: [infra, worker]}
    - {name: edge, roles: [ingress, worker], count: 2}
`;

test('only the counts change, secrets and comments stay', () => {
  expect(withCounts('demo', documents, { cp: 3, work: 5 })).toBe(
    documents.replace('count: 1', 'count: 3').replace('[infra, worker]}', '[infra, worker], count: 5}'),
  );
});

test('a role selects the only group that has it', () => {
  expect(withCounts('demo', documents, { ingress: 4 })).toBe(documents.replace('count: 2', 'count: 4'));
});

test.each(['worker', 'nope', 'constructor'])('%s is neither a group nor the role of a single group', (group) => {
  const failure = (() => {
    try {
      return withCounts('demo', documents, { [group]: 1 });
    } catch (error) {
      return error;
    }
  })();
  expect((failure as ProblemError).problems).toMatchObject([
    {
      code: 'NOVA8345',
      params: { group, known: 'cp (control-plane), work (infra, worker), edge (ingress, worker)' },
    },
  ]);
});
