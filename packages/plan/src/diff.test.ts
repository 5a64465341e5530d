import { expect, test } from 'vitest';
import { type Change, diffPlans } from './diff.ts';
import { allRoles, type Declaration, type Group, plan, zvirt } from './testing.ts';

/** What would change from one declaration to another, planned one after the other. */
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

test('where nothing changed there is nothing to tell', () => {
  expect(changes({}, {})).toEqual([]);
  expect(changes(zvirt, zvirt)).toEqual([]);
});

test('an added worker is a node and its certificates, and disturbs nobody', () => {
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

test('a removed node disturbs', () => {
  const removed = changes(nodeGroups(2), nodeGroups(1));
  expect(short(removed)).toEqual([
    'remove node demo-worker-2',
    'remove certificate demo-worker-2/identity',
    'remove certificate demo-worker-2/kubelet-client',
    'remove certificate demo-worker-2/kubelet-server',
    'remove certificate demo-worker-2/kube-proxy',
  ]);
  expect(removed[0]?.disruption?.en).toBe('its pods move elsewhere, its local volumes are lost');
});

test('more memory is a change of the node with before and after, and less of it disturbs', () => {
  expect(changes(nodeGroups(1), nodeGroups(1, { memory: '8Gi' }))).toEqual([
    {
      action: 'change',
      kind: 'node',
      id: 'demo-worker-1',
      fields: [{ name: 'memory', before: '4Gi', after: '8Gi' }],
    },
  ]);
  expect(changes(nodeGroups(1, { memory: '8Gi' }), nodeGroups(1))).toMatchObject([
    { disruption: { en: 'its pods move elsewhere, the machine restarts' } },
  ]);
});

test('another label is a change that disturbs nobody', () => {
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

test('a module is added quietly, and its removal disturbs', () => {
  const withModule = { config: { modules: [{ name: 'metrics-server' }] } };
  expect(changes({}, withModule)).toEqual([{ action: 'add', kind: 'module', id: 'metrics-server', fields: [] }]);
  expect(changes(withModule, {})).toMatchObject([
    {
      action: 'remove',
      kind: 'module',
      id: 'metrics-server',
      disruption: { en: 'everything the module made is removed' },
    },
  ]);
});

test('another name of the API changes the certificates of the API servers only', () => {
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

test('other addresses outside disturb: API and nodes get others, and the router keeps its own', () => {
  const addresses = ['10.250.24.171', '10.250.24.180-10.250.24.190'];
  const moved = { ...zvirt, externalNetwork: { ...zvirt.externalNetwork, addresses } };
  const disturbing = changes(zvirt, moved).filter((change) => change.disruption);
  expect(short(disturbing)).toEqual(['change published api', 'change published demo-main-1', 'change api demo']);
});

test('a proxy that comes, changes and goes is told', () => {
  const proxy = (server: string): Declaration => ({ proxy: { httpProxy: { server } } });
  expect(short(changes({}, proxy('http://a.local')))).toEqual(['add proxy demo']);
  expect(changes(proxy('http://a.local'), proxy('http://b.local'))).toMatchObject([
    { action: 'change', kind: 'proxy', fields: [{ name: 'http', before: 'http://a.local', after: 'http://b.local' }] },
  ]);
  expect(short(changes(proxy('http://a.local'), {}))).toEqual(['remove proxy demo']);
});

test('roles in another order are the same roles', () => {
  const one: Declaration = { nodeGroups: [{ name: 'main', roles: allRoles }] };
  const other: Declaration = { nodeGroups: [{ name: 'main', roles: [...allRoles].reverse() }] };
  expect(changes(one, other)).toEqual([]);
});

test('groups in another order are the same groups', () => {
  const groups: Group[] = [
    { name: 'main', roles: allRoles },
    { name: 'infra', roles: ['infra'] },
  ];
  expect(changes({ nodeGroups: groups }, { nodeGroups: [...groups].reverse() })).toEqual([]);
});

test('other settings of the provider are told', () => {
  const template = 'nova-node-debian14';
  const other = { ...zvirt, provider: { type: 'zvirt', zvirt: { ...zvirt.provider.zvirt, template } } } as const;
  expect(changes(zvirt, other)).not.toEqual([]);
});
