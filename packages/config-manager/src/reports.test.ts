import { ProblemError } from '@nova-platform/api';
import { plan } from '@nova-platform/plan/testing';
import { GroupCommit, isPostgres, openStore, type StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pruneHistory } from './history.ts';
import { Reports, readReport } from './reports.ts';
import { prepareDatabase } from './store/database.ts';
import { refusalOf, reportOf, type SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const node = 'demo-main-1';

let server: TestManager;
let agent: SimulatedAgent;

beforeAll(async () => {
  server = await startTestManager();
  await server.approve(plan());
  agent = await server.enrolled(node);
});
afterAll(() => server.remove());

function event(changes: object = {}): object {
  return {
    property: 'content',
    previous_value: 'a',
    desired_value: 'b',
    message: 'content changed',
    status: 'success',
    corrective_change: false,
    ...changes,
  };
}

function reportWith(resources: Record<string, object>, changes: object = {}): object {
  return { ...reportOf(node), resource_statuses: resources, ...changes };
}

async function stored(): Promise<number> {
  return (await server.reports(node, 500)).length;
}

test('an acknowledged report is visible to other connections', async () => {
  const { status, body } = await agent.report(reportOf(node, { changed: 1 }));
  expect({ status, body }).toEqual({ status: 200, body: '[]' });
  expect(await server.rows('reports')).toMatchObject([{ node, status: 'changed', changed: 1 }]);
});

test('a report lists failures first, then changes, and marks corrective ones', async () => {
  const resources = {
    'File[/etc/hosts]': {
      changed: true,
      corrective_change: true,
      tags: ['file', 'piece:hosts'],
      events: [event({ corrective_change: true })],
    },
    'Service[containerd]': {
      failed: true,
      tags: ['service'],
      events: [event({ property: 'ensure', status: 'failure', message: 'could not start' })],
    },
    'Exec[restart]': { failed_to_restart: true, events: [] },
    'Exec[after]': { skipped: true, events: [] },
    'File[/etc/quiet]': { changed: false, events: [event({ status: 'audit' })] },
  };
  const logs = [
    { level: 'info', message: 'Applying' },
    { level: 'err', message: 'could not start' },
    { level: 'warning', message: 'careful' },
  ];
  await agent.report(reportWith(resources, { status: 'failed', logs }));
  const [report] = await server.reports(node, 1);
  expect(report).toMatchObject({
    status: 'failed',
    isNoop: false,
    agentVersion: '8.10.0',
    seconds: 1.5,
    resources: { total: 60, changed: 1, corrective: 1, failed: 2, skipped: 1 },
    skipped: ['Exec[after]'],
    log: [
      { level: 'err', message: 'could not start' },
      { level: 'warning', message: 'careful' },
    ],
  });
  expect(report?.changes).toEqual([
    {
      resource: 'Service[containerd]',
      property: 'ensure',
      from: 'a',
      to: 'b',
      message: 'could not start',
      outcome: 'failed',
      isCorrective: false,
    },
    {
      resource: 'File[/etc/hosts]',
      piece: 'hosts',
      property: 'content',
      from: 'a',
      to: 'b',
      message: 'content changed',
      outcome: 'changed',
      isCorrective: true,
    },
  ]);
  expect(await server.nodes()).toMatchObject([{ lastRun: { status: 'failed', changed: 1, failed: 2 } }]);
});

test('a noop report lists what would change', async () => {
  const resources = { 'File[/etc/hosts]': { changed: false, events: [event({ status: 'noop' })] } };
  await agent.report(reportWith(resources, { noop: true, status: 'unchanged' }));
  const [report] = await server.reports(node, 1);
  expect(report).toMatchObject({ isNoop: true, status: 'unchanged', changes: [{ outcome: 'would change' }] });
  expect(await server.nodes()).toMatchObject([{ lastRun: { isNoop: true } }]);
});

test('a checksum in base64 is shown decoded', () => {
  const checksum = `{sha256}${'0123456789abcdef'.repeat(4)}`;
  const from = Buffer.from(checksum).toString('base64');
  const { changes } = readReport(
    reportWith({ 'File[a]': { events: [event({ previous_value: from, desired_value: checksum })] } }),
  );
  expect(changes).toMatchObject([{ from: checksum, to: checksum }]);
});

test('a huge report is accepted, and the stored part is limited', async () => {
  const many = Array.from({ length: 6000 }, (_, index) => [
    `File[/etc/file-${index}]`,
    { changed: true, events: [event({ message: `${index} ${'x'.repeat(600)}` })] },
  ]);
  const huge = reportWith(Object.fromEntries(many) as Record<string, object>, {
    status: 'changed',
    logs: [{ level: 'err', message: 'y'.repeat(1024 * 1024) }],
  });
  expect(JSON.stringify(huge).length).toBeGreaterThan(5 * 1024 * 1024);
  expect((await agent.report(huge)).status).toBe(200);
  const [report] = await server.reports(node, 1);
  expect(report?.changes).toHaveLength(5000);
  expect(report?.log[0]?.message.length).toBeLessThan(3000);
});

test('failures come first, however many changes there are', () => {
  const changed = Array.from({ length: 5001 }, (_, index) => [`File[/etc/file-${index}]`, { events: [event()] }]);
  const failed = ['Service[last]', { failed: true, events: [event({ status: 'failure' })] }];
  const { changes } = readReport(reportWith(Object.fromEntries([...changed, failed]) as Record<string, object>));
  expect(changes).toHaveLength(5000);
  expect(changes.slice(0, 2)).toMatchObject([
    { resource: 'Service[last]', outcome: 'failed' },
    { resource: 'File[/etc/file-0]', outcome: 'changed' },
  ]);
});

test('an event with an unknown status is not a change', () => {
  const statuses = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  const events = statuses.map((status) => event({ status }));
  expect(readReport(reportWith({ 'File[a]': { events } })).changes).toEqual([]);
});

test('a resource is named by its key in the report, not by its own name', () => {
  const status = { name: 'File[other]', skipped: true, events: [event()] };
  const { changes, skipped } = readReport(reportWith({ 'File[own]': status }));
  expect(changes).toMatchObject([{ resource: 'File[own]' }]);
  expect(skipped).toEqual(['File[own]']);
});

test('a report larger than 8 MiB is rejected', async () => {
  const before = await stored();
  const body = JSON.stringify({ ...reportOf(node), padding: 'x'.repeat(8 * 1024 * 1024) });
  const { status } = await agent.send('PUT', `/puppet/v3/report/${node}`, { body });
  expect(status).toBe(413);
  expect(await stored()).toBe(before);
  // Just below the limit it is accepted.
  const fitting = JSON.stringify({ ...reportOf(node), padding: 'x'.repeat(8 * 1024 * 1024 - 2048) });
  expect((await agent.send('PUT', `/puppet/v3/report/${node}`, { body: fitting })).status).toBe(200);
});

test.for(['', 'hello', 'null', '[]', '{}', '"changed"', '{"status":"great"}', '{"status":["changed"]}', '{"status":'])(
  'an invalid report is rejected: %s',
  async (body) => {
    const before = await stored();
    expect(refusalOf(await agent.send('PUT', `/puppet/v3/report/${node}`, { body }))).toBe('400 NOVA8025');
    expect(await stored()).toBe(before);
  },
);

test.for(['time', 'configuration_version', 'puppet_version', 'status', 'logs', 'resource_statuses'])(
  'a report with deep nesting in its %s is rejected',
  async (field) => {
    const before = await stored();
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const value = {
      logs: `[{"level":"err","message":${deep}}]`,
      resource_statuses: `{"File[a]":{"events":[{"status":"success","desired_value":${deep}}]}}`,
    }[field];
    const body = `{"status":"changed","${field}":${value ?? deep}}`;
    expect(refusalOf(await agent.send('PUT', `/puppet/v3/report/${node}`, { body }))).toBe('400 NOVA8025');
    expect(await stored()).toBe(before);
  },
);

/** Arbitrary values, and reports with arbitrary values in every field. */
function anyReport(): fc.Arbitrary<unknown> {
  const any = fc.jsonValue({ maxDepth: 3 });
  const known = fc.constantFrom('success', 'failure', 'noop', 'audit', 'constructor', '__proto__', 'valueOf');
  const events = fc.array(
    fc.record({ status: fc.oneof(any, known), property: any, previous_value: any, message: any }, { requiredKeys: [] }),
  );
  const resources = fc.dictionary(
    fc.string(),
    fc.oneof(
      any,
      fc.record({ name: any, events: fc.oneof(any, events), tags: any, skipped: any }, { requiredKeys: [] }),
    ),
  );
  const report = fc.record(
    {
      status: fc.constantFrom('changed', 'unchanged', 'failed'),
      time: any,
      noop: any,
      configuration_version: any,
      metrics: fc.oneof(any, fc.record({ time: fc.oneof(any, fc.record({ values: any })), resources: any })),
      logs: fc.oneof(any, fc.array(fc.record({ level: any, message: any }))),
      resource_statuses: fc.oneof(any, resources),
    },
    { requiredKeys: ['status'] },
  );
  return fc.oneof(any, report);
}

test('arbitrary input is a storable report or a problem', () => {
  fc.assert(
    fc.property(anyReport(), (value) => {
      try {
        const report = readReport(value);
        const kept = JSON.parse(JSON.stringify(report)) as typeof report;
        expect(kept).toEqual(report);
        expect(kept.changes.length).toBeLessThanOrEqual(5000);
        for (const { outcome } of kept.changes) expect(['changed', 'failed', 'would change']).toContain(outcome);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
      }
    }),
    { numRuns: 500 },
  );
});

const day = 24 * 3600_000;

/** A separate database for one test. */
async function openReports(location: StoreLocation) {
  const db = await prepareDatabase(await openStore(location));
  onTestFinished(() => db.destroy());
  const reports = new Reports(db, new GroupCommit(db));
  const store = async (name: string, count: number) => {
    for (let index = 0; index < count; index += 1) await reports.store(name, readReport(reportOf(name)));
  };
  const prune = (now?: number) => pruneHistory(db, now);
  return { db, reports, store, prune };
}

eachStore('report retention', (locate) => {
  test('reports are kept for 30 days, and the last one of a node forever', async () => {
    const { reports, store, prune } = await openReports(await locate());
    await store('one', 3);
    await store('two', 2);
    const kept = async () => [(await reports.of('one', 10)).length, (await reports.of('two', 10)).length];
    const [latest] = await reports.of('one', 1);
    await prune(Date.now() + 29 * day);
    expect(await kept()).toEqual([3, 2]);
    await prune(Date.now() + 31 * day);
    expect(await kept()).toEqual([1, 1]);
    expect(await reports.of('one', 1)).toEqual([latest]);
  });

  test('the last 500 reports of a node are kept', async () => {
    const { reports, store, prune } = await openReports(await locate());
    await store('busy', 503);
    await store('idle', 2);
    const before = await reports.of('busy', 1000);
    await prune();
    expect((await reports.of('busy', 1000)).map(({ id }) => id)).toEqual(before.slice(0, 500).map(({ id }) => id));
    expect(await reports.of('idle', 1000)).toHaveLength(2);
  });

  test('the oldest reports are deleted when they exceed the size limit, except the last one of a node', async () => {
    const { db, reports, store, prune } = await openReports(await locate());
    await store('old', 2);
    await store('busy', 4);
    await prune();
    expect(await reports.of('busy', 10)).toHaveLength(4);
    await db
      .updateTable('reports')
      .set({ size: 300 * 1024 * 1024 })
      .execute();
    await prune();
    expect(await reports.of('old', 10)).toHaveLength(1);
    expect((await reports.of('busy', 10)).map(({ id }) => id)).toEqual([6]);
  });

  test('old catalogs are deleted, except those that a node gets or has applied', async () => {
    const { db, prune } = await openReports(await locate());
    const body = Buffer.from('any');
    for (let index = 0; index < 25; index += 1) {
      await db.insertInto('catalogs').values({ node: 'one', body, approved_at: 0 }).execute();
    }
    await db.insertInto('catalogs').values({ node: 'two', body, approved_at: 0 }).execute();
    await db.insertInto('nodes').values({ name: 'one', catalog_id: 2, applied_catalog_id: 4 }).execute();
    await prune();
    const ids = (await db.selectFrom('catalogs').select('id').orderBy('id').execute()).map(({ id }) => id);
    expect(ids).toEqual([2, 4, ...Array.from({ length: 21 }, (_, index) => index + 6)]);
  });

  test('deleted data frees disk space', async () => {
    const { db, prune } = await openReports(await locate());
    const body = Buffer.alloc(64 * 1024, 'x');
    for (let index = 0; index < 60; index += 1) {
      await db.insertInto('catalogs').values({ node: 'one', body, approved_at: 0 }).execute();
    }
    await prune();
    if (isPostgres(db)) return;
    const free = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db);
    expect(free.rows).toEqual([{ freelist_count: 0 }]);
  });
});
