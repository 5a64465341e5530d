import { externalRules, type Rule } from './external-rules.ts';
import { chassis, macOf, physicalNetwork } from './names.ts';
import { map, type Row, set } from './ovsdb-values.ts';
import type { ClusterNetwork, LoadBalancer, Name, Port, Topology } from './topology.ts';

export type Table =
  | 'Logical_Switch'
  | 'Logical_Switch_Port'
  | 'ACL'
  | 'Logical_Router'
  | 'Logical_Router_Port'
  | 'Logical_Router_Static_Route'
  | 'NAT'
  | 'Load_Balancer'
  | 'Load_Balancer_Health_Check'
  | 'DNS'
  | 'Address_Set';

/** The desired state of a row of the northbound database. */
export interface DesiredRow {
  table: Table;
  /** Identifies the row over time; unique in its table. */
  id: string;
  /** The network it belongs to. */
  owner: string;
  columns: Row;
  /** Columns with references to other rows of ours, by ID. */
  references: Readonly<Record<string, readonly string[]>>;
}

const external = 'external';
const transit = 'transit';
const integration = 'integration';

/** A network behind its router: the common parts of integration and clusters. */
interface Routed extends ClusterNetwork {
  /** Networks behind other routers of the transit network. */
  overTransit: readonly { network: string; via: string }[];
  /** Ports of the host that the machines of the network can reach. */
  hostPorts: readonly string[];
  /** Ports beyond the host. */
  distantPorts?: readonly string[];
}

/** The rows of a topology. */
export function northbound(topology: Topology): DesiredRow[] {
  const routed = [integrationOf(topology), ...topology.networks.map((network) => clusterOf(network, topology))];
  return [
    ...routed.flatMap((network) => routedRows(network, topology)),
    ...transitRows(routed, topology),
    ...externalRows(routed, topology),
  ];
}

function integrationOf({ integration: network, external, networks }: Topology): Routed {
  return {
    ...network,
    hostPorts: [...external.openPorts, ...network.hostPorts],
    name: integration,
    router: { name: integration, transitAddress: network.transitAddress, externalAddress: network.externalAddress },
    externalGateway: external.hostAddress,
    loadBalancers: [],
    overTransit: networks.flatMap(({ network: cluster, router: { transitAddress: via } }) =>
      via ? [{ network: cluster, via }] : [],
    ),
  };
}

function clusterOf(cluster: ClusterNetwork, topology: Topology): Routed {
  const { network, transitAddress } = topology.integration;
  return {
    ...cluster,
    overTransit: cluster.router.transitAddress ? [{ network, via: transitAddress }] : [],
    hostPorts: topology.external.openPorts,
  };
}

function routedRows(routed: Routed, topology: Topology): DesiredRow[] {
  const { name: owner, router, ports, names } = routed;
  const { transitAddress, externalAddress } = router;
  const balancers = routed.loadBalancers.flatMap((balancer) => balancerRows(owner, balancer));
  const nats = externalAddress ? natRows(routed, externalAddress) : [];
  const routes = routeRows(routed);
  const routerPorts = [
    routerPort(owner, router.name, owner, routed.gateway, routed.network),
    ...(transitAddress ? [routerPort(owner, router.name, transit, transitAddress, topology.transit.network)] : []),
    ...(externalAddress ? [routerPort(owner, router.name, external, externalAddress, topology.external.network)] : []),
  ];
  const switchPorts = [switchPortOfRouter(owner, owner, router.name), ...ports.map((port) => machinePort(owner, port))];
  const interceptor = names.length ? [interceptorRow(owner, names)] : [];
  // Traffic over transit keeps its source addresses: Universe must be able to identify the sender.
  const exempt = row('Address_Set', owner, owner, {
    name: addressSetName(owner),
    addresses: set([topology.transit.network, ...routed.overTransit.map(({ network }) => network)]),
  });
  return [
    row(
      'Logical_Router',
      router.name,
      owner,
      {
        name: router.name,
        options: map({ chassis, always_learn_from_arp_request: 'false' }),
      },
      {
        ports: idsOf(routerPorts),
        static_routes: idsOf(routes),
        nat: idsOf(nats),
        load_balancer: idsOf(balancers, 'Load_Balancer'),
      },
    ),
    row(
      'Logical_Switch',
      owner,
      owner,
      { name: owner },
      {
        ports: idsOf(switchPorts),
        load_balancer: idsOf(balancers, 'Load_Balancer'),
        dns_records: idsOf(interceptor),
      },
    ),
    ...(nats.length ? [exempt] : []),
    ...routerPorts,
    ...switchPorts,
    ...routes,
    ...nats,
    ...balancers,
    ...interceptor,
  ];
}

