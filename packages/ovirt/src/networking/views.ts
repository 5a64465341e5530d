import { ipv4 } from '@nova-platform/api';
import type { MachineStatus } from '@nova-platform/contracts/engine';
import type { EngineClient } from '@nova-platform/contracts/engine/client';
import { idOf } from '../api/ids.ts';
import type { NetworkingSchema } from './schema.ts';

export type EngineNetwork = Awaited<ReturnType<EngineClient['networks']>>[number];

/** There are no tenants. Clients still need one. */
export const tenant = { id: '00000000000000000000000000000001', name: 'tenant', description: 'tenant' };
const owner = { tenant_id: tenant.id, project_id: tenant.id };
const mtu = 1500;
/** Addresses below are for the gateway, load balancers and the like. */
const firstMachineOffset = 10;

/** Attributes with one possible value. */
export const networkValues = {
  admin_state_up: true,
  shared: false,
  'router:external': false,
  port_security_enabled: true,
  mtu,
};
export const subnetValues = { ip_version: 4, enable_dhcp: true };
export const portValues = { admin_state_up: true, port_security_enabled: true };

export const networkId = (network: string): string => idOf('network', network);
export const subnetId = (network: string): string => idOf('subnet', network);
const routerId = (network: string) => idOf('router', network);
/** By the ID of the machine. */
export const portId = (machine: string): string => idOf('port', machine);

export const routerOwner = 'network:router_interface';

/** Everything that the engine has, as resources of the API. */
export function resourcesOf(
  networks: readonly EngineNetwork[],
  machines: readonly MachineStatus[],
  declared: readonly NetworkingSchema['declared_networks'][],
  vmId: (machine: string) => string,
) {
  const subnetNames = new Map(declared.map(({ name, subnet_name }) => [name, subnet_name]));
  const known = new Set(networks.map(({ name }) => name));
  const withoutSubnet = declared.filter(({ name, subnet_name }) => subnet_name === null && !known.has(name));
  return {
    networks: [
      ...networks.map(({ name }) => network(name, [subnetId(name)])),
      ...withoutSubnet.map(({ name }) => network(name, [])),
    ],
    subnets: networks.map((each) => subnet(each, subnetNames.get(each.name) ?? each.name)),
    routers: networks.map(router),
    ports: [
      ...networks.map(routerPort),
      ...machines
        .filter((machine) => known.has(machine.network ?? ''))
        .map((machine) => machinePort(machine, vmId(machine.id))),
    ],
  };
}

export type Resources = ReturnType<typeof resourcesOf>;

function network(name: string, subnets: readonly string[]) {
  const status = subnets.length > 0 ? 'ACTIVE' : 'DOWN';
  return { id: networkId(name), name, description: '', ...owner, status, ...networkValues, subnets, tags: [] };
}

function subnet({ name: of, network: cidr, gateway }: EngineNetwork, name: string) {
  const { first, last } = ipv4.parseNetwork(cidr);
  return {
    id: subnetId(of),
    name,
    description: '',
    ...owner,
    network_id: networkId(of),
    cidr,
    gateway_ip: gateway,
    ...subnetValues,
    allocation_pools: [{ start: ipv4.formatAddress(first + firstMachineOffset), end: ipv4.formatAddress(last - 1) }],
    dns_nameservers: [],
    host_routes: [],
    tags: [],
  };
}

function router({ name, router: { name: routerName } }: EngineNetwork) {
  return {
    id: routerId(name),
    name: routerName,
    description: '',
    ...owner,
    admin_state_up: true,
    status: 'ACTIVE',
    external_gateway_info: null,
    routes: [],
    tags: [],
  };
}

function routerPort({ name, gateway, router: { name: routerName } }: EngineNetwork) {
  return port({
    id: idOf('router port', name),
    name: routerName,
    network: name,
    address: gateway,
    device_id: routerId(name),
    device_owner: routerOwner,
    isUp: true,
  });
}

function machinePort({ id, name, network: of = '', address = '', mac, state }: MachineStatus, vm: string) {
  return {
    ...port({
      id: portId(id),
      name,
      network: of,
      address,
      device_id: vm,
      device_owner: 'oVirt',
      isUp: state === 'running',
    }),
    ...(mac !== undefined && { mac_address: mac }),
  };
}

function port(of: {
  id: string;
  name: string;
  network: string;
  address: string;
  device_id: string;
  device_owner: string;
  isUp: boolean;
}) {
  const { network: name, address, isUp, ...rest } = of;
  return {
    ...rest,
    description: '',
    ...owner,
    network_id: networkId(name),
    ...portValues,
    status: isUp ? 'ACTIVE' : 'DOWN',
    fixed_ips: [{ subnet_id: subnetId(name), ip_address: address }],
    security_groups: [],
    tags: [],
  };
}
