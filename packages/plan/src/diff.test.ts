import { expect, test } from 'vitest';
import { type Change, diffPlans } from './diff.ts';
import { allRoles, type Declaration, type Group, plan, zvirt } from './testing.ts';

/** The differences between two declarations, planned one after the other. */
function changes(before: Declaration, after: Declaration): Change[] {
  const current = plan(before);
  return diffPlans(current, plan(after, { current }));
}

function short(list: readonly Change[]): string[] {
  return list.map(({ action, kind, id }) => `${action} ${kind} ${id}`);
}

function nodeGroups(workers: number, worker: Partial<Group> = {}): { nodeGroups: Group[] } {
  return {
    nodeGroups: [
      { name: 'main', roles: allRoles },
      { name: 'worker', roles: ['worker'], count: workers, ...worker },
    ],
  };
}

test('equal declarations have no differences', () => {
  expect(changes({}, {})).toEqual([]);
  expect(changes(zvirt, zvirt)).toEqual([]);
});

test('an added worker adds a node and its certificates, without disruption', () => {
  const added = changes(nodeGroups(1), nodeGroups(2));
  expect(short(added)).toEqual([
    'add node demo-worker-2',
    'add certificate demo-worker-2/identity',
    'add certificate demo-worker-2/kubelet-client',
    'add certificate demo-worker-2/kubelet-server',
    'add certificate demo-worker-2/kube-proxy',
  ]);
  expect(added.filter((change) => change.disruption)).toEqual([]);
});

test('the removal of a node is disruptive', () => {
  const removed = changes(nodeGroups(2), nodeGroups(1));
  expect(short(removed)).toEqual([
    'remove node demo-worker-2',
    'remove certificate demo-worker-2/identity',
    'remove certificate demo-worker-2/kubelet-client',
    'remove certificate demo-worker-2/kubelet-server',
    'remove certificate demo-worker-2/kube-proxy',
  ]);
  expect(removed[0]?.disruption?.en).toBe('its pods move to other nodes, its local volumes are lost');
});

test('a change of memory has both values, and less memory is disruptive', () => {
  expect(changes(nodeGroups(1), nodeGroups(1, { memory: '8Gi' }))).toEqual([
    {
      action: 'change',
      kind: 'node',
      id: 'demo-worker-1',
      fields: [{ name: 'memory', before: '4Gi', after: '8Gi' }],
    },
  ]);
  expect(changes(nodeGroups(1, { memory: '8Gi' }), nodeGroups(1))).toMatchObject([
    { disruption: { en: 'its pods move to other nodes, its machine restarts' } },
  ]);
});

test('the same memory in another notation is not disruptive', () => {
  const [change] = changes(nodeGroups(1, { memory: '3815Mi' }), nodeGroups(1, { memory: '4G' }));
  expect(change?.fields).toEqual([{ name: 'memory', before: '3815Mi', after: '4G' }]);
  expect(change?.disruption).toBeUndefined();
});

test('a new label changes the node without disruption', () => {
  const role = { 'node-role.kubernetes.io/worker': '' };
  expect(changes(nodeGroups(1), nodeGroups(1, { labels: { zone: 'a' } }))).toEqual([
    {
      action: 'change',
      kind: 'node',
      id: 'demo-worker-1',
      fields: [{ name: 'labels', before: role, after: { ...role, zone: 'a' } }],
    },
  ]);
});

test('adding a module causes no disruption, removing it does', () => {
  const withModule = { config: { modules: [{ name: 'metrics-server' }] } };
  expect(changes({}, withModule)).toEqual([{ action: 'add', kind: 'module', id: 'metrics-server', fields: [] }]);
  expect(changes(withModule, {})).toMatchObject([
    {
      action: 'remove',
      kind: 'module',
      id: 'metrics-server',
      disruption: { en: 'all objects of the module are deleted' },
    },
  ]);
});

test('additional names of the API change only the certificates of the API servers', () => {
  const three: Declaration = { nodeGroups: [{ name: 'main', roles: allRoles, count: 3 }] };
  const changed = changes(three, {
    ...three,
    config: { k8sAPIAdditionalSANs: ['k8s.mycompany.local', '192.168.1.5'] },
  });
  expect(short(changed)).toEqual([1, 2, 3].map((number) => `change certificate demo-main-${number}/kube-apiserver`));
  expect(changed.flatMap(({ fields }) => fields.map(({ name }) => name))).toEqual(
    [1, 2, 3].flatMap(() => ['dnsNames', 'addresses']),
  );
  expect(changed.filter((change) => change.disruption)).toEqual([]);
});

test('new external addresses are disruptive: the API and the nodes move, the router keeps its address', () => {
  const addresses = ['10.250.24.171', '10.250.24.180-10.250.24.190'];
  const moved = { ...zvirt, externalNetwork: { ...zvirt.externalNetwork, addresses } };
  const disturbing = changes(zvirt, moved).filter((change) => change.disruption);
  expect(short(disturbing)).toEqual(['change published api', 'change published demo-main-1', 'change api demo']);
});

test('adding, changing and removing a proxy are changes', () => {
  const proxy = (server: string): Declaration => ({ proxy: { httpProxy: { server } } });
  expect(short(changes({}, proxy('http://a.local')))).toEqual(['add proxy demo']);
  expect(changes(proxy('http://a.local'), proxy('http://b.local'))).toMatchObject([
    { action: 'change', kind: 'proxy', fields: [{ name: 'http', before: 'http://a.local', after: 'http://b.local' }] },
  ]);
  expect(short(changes(proxy('http://a.local'), {}))).toEqual(['remove proxy demo']);
});

test('the order of roles does not matter', () => {
  const one: Declaration = { nodeGroups: [{ name: 'main', roles: allRoles }] };
  const other: Declaration = { nodeGroups: [{ name: 'main', roles: [...allRoles].reverse() }] };
  expect(changes(one, other)).toEqual([]);
});

test('the order of node groups does not matter', () => {
  const groups: Group[] = [
    { name: 'main', roles: allRoles },
    { name: 'infra', roles: ['infra'] },
  ];
  expect(changes({ nodeGroups: groups }, { nodeGroups: [...groups].reverse() })).toEqual([]);
});

test('changed provider settings are a change', () => {
  const template = 'nova-node-debian14';
  const other = { ...zvirt, provider: { type: 'zvirt', zvirt: { ...zvirt.provider.zvirt, template } } } as const;
  expect(changes(zvirt, other)).not.toEqual([]);
});
