import { allRoles, plan as planned, sdnOf } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import type { ClusterNetwork } from '../../api/client.ts';
import { engineView } from '../../testing.ts';
import { compareNetwork } from './network-state.ts';

const plan = planned({
  nodeGroups: [
    { name: 'main', roles: allRoles, count: 3 },
    { name: 'work', roles: ['worker'] },
  ],
});
const compare = (actual: ClusterNetwork | undefined) => compareNetwork({ ...plan, network: sdnOf(plan) }, actual);

/** The differences after a change of the network. */
function differences(change: (actual: ClusterNetwork) => void): string[] {
  const actual = engineView(plan);
  change(actual);
  return compare(actual)
    .filter(({ verdict }) => verdict !== 'same')
    .map(({ kind, name, state, verdict }) => [kind, name, verdict, state].filter(Boolean).join(' '));
}

test('a network as planned has no differences, and a missing network lacks everything', () => {
  expect(differences(() => undefined)).toEqual([]);
  expect(new Set(compare(undefined).map(({ verdict }) => verdict))).toEqual(new Set(['missing']));
});

test.for<[what: string, change: (actual: ClusterNetwork) => void, found: string[]]>([
  ['a machine is deleted', ({ machines }) => void machines.pop(), ['machine demo-work-1 missing']],
  [
    'a machine is stopped',
    ({ machines: [first] }) => void (first && Object.assign(first, { state: 'stopped' })),
    ['machine demo-main-1 down stopped'],
  ],
  [
    'a link is down',
    ({ ports: [first] }) => void (first && Object.assign(first, { up: false })),
    ['machine demo-main-1 down unplugged'],
  ],
  [
    'a machine exists without a declaration',
    ({ machines }) => void machines.push({ name: 'guest', address: '10.20.0.99', state: 'running' }),
    ['machine guest undeclared running'],
  ],
  [
    'a control plane is missing in the load balancer',
    ({ loadBalancers }) => {
      for (const { backends } of loadBalancers) backends.pop();
    },
    ['api 10.20.0.2:6443 different'],
  ],
  [
    'a router has no external port',
    ({ router }) => {
      router.nat = router.nat.filter(({ type }) => type !== 'snat');
      router.routes = router.routes.filter(({ network }) => network !== '0.0.0.0/0');
      router.ports = router.ports.filter(({ network }) => network !== 'external');
    },
    ['router demo-router different', 'route 0.0.0.0/0 missing', 'nat 10.20.0.0/24 missing'],
  ],
  [
    'a node is published on another address',
    ({ router }) => void Object.assign(router.nat.at(-1) ?? {}, { externalAddress: '172.30.0.99' }),
    ['published demo-main-3 different'],
  ],
])('%s', ([, change, found]) => {
  expect(differences(change)).toEqual(found);
});
