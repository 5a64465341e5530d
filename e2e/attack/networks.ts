import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { host, type Published, type Site, succeeds, universe } from './site.ts';
import type { Attempt, Outcome } from './table.ts';

/** Ports that a cluster publishes on its ingress and DNS nodes, besides its API. */
const published = [53, 80, 443];
/** Internal ports of the same nodes. */
const hidden = [22, 2379, 2380, 2381, 8081, 10248, 10249, 10250, 10256, 10257, 10259];

/** Packets from outside, from another cluster, from nodes and from Universe, to allowed and to denied destinations. */
export async function networkAttempts(site: Site, { api, node }: Published): Promise<Attempt[]> {
  const { sh } = site;
  // A service of the host itself, on all its addresses.
  const listener = createServer((socket) => socket.end()).listen(0, '0.0.0.0');
  await once(listener, 'listening');
  listener.unref();
  const { port } = listener.address() as { port: number };

  const from = (machine: string) => async (address: string, at: number) =>
    succeeds(await sh(machine, `timeout 3 bash -c 'exec 3<>/dev/tcp/${address}/${at}'`));
  const places = [
    { role: 'stranger', probe: outside },
    { role: 'other cluster', probe: from('other-work-1') },
  ] as const;
  const clusterPorts = places.flatMap(({ role, probe }): Attempt[] => [
    { role, what: `opens the API of demo`, expected: 'allowed', run: () => probe(api, 6443) },
    each(role, 'opens what demo publishes', published, 'allowed', (at) => probe(node, at)),
    each(role, 'opens what the nodes of demo run for themselves', hidden, 'denied', (at) => probe(node, at)),
  ]);
  const inside = from('other-work-1');
  const fromUniverse = from('universe');
  return [
    ...clusterPorts,
    {
      role: 'other cluster',
      what: 'opens nodes of demo by their own addresses',
      expected: 'denied',
      run: () => inside('10.20.0.10', 6443),
    },
    each('node', 'opens Universe: API, agents, registry, names', [443, 8140, 5000, 53], 'allowed', (at) =>
      inside('10.255.0.10', at),
    ),
    each('node', 'opens other ports of Universe', [22, 5001, 8053, 5432], 'denied', (at) => inside('10.255.0.10', at)),
    each('node', 'opens listeners of the host', [port, 7443, 8443], 'denied', (at) => inside(host, at)),
    {
      role: 'service user',
      what: 'opens the engine from Universe',
      expected: 'allowed',
      run: () => fromUniverse(host, 7443),
    },
    {
      role: 'service user',
      what: 'opens another listener of the host from Universe',
      expected: 'denied',
      run: () => fromUniverse(host, port),
    },
    each('stranger', 'opens ports of Universe that are not for people', [22, 53], 'denied', (at) =>
      outside(universe, at),
    ),
  ];
}

/** One row for several ports; names the ports that differ from the expectation. */
function each(
  role: Attempt['role'],
  what: string,
  ports: readonly number[],
  expected: Outcome,
  probe: (port: number) => Promise<Outcome>,
): Attempt {
  return {
    role,
    what: `${what} (${ports.join(', ')})`,
    expected,
    run: async () => {
      const wrong: number[] = [];
      for (const port of ports) if ((await probe(port)) !== expected) wrong.push(port);
      if (wrong.length > 0) throw new Error(`${wrong.join(', ')} not ${expected}`);
      return expected;
    },
  };
}

function outside(address: string, port: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: 3000 });
    const end = (outcome: Outcome) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('connect', () => end('allowed'));
    socket.once('error', () => end('denied'));
    socket.once('timeout', () => end('denied'));
  });
}
