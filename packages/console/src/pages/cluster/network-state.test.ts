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
const compare = (there: ClusterNetwork | undefined) => compareNetwork({ ...plan, network: sdnOf(plan) }, there);

/** Parts that differ after a change of the network. */
function differences(change: (there: ClusterNetwork) => void): string[] {
  const there = engineView(plan);
  change(there);
  return compare(there)
    .filter(({ verdict }) => verdict !== 'same')
    .map(({ kind, name, state, verdict }) => [kind, name, verdict, state].filter(Boolean).join(' '));
}

test('a network that is as planned has no differences, and one that is not there lacks everything', () => {
  expect(differences(() => undefined)).toEqual([]);
  expect(new Set(compare(undefined).map(({ verdict }) => verdict))).toEqual(new Set(['missing']));
});

test.for<[what: string, change: (there: ClusterNetwork) => void, found: string[]]>([
  ['a machine is gone', ({ machines }) => void machines.pop(), ['machine demo-work-1 missing']],
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
    'somebody made a machine by hand',
    ({ machines }) => void machines.push({ name: 'guest', address: '10.20.0.99', state: 'running' }),
    ['machine guest undeclared running'],
  ],
  [
    'a control plane is not balanced',
    ({ loadBalancers }) => {
      for (const { backends } of loadBalancers) backends.pop();
    },
    ['api 10.20.0.2:6443 different'],
  ],
  [
    'a router has lost its way out',
    ({ router }) => {
      router.nat = router.nat.filter(({ type }) => type !== 'snat');
      router.routes = router.routes.filter(({ network }) => network !== '0.0.0.0/0');
      router.ports = router.ports.filter(({ network }) => network !== 'external');
    },
    ['router demo-router different', 'route 0.0.0.0/0 missing', 'nat 10.20.0.0/24 missing'],
  ],
  [
    'a node is published elsewhere',
    ({ router }) => void Object.assign(router.nat.at(-1) ?? {}, { externalAddress: '172.30.0.99' }),
    ['published demo-main-3 different'],
  ],
])('%s', ([, change, found]) => {
  expect(differences(change)).toEqual(found);
});
