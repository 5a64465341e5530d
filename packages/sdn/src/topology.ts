/** Every network of the box as it should be. Addresses are `a.b.c.d`, networks `a.b.c.d/n`. */
export interface Topology {
  external: ExternalNetwork;
  transit: { network: string };
  integration: IntegrationNetwork;
  /** One for every cluster. */
  networks: readonly ClusterNetwork[];
}

/** Where all routers meet the host, and where everything ends: the host does not forward. */
export interface ExternalNetwork {
  network: string;
  hostAddress: string;
  /** Ports of the host that machines of every network can reach: `8140/tcp`. */
  openPorts: readonly string[];
}

/** The network that reaches every other, behind the router `integration`. */
export interface IntegrationNetwork {
  network: string;
  gateway: string;
  transitAddress: string;
  externalAddress: string;
  ports: readonly Port[];
  names: readonly Name[];
  published: readonly Published[];
  /** Ports of the host that its machines can reach besides those open to all. */
  hostPorts: readonly string[];
}

export interface ClusterNetwork {
  name: string;
  network: string;
  gateway: string;
  /** Without an address in a network, the router has no part in it. */
  router: { name: string; transitAddress?: string; externalAddress?: string };
  /** The next hop of the default route. */
  externalGateway: string;
  ports: readonly Port[];
  names: readonly Name[];
  published: readonly Published[];
  loadBalancers: readonly LoadBalancer[];
}

/** Where one machine is plugged in. The name is unique on the box. */
export interface Port {
  name: string;
  mac: string;
  address: string;
  /** Further networks it may send from, such as that of its pods. */
  allowedNetworks?: readonly string[];
}

/** The network answers this name itself, whichever server was asked. */
export interface Name {
  name: string;
  addresses: readonly string[];
}

/** A machine's second address, outside: for inbound connections to these ports, and to no other. */
export interface Published {
  externalAddress: string;
  address: string;
  /** `80/tcp`, `53/udp`, `30000-32767/tcp` */
  ports: readonly string[];
}

/** A TCP port of an address that only healthy backends answer. */
export interface LoadBalancer {
  name: string;
  address: string;
  externalAddress?: string;
  port: number;
  backends: readonly { address: string; port: string }[];
  /** An address of the network that nobody has; health checks come from it. */
  healthCheckSource: string;
}
