import { codes } from '@nova-platform/pki/testing';
import { GroupCommit, openStore } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Nodes } from './nodes.ts';
import { Reports, readReport } from './reports.ts';
import { type Database, prepareDatabase } from './store/database.ts';
import { reportOf } from './testing/agent.ts';

eachStore('nodes', (locate) => {
  let db: Database;
  let nodes: Nodes;

  beforeAll(async () => {
    db = await prepareDatabase(await openStore(await locate()));
    const commit = new GroupCommit(db);
    nodes = new Nodes(db, commit, (error) => expect.unreachable(String(error)));
    const names = ['one', 'two'].flatMap((cluster) => [1, 2, 3].map((index) => `${cluster}-node-${index}`));
    const planned = names.map((name) => ({
      name,
      cluster: name.slice(0, 3),
      roles: 'infra,worker',
      address: '10.0.0.1',
    }));
    await db
      .insertInto('nodes')
      .values([...planned.toReversed(), { name: 'stray.example.com' }])
      .execute();

    const reports = new Reports(db, commit);
    const report = (name: string, changes: object) =>
      reports.store(name, readReport({ ...reportOf(name), ...changes }));
    await report('one-node-1', { status: 'failed' });
    await report('one-node-1', { status: 'changed', puppet_version: '8.10.0\0' });
    await report('one-node-2', { status: 'changed' });
    await report('one-node-2', { status: 'failed' });
    nodes.saw('one-node-1', { virtual: 'kvm' });
    await nodes.flush();
    const certificate = {
      purpose: 'identity',
      name: 'identity',
      certificate: '',
      not_after: 0,
      overdue_at: 0,
    } as const;
    await db
      .insertInto('certificates')
      .values([
        { serial: '1', node: 'one-node-1', ...certificate, revoked_at: 1 },
        { serial: '2', node: 'one-node-1', ...certificate, revoked_at: null },
        { serial: '3', node: 'one-node-2', ...certificate, revoked_at: 1 },
      ])
      .execute();
  });
  afterAll(() => db.destroy());

  const namesOf = async (query: Parameters<Nodes['page']>[0]) => {
    const { nodes: found, next } = await nodes.page(query);
    return { names: found.map(({ name }) => name), next };
  };

  test('are listed by name in pages', async () => {
    expect(await namesOf({ limit: 4 })).toEqual({
      names: ['one-node-1', 'one-node-2', 'one-node-3', 'stray.example.com'],
      next: 'stray.example.com',
    });
    // The last page is full and has no `next`.
    expect(await namesOf({ limit: 3, after: 'stray.example.com' })).toEqual({
      names: ['two-node-1', 'two-node-2', 'two-node-3'],
    });
    expect(await namesOf({ limit: 3, after: 'two-node-3' })).toEqual({ names: [] });
  });

  test('are found by cluster and by part of the name', async () => {
    expect(await namesOf({ limit: 2, cluster: 'two' })).toEqual({
      names: ['two-node-1', 'two-node-2'],
      next: 'two-node-2',
    });
    expect(await namesOf({ limit: 9, search: 'NODE-3' })).toEqual({ names: ['one-node-3', 'two-node-3'] });
    expect(await namesOf({ limit: 9, search: 'node-3', cluster: 'one' })).toEqual({ names: ['one-node-3'] });
    for (const search of ['%', '_', '\\', 'node_1', "'"])
      expect(await namesOf({ limit: 9, search })).toEqual({ names: [] });
  });

  test('have their planned roles, their identity and the result of their last run', async () => {
    expect(await nodes.one('one-node-1')).toEqual({
      name: 'one-node-1',
      cluster: 'one',
      roles: ['infra', 'worker'],
      address: '10.0.0.1',
      identity: 'valid',
      lastRun: {
        at: expect.any(String),
        status: 'changed',
        isNoop: false,
        changed: 0,
        corrective: 0,
        failed: 0,
        seconds: 1.5,
      },
      agentVersion: '8.10.0',
      seenAt: expect.any(String),
    });
    expect(await nodes.one('one-node-2')).toMatchObject({ identity: 'revoked', lastRun: { status: 'failed' } });
    expect(await nodes.one('stray.example.com')).toEqual({ name: 'stray.example.com', roles: [], identity: 'none' });
    expect(await codes(() => nodes.one('nobody'))).toEqual(['NOVA8010']);
  });

  test('are counted per cluster', async () => {
    expect(await nodes.counts(['two', 'constructor', 'one'])).toEqual(
      new Map([
        ['two', { nodes: 3, failed: 0, neverSeen: 3 }],
        ['constructor', { nodes: 0, failed: 0, neverSeen: 0 }],
        ['one', { nodes: 3, failed: 1, neverSeen: 2 }],
      ]),
    );
    expect(await nodes.counts([])).toEqual(new Map());
  });
});
