import { applyDeclaration, applyNode, clusterObjects, KubernetesApi } from '@nova-platform/kubernetes';
import type { PlannedNode } from '@nova-platform/plan';
import { plan } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';

// A real API server. Its nodes are objects without a kubelet.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

let kubernetes: ControlPlane;
beforeAll(async () => {
  kubernetes = await startControlPlane();
  for (const object of clusterObjects(plan(), 'hub:5000')) await kubernetes.api.apply(object);
});
afterAll(() => kubernetes[Symbol.asyncDispose]());

type Group = Partial<Pick<PlannedNode, 'taints' | 'labels' | 'roles'>>;

/** The node `name` of a group. */
function planned(name: string, { roles = ['worker'], labels = {}, taints = [] }: Group): PlannedNode {
  const { nodes } = plan({
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'] },
      { name: 'group', roles, labels, taints: taints as [] },
    ],
  });
  return { ...(nodes[1] as PlannedNode), name };
}

/** Registers a node as its kubelet does. */
async function register({ name, taints }: PlannedNode): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name };
  await kubernetes.api.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: { taints },
  });
}

/** The taints of a node as `key=value:effect`, and its labels. */
async function found(name: string) {
  const { metadata, spec } = await kubernetes.api.get<{
    metadata: { labels: Record<string, string> };
    spec: { taints?: PlannedNode['taints']; unschedulable?: boolean };
  }>(`/api/v1/nodes/${name}`);
  const taints = (spec.taints ?? []).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
  return { labels: metadata.labels, taints: taints.toSorted(), isCordoned: spec.unschedulable === true };
}

const gpu = { key: 'example.com/gpu', value: 'a', effect: 'NoSchedule' };
/** The API server adds it to every new node, and controllers remove it. */
const notReady = 'node.kubernetes.io/not-ready:NoSchedule';

test('labels, taints and roles that are removed from the manifest are removed from the node', async () => {
  const before = planned('n1', { roles: ['infra'], labels: { 'example.com/zone': 'a' }, taints: [gpu] });
  await register(before);
  await applyNode(kubernetes.api, before);
  expect(await found('n1')).toMatchObject({
    labels: { 'node-role.kubernetes.io/infra': '', 'example.com/zone': 'a' },
    taints: ['example.com/gpu=a:NoSchedule', 'node-role.kubernetes.io/infra:NoSchedule', notReady].toSorted(),
  });

  await applyNode(kubernetes.api, planned('n1', { roles: ['worker'] }));
  expect(await found('n1')).toMatchObject({
    labels: { 'kubernetes.io/hostname': 'n1', 'node-role.kubernetes.io/worker': '' },
    taints: [notReady],
  });
  expect(Object.keys((await found('n1')).labels)).not.toContain('example.com/zone');
});

test('labels and taints of the manifest are added to the node, and their values are updated', async () => {
  await register(planned('n2', {}));
  await applyNode(kubernetes.api, planned('n2', { taints: [gpu] }));
  expect((await found('n2')).taints).toEqual(['example.com/gpu=a:NoSchedule', notReady].toSorted());
  await applyNode(kubernetes.api, planned('n2', { taints: [{ ...gpu, value: 'b' }], labels: { one: 'two' } }));
  expect(await found('n2')).toMatchObject({
    labels: { one: 'two' },
    taints: ['example.com/gpu=b:NoSchedule', notReady].toSorted(),
  });
});

test('taints that the kubelet registered from an earlier manifest are removed', async () => {
  await register(planned('n3', { roles: ['ingress'], taints: [gpu] }));
  await applyNode(kubernetes.api, planned('n3', {}));
  expect((await found('n3')).taints).toEqual([notReady]);
});

test('labels, taints and cordons of users and controllers stay', async () => {
  await register(planned('n4', {}));
  await applyNode(kubernetes.api, planned('n4', { taints: [gpu] }));
  for (const args of [
    ['taint', 'node', 'n4', 'mycompany.local/broken=disk:NoExecute', 'node.kubernetes.io/disk-pressure:NoSchedule'],
    ['label', 'node', 'n4', 'mycompany.local/rack=7'],
    ['cordon', 'n4'],
  ])
    expect(await kubernetes.kubectl(args)).toMatchObject({ exitCode: 0 });
  await applyNode(kubernetes.api, planned('n4', {}));
  expect(await found('n4')).toMatchObject({
    labels: { 'mycompany.local/rack': '7' },
    taints: [
      'mycompany.local/broken=disk:NoExecute',
      'node.kubernetes.io/disk-pressure:NoSchedule',
      notReady,
    ].toSorted(),
    isCordoned: true,
  });
});

test("users' taints stay on a node whose taints are not recorded yet", async () => {
  await register(planned('n5', { roles: ['infra'] }));
  await kubernetes.api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n5', labels: { one: 'two' } } });
  await kubernetes.kubectl(['taint', 'node', 'n5', 'mycompany.local/broken=disk:NoExecute']);
  await applyNode(kubernetes.api, planned('n5', {}));
  expect((await found('n5')).taints).toEqual(['mycompany.local/broken=disk:NoExecute', notReady].toSorted());
});

test('a node that another client changes at the same time gets its taints', async () => {
  /** Another writer changes the node after the first read. */
  class Disturbed extends KubernetesApi {
    #isFirst = true;

    override async get<T>(path: string): Promise<T> {
      const node = await super.get<T>(path);
      if (this.#isFirst) await kubernetes.kubectl(['annotate', 'node', 'n6', 'mycompany.local/seen=yes']);
      this.#isFirst = false;
      return node;
    }
  }
  await register(planned('n6', {}));
  const api = new Disturbed(kubernetes.access);
  await applyNode(api, planned('n6', { taints: [gpu] }));
  api.close();
  expect((await found('n6')).taints).toEqual(['example.com/gpu=a:NoSchedule', notReady].toSorted());
});

test('a cluster has its Infrastructure and its Proxy without passwords, and no Proxy once none is declared', async () => {
  const stored = async (kind: string) => (await kubernetes.kubectl(['get', kind, 'cluster', '-o', 'json'])).stdout;
  const httpProxy = { server: 'http://proxy.local', port: 3128, username: 'ann', password: 'swordfish' };
  await applyDeclaration(kubernetes.api, plan({ proxy: { httpProxy, noProxy: '.mycompany.local' } }));
  expect(JSON.parse(await stored('infrastructure'))).toMatchObject({ spec: { provider: { type: 'local' } } });
  expect(JSON.parse(await stored('proxy'))).toMatchObject({
    spec: { httpProxy: { ...httpProxy, password: '******' }, noProxy: '.mycompany.local' },
  });
  await applyDeclaration(kubernetes.api, plan());
  expect(await stored('proxy')).toBe('');
  expect(await stored('infrastructure')).not.toBe('');
});
