import { describe, expect, it } from 'vitest';
import { northbound } from './northbound.ts';
import { elements, record } from './ovsdb-values.ts';
import { topology } from './testing/topology.ts';
import type { ClusterNetwork, Topology } from './topology.ts';

const [alpha, beta] = topology.networks as [ClusterNetwork, ClusterNetwork];
const rows = northbound(topology);
const of = (table: string, wanted: Topology = topology) => northbound(wanted).filter((row) => row.table === table);

describe('rows of a topology', () => {
  it('are deterministic and have unique IDs', () => {
    expect(northbound(topology)).toEqual(rows);
    expect(new Set(rows.map(({ table, id }) => `${table} ${id}`)).size).toBe(rows.length);
  });

  it('reference only rows of the same topology', () => {
    const ids = new Set(rows.map(({ id }) => id));
    for (const { references } of rows) for (const id of Object.values(references).flat()) expect(ids).toContain(id);
  });

  it('do not change when another network is added or removed', () => {
    const ofBeta = (wanted: Topology) => northbound(wanted).filter(({ owner }) => owner === 'beta');
    expect(ofBeta({ ...topology, networks: [beta] })).toEqual(ofBeta(topology));
  });

  it('exempt transit traffic from every NAT', () => {
    const sets = new Map(of('Address_Set').map(({ id, columns }) => [id, elements(columns.addresses)]));
    for (const { references } of of('NAT')) expect(references.exempted_ext_ips).toHaveLength(1);
    expect(sets.get('alpha')).toEqual(['100.64.0.0/16', '10.255.0.0/24']);
    expect(sets.get('integration')).toEqual(['100.64.0.0/16', '10.11.0.0/24', '10.12.0.0/24']);
  });

  it('let a node send only from its own address and its pod network', () => {
    const security = of('Logical_Switch_Port').find(({ id }) => id === 'a1')?.columns.port_security;
    expect(security).toBe('0a:00:0a:0b:00:0b 10.11.0.11 10.244.1.0/24');
  });

  it('do not connect a router to a network in which it has no address', () => {
    const lonely = { ...beta, router: { name: 'beta-router' }, published: [] };
    const wanted = { ...topology, networks: [alpha, lonely] };
    const ofBeta = northbound(wanted).filter(({ owner }) => owner === 'beta');
    expect(ofBeta.filter(({ table }) => table === 'Logical_Router_Port').map(({ id }) => id)).toEqual([
      'beta-router:to:beta',
    ]);
    expect(
      ofBeta.filter(({ table }) => ['NAT', 'ACL', 'Logical_Router_Static_Route', 'Address_Set'].includes(table)),
    ).toEqual([]);
    const integrationRoutes = of('Logical_Router_Static_Route', wanted).filter(({ owner }) => owner === 'integration');
    expect(integrationRoutes.map(({ columns }) => columns.ip_prefix)).toEqual(['0.0.0.0/0', '10.11.0.0/24']);
  });

  it('open only the published ports at a published address', () => {
    const matches = of('ACL')
      .filter(({ id }) => id.startsWith('open 172.30.0.33'))
      .map(({ columns }) => columns.match);
    const target = 'outport == "external:of:beta-router" && ip4.dst == 172.30.0.33';
    expect(matches).toEqual([`${target} && tcp.dst == 80`, `${target} && tcp.dst >= 30000 && tcp.dst <= 32767`]);
    expect(of('NAT').map(({ columns }) => columns.type)).not.toContain('dnat_and_snat');
  });

  it('check the health of every backend of a load balancer, inside and outside', () => {
    const [balancer] = of('Load_Balancer');
    expect(record(balancer?.columns.vips)).toEqual({
      '10.11.0.2:6443': '10.11.0.11:6443,10.11.0.12:6443',
      '172.30.0.17:6443': '10.11.0.11:6443,10.11.0.12:6443',
    });
    expect(record(balancer?.columns.ip_port_mappings)).toEqual({
      '10.11.0.11': 'a1:10.11.0.3',
      '10.11.0.12': 'alpha-control-plane-2:10.11.0.3',
    });
    expect(of('Load_Balancer_Health_Check')).toHaveLength(2);
  });

  it('do not check the health of a single backend', () => {
    const { loadBalancers } = alpha;
    const single = loadBalancers.map((each) => ({ ...each, backends: each.backends.slice(0, 1) }));
    const wanted = { ...topology, networks: [{ ...alpha, loadBalancers: single }, beta] };
    expect(of('Load_Balancer', wanted)).toHaveLength(1);
    expect(of('Load_Balancer_Health_Check', wanted)).toEqual([]);
  });

  it('give address sets valid and unique names', () => {
    const names = ['a-b', 'a_b', 'a_2d_b', 'a.b'].map((name) => ({ ...beta, name }));
    const sets = of('Address_Set', { ...topology, networks: names }).map(({ columns }) => String(columns.name));
    expect(new Set(sets).size).toBe(5);
    for (const name of sets) expect(name).toMatch(/^[a-zA-Z_.][\w.]*$/);
  });
});
