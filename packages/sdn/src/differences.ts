import { rowName } from './names.ts';
import type { DesiredRow, Table } from './northbound.ts';
import {
  equal,
  idOf,
  map,
  named,
  type Operation,
  type Row,
  record,
  references,
  set,
  type Uuid,
  uuid,
} from './ovsdb-values.ts';

/** Keys of `external_ids` that mark our rows. Rows without them are never touched. */
const ownerKey = 'nova';
const idKey = 'nova-id';

/** The columns that we manage; other columns are left alone. */
const plainColumns = {
  Logical_Switch: ['name'],
  Logical_Switch_Port: ['name', 'type', 'addresses', 'port_security', 'options'],
  ACL: ['direction', 'match', 'priority', 'action'],
  Logical_Router: ['name', 'options'],
  Logical_Router_Port: ['name', 'mac', 'networks'],
  Logical_Router_Static_Route: ['ip_prefix', 'nexthop'],
  NAT: ['type', 'external_ip', 'logical_ip'],
  Load_Balancer: ['name', 'protocol', 'vips', 'ip_port_mappings', 'options'],
  Load_Balancer_Health_Check: ['vip', 'options'],
  DNS: ['records', 'options'],
  Address_Set: ['name', 'addresses'],
} as const satisfies Record<Table, readonly string[]>;

const referenceColumns: Partial<Record<Table, Record<string, Table>>> = {
  Logical_Switch: {
    ports: 'Logical_Switch_Port',
    acls: 'ACL',
    load_balancer: 'Load_Balancer',
    dns_records: 'DNS',
  },
  Logical_Router: {
    ports: 'Logical_Router_Port',
    static_routes: 'Logical_Router_Static_Route',
    nat: 'NAT',
    load_balancer: 'Load_Balancer',
  },
  Load_Balancer: { health_check: 'Load_Balancer_Health_Check' },
  NAT: { exempted_ext_ips: 'Address_Set' },
};

const tables = Object.keys(plainColumns) as Table[];

/** The columns that `differences` needs. */
export const columnsRead = Object.fromEntries(
  tables.map((table) => [
    table,
    [...plainColumns[table], ...Object.keys(referenceColumns[table] ?? {}), 'external_ids'],
  ]),
) as unknown as Record<Table, readonly string[]>;

/** The operations that turn the current rows into the desired ones. */
export function differences(current: Record<Table, Row[]>, desired: readonly DesiredRow[]): Operation[] {
  const found = new Map<string, Row>();
  const ours = new Set<string>();
  const superfluous: Operation[] = [];
  const wanted = new Set(desired.map(({ table, id }) => `${table} ${id}`));
  for (const table of tables) {
    for (const row of current[table]) {
      const { [ownerKey]: owner, [idKey]: id } = record(row.external_ids);
      if (owner === undefined) continue;
      ours.add(idOf(row));
      const key = `${table} ${id}`;
      if (wanted.has(key) && !found.has(key)) found.set(key, row);
      // Rows that would be garbage-collected are deleted explicitly too: otherwise the rows that they reference could
      // not be deleted in the same transaction.
      else superfluous.push({ op: 'delete', table, where: [at(row)] });
    }
  }
  const pointTo = (table: Table, id: string): Uuid => {
    const row = found.get(`${table} ${id}`);
    return row ? uuid(idOf(row)) : named(rowName(table, id));
  };
  const changes = desired.flatMap((row) => {
    const existing = found.get(`${row.table} ${row.id}`);
    return existing ? changed(existing, row, pointTo, ours) : [inserted(row, pointTo)];
  });
  return [...superfluous, ...changes];
}

type PointTo = (table: Table, id: string) => Uuid;

function inserted(row: DesiredRow, pointTo: PointTo): Operation {
  const pointers = targets(row).map(([column, table, ids]) => [column, set(ids.map((id) => pointTo(table, id)))]);
  return {
    op: 'insert',
    table: row.table,
    row: { ...row.columns, ...Object.fromEntries(pointers), external_ids: marks(row) },
    'uuid-name': rowName(row.table, row.id),
  };
}

function changed(existing: Row, row: DesiredRow, pointTo: PointTo, ours: ReadonlySet<string>): Operation[] {
  const { table } = row;
  const columns = { ...row.columns, external_ids: marks(row) };
  const update = Object.entries(columns).filter(([column, value]) => !equal(existing[column], value));
  const mutations = targets(row).flatMap(([column, target, ids]) => {
    const pointers = ids.map((id) => pointTo(target, id));
    const present = references(existing[column]);
    const kept = new Set(pointers.map(([, id]) => id));
    // Other programs can add their own rows to our switches and routers, but not to our other rows.
    const isShared = table === 'Logical_Switch' || table === 'Logical_Router';
    const gone = present.filter((id) => !kept.has(id) && (!isShared || ours.has(id)));
    const missing = pointers.filter(([, id]) => !present.includes(id));
    return [
      ...(gone.length ? [[column, 'delete', set(gone.map(uuid))] as const] : []),
      ...(missing.length ? [[column, 'insert', set(missing)] as const] : []),
    ];
  });
  return [
    ...(update.length
      ? [{ op: 'update', table, where: [at(existing)], row: Object.fromEntries(update) } as const]
      : []),
    ...(mutations.length ? [{ op: 'mutate', table, where: [at(existing)], mutations } as const] : []),
  ];
}

function targets({ table, references: wanted }: DesiredRow): [column: string, table: Table, ids: readonly string[]][] {
  return Object.entries(referenceColumns[table] ?? {}).map(([column, target]) => [
    column,
    target,
    wanted[column] ?? [],
  ]);
}

function marks({ owner, id }: DesiredRow) {
  return map({ [ownerKey]: owner, [idKey]: id });
}

function at(row: Row): readonly ['_uuid', '==', Uuid] {
  return ['_uuid', '==', uuid(idOf(row))];
}

/** Our own rows with the network that each belongs to. */
export function ownedRows(rows: readonly Row[]): { owner: string; id: string; row: Row }[] {
  return rows.flatMap((row) => {
    const { [ownerKey]: owner, [idKey]: id = '' } = record(row.external_ids);
    return owner === undefined ? [] : [{ owner, id, row }];
  });
}
