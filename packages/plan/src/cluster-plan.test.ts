import { describe as words } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { readPlan } from './cluster-plan.ts';
import { diffPlans } from './diff.ts';
import { allRoles, type Declaration, plan, problemsOf, vsphere, zvirt } from './testing.ts';

const existing: Declaration = {
  provider: { type: 'existing' },
  nodeGroups: [{ name: 'main', roles: allRoles, hosts: [{ name: 'n1', address: '10.20.0.7' }] }],
};
const everything: Declaration = {
  proxy: { httpProxy: { server: 'http://proxy.local', password: 'secret' }, noProxy: '.mycompany.local' },
  nodeGroups: [
    { name: 'main', roles: allRoles, count: 3 },
    { name: 'gpu', roles: ['worker'], labels: { zone: 'a' }, taints: [{ key: 'gpu', effect: 'NoExecute' }] },
  ],
  config: {
    k8sAPIDefaultFqdn: 'api.mycompany.local',
    k8sAPIAdditionalSANs: ['k8s.mycompany.local', '192.168.1.5'],
    modules: [{ name: 'metrics-server' }],
    extraOptions: {
      dns: { customerDns: { enable: true, forwardZones: [{ name: 'mycompany.local', server: '10.0.0.1' }] } },
    },
  },
};

test.each([
  ['local', {}],
  ['zvirt', zvirt],
  ['vsphere', vsphere],
  ['existing', existing],
  ['with everything', everything],
])('a saved plan is read unchanged: %s', (_, declaration) => {
  const planned = plan(declaration);
  const read = readPlan(JSON.stringify(planned));
  expect(read).toEqual(planned);
  expect(diffPlans(read, planned)).toEqual([]);
  expect(JSON.stringify(plan(declaration, { current: read }))).toBe(JSON.stringify(planned));
});

const good = plan();

test('a plan that is saved with its changes is read too', () => {
  expect(readPlan(JSON.stringify({ plan: good, changes: [] }))).toEqual(good);
});

test.each([
  ['text that is not JSON', 'planVersion: 1', 'the file is not JSON'],
  ['a truncated plan', JSON.stringify(good).slice(0, -100), 'the file is not JSON'],
  ['empty text', '', 'the file is not JSON'],
  ['null', 'null', ''],
  ['a list', '[]', ''],
  ['another document', '{"kind":"Infrastructure"}', 'the field planVersion is not valid'],
  ['a plan of another version', JSON.stringify({ ...good, planVersion: 2 }), 'the field planVersion is not valid'],
  ['a plan with an unknown field', JSON.stringify({ ...good, more: 1 }), ''],
  [
    'a plan with an unknown field inside',
    JSON.stringify({ ...good, cluster: { ...good.cluster, more: 1 } }),
    'the field cluster.more is not valid',
  ],
  [
    'a plan with a wrong address',
    JSON.stringify({ ...good, api: { ...good.api, address: '10.20.0.256' } }),
    'the field api.address is not valid',
  ],
])('%s is refused', (_, text, reason) => {
  const problems = problemsOf(() => readPlan(text));
  expect(problems).toMatchObject([{ code: 'NOVA5002' }]);
  expect(problems.map((found) => words(found, 'en').message).join()).toContain(reason);
});

test('an unknown field is named', () => {
  const [found] = problemsOf(() => readPlan(JSON.stringify({ ...good, more: 1 })));
  expect(found && words(found, 'en').message).toContain('more');
});
