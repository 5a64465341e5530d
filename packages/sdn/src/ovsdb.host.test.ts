import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OutcomeUnknown, Ovsdb, type TableUpdates, TransactionRefused, Unreachable } from './ovsdb.ts';
import { map, type Operation, record, set } from './ovsdb-values.ts';
import { Root } from './testing/root.ts';

const run = promisify(execFile);
const socket = '/run/test.sock';

const add = (name: string, addresses: string[] = []): Operation => ({
  op: 'insert',
  table: 'Address_Set',
  row: { name, addresses: set(addresses), external_ids: map({ text: 'ü} {"\\' }) },
});

describe('OVSDB client', () => {
  let root: Root;
  let server: ChildProcess;
  let database: Ovsdb;

  const start = () => {
    const args = ['/var/test.db', `--remote=punix:${socket}`, '--unixctl=/run/test.ctl', '-vconsole:off'];
    server = spawn('chroot', [root.path, 'ovsdb-server', ...args], { stdio: 'ignore' });
  };
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGKILL');
    await exited;
  };
  const names = async () =>
    (await database.snapshot({ Address_Set: ['name'] })).Address_Set.map(({ name }) => String(name)).toSorted();

  beforeAll(async () => {
    root = await Root.create();
  });
  afterAll(() => root.remove());
  beforeEach(async () => {
    await run('chroot', [root.path, 'ovsdb-tool', 'create', '/var/test.db', '/usr/share/ovn/ovn-nb.ovsschema']);
    start();
    database = new Ovsdb(join(root.path, socket), 'OVN_Northbound', { timeout: 2000 });
  });
  afterEach(async () => {
    database.close();
    await kill();
    await rm(join(root.path, '/var/test.db'));
  });

  it('reads back a committed transaction unchanged', async () => {
    const [result] = await database.transact([add('one', ['10.0.0.1', '10.0.0.2'])]);
    expect(result?.uuid?.[0]).toBe('uuid');
    const { Address_Set: rows } = await database.snapshot({ Address_Set: ['name', 'addresses', 'external_ids'] });
    expect(rows).toMatchObject([{ name: 'one', addresses: ['set', ['10.0.0.1', '10.0.0.2']] }]);
    expect(record(rows[0]?.external_ids)).toEqual({ text: 'ü} {"\\' });
  });

  it('reports why a transaction was refused, and none of its operations are applied', async () => {
    const refused = await database.transact([add('one'), add('one')]).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TransactionRefused);
    expect((refused as Error).message).toMatch(/constraint violation.*"Address_Set" table to have identical values/s);
    expect(await names()).toEqual([]);
    await expect(database.transact([{ op: 'delete', table: 'Nothing', where: [] }])).rejects.toMatchObject({
      operation: { op: 'delete', table: 'Nothing' },
      details: expect.stringContaining('Nothing'),
    });
  });

  it('rejects a transaction whose wait condition does not hold', async () => {
    const wait: Operation = {
      op: 'wait',
      timeout: 0,
      table: 'Address_Set',
      where: [['name', '==', 'one']],
      columns: ['name'],
      until: '==',
      rows: [{ name: 'one' }],
    };
    await expect(database.transact([wait, add('two')])).rejects.toMatchObject({ error: 'timed out', operation: wait });
    expect(await names()).toEqual([]);
  });

  it('reports the initial state and every change, also after a crash of the server', async () => {
    await database.transact([add('one')]);
    const told: string[] = [];
    const tell = (updates: TableUpdates, fresh: boolean) => {
      const rows = Object.values(updates.Address_Set ?? {});
      told.push(
        `${fresh ? 'all' : 'change'}: ${rows
          .map((row) => `${String(row.old?.name ?? '-')} → ${String(row.new?.name ?? '-')}`)
          .toSorted()
          .join(', ')}`,
      );
    };
    const end = await database.monitor({ Address_Set: ['name'] }, tell);
    await database.transact([add('two')]);
    await database.transact([{ op: 'delete', table: 'Address_Set', where: [['name', '==', 'one']] }]);
    expect(told).toEqual(['all: - → one', 'change: - → two', 'change: one → -']);
    await kill();
    start();
    // The client may notice the end of the old connection only now.
    const three = () => database.transact([add('three')]);
    await three().catch(three);
    await expect.poll(() => told.slice(3)).toEqual(['all: - → two', 'change: - → three']);
    end();
    await database.transact([add('four')]);
    expect(told).toHaveLength(5);
  });

  it('reports an unknown outcome if the server is killed during a transaction, and a retry settles it', async () => {
    await database.transact([add('one')]);
    // A stopped server neither reads nor responds.
    server.kill('SIGSTOP');
    const lost = database.transact([add('two')]).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await kill();
    expect(await lost).toBeInstanceOf(OutcomeUnknown);
    start();
    const before = await names();
    if (!before.includes('two')) await database.transact([add('two')]);
    expect(await names()).toEqual(['one', 'two']);
  });

  it('loses no confirmed transaction when the server is killed repeatedly under load', async () => {
    const confirmed: string[] = [];
    let over = false;
    const load = (async () => {
      for (let index = 0; !over; index += 1) {
        await database.transact([add(`row${index}`), { op: 'commit', durable: true }]).then(
          () => confirmed.push(`row${index}`),
          () => undefined,
        );
      }
    })();
    for (let times = 0; times < 5; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await kill();
      start();
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    over = true;
    await load;
    expect(confirmed.length).toBeGreaterThan(20);
    expect(await names()).toEqual(expect.arrayContaining(confirmed));
  });

  it('times out on a silent server and reports a missing one', async () => {
    await database.transact([add('one')]);
    server.kill('SIGSTOP');
    await expect(database.transact([add('two')])).rejects.toThrow(/did not respond within 2000 ms/);
    const unserved = new Ovsdb(join(root.path, '/run/missing.sock'), 'OVN_Northbound', { timeout: 100 });
    await expect(unserved.transact([])).rejects.toBeInstanceOf(Unreachable);
    unserved.close();
    expect(() => new Ovsdb(`/${'x'.repeat(107)}`, 'OVN_Northbound')).toThrow(/107 bytes/);
  });

  it('parses messages that are split and joined anywhere', async () => {
    await names();
    const path = join(root.path, '/run/slow.sock');
    const wire = await cuttingWire(path, join(root.path, socket));
    const through = new Ovsdb(path, 'OVN_Northbound', { timeout: 5000 });
    const all = Array.from({ length: 20 }, (_, index) => `row${index}`);
    await Promise.all(all.map((name) => through.transact([add(name)])));
    expect((await through.snapshot({ Address_Set: ['name'] })).Address_Set).toHaveLength(20);
    through.close();
    wire.close();
  });

  it('responds to echo requests of the server', async () => {
    const path = join(root.path, '/run/echo.sock');
    const asked = Promise.withResolvers<string>();
    const asking = createServer((client) => {
      client.write('{"id":"echo","method":"echo","params":["there?"]}');
      client.once('data', (chunk) => asked.resolve(chunk.toString()));
    });
    await new Promise<void>((resolve) => asking.listen(path, resolve));
    const client = new Ovsdb(path, 'OVN_Northbound');
    expect(JSON.parse(await asked.promise)).toEqual({ id: 'echo', result: ['there?'], error: null });
    client.close();
    asking.close();
  });

  it('waits for a condition until its deadline', async () => {
    const options = { timeout: 1000, describe: () => 'no row yet' };
    const appeared = database.waitFor(
      'Address_Set',
      ['name'],
      (rows) => rows.some(({ name }) => name === 'one'),
      options,
    );
    await database.transact([add('one')]);
    await appeared;
    const never = database.waitFor('Address_Set', ['name'], (rows) => rows.length > 5, { ...options, timeout: 100 });
    await expect(never).rejects.toThrow('no row yet (waited 100 ms)');
    // The server is down when the wait starts, and back before the deadline.
    await kill();
    const later = database.waitFor('Address_Set', ['name'], (rows) => rows.length === 1, { ...options, timeout: 3000 });
    start();
    await later;
  });
});

/** Forwards everything; data from the server in pieces of seven bytes. */
async function cuttingWire(path: string, target: string): Promise<Server> {
  const wire = createServer((client) => {
    const upstream = connect(target);
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('data', (chunk) => {
      for (let offset = 0; offset < chunk.length; offset += 7) client.write(chunk.subarray(offset, offset + 7));
    });
  });
  await new Promise<void>((resolve) => wire.listen(path, resolve));
  return wire;
}