function routeRows({ name: owner, router, externalGateway, overTransit }: Routed): DesiredRow[] {
  const routes = [...(router.externalAddress ? [{ network: '0.0.0.0/0', via: externalGateway }] : []), ...overTransit];
  return routes.map(({ network, via }) =>
    row('Logical_Router_Static_Route', `${router.name} ${network}`, owner, { ip_prefix: network, nexthop: via }),
  );
}

function natRows({ name: owner, network, published }: Routed, externalAddress: string): DesiredRow[] {
  const nat = (type: string, external_ip: string, logical_ip: string) =>
    row(
      'NAT',
      `${owner} ${type} ${logical_ip}`,
      owner,
      { type, external_ip, logical_ip },
      { exempted_ext_ips: [owner] },
    );
  return [
    nat('snat', externalAddress, network),
    // Only for inbound connections. Outbound connections of the machine have the router's address, which the rules
    // depend on.
    ...published.map((one) => nat('dnat', one.externalAddress, one.address)),
  ];
}

/** The load balancer is on the switch for the network's own machines, and on the router for all other clients. */
function balancerRows(owner: string, balancer: LoadBalancer): DesiredRow[] {
  const { name, port, backends, healthCheckSource } = balancer;
  const id = `${owner} ${name}`;
  const servers = backends.map(({ address }) => `${address}:${port}`).join(',');
  const vips = [balancer.address, balancer.externalAddress].flatMap((address) =>
    address ? [`${address}:${port}`] : [],
  );
  // Health checks choose among backends. With a single one they would only delay its first connections.
  const checked = backends.length > 1 ? vips : [];
  const checks = checked.map((vip) =>
    row('Load_Balancer_Health_Check', `${id} ${vip}`, owner, {
      vip,
      options: map({ interval: '1', timeout: '1', success_count: '1', failure_count: '2' }),
    }),
  );
  return [
    row(
      'Load_Balancer',
      id,
      owner,
      {
        name: id,
        protocol: 'tcp',
        vips: map(Object.fromEntries(vips.map((vip) => [vip, servers]))),
        ip_port_mappings: map(
          Object.fromEntries(backends.map((backend) => [backend.address, `${backend.port}:${healthCheckSource}`])),
        ),
        // Without it clients of an address without healthy backends wait for a timeout.
        options: map({ reject: 'true' }),
      },
      { health_check: idsOf(checks) },
    ),
    ...checks,
  ];
}

function interceptorRow(owner: string, names: readonly Name[]): DesiredRow {
  const records = names.map(({ name, addresses }) => [name.toLowerCase(), addresses.join(' ')] as const);
  return row('DNS', owner, owner, {
    records: map(Object.fromEntries(records)),
    // Queries for other record types of our names get an empty answer instead of being forwarded to a server that may
    // not respond.
    options: map({ 'ovn-owned': 'true' }),
  });
}

function machinePort(owner: string, { name, mac, address, allowedNetworks = [] }: Port): DesiredRow {
  return row('Logical_Switch_Port', name, owner, {
    name,
    type: '',
    addresses: `${mac} ${address}`,
    port_security: [mac, address, ...allowedNetworks].join(' '),
    options: map({}),
  });
}

function transitRows(routed: readonly Routed[], { integration: { network, transitAddress } }: Topology): DesiredRow[] {
  const members = routed.filter(({ router }) => router.transitAddress);
  const ports = members.map(({ name, router }) => switchPortOfRouter(name, transit, router.name));
  const center = [network, transitAddress];
  const rules = members
    .filter(({ name }) => name !== integration)
    .flatMap(({ name, router, network: own }) => {
      const port = JSON.stringify(switchPortName(transit, router.name));
      const side = [own, router.transitAddress ?? ''];
      return [
        allow(transit, name, 'from-lport', `inport == ${port} && ${from(side)} && ${to(center)}`),
        allow(transit, name, 'to-lport', `outport == ${port} && ${from(center)} && ${to(side)}`),
      ];
    });
  // The integration router's own port: traffic that the rules of the clusters do not allow never reaches it.
  const integrationPort = JSON.stringify(switchPortName(transit, integration));
  rules.push(
    allow(transit, integration, 'from-lport', `inport == ${integrationPort} && ${from(center)}`),
    allow(transit, integration, 'to-lport', `outport == ${integrationPort} && ${to(center)}`),
  );
  return guardedSwitch(transit, ports, rules);
}

