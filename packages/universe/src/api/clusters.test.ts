import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Preview } from '@nova-platform/cluster';
import { type ClusterPlan, defaultSite, siteOf } from '@nova-platform/plan';
import type { StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Answer, documentsOf, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const outcome = ({ status, json }: Answer) => `${status} ${json.code ?? ''}`.trim();

eachStore('clusters', (open) => {
  let universe: TestUniverse;
  let token: string;
  let store: StoreLocation;
  beforeAll(async () => {
    store = await open();
    universe = await startTestUniverse({ store });
    token = await universe.token('operator');
  });
  afterAll(() => universe.close());

  const declare = (cluster: string, documents: string, headers: Record<string, string> = {}) =>
    universe.send(`/api/v1/clusters/${cluster}`, { method: 'PUT', token, headers, body: { documents } });
  const show = (cluster: string, headers: Record<string, string> = {}) =>
    universe.send(`/api/v1/clusters/${cluster}`, { token, headers });
  /** Resolves when no operation runs on the cluster. */
  const idle = async (cluster: string) => {
    const { operations } = await universe.local.listOperations({ query: { cluster } });
    for (const { id } of operations) await universe.universe.parts.operations.ended(id);
  };
  const idleAfter = async (declared: Promise<unknown>) => {
    await declared;
    await idle('demo');
  };
  const cancelAll = async (cluster: string) => {
    const { operations } = await universe.local.listOperations({ query: { cluster, state: 'running' } });
    for (const { id } of operations) await universe.local.cancelOperation({ params: { id } });
    await idle(cluster);
  };

  test('a declaration starts an operation, which reports what is missing', async () => {
    const documents = documentsOf('demo', { workers: 1 });
    const preview = await universe.send('/api/v1/clusters/demo/preview', {
      method: 'POST',
      token,
      body: { documents },
    });
    const { change, digest } = preview.json as unknown as Preview;
    expect(change.machines.map(({ action, name }) => `${action} ${name}`)).toEqual([
      'create demo-main-1',
      'create demo-work-1',
    ]);
    expect(change.catalogs.map(({ isFirst }) => isFirst)).toEqual([true, true]);
    expect(outcome(await show('demo'))).toBe('404 NOVA8321');
    const declared = await universe.send('/api/v1/clusters/demo', {
      method: 'PUT',
      token,
      body: { documents, digest },
    });
    const { cluster, operation } = declared.json as unknown as { cluster: object; operation: { id: number } };
    expect(cluster).toMatchObject({
      name: 'demo',
      revision: 1,
      provider: 'local',
      nodeCount: 2,
      changedBy: 'operator',
    });
    const ended = await universe.universe.parts.operations.ended(operation.id);
    expect(ended).toMatchObject({ kind: 'cluster.create', lock: 'demo', requestedBy: 'operator' });
    expect(ended.title).toEqual({ en: 'Create demo', ru: 'Создать demo' });
    // There is no engine that could create a network.
    expect(ended).toMatchObject({ state: 'failed', failure: { step: 'network', problems: [{ code: 'NOVA8340' }] } });
    // Its secrets are not shown.
    const approved = await universe.send(`/api/v1/operations/${operation.id}/change`, { token });
    expect(approved.json).toEqual({ change });
    // The failed operation is still incomplete, and the next change completes it.
    const again = () => universe.local.previewCluster({ params: { cluster: 'demo' }, body: { documents } });
    expect(change.unfinished).toBeUndefined();
    expect((await again()).change.unfinished).toBe(operation.id);
    const { nodes } = await universe.localNodes.listNodes({ query: { cluster: 'demo' } });
    expect(nodes.map(({ name }) => name)).toEqual(['demo-main-1', 'demo-work-1']);

    // The agents of enrolled nodes run.
    const agent = await universe.enrolled('demo-main-1');
    await idleAfter(declare('demo', documents));
    const { id } = await universe.local.runAgents({ params: { cluster: 'demo' }, body: { isNoop: false } });
    const order = await agent.order(30);
    const log = agent.openLog(order.id);
    log.write('Notice: applied\nexit 0\n');
    await log.end();
    expect(await universe.universe.parts.operations.ended(id)).toMatchObject({ state: 'done' });
    const { events } = await universe.local.listEvents({ query: { operation: id, limit: 500 } });
    expect(events.map(({ data }) => data.line)).toContain('Notice: applied');
    expect(await universe.local.showOperationChange({ params: { id } })).toEqual({});
    // A successful agent run neither completes nor hides the failed change.
    const health = await universe.local.clusterHealth({ params: { cluster: 'demo' } });
    expect(health.operation).toMatchObject({ id: id - 1, state: 'failed' });
    expect((await again()).change.unfinished).toBe(id - 1);
  });

  test('a cluster whose creation failed before etcd existed is created with other control planes', async () => {
    // On these addresses nothing responds.
    const single = documentsOf('again', { network: '127.0.31.0/24' });
    const documents = single.replace('"name":"main"', '"name":"main","count":3');
    expect(outcome(await declare('again', documents))).toBe('200');
    await idle('again');
    const { clusters } = universe.universe.parts;
    expect(await clusters.initialMembers('again')).toEqual(['again-main-1', 'again-main-2', 'again-main-3']);
    const preview = await universe.local.previewCluster({ params: { cluster: 'again' }, body: { documents: single } });
    expect(preview.change.isNew).toBe(true);
    expect(preview.change.machines.map(({ action, name }) => `${action} ${name}`)).toEqual([
      'create again-main-1',
      'remove again-main-2',
      'remove again-main-3',
    ]);
    const { operation } = (await declare('again', single)).json as unknown as { operation: { kind: string } };
    expect(operation.kind).toBe('cluster.create');
    await idle('again');
  });

  test('documents from kubectl give the same plan', async () => {
    const documents = documentsOf('read', { network: '10.29.0.0/24' });
    const metadata = { name: 'cluster', uid: 'a', resourceVersion: '7', generation: 1, managedFields: [{}] };
    const read = JSON.stringify({ ...JSON.parse(documents), metadata, status: { phase: 'ready' } });
    const [declared, again] = await Promise.all(
      [documents, read].map((text) =>
        universe.send('/api/v1/clusters/read/preview', { method: 'POST', token, body: { documents: text } }),
      ),
    );
    expect(again?.status).toBe(200);
    expect(again?.json.plan).toEqual(declared?.json.plan);
  });

  test('of several approved changes one is applied, and the others are refused and leave nothing', async () => {
    const workers = [1, 2, 3, 4];
    const approved = await Promise.all(
      workers.map(async (count) => {
        const documents = documentsOf('rival', { network: '10.77.0.0/24', workers: count });
        const path = '/api/v1/clusters/rival/preview';
        const { json } = await universe.send(path, { method: 'POST', token, body: { documents } });
        return { documents, digest: (json as unknown as Preview).digest };
      }),
    );
    const answers = await Promise.all(
      approved.map((body) => universe.send('/api/v1/clusters/rival', { method: 'PUT', token, body })),
    );
    const [made, ...others] = workers.filter((_, index) => answers[index]?.status === 200);
    expect(others).toEqual([]);
    for (const { status, json } of answers) if (status !== 200) expect(['NOVA8301', 'NOVA8017']).toContain(json.code);
    expect((await show('rival')).json).toMatchObject({ revision: 1, nodeCount: 1 + (made ?? 0) });
    await cancelAll('rival');
  });

  test('only the previewed change is applied', async () => {
    await idle('demo');
    const body = { documents: documentsOf('demo', { workers: 3 }), digest: 'x' };
    const refused = await universe.send('/api/v1/clusters/demo', { method: 'PUT', token, body });
    expect(refused.json.code).toBe('NOVA8017');
    expect(refused.json.title).toContain('The change is now: + demo-');
    expect((await show('demo')).json.revision).toBe(2);
  });

  test('the digest of a preview covers the values of secrets', async () => {
    const params = { cluster: 'hidden' };
    const documents = (proxyPassword: string) => documentsOf('hidden', { network: '10.32.0.0/24', proxyPassword });
    const digestOf = async (password: string) =>
      (await universe.local.previewCluster({ params, body: { documents: documents(password) } })).digest;
    const digest = await digestOf('one');
    expect(await digestOf('one')).toBe(digest);
    expect(await digestOf('two')).not.toBe(digest);
    const body = { documents: documents('two'), digest };
    const { json } = await universe.send('/api/v1/clusters/hidden', { method: 'PUT', token, body });
    expect(json.title).toContain('Only secrets or values that a preview does not show are different');
  });

  test('the refusal of another change than the previewed one names the difference', async () => {
    await idle('demo');
    const [shown, other] = [3, 4].map((workers) => documentsOf('demo', { workers }));
    const body = { documents: shown ?? '' };
    const { digest } = await universe.local.previewCluster({ params: { cluster: 'demo' }, body });
    const declared = { documents: other ?? '', digest };
    const { json } = await universe.send('/api/v1/clusters/demo', { method: 'PUT', token, body: declared });
    expect(json.code).toBe('NOVA8017');
    expect(json.title).toMatch(
      / New: [^.]*demo-work-4: container, 2 CPU.* No longer included: [^.]*demo-work-3: container, 2 CPU/,
    );
  });

  test('If-Match, ETag and If-None-Match prevent lost updates', async () => {
    const { headers, json } = await show('demo');
    expect(headers.etag).toBe('"2"');
    expect(json.revision).toBe(2);
    const unchanged = await show('demo', { 'if-none-match': '"2"' });
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', '"2"']);
    expect((await show('demo', { 'if-none-match': '"1"' })).status).toBe(200);
    const documents = documentsOf('demo', { workers: 2 });
    for (const condition of ['"1"', '"3"', '2', 'W/"2"', '"2", "3"', '*', ''])
      expect(outcome(await declare('demo', documents, { 'if-match': condition }))).toBe('412 NOVA8320');
    // Of two concurrent updates of the same revision, one succeeds.
    const both = await Promise.all([0, 1].map(() => declare('demo', documents, { 'if-match': '"2"' })));
    expect(both.map(outcome).toSorted()).toEqual(['200', '412 NOVA8320']);
    expect((await show('demo')).json.revision).toBe(3);
    expect(
      outcome(await declare('other', documentsOf('other', { network: '10.30.0.0/24' }), { 'if-match': '"1"' })),
    ).toBe('412 NOVA8320');
  });

  test('a declaration is refused while an operation runs', async () => {
    await cancelAll('demo');
    const run = await universe.send('/api/v1/clusters/demo/runs', { method: 'POST', token, body: { isNoop: true } });
    expect(run.json).toMatchObject({ kind: 'agents.run', state: 'running' });
    expect(outcome(await declare('demo', documentsOf('demo', { workers: 5 })))).toBe('409 NOVA8301');
    const { revision, nodeCount } = (await show('demo')).json;
    expect([revision, nodeCount]).toEqual([3, 3]);
    await cancelAll('demo');
  });

  test('all problems of documents are reported at once, with their lines', async () => {
    const documents = [
      'apiVersion: config.nova-platform.io/v1alpha4',
      'kind: Infrastructure',
      'metadata:',
      '  name: cluster',
      'spec:',
      '  provider:',
      '    type: nowhere',
      '  nodeGroups:',
      '    - name: MAIN',
      '      roles: [worker]',
      '  unknown: 1',
      '  clusterConfiguration:',
      '    dnsBaseDomain: bad.nova.local',
      '    nodeNetwork: 10.20.0.0/99',
    ].join('\n');
    const { status, headers, json } = await declare('bad', documents);
    expect(status).toBe(422);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(json).toMatchObject({ type: 'about:blank', status: 422, code: expect.stringMatching(/^NOVA\d{4}$/) });
    expect([json.title, json.detail].every((each) => typeof each === 'string' && each !== '')).toBe(true);
    const problems = json.problems as unknown as { source?: { line?: number }; line?: number }[];
    expect(problems.length).toBeGreaterThan(3);
    expect(JSON.stringify(problems)).toMatch(/"line":7\b/);
    expect(JSON.stringify(problems)).toMatch(/"line":14\b/);
    expect(outcome(await show('bad'))).toBe('404 NOVA8321');
    expect(outcome(await declare('other', documentsOf('demo')))).toMatch(/^4\d\d NOVA/);
    for (const body of ['', '{', '[]', '"x"', 'null', '{"documents":1}', '{"documents":"","more":1}']) {
      const answer = await universe.send('/api/v1/clusters/bad', {
        method: 'PUT',
        token,
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.json.status).toBe(answer.status);
    }
  });

  test('secrets of documents are never exposed', async () => {
    const secret = 'Xq7-proxy-secret-93';
    const documents = documentsOf('hidden', { network: '10.40.0.0/24', proxyPassword: secret });
    const heard: string[] = [];
    const stop = universe.universe.parts.journal.listen((event) => heard.push(JSON.stringify(event)));
    const answers = [
      await universe.send('/api/v1/clusters/hidden/preview', { method: 'POST', token, body: { documents } }),
      await declare('hidden', documents),
    ];
    await idle('hidden');
    const agent = await universe.enrolled('hidden-main-1');
    answers.push(
      await declare('hidden', documents),
      await declare('hidden', documents.replace('10.40.0.0/24', '10.20.0.0/99')),
      await declare('hidden', `${documents}\n---\nkind: Nothing`),
    );
    const { id } = await agent.order(5);
    const log = agent.openLog(id);
    log.write('exit 0\n');
    await log.end();
    await idle('hidden');
    const catalog = await agent.catalog({ virtual: 'kvm' });
    // The catalog of the node contains the secret: the node needs it.
    expect(catalog.body).toContain(secret);
    const admin = await universe.token('admin');
    for (const path of [
      'clusters',
      'clusters/hidden',
      'operations',
      'events/history?limit=500',
      'audit?limit=500',
      'nodes',
      'nodes/hidden-main-1',
      'nodes/hidden-main-1/catalog',
      'nodes/hidden-main-1/catalog/diff',
      'nodes/hidden-main-1/facts',
      'status',
    ]) {
      answers.push(await universe.send(`/api/v1/${path}`, { token: admin }));
    }
    answers.push(await universe.send('/api/v1/clusters/hidden', { identity: agent.identity }));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(12);
    for (const { text } of answers) expect(text).not.toContain(secret);
    expect((await show('hidden')).json.documents).toContain('password:');
    expect(heard.length).toBeGreaterThan(2);
    expect(heard.join()).not.toContain(secret);
    stop();
    expect(universe.log()).not.toContain(secret);

    // No table, compressed or not, and no file contains the secret.
    const { db } = universe.universe.parts.journal;
    const isKept = (value: unknown): boolean => {
      if (typeof value === 'string') return value.includes(secret);
      if (!(value instanceof Uint8Array)) return false;
      const bytes = Buffer.from(value);
      return bytes.includes(secret) || (bytes[0] === 0x1f && gunzipSync(bytes).includes(secret));
    };
    const tables = await db.introspection.getTables();
    expect(tables.length).toBeGreaterThan(12);
    for (const { name } of tables) {
      const rows = await db
        .selectFrom(name as 'users')
        .selectAll()
        .execute();
      expect([name, rows.some((row) => Object.values(row).some(isKept))]).toEqual([name, false]);
    }
    const kept = await readdir(universe.folder, { recursive: true, withFileTypes: true });
    const files = kept.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    if (store.kind === 'sqlite') files.push(store.file, `${store.file}-wal`);
    for (const file of files) expect([file, (await readFile(file)).includes(secret)]).toEqual([file, false]);
  });

  test('node groups are scaled on the server, which keeps the secrets', async () => {
    const network = '10.31.0.0/24';
    await declare('sized', documentsOf('sized', { network, workers: 1, proxyPassword: 'pa55w0rd' }));
    await idle('sized');
    const scale = (groups: object, path = 'scale', more: object = {}) =>
      universe.send(`/api/v1/clusters/sized/${path}`, { method: 'POST', token, body: { groups, ...more } });
    const { change, digest } = (await scale({ work: 3 }, 'scale/preview')).json as unknown as Preview;
    expect(change.machines.map(({ name }) => name)).toContain('sized-work-3');
    expect((await show('sized')).json.nodeCount).toBe(2);
    expect(outcome(await scale({ work: 2 }, 'scale', { digest }))).toBe('422 NOVA8017');
    expect(outcome(await scale({ nope: 2 }))).toBe('422 NOVA8345');
    expect(outcome(await scale({ main: 2 }))).toBe('422 NOVA3005');
    expect(outcome(await scale({ work: -1 }))).toBe('422 NOVA7026');
    expect((await scale({ work: 3 }, 'scale', { digest })).json.cluster).toMatchObject({ revision: 2, nodeCount: 4 });
    await cancelAll('sized');
    const { clusters } = universe.universe.parts;
    const { secrets } = await clusters.read('sized', await clusters.scaled('sized', {}));
    expect(secrets.proxy?.http?.password).toBe('pa55w0rd');
  });

  test('pages list everything once while clusters and operations are added', async () => {
    const { journal } = universe.universe.parts;
    const insert = async (name: string) => {
      const row = await journal.db
        .selectFrom('clusters')
        .selectAll()
        .where('name', '=', 'demo')
        .executeTakeFirstOrThrow();
      await journal.db
        .insertInto('clusters')
        .values({ ...row, name })
        .execute();
    };
    for (let index = 0; index < 40; index += 1) await insert(`page-${index}`);
    const seen: string[] = [];
    let after: string | undefined;
    let added = 0;
    do {
      const page = await universe.local.listClusters({ query: { search: 'page-', limit: 3, after } });
      seen.push(...page.clusters.map(({ name }) => name));
      added += 1;
      await Promise.all([insert(`page-0-${added}`), insert(`page-9-${added}`)]);
      after = page.next;
    } while (after !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(seen.toSorted());
    expect(seen).toEqual(expect.arrayContaining(Array.from({ length: 40 }, (_, index) => `page-${index}`)));

    const find = async (search: string) =>
      (await universe.send(`/api/v1/clusters?limit=500&search=${encodeURIComponent(search)}`, { token })).json;
    expect(await find('PAGE-3')).toMatchObject({
      clusters: expect.arrayContaining([expect.objectContaining({ name: 'page-3' })]),
    });
    expect((await find("' or '1'='1")).clusters).toEqual([]);
    expect((await find('\0')).status).toBe(422);

    for (let index = 0; index < 12; index += 1) {
      await universe.local.collectImages({}).catch(() => undefined);
      await idle('registry.images');
    }
    const numbers: number[] = [];
    let before: number | undefined;
    do {
      const page = await universe.local.listOperations({
        query: { limit: 2, ...(before !== undefined && { before }) },
      });
      numbers.push(...page.operations.map(({ id }) => id));
      await universe.local.collectImages({}).catch(() => undefined);
      before = page.next;
    } while (before !== undefined);
    const { operations: all } = await universe.local.listOperations({ query: { limit: 500 } });
    expect(numbers).toEqual(all.map(({ id }) => id).filter((id) => id <= (numbers[0] ?? 0)));
    expect(numbers.length).toBeGreaterThan(12);
    await idle('registry.images');
  });
});

test('certificates of clusters and of the server have the lifetime of the site', async () => {
  const universe = await startTestUniverse({ site: { ...defaultSite, certificateHours: 2, identityHours: 3 } });
  const body = { documents: documentsOf('demo') };
  const { plan } = await universe.local.previewCluster({ params: { cluster: 'demo' }, body });
  const hours = (plan as ClusterPlan).certificates.map(({ name, lifetimeHours }) => [
    name === 'identity',
    lifetimeHours,
  ]);
  expect(new Set(hours.map(String))).toEqual(new Set(['true,3', 'false,2']));
  const { authorities } = universe.universe.parts.config.services;
  const { cert, renewAfterHours } = await authorities.serverCertificate(['universe'], []);
  expect(new X509Certificate(cert).validToDate.getTime()).toBeLessThan(Date.now() + 2.01 * 3600_000);
  expect(renewAfterHours).toBe(1);
  await universe.close();
});

test("the engine identity accepts only a certificate for Universe's own key", async () => {
  const universe = await startTestUniverse();
  const { publicKey } = await universe.local.engineIdentity({});
  const { authorities } = universe.universe.parts.config.services;
  const order = { dnsNames: ['universe'], addresses: [] };
  const own = await authorities.certifyServer({ ...order, publicKey });
  const { cert: others } = await authorities.serverCertificate(['universe'], []);
  const accept = (certificate: string, authority = universe.ca) =>
    universe.sendLocally('/api/v1/engine/identity', {
      method: 'PUT',
      body: { certificate, authority, host: '127.0.0.1', port: 1 },
    });
  for (const certificate of ['', 'garbage', others, publicKey])
    expect((await accept(certificate)).json.code).toBe('NOVA7026');
  expect((await accept(own, 'garbage')).json.code).toBe('NOVA7026');
  expect((await universe.local.engineIdentity({})).notAfter).toBeUndefined();
  expect((await Promise.all([accept(own), accept(own), accept(own)])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ]);
  const { notAfter } = await universe.local.engineIdentity({});
  expect(Date.parse(notAfter ?? '')).toBeGreaterThan(Date.now());
  await universe.restart();
  expect((await universe.local.engineIdentity({})).notAfter).toBe(notAfter);
  const status = await universe.local.status({});
  expect(status.services.find(({ name }) => name === 'engine')).toMatchObject({ isReady: false });
  await universe.close();
});

test('the site reports the networks and the domain of its setup', async () => {
  const addresses = {
    externalNetwork: '192.168.64.0/20',
    integrationNetwork: '192.168.80.0/24',
    transitNetwork: '192.168.96.0/24',
    domain: 'cloud.example.com',
  };
  const universe = await startTestUniverse({ site: siteOf(addresses) });
  try {
    const { json } = await universe.send('/api/v1/site', { token: await universe.token('viewer') });
    expect(json).toEqual(addresses);
  } finally {
    await universe.close();
  }
});
