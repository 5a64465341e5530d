import { expect, test } from 'vitest';
import { allRoles, type Group, plan, vsphere } from './testing.ts';

const main: Group = { name: 'main', roles: allRoles };

function groupOf(count: number): Group[] {
  return [main, { name: 'worker', roles: ['worker'], count }];
}

test('a node is named after its cluster, group and number, and has the properties of its group', () => {
  const { nodes } = plan({
    nodeGroups: [{ ...main, cpu: 4, memory: '8Gi', disk: '80Gi', labels: { 'example.com/zone': 'a' } }],
  });
  expect(nodes).toEqual([
    {
      name: 'demo-main-1',
      group: 'main',
      roles: ['control-plane', 'infra', 'ingress', 'worker'],
      address: '10.20.0.10',
      externalAddress: '172.30.0.18',
      podNetwork: '10.233.64.0/24',
      cpu: 4,
      memory: '8Gi',
      disk: '80Gi',
      labels: {
        'node-role.kubernetes.io/control-plane': '',
        'node-role.kubernetes.io/infra': '',
        'node-role.kubernetes.io/ingress': '',
        'node-role.kubernetes.io/worker': '',
        'example.com/zone': 'a',
      },
      taints: [],
    },
  ]);
});

test('nodes without the worker role get the taints of their roles and the declared ones', () => {
  const gpu = { key: 'example.com/gpu', value: 'yes', effect: 'NoExecute' } as const;
  const { nodes } = plan({
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra'], taints: [gpu] },
      { name: 'worker', roles: ['worker'], taints: [gpu] },
    ],
  });
  expect(nodes.map((node) => node.taints)).toEqual([
    [
      { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
      { key: 'node-role.kubernetes.io/infra', effect: 'NoSchedule' },
      gpu,
    ],
    [gpu],
  ]);
});

test('a group shrinks from its highest number, and grows into the lowest free one', () => {
  const three = plan({ nodeGroups: groupOf(3) });
  const names = (count: number, current: typeof three) =>
    plan({ nodeGroups: groupOf(count) }, { current }).nodes.map((node) => node.name);
  expect(names(1, three)).toEqual(['demo-main-1', 'demo-worker-1']);
  const withGap = { ...three, nodes: three.nodes.filter((node) => node.name !== 'demo-worker-2') };
  expect(names(3, withGap)).toEqual(['demo-main-1', 'demo-worker-1', 'demo-worker-2', 'demo-worker-3']);
  expect(names(2, withGap)).toEqual(['demo-main-1', 'demo-worker-1', 'demo-worker-3']);
});

test('a group without nodes is allowed', () => {
  expect(plan({ nodeGroups: groupOf(0) }).nodes).toHaveLength(1);
});

function vsphereWith(addresses: string[], k8sAPIAddress?: string) {
  return {
    provider: { ...vsphere.provider, vsphere: { ...vsphere.provider.vsphere, addresses } },
    config: { ...vsphere.config, ...(k8sAPIAddress && { k8sAPIAddress }) },
  };
}

test('no node gets the gateway, even if it is among the given addresses', () => {
  expect(plan(vsphereWith(['10.120.0.1-10.120.0.9'])).nodes[0]?.address).toBe('10.120.0.2');
});

test("no node gets the address of the API's load balancer", () => {
  expect(plan(vsphereWith(['10.120.0.10-10.120.0.20'], '10.120.0.10')).nodes[0]?.address).toBe('10.120.0.11');
});

test('no node gets the network address', () => {
  expect(plan(vsphereWith(['10.120.0.0-10.120.0.20'])).nodes[0]?.address).toBe('10.120.0.2');
});
