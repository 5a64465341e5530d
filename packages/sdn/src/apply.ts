import { columnsRead, differences } from './differences.ts';
import { northbound } from './northbound.ts';
import { type Ovsdb, TransactionRefused } from './ovsdb.ts';
import { idOf, type Operation, type Row, uuid } from './ovsdb-values.ts';
import type { Topology } from './topology.ts';

export interface Applied {
  /** The number of operations; 0 if there were no differences. */
  operations: number;
}

export interface ApplyOptions {
  /** Timeout in milliseconds for northd and the chassis to catch up. */
  timeout?: number;
}

const attempts = 10;

/**
 * Writes the topology to the northbound database in one transaction and waits until the flows are installed. The
 * database is the only state: after any failure another run completes the missing parts.
 */
export async function apply(
  northboundDatabase: Ovsdb,
  topology: Topology,
  { timeout = 60_000 }: ApplyOptions = {},
): Promise<Applied> {
  const desired = northbound(topology);
  await northboundDatabase.waitFor('NB_Global', ['nb_cfg'], (rows) => rows.length > 0, {
    timeout,
    describe: () => 'ovn-northd has not connected to the northbound database yet',
  });
  for (let attempt = 1; ; attempt += 1) {
    const { NB_Global: globals, ...current } = await northboundDatabase.snapshot({
      NB_Global: ['nb_cfg'],
      ...columnsRead,
    });
    const operations = differences(current, desired);
    const before = globals[0] ?? {};
    try {
      const generation = operations.length
        ? await commit(northboundDatabase, before, operations)
        : Number(before.nb_cfg ?? 0);
      await caughtUp(northboundDatabase, generation, timeout);
      return { operations: operations.length };
    } catch (error) {
      if (attempt === attempts || !(error instanceof TransactionRefused && error.operation?.op === 'wait')) throw error;
    }
  }
}

/** Returns the number of the change, which northd and the chassis confirm. */
async function commit(database: Ovsdb, before: Row, operations: readonly Operation[]): Promise<number> {
  const bump = ['nb_cfg', '+=', 1] as const;
  const where = [['_uuid', '==', uuid(idOf(before))]] as const;
  const results = await database.transact([
    // Every writer changes this number. If it differs from the one we read, the transaction fails and we read again.
    {
      op: 'wait',
      timeout: 0,
      table: 'NB_Global',
      where,
      columns: ['nb_cfg'],
      until: '==',
      rows: [{ nb_cfg: before.nb_cfg ?? 0 }],
    },
    ...operations,
    { op: 'mutate', table: 'NB_Global', where, mutations: [bump] },
    { op: 'select', table: 'NB_Global', where, columns: ['nb_cfg'] },
    { op: 'commit', durable: true },
  ]);
  return Number(results.at(operations.length + 2)?.rows?.[0]?.nb_cfg);
}

/** Waits until the flows of this generation are in the switch. */
async function caughtUp(database: Ovsdb, generation: number, timeout: number): Promise<void> {
  const columns = ['sb_cfg', 'hv_cfg'] as const;
  await database.waitFor('NB_Global', columns, ([row]) => Number(row?.hv_cfg ?? -1) >= generation, {
    timeout,
    describe: ([row]) =>
      Number(row?.sb_cfg ?? -1) < generation
        ? `ovn-northd has not applied change ${generation} yet`
        : `ovn-controller has not applied change ${generation} yet`,
  });
}
