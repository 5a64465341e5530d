import { expect, test } from 'vitest';
import { externalRules } from './external-rules.ts';

test('a network connects beyond the host only to its distant ports, and not to addresses of the external network', () => {
  const member = {
    name: 'integration',
    router: { externalAddress: '172.30.0.2' },
    published: [],
    loadBalancers: [],
    hostPorts: [],
    distantPorts: ['6443/tcp'],
  };
  const place = { network: '172.30.0.0/16', routerPort: 'r', hostPort: 'h', hostAddress: '172.30.0.1' };
  const toHost = (rules: ReturnType<typeof externalRules>) =>
    rules.filter(({ match }) => match.includes('outport == "h"')).map(({ match }) => match);
  expect(toHost(externalRules(member, place))).toEqual([
    'outport == "h" && ip4.src == 172.30.0.2 && ip4.dst != 172.30.0.0/16 && tcp.dst == 6443',
  ]);
  expect(toHost(externalRules({ ...member, distantPorts: [] }, place))).toEqual([]);
});