function externalRows(routed: readonly Routed[], { external: { network, hostAddress } }: Topology): DesiredRow[] {
  const members = routed.filter(({ router }) => router.externalAddress);
  const localnet = switchPortName(external, 'localnet');
  const ports = [
    ...members.map(({ name, router }) =>
      switchPortOfRouter(name, external, router.name, { 'nat-addresses': 'router' }),
    ),
    row('Logical_Switch_Port', localnet, external, {
      name: localnet,
      type: 'localnet',
      addresses: 'unknown',
      port_security: set([]),
      options: map({ network_name: physicalNetwork }),
    }),
  ];
  const rules = members.flatMap((member) => {
    const routerPort = switchPortName(external, member.router.name);
    return externalRules(member, { network, routerPort, hostPort: localnet, hostAddress }).map((rule) =>
      ruleRow(member.name, rule),
    );
  });
  const fromHost = `inport == ${JSON.stringify(localnet)} && ip4`;
  rules.push(allow(external, external, 'from-lport', fromHost));
  return guardedSwitch(external, ports, rules);
}

/** A switch that drops everything that no rule allows, without connection tracking. */
function guardedSwitch(name: string, ports: DesiredRow[], rules: DesiredRow[]): DesiredRow[] {
  const acls = [...rules, ...(['from-lport', 'to-lport'] as const).map((direction) => deny(name, direction))];
  return [row('Logical_Switch', name, name, { name }, { ports: idsOf(ports), acls: idsOf(acls) }), ...ports, ...acls];
}

type Direction = Rule['direction'];

function allow(guarded: string, owner: string, direction: Direction, match: string): DesiredRow {
  return ruleRow(owner, { id: `${guarded} ${owner} ${direction}`, direction, match });
}

function ruleRow(owner: string, { id, direction, match }: Rule): DesiredRow {
  return acl(id, owner, { direction, match, priority: 2000, action: 'allow-stateless' });
}

function deny(guarded: string, direction: Direction): DesiredRow {
  return acl(`${guarded} ${direction} deny`, guarded, { direction, match: 'ip', priority: 1000, action: 'drop' });
}

function acl(id: string, owner: string, columns: Row): DesiredRow {
  return row('ACL', id, owner, columns);
}

function from(networks: readonly string[]): string {
  return `ip4.src == {${networks.join(', ')}}`;
}

function to(networks: readonly string[]): string {
  return `ip4.dst == {${networks.join(', ')}}`;
}

function routerPort(owner: string, router: string, network: string, address: string, range: string): DesiredRow {
  const name = routerPortName(router, network);
  return row('Logical_Router_Port', name, owner, {
    name,
    mac: macOf(name),
    networks: `${address}/${range.split('/')[1] ?? '32'}`,
  });
}

function switchPortOfRouter(
  owner: string,
  network: string,
  router: string,
  options: Record<string, string> = {},
): DesiredRow {
  const name = switchPortName(network, router);
  return row('Logical_Switch_Port', name, owner, {
    name,
    type: 'router',
    addresses: 'router',
    port_security: set([]),
    options: map({ 'router-port': routerPortName(router, network), ...options }),
  });
}

/** The colon prevents conflicts: names of machines' ports never contain one. */
function routerPortName(router: string, network: string): string {
  return `${router}:to:${network}`;
}

function switchPortName(network: string, member: string): string {
  return `${network}:of:${member}`;
}

/** OVN allows only letters, digits, `_` and `.`. */
function addressSetName(owner: string): string {
  return `nova_exempt_${owner.replaceAll('_', '__').replaceAll(/[^\w.]/g, (other) => `_${other.codePointAt(0)?.toString(16)}_`)}`;
}

function idsOf(rows: readonly DesiredRow[], table?: Table): string[] {
  return rows.filter((one) => !table || one.table === table).map(({ id }) => id);
}

function row(
  table: Table,
  id: string,
  owner: string,
  columns: Row,
  references: DesiredRow['references'] = {},
): DesiredRow {
  return { table, id, owner, columns, references };
}
