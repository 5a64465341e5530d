/** The desired state of all networks of the host. Addresses are `a.b.c.d`, networks `a.b.c.d/n`. */
export interface Topology {
  external: ExternalNetwork;
  transit: { network: string };
  integration: IntegrationNetwork;
  /** One per cluster. */
  networks: readonly ClusterNetwork[];
}

/** The network between all routers and the host. Traffic ends at the host: it does not forward. */
export interface ExternalNetwork {
  network: string;
  hostAddress: string;
  /** Ports of the host that machines of every network can reach, for example `8140/tcp`. */
  openPorts: readonly string[];
}

/** The network that can reach every other, behind the router `integration`. */
export interface IntegrationNetwork {
  network: string;
  gateway: string;
  transitAddress: string;
  externalAddress: string;
  ports: readonly Port[];
  names: readonly Name[];
  published: readonly Published[];
  /** Ports of the host that its machines can reach in addition to the open ports. */
  hostPorts: readonly string[];
  /** Ports of existing hosts, which the host routes to, that its machines can reach. */
  distantPorts?: readonly string[];
}

export interface ClusterNetwork {
  name: string;
  network: string;
  gateway: string;
  /** The router is connected only to networks in which it has an address. */
  router: { name: string; transitAddress?: string; externalAddress?: string };
  /** The next hop of the default route. */
  externalGateway: string;
  ports: readonly Port[];
  names: readonly Name[];
  published: readonly Published[];
  loadBalancers: readonly LoadBalancer[];
}

/** The port of one machine. The name is unique on the host. */
export interface Port {
  name: string;
  mac: string;
  address: string;
  /** Additional source networks, for example the machine's pod network. */
  allowedNetworks?: readonly string[];
}

/** The network itself responds to queries for this name, sent to any server. */
export interface Name {
  name: string;
  addresses: readonly string[];
}

/** An additional external address of a machine, for inbound connections to these ports only. */
export interface Published {
  externalAddress: string;
  address: string;
  /** For example `80/tcp`, `53/udp`, `30000-32767/tcp`. */
  ports: readonly string[];
}

/** Balances a TCP port of an address over healthy backends. */
export interface LoadBalancer {
  name: string;
  address: string;
  externalAddress?: string;
  port: number;
  backends: readonly { address: string; port: string }[];
  /** An unused address of the network; the source of health checks. */
  healthCheckSource: string;
}
