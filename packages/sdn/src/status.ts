import { columnsRead, ownedRows } from './differences.ts';
import { openPorts } from './external-rules.ts';
import type { Ovsdb } from './ovsdb.ts';
import { elements, idOf, type Row, record, references } from './ovsdb-values.ts';

/** The actual state, read from the database: for users, and for comparison with the desired state. */
export interface NetworkStatus {
  switches: SwitchStatus[];
  routers: RouterStatus[];
}

export interface SwitchStatus {
  name: string;
  /** Ports of machines; `up` means that the machine's link is connected. */
  ports: { name: string; mac: string; address: string; up: boolean }[];
  names: { name: string; addresses: string[] }[];
  loadBalancers: { name: string; address: string; backends: string[] }[];
}

export interface RouterStatus {
  name: string;
  ports: { network: string; address: string; mac: string }[];
  routes: { network: string; via: string }[];
  /** `ports` are reachable at an inbound address, for example `80/tcp`. */
  nat: { type: string; externalAddress: string; address: string; ports: string[] }[];
}

export async function networkStatus(northbound: Ovsdb): Promise<NetworkStatus> {
  const rows = await northbound.snapshot({
    ...columnsRead,
    Logical_Switch_Port: [...columnsRead.Logical_Switch_Port, 'up'],
  });
  const byId = new Map<string, Row>(
    Object.values(rows).flatMap((table) => table.map((row): [string, Row] => [idOf(row), row])),
  );
  const listed = (row: Row, column: string): Row[] =>
    references(row[column])
      .map((id) => byId.get(id))
      .filter((one) => one !== undefined);
  const ours = (table: 'Logical_Switch' | 'Logical_Router') => byName(ownedRows(rows[table]).map(({ row }) => row));
  const ruleIds = ownedRows(rows.ACL).map(({ id }) => id);
  return {
    switches: ours('Logical_Switch').map((row) => ({
      name: text(row, 'name'),
      ports: byName(listed(row, 'ports').filter((port) => text(port, 'type') === '')).map(portStatus),
      names: listed(row, 'dns_records').flatMap((dns) =>
        Object.entries(record(dns.records)).map(([name, addresses]) => ({ name, addresses: addresses.split(' ') })),
      ),
      loadBalancers: byName(listed(row, 'load_balancer')).flatMap((balancer) =>
        Object.entries(record(balancer.vips)).map(([address, backends]) => ({
          name: text(balancer, 'name'),
          address,
          backends: backends.split(',').filter(Boolean),
        })),
      ),
    })),
    routers: ours('Logical_Router').map((row) => ({
      name: text(row, 'name'),
      ports: byName(listed(row, 'ports')).map((port) => ({
        network: text(port, 'name').split(':').at(-1) ?? '',
        address: text(port, 'networks'),
        mac: text(port, 'mac'),
      })),
      routes: sortedBy(listed(row, 'static_routes'), 'ip_prefix').map((route) => ({
        network: text(route, 'ip_prefix'),
        via: text(route, 'nexthop'),
      })),
      nat: sortedBy(listed(row, 'nat'), 'external_ip').map((nat) => ({
        type: text(nat, 'type'),
        externalAddress: text(nat, 'external_ip'),
        address: text(nat, 'logical_ip'),
        ports: openPorts(ruleIds, text(nat, 'external_ip')),
      })),
    })),
  };
}

function portStatus(port: Row): SwitchStatus['ports'][number] {
  const [mac = '', address = ''] = text(port, 'addresses').split(' ');
  return { name: text(port, 'name'), mac, address, up: elements(port.up)[0] === true };
}

function byName(rows: readonly Row[]): Row[] {
  return sortedBy(rows, 'name');
}

/** The database does not keep an order. */
function sortedBy(rows: readonly Row[], column: string): Row[] {
  return rows.toSorted((a, b) => text(a, column).localeCompare(text(b, column), 'en', { numeric: true }));
}

function text(row: Row, column: string): string {
  return elements(row[column]).join(' ');
}
