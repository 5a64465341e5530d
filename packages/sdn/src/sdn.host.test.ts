import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sockets } from './daemons.ts';
import { removeBridgeLinks } from './links.ts';
import { Ovsdb } from './ovsdb.ts';
import { map, named, set } from './ovsdb-values.ts';
import { Sdn } from './sdn.ts';
import { dnsAnswer, dnsQuery } from './testing/dns.ts';
import { Machine } from './testing/machine.ts';
import { Root, Supervisor } from './testing/root.ts';
import {
  attachmentOf,
  guard,
  hostAddress,
  type MachineName,
  machineNames,
  ports,
  topology,
} from './testing/topology.ts';

const run = promisify(execFile);
const hostLink = { address: hostAddress, prefix: 16, mtu: 1500, guard };

describe('networks carry allowed traffic only', () => {
  let root: Root;
  let supervisor: Supervisor;
  let sdn: Sdn;
  let northbound: Ovsdb;
  let host: Machine;
  const machines = {} as Record<MachineName, Machine>;

  beforeAll(async () => {
    root = await Root.create();
    supervisor = await Supervisor.start(root.path);
    sdn = new Sdn(root.path);
    northbound = new Ovsdb(sockets(root.path).northbound, 'OVN_Northbound');
    await sdn.configure({ datapath: 'netdev' });
    await sdn.hostLinkUp(hostLink);
    await sdn.apply(topology);
    host = await Machine.start('host');
    for (const name of machineNames) {
      machines[name] = await Machine.start(name, attachmentOf(name).netns);
      await sdn.attach(attachmentOf(name));
    }
    await sdn.portsUp(Object.values(ports).map(({ name }) => name));
  }, 120_000);

  afterAll(async () => {
    for (const { name } of Object.values(ports)) await sdn?.detach(name).catch(() => undefined);
    await sdn?.hostLinkDown(hostLink);
    await Promise.all([host, ...Object.values(machines)].map((machine) => machine?.stop()));
    sdn?.close();
    northbound?.close();
    await supervisor?.stop();
    await removeBridgeLinks();
    await root?.remove();
  }, 60_000);

  it('every machine reaches its own network and integration, integration reaches all, and no cluster reaches another', async () => {
    const networkOf = (name: MachineName) => ports[name].address.split('.')[1];
    const isAllowed = (from: MachineName, to: MachineName) =>
      networkOf(from) === networkOf(to) || from === 'universe' || to === 'universe';
    const pairs = machineNames.flatMap((from) =>
      machineNames.filter((to) => to !== from).map((to) => [from, to] as const),
    );
    const found = await Promise.all(
      pairs.map(async ([from, to]) => {
        const { address } = ports[to];
        const machine = machines[from];
        // A packet can get lost when many are sent at once.
        const tries = isAllowed(from, to) ? 3 : 1;
        const [icmp, tcp, udp] = await Promise.all([
          answered(tries, () => machine.ping(address)),
          machine.tcp(address),
          answered(tries, () => machine.udp(address)),
        ]);
        return `${from} → ${to}: icmp ${icmp}, tcp ${tcp}, udp ${udp}`;
      }),
    );
    const expected = pairs.map(([from, to]) => {
      // The responder sees the sender's own address.
      const answer = `${to} ${ports[from].address}`;
      return isAllowed(from, to)
        ? `${from} → ${to}: icmp answered, tcp ${answer}, udp ${answer}`
        : `${from} → ${to}: icmp timed out, tcp timed out, udp timed out`;
    });
    expect(found).toEqual(expected);
  }, 30_000);

  it('fragmented packets arrive', async () => {
    expect(await machines.universe.udp(ports.a1.address, { bytes: 9000 })).toBe('a1 10.255.0.10');
    expect(await machines.a1.udp(ports.a2.address, { bytes: 9000 })).toBe('a2 10.11.0.11');
  });

  it('outbound connections have the address of the router, also those of published machines', async () => {
    expect(await machines.a1.tcp(hostAddress)).toBe('host 172.30.0.16');
    expect(await machines.a1.udp(hostAddress)).toBe('host 172.30.0.16');
    expect(await machines.b1.tcp(hostAddress)).toBe('host 172.30.0.32');
    expect(await machines.a2.tcp(hostAddress)).toBe('host 172.30.0.16');
    expect(await machines.universe.tcp(hostAddress)).toBe('host 172.30.0.2');
  });

  it('a published machine is reachable on its published ports only, from every outside network', async () => {
    const tried = [22, 53, 80, 443, 2379, 2380, 6443, 10250, 30080, 32768];
    for (const name of ['universe', 'a2', 'b2'] as const)
      for (const port of tried) await machines[name].request({ do: 'listen', port });
    const outsiders = { host, b1: machines.b1, a1: machines.a1, universe: machines.universe };
    const targets = {
      '172.30.0.18': { from: ['host', 'b1', 'universe'], open: [53, 80, 443] },
      '172.30.0.33': { from: ['host', 'a1', 'universe'], open: [80, 30080] },
      '172.30.0.10': { from: ['host', 'a1', 'b1'], open: [443] },
      // Addresses of routers and of a load-balanced API.
      '172.30.0.16': { from: ['host', 'b1', 'universe'], open: [] },
      '172.30.0.17': { from: ['host', 'b1', 'universe'], open: [6443] },
    } as const;
    const lines = async (probe: (from: keyof typeof outsiders, to: string, port: number) => Promise<boolean>) =>
      Promise.all(
        Object.entries(targets).flatMap(([to, { from }]) =>
          from.flatMap((one) =>
            tried.map(async (port) => `${one} → ${to}:${port} ${(await probe(one, to, port)) ? 'open' : 'closed'}`),
          ),
        ),
      );
    // The API has backends after their first health check.
    await machines.a1.request({ do: 'listen', port: 6443 });
    await eventually(async () => expect(await answering(host, '172.30.0.17')).toEqual(['a1', 'a2']));
    const isOpen = async (from: keyof typeof outsiders, to: string, port: number) => {
      const outcome = await outsiders[from].tcp(to, { port, bytes: 100, timeout: 2000 });
      return /^\w+ [\d.]+$/.test(outcome);
    };
    const isDeclared = async (_: string, to: string, port: number) =>
      (targets[to as keyof typeof targets].open as readonly number[]).includes(port);
    expect(await lines(isOpen)).toEqual(await lines(isDeclared));
    expect(await host.udp('172.30.0.18')).toBe('a2 172.30.0.1');
    expect(await host.udp('172.30.0.33')).toBe('timed out');
    for (const name of ['universe', 'a2', 'b2'] as const)
      for (const port of tried) await machines[name].request({ do: 'close', port });
    await machines.a1.request({ do: 'close', port: 6443 });
  }, 60_000);

  it('the host is reachable on open ports only, and on the engine’s port from integration', async () => {
    await run('ip', ['address', 'add', '10.99.0.1/32', 'dev', 'lo']);
    for (const port of [22, 7443]) await host.request({ do: 'listen', port });
    try {
      const found = await Promise.all(
        machineNames.flatMap((name) =>
          [`${hostAddress}:22`, `${hostAddress}:7443`, `${hostAddress}:7`, '10.99.0.1:22', '10.99.0.1:7443'].map(
            async (target) => {
              const [address = '', port] = target.split(':');
              const outcome = await machines[name].tcp(address, { port: Number(port), bytes: 100, timeout: 2000 });
              return outcome.startsWith('host ') ? [`${name} → ${target}`] : [];
            },
          ),
        ),
      );
      expect(found.flat().toSorted()).toEqual(
        [`universe → ${hostAddress}:7443`, ...machineNames.map((name) => `${name} → ${hostAddress}:7`)].toSorted(),
      );
      expect(await machines.a1.ping(hostAddress)).toBe('timed out');
    } finally {
      for (const port of [22, 7443]) await host.request({ do: 'close', port });
      await run('ip', ['address', 'delete', '10.99.0.1/32', 'dev', 'lo']);
    }
  }, 30_000);

  it('published addresses are reachable from the host, from other networks and from their own', async () => {
    expect(await host.tcp('172.30.0.18')).toBe('a2 172.30.0.1');
    expect(await host.udp('172.30.0.18')).toBe('a2 172.30.0.1');
    expect(await host.ping('172.30.0.18')).toBe('answered');
    expect(await machines.b1.tcp('172.30.0.18')).toBe('a2 172.30.0.32');
    expect(await machines.a1.tcp('172.30.0.18')).toBe('a2 172.30.0.16');
  });

  it('the host cannot reach internal addresses of a network, even with a route', async () => {
    await run('ip', ['route', 'add', '10.11.0.0/24', 'via', '172.30.0.16', 'dev', 'nova-host']);
    try {
      expect(await host.tcp(ports.a1.address)).toBe('timed out');
      expect(await host.udp(ports.a1.address)).toBe('timed out');
      expect(await host.ping(ports.a1.address)).toBe('timed out');
    } finally {
      await run('ip', ['route', 'delete', '10.11.0.0/24', 'via', '172.30.0.16']);
    }
  });

  it('packets with a forged source address are dropped, and those of a node’s pod network arrive', async () => {
    const targets = { a2: ports.a2.address, universe: ports.universe.address, b2: ports.b2.address, host: hostAddress };
    const arrived: string[] = [];
    const send = async (from: 'a1' | 'b1', address: string, timeout = 200) => {
      await machines[from].run('ip', 'addr', 'add', `${address}/32`, 'dev', 'eth0');
      for (const [name, target] of Object.entries(targets)) {
        const machine = name === 'host' ? host : machines[name as MachineName];
        const before = ((await machine.request({ do: 'seen' })) as string[]).length;
        await machines[from].udp(target, { from: address, timeout });
        const seen = ((await machine.request({ do: 'seen' })) as string[]).slice(before);
        arrived.push(...seen.map((source) => `${from} as ${address} → ${name}, seen as ${source}`));
      }
      await machines[from].run('ip', 'addr', 'delete', `${address}/32`, 'dev', 'eth0');
    };
    // An unused address, a neighbour's, integration's, another cluster's, the router's, the host's.
    for (const address of ['10.11.0.77', '10.11.0.12', '10.255.0.11', '10.12.0.11', '10.11.0.1', '172.30.0.1']) {
      await send('a1', address);
    }
    await send('b1', '10.244.1.5');
    expect(arrived).toEqual([]);
    // Control: the same path with an address that a1 is allowed to use.
    await machines.a2.run('ip', 'route', 'add', '10.244.1.0/24', 'via', ports.a1.address);
    await send('a1', '10.244.1.5', 2000);
    expect(arrived).toEqual(['a1 as 10.244.1.5 → a2, seen as 10.244.1.5']);
  }, 60_000);

  it('packets with a wrong MAC address are dropped', async () => {
    await machines.b1.run('ip', 'link', 'set', 'eth0', 'address', '0a:00:00:00:00:99');
    expect(await machines.b1.udp(ports.b2.address)).toBe('timed out');
    await sdn.attach(attachmentOf('b1'));
    expect(await machines.b1.udp(ports.b2.address)).toBe('b2 10.12.0.11');
  });

  it('a forged route does not connect two clusters, and it stays because it is not ours', async () => {
    const routes = [
      { router: 'alpha-router', network: '10.12.0.0/24', via: '100.64.0.3' },
      { router: 'beta-router', network: '10.11.0.0/24', via: '100.64.0.2' },
    ];
    await northbound.transact(
      routes.flatMap(({ router, network, via }, index) => [
        {
          op: 'insert',
          table: 'Logical_Router_Static_Route',
          row: { ip_prefix: network, nexthop: via, external_ids: map({ foreign: 'yes' }) },
          'uuid-name': `route${index}`,
        } as const,
        {
          op: 'mutate',
          table: 'Logical_Router',
          where: [['name', '==', router]],
          mutations: [['static_routes', 'insert', set([named(`route${index}`)])]],
        } as const,
      ]),
    );
    expect(await sdn.apply(topology)).toEqual({ operations: 0 });
    await run('chroot', [root.path, 'ovn-nbctl', '--wait=hv', 'sync']);
    expect((await sdn.status()).routers.find(({ name }) => name === 'beta-router')?.routes).toHaveLength(3);
    expect(await machines.a1.tcp(ports.b1.address)).toBe('timed out');
    expect(await machines.a1.udp(ports.b1.address)).toBe('timed out');
    expect(await machines.b1.ping(ports.a1.address)).toBe('timed out');
    // Other routers on transit are not reachable either.
    expect(await machines.a1.ping('100.64.0.3')).toBe('timed out');
    expect(await machines.a1.tcp(ports.universe.address)).toBe('universe 10.11.0.11');
    // Control: the ACLs of transit block the traffic, and `apply` restores them.
    const arrivals = async () => {
      const before = ((await machines.b1.request({ do: 'seen' })) as string[]).length;
      await machines.a1.udp(ports.b1.address, { timeout: 300 });
      return ((await machines.b1.request({ do: 'seen' })) as string[]).slice(before);
    };
    expect(await arrivals()).toEqual([]);
    await northbound.transact([
      { op: 'update', table: 'Logical_Switch', where: [['name', '==', 'transit']], row: { acls: set([]) } },
    ]);
    await eventually(async () => expect(await arrivals()).toEqual(['172.30.0.16']));
    expect((await sdn.apply(topology)).operations).toBeGreaterThan(0);
    expect(await arrivals()).toEqual([]);
  }, 30_000);

  it('every backend of a load balancer responds to clients inside, outside and in integration', async () => {
    for (const name of ['a1', 'a2'] as const) await machines[name].request({ do: 'listen', port: 6443 });
    const from = { inside: machines.a1, integration: machines.universe, host };
    await eventually(async () => {
      expect(await answering(machines.universe, '10.11.0.2')).toEqual(['a1', 'a2']);
    });
    expect(await answering(from.inside, '10.11.0.2')).toEqual(['a1', 'a2']);
    expect(await answering(host, '172.30.0.17')).toEqual(['a1', 'a2']);
    expect(await answering(machines.a2, '172.30.0.17')).toEqual(['a1', 'a2']);
    // A single connection first: during ARP resolution a router queues only a few packets of a burst.
    expect(await machines.b1.tcp('172.30.0.17', { port: 6443 })).toMatch(/^a[12] 172.30.0.32$/);
    expect(await answering(machines.b1, '172.30.0.17')).toEqual(['a1', 'a2']);
    expect(await machines.b1.tcp('10.11.0.2', { port: 6443 })).toBe('timed out');
    // Source addresses are preserved over transit.
    expect((await machines.universe.tcp('10.11.0.2', { port: 6443 })).split(' ')[1]).toBe('10.255.0.10');
  }, 60_000);

  it('a failed backend gets no new connections', async () => {
    await machines.a2.request({ do: 'close', port: 6443 });
    const started = performance.now();
    await eventually(async () => {
      expect(await answering(machines.universe, '10.11.0.2')).toEqual(['a1']);
    });
    report(`backend closed → only the healthy one responds: ${since(started)}`);
    expect(await answering(host, '172.30.0.17')).toEqual(['a1']);
    await machines.a2.request({ do: 'listen', port: 6443 });
    await eventually(async () => {
      expect(await answering(machines.universe, '10.11.0.2')).toEqual(['a1', 'a2']);
    });
    // A machine without a link does not even refuse connections.
    await machines.a2.run('ip', 'link', 'set', 'eth0', 'down');
    const cut = performance.now();
    await eventually(async () => {
      expect(await answering(machines.universe, '10.11.0.2')).toEqual(['a1']);
    });
    report(`backend cut off → only the healthy one responds: ${since(cut)}`);
    await sdn.attach(attachmentOf('a2'));
    await eventually(async () => {
      expect(await answering(machines.universe, '10.11.0.2')).toEqual(['a1', 'a2']);
    });
  }, 90_000);

  it('queries for our names to any server are answered, with and without EDNS; queries for other names are not', async () => {
    const request = async (name: string, server: string, options: Parameters<typeof dnsQuery>[1] = {}) => {
      try {
        const answer = await machines.a1.request({ do: 'dns', address: server, query: dnsQuery(name, options) });
        return dnsAnswer(String(answer));
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (const server of ['9.9.9.9', '10.11.0.1', '10.11.0.12', '10.12.0.11', '172.30.0.1']) {
      for (const edns of [false, true]) {
        expect(await request('universe.nova.internal', server, { edns })).toEqual({
          code: 0,
          addresses: ['10.255.0.10'],
        });
      }
    }
    expect(await request('two.nova.internal', '9.9.9.9')).toEqual({ code: 0, addresses: ['10.11.0.11', '10.11.0.12'] });
    expect(await request('TWO.nova.internal', '9.9.9.9')).toEqual({ code: 0, addresses: ['10.11.0.11', '10.11.0.12'] });
    expect(await request('universe.nova.internal', '9.9.9.9', { type: 'AAAA' })).toMatchObject({ addresses: [] });
    expect(await request('api.beta.nova.internal', '9.9.9.9')).toBe('timed out');
    expect(await request('example.org', '9.9.9.9')).toBe('timed out');
  }, 30_000);

  it('machines with `tunnels` can use VXLAN', async () => {
    for (const [name, other, address] of [
      ['b1', 'b2', '10.77.0.1/24'],
      ['b2', 'b1', '10.77.0.2/24'],
    ] as const) {
      await sdn.attach({ ...attachmentOf(name), tunnels: true });
      const ends = ['remote', ports[other].address, 'local', ports[name].address];
      const device = ['vxlan', 'id', '42', 'dstport', '8472', 'dev', 'eth0', ...ends];
      await machines[name].run('ip', 'link', 'add', 'overlay', 'type', ...device);
      await machines[name].run('ip', 'addr', 'add', address, 'dev', 'overlay');
      await machines[name].run('ip', 'link', 'set', 'overlay', 'up');
    }
    expect(await machines.b1.tcp('10.77.0.2', { bytes: 1_000_000 })).toBe('b2 10.77.0.1');
    for (const name of ['b1', 'b2'] as const) {
      await machines[name].run('ip', 'link', 'delete', 'overlay');
      await sdn.attach(attachmentOf(name));
    }
    expect(await machines.b1.tcp(ports.b2.address, { bytes: 1_000_000 })).toBe('b2 10.12.0.11');
  });

  it('a second attach changes nothing, and the connection works', async () => {
    const before = await sdn.listLinks();
    await sdn.attach(attachmentOf('a1'));
    expect(await sdn.listLinks()).toEqual(before);
    expect(before.map(({ port }) => port).toSorted()).toEqual(
      Object.values(ports)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(await machines.a1.tcp(ports.a2.address)).toBe('a2 10.11.0.11');
  });

  it('traffic does not leave by the default route while the host’s link is down, and hostLinkUp repairs the link', async () => {
    await run('ip', ['link', 'delete', 'nova-host']);
    // The guard route reports that the host is unreachable; without it the network would be.
    await expect(run('ip', ['route', 'get', '172.30.0.18'])).rejects.toThrow('No route to host');
    await sdn.hostLinkUp(hostLink);
    await eventually(async () => expect(await host.udp('172.30.0.18', { timeout: 200 })).toBe('a2 172.30.0.1'));
    await eventually(async () => expect(await machines.b1.udp(hostAddress, { timeout: 200 })).toBe('host 172.30.0.32'));
  });

  it('a machine is reachable again after a reboot with a new namespace', async () => {
    await machines.b2.stop();
    machines.b2 = await Machine.start('b2', attachmentOf('b2').netns);
    await sdn.attach(attachmentOf('b2'));
    await sdn.portsUp([ports.b2.name]);
    await eventually(async () => expect(await machines.b1.tcp(ports.b2.address)).toBe('b2 10.12.0.11'));
    expect(await machines.b2.tcp(ports.universe.address)).toBe('universe 10.12.0.12');
  });

  it('a detached port is unreachable until it is attached again', async () => {
    await sdn.detach(ports.b2.name);
    expect(await machines.b1.ping(ports.b2.address)).toBe('timed out');
    await sdn.attach(attachmentOf('b2'));
    await sdn.portsUp([ports.b2.name]);
    await eventually(async () => expect(await machines.b1.ping(ports.b2.address)).toBe('answered'));
  }, 30_000);

  it('networks recover from a crash of any daemon', async () => {
    for (const name of supervisor.names) {
      const started = performance.now();
      await supervisor.kill(name);
      await eventually(async () => {
        expect(await machines.universe.udp(ports.a1.address, { timeout: 100 })).toBe('a1 10.255.0.10');
        expect(await machines.a1.udp(hostAddress, { timeout: 100 })).toBe('host 172.30.0.16');
      });
      const packets = since(started);
      // Changes are applied again too: a new name resolves.
      const changed = withName(`${name}.nova.internal`);
      await eventually(async () => {
        expect(await sdn.apply(changed).catch((error: Error) => error.message)).toMatchObject({ operations: 1 });
      });
      const query = dnsQuery(`${name}.nova.internal`);
      await eventually(async () => {
        const answer = await machines.b1.request({ do: 'dns', address: '9.9.9.9', query });
        expect(dnsAnswer(String(answer))).toEqual({ code: 0, addresses: ['10.12.0.99'] });
      });
      report(`kill -9 ${name}: packets ${packets}, changes ${since(started)}`);
      await sdn.apply(topology);
    }
    expect(await machines.a1.tcp(ports.b1.address)).toBe('timed out');
    expect(await host.tcp('172.30.0.18')).toBe('a2 172.30.0.1');
    expect(await answering(machines.universe, '10.11.0.2')).toEqual(['a1', 'a2']);
  }, 180_000);
});

async function answered(tries: number, request: () => Promise<string>): Promise<string> {
  const found = await request();
  return found === 'timed out' && tries > 1 ? answered(tries - 1, request) : found;
}

/** The machines that respond to 24 connections: enough to reach both of two backends with near certainty. */
async function answering(machine: Machine, address: string): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: 24 }, () => machine.tcp(address, { port: 6443, bytes: 2000, timeout: 1000 })),
  );
  return [
    ...new Set(answers.map((answer) => (answer.includes('timed out') ? answer : (answer.split(' ')[0] ?? '')))),
  ].toSorted();
}

function withName(name: string): typeof topology {
  return {
    ...topology,
    networks: topology.networks.map((network) =>
      network.name === 'beta'
        ? { ...network, names: [...network.names, { name, addresses: ['10.12.0.99'] }] }
        : network,
    ),
  };
}

async function eventually(check: () => Promise<void>, timeout = 20_000): Promise<void> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function since(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(2)} s`;
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
