import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply } from './apply.ts';
import { sockets } from './daemons.ts';
import { columnsRead, ownedRows } from './differences.ts';
import { northbound } from './northbound.ts';
import { Ovsdb } from './ovsdb.ts';
import { map, named, type Operation, record, set } from './ovsdb-values.ts';
import { networkStatus } from './status.ts';
import { Root, Supervisor } from './testing/root.ts';
import { topology } from './testing/topology.ts';
import type { ClusterNetwork, Topology } from './topology.ts';

const [alpha, beta] = topology.networks as [ClusterNetwork, ClusterNetwork];

/** There is no chassis, so only northd reports that it has caught up. */
describe('apply', () => {
  let root: Root;
  let supervisor: Supervisor;
  let database: Ovsdb;

  beforeAll(async () => {
    root = await Root.create();
    const needed = ['nova-northbound-db', 'nova-southbound-db', 'nova-northd'];
    supervisor = await Supervisor.start(root.path, (name) => needed.includes(name));
    database = new Ovsdb(sockets(root.path).northbound, 'OVN_Northbound');
  });

  afterAll(async () => {
    database.close();
    await supervisor.stop();
    await root.remove();
  });

  const counts = async () => {
    const rows = await database.snapshot(columnsRead);
    return Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, all.length]));
  };
  const expectedCounts = (wanted: Topology) => {
    const rows = northbound(wanted);
    return Object.fromEntries(
      Object.keys(columnsRead).map((table) => [table, rows.filter((row) => row.table === table).length]),
    );
  };

  it('creates every row once and changes nothing on a second run', async () => {
    expect(await apply(database, topology)).toEqual({ operations: northbound(topology).length });
    expect(await counts()).toEqual(expectedCounts(topology));
    expect(await apply(database, topology)).toEqual({ operations: 0 });
  });

  it('marks every row with its network', async () => {
    const rows = await database.snapshot(columnsRead);
    const all = Object.values(rows).flat();
    expect(ownedRows(all)).toHaveLength(all.length);
    expect(new Set(ownedRows(all).map(({ owner }) => owner))).toEqual(
      new Set(['external', 'transit', 'integration', 'alpha', 'beta']),
    );
  });

  it('results in the status of the topology', async () => {
    const { switches, routers } = await networkStatus(database);
    expect(switches.map(({ name }) => name)).toEqual(['alpha', 'beta', 'external', 'integration', 'transit']);
    expect(switches[0]).toEqual({
      name: 'alpha',
      ports: [
        { name: 'a1', mac: '0a:00:0a:0b:00:0b', address: '10.11.0.11', up: false },
        { name: 'alpha-control-plane-2', mac: '0a:00:0a:0b:00:0c', address: '10.11.0.12', up: false },
      ],
      names: [
        { name: 'api.alpha.nova.internal', addresses: ['10.11.0.2'] },
        { name: 'two.nova.internal', addresses: ['10.11.0.11', '10.11.0.12'] },
        { name: 'universe.nova.internal', addresses: ['10.255.0.10'] },
      ],
      loadBalancers: [
        { name: 'alpha api', address: '10.11.0.2:6443', backends: ['10.11.0.11:6443', '10.11.0.12:6443'] },
        { name: 'alpha api', address: '172.30.0.17:6443', backends: ['10.11.0.11:6443', '10.11.0.12:6443'] },
      ],
    });
    expect(routers.find(({ name }) => name === 'beta-router')).toMatchObject({
      ports: [
        { network: 'beta', address: '10.12.0.1/24' },
        { network: 'external', address: '172.30.0.32/16' },
        { network: 'transit', address: '100.64.0.3/16' },
      ],
      routes: expect.arrayContaining([
        { network: '0.0.0.0/0', via: '172.30.0.1' },
        { network: '10.255.0.0/24', via: '100.64.0.1' },
      ]),
      nat: [
        { type: 'snat', externalAddress: '172.30.0.32', address: '10.12.0.0/24', ports: [] },
        {
          type: 'dnat',
          externalAddress: '172.30.0.33',
          address: '10.12.0.12',
          ports: ['80/tcp', '30000-32767/tcp'],
        },
      ],
    });
  });

  it('changes only the differences', async () => {
    const moved = { ...alpha, ports: alpha.ports.map((port) => ({ ...port, allowedNetworks: ['10.244.9.0/24'] })) };
    expect(await apply(database, { ...topology, networks: [moved, beta] })).toEqual({ operations: 2 });
    expect(await apply(database, topology)).toEqual({ operations: 2 });
  });

  it('removes a network completely', async () => {
    const without = { ...topology, networks: [beta] };
    await apply(database, without);
    expect(await counts()).toEqual(expectedCounts(without));
    expect(await apply(database, without)).toEqual({ operations: 0 });
    await apply(database, topology);
    expect(await counts()).toEqual(expectedCounts(topology));
  });

  it('repairs manual changes', async () => {
    await database.transact([
      { op: 'update', table: 'NAT', where: [['type', '==', 'snat']], row: { external_ip: '1.2.3.4' } },
      { op: 'update', table: 'NAT', where: [], row: { exempted_ext_ips: set([]) } },
      { op: 'delete', table: 'DNS', where: [] },
      { op: 'update', table: 'Logical_Switch', where: [['name', '==', 'transit']], row: { acls: set([]) } },
      { op: 'update', table: 'Logical_Switch_Port', where: [['name', '==', 'a1']], row: { port_security: set([]) } },
    ]);
    expect((await apply(database, topology)).operations).toBeGreaterThan(0);
    expect(await counts()).toEqual(expectedCounts(topology));
    expect(await apply(database, topology)).toEqual({ operations: 0 });
  });

  it('never touches foreign rows, not even inside of our own', async () => {
    const foreign: Operation[] = [
      {
        op: 'insert',
        table: 'Logical_Switch_Port',
        row: { name: 'theirs', addresses: 'unknown' },
        'uuid-name': 'theirs',
      },
      {
        op: 'mutate',
        table: 'Logical_Switch',
        where: [['name', '==', 'alpha']],
        mutations: [['ports', 'insert', set([named('theirs')])]],
      },
      { op: 'insert', table: 'Logical_Switch', row: { name: 'alpha', external_ids: map({ whose: 'theirs' }) } },
      { op: 'insert', table: 'Address_Set', row: { name: 'theirs' } },
    ];
    await database.transact(foreign);
    expect(await apply(database, topology)).toEqual({ operations: 0 });
    const moved = { ...alpha, ports: [] };
    await apply(database, { ...topology, networks: [{ ...moved, loadBalancers: [] }, beta] });
    const after = await database.snapshot({
      Logical_Switch_Port: ['name'],
      Logical_Switch: ['name', 'external_ids'],
      Address_Set: ['name'],
    });
    expect(after.Logical_Switch_Port.map(({ name }) => name)).toContain('theirs');
    expect(after.Logical_Switch.filter(({ external_ids }) => record(external_ids).whose === 'theirs')).toHaveLength(1);
    expect(after.Address_Set.map(({ name }) => name)).toContain('theirs');
    await database.transact([
      { op: 'delete', table: 'Logical_Switch', where: [['external_ids', 'includes', map({ whose: 'theirs' })]] },
      { op: 'delete', table: 'Address_Set', where: [['name', '==', 'theirs']] },
    ]);
    await apply(database, { ...topology, networks: [beta] });
    await apply(database, topology);
    expect(await counts()).toEqual(expectedCounts(topology));
  });

  it('converges when it runs concurrently', async () => {
    await apply(database, { ...topology, networks: [] });
    const other = new Ovsdb(sockets(root.path).northbound, 'OVN_Northbound');
    await Promise.all([database, other, database, other].map((one) => apply(one, topology)));
    other.close();
    expect(await counts()).toEqual(expectedCounts(topology));
  });

  it('completes the database after a crash at any time', async () => {
    for (let delay = 0; delay < 6; delay += 1) {
      const wanted = delay % 2 ? topology : { ...topology, networks: [] };
      const applying = apply(database, wanted).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, delay * 4));
      await supervisor.kill('nova-northbound-db');
      await applying;
      await apply(database, wanted);
      expect(await counts()).toEqual(expectedCounts(wanted));
    }
  }, 60_000);

  it('fails at the deadline and names the daemon that is late', async () => {
    // Stopped, not killed: the test's supervisor would restart it.
    supervisor.signal('nova-northd', 'SIGSTOP');
    const late = apply(database, { ...topology, networks: [beta] }, { timeout: 2000 });
    await expect(late).rejects.toThrow(/ovn-northd has not applied change \d+ yet/);
    supervisor.signal('nova-northd', 'SIGCONT');
    await apply(database, topology);
  });

  it('handles many clusters', async () => {
    const many = Array.from({ length: 60 }, (_, index) => cluster(index));
    const started = performance.now();
    await apply(database, { ...topology, networks: many }, { timeout: 60_000 });
    const first = performance.now() - started;
    expect(await apply(database, { ...topology, networks: many })).toEqual({ operations: 0 });
    const again = performance.now() - started - first;
    process.stdout.write(`60 clusters of 10 machines: ${first.toFixed(0)} ms, again ${again.toFixed(0)} ms\n`);
  }, 120_000);
});

function cluster(index: number): ClusterNetwork {
  const prefix = `10.${100 + index}.0`;
  return {
    ...alpha,
    name: `c${index}`,
    network: `${prefix}.0/24`,
    gateway: `${prefix}.1`,
    router: { name: `c${index}-router`, transitAddress: `100.64.1.${index}`, externalAddress: `172.30.1.${index}` },
    ports: Array.from({ length: 10 }, (_, node) => ({
      name: `c${index}-${node}`,
      mac: `0a:00:00:00:${index.toString(16).padStart(2, '0')}:${node.toString(16).padStart(2, '0')}`,
      address: `${prefix}.${node + 10}`,
    })),
    published: [{ externalAddress: `172.30.2.${index}`, address: `${prefix}.10`, ports: ['80/tcp'] }],
    loadBalancers: [
      {
        name: 'api',
        address: `${prefix}.2`,
        port: 6443,
        backends: [{ address: `${prefix}.10`, port: `c${index}-0` }],
        healthCheckSource: `${prefix}.3`,
      },
    ],
  };
}
