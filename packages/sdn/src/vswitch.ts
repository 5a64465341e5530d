import { type Ovsdb, TransactionRefused } from './ovsdb.ts';
import { idOf, map, named, type Operation, type Row, references, set, type Uuid, uuid } from './ovsdb-values.ts';

const settle = 30_000;

/** Marks our rows in the database of the switch. */
const mark = { nova: 'sdn' };

export interface SwitchPort {
  name: string;
  bridge: string;
  /** The port of the logical network. */
  port?: string;
}

export async function ensureBridge(vswitch: Ovsdb, name: string, columns: Row): Promise<void> {
  await againOnConflict(() => ensureBridgeOnce(vswitch, name, columns));
}

export async function ensureSwitchPort(vswitch: Ovsdb, port: SwitchPort): Promise<void> {
  await againOnConflict(() => ensureSwitchPortOnce(vswitch, port));
}

/** There are other writers: ovn-controller creates the integration bridge itself if it starts first. */
async function againOnConflict(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof TransactionRefused && error.error === 'constraint violation') || attempt === 5)
        throw error;
    }
  }
}

async function ensureBridgeOnce(vswitch: Ovsdb, name: string, columns: Row): Promise<void> {
  const { Bridge: bridges } = await vswitch.snapshot({ Bridge: ['name'] });
  const existing = bridges.find((bridge) => bridge.name === name);
  if (existing) {
    await change(vswitch, [{ op: 'update', table: 'Bridge', where: [at(existing)], row: columns }]);
    return;
  }
  await change(vswitch, [
    { op: 'insert', table: 'Interface', row: { name, type: 'internal' }, 'uuid-name': 'interface' },
    { op: 'insert', table: 'Port', row: { name, interfaces: named('interface') }, 'uuid-name': 'port' },
    {
      op: 'insert',
      table: 'Bridge',
      row: { name, ports: named('port'), external_ids: map(mark), ...columns },
      'uuid-name': 'bridge',
    },
    { op: 'mutate', table: 'Open_vSwitch', where: [], mutations: [['bridges', 'insert', set([named('bridge')])]] },
  ]);
}

/** Updates columns of the only row of the table Open_vSwitch. */
export async function reconfigure(vswitch: Ovsdb, columns: Row): Promise<void> {
  await change(vswitch, [{ op: 'update', table: 'Open_vSwitch', where: [], row: columns }]);
}

async function ensureSwitchPortOnce(vswitch: Ovsdb, { name, bridge, port }: SwitchPort): Promise<void> {
  const { Bridge: bridges, Interface: interfaces, Port: ports } = await vswitch.snapshot(read);
  const owner = bridges.find((one) => one.name === bridge);
  if (!owner) throw new Error(`The bridge ${bridge} does not exist yet: configure the host first.`);
  const external_ids = map({ ...mark, ...(port !== undefined && { 'iface-id': port }) });
  const existing = ports.find((one) => one.name === name);
  const existingInterface = interfaces.find((one) => one.name === name);
  if (existing && existingInterface && references(owner.ports).includes(idOf(existing))) {
    await change(vswitch, [
      { op: 'update', table: 'Interface', where: [at(existingInterface)], row: { external_ids } },
    ]);
    return;
  }
  await change(vswitch, [
    ...(existing ? removal(bridges, existing) : []),
    { op: 'insert', table: 'Interface', row: { name, external_ids }, 'uuid-name': 'interface' },
    {
      op: 'insert',
      table: 'Port',
      row: { name, interfaces: named('interface'), external_ids: map(mark) },
      'uuid-name': 'port',
    },
    { op: 'mutate', table: 'Bridge', where: [at(owner)], mutations: [['ports', 'insert', set([named('port')])]] },
  ]);
}

export async function isUserspace(vswitch: Ovsdb, bridge: string): Promise<boolean> {
  const { Bridge: bridges } = await vswitch.snapshot({ Bridge: ['name', 'datapath_type'] });
  return bridges.some((one) => one.name === bridge && one.datapath_type === 'netdev');
}

export async function removeSwitchPort(vswitch: Ovsdb, name: string): Promise<void> {
  const { Bridge: bridges, Port: ports } = await vswitch.snapshot(read);
  const existing = ports.find((one) => one.name === name);
  if (existing) await change(vswitch, removal(bridges, existing));
}

const read = {
  Bridge: ['name', 'ports'],
  Port: ['name'],
  Interface: ['name'],
} as const;

function removal(bridges: readonly Row[], port: Row): Operation[] {
  return bridges
    .filter((bridge) => references(bridge.ports).includes(idOf(port)))
    .map((bridge) => ({
      op: 'mutate',
      table: 'Bridge',
      where: [at(bridge)],
      mutations: [['ports', 'delete', set([uuid(idOf(port))])]],
    }));
}

/** Commits, and waits until ovs-vswitchd has applied the change. */
async function change(vswitch: Ovsdb, operations: readonly Operation[]): Promise<void> {
  const results = await vswitch.transact([
    ...operations,
    { op: 'mutate', table: 'Open_vSwitch', where: [], mutations: [['next_cfg', '+=', 1]] },
    { op: 'select', table: 'Open_vSwitch', where: [], columns: ['next_cfg'] },
    { op: 'commit', durable: true },
  ]);
  const generation = Number(results.at(operations.length + 1)?.rows?.[0]?.next_cfg);
  await vswitch.waitFor('Open_vSwitch', ['cur_cfg'], ([row]) => Number(row?.cur_cfg ?? -1) >= generation, {
    timeout: settle,
    describe: () => `ovs-vswitchd has not applied change ${generation} yet`,
  });
}

function at(row: Row): readonly ['_uuid', '==', Uuid] {
  return ['_uuid', '==', uuid(idOf(row))];
}
