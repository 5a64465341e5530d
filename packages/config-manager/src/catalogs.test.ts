import { createHash } from 'node:crypto';
import { codes } from '@nova-platform/pki/testing';
import { allRoles, type Declaration, plan } from '@nova-platform/plan/testing';
import { eachStore } from '@nova-platform/store/testing';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { catalogBody, createRequest, refusalOf, reportOf, SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const node = 'demo-main-1';
const worker = 'demo-more-1';
const container = { virtual: 'container_other' };
const machine = { virtual: 'kvm' };

let server: TestManager;
let key: string;

beforeAll(async () => {
  ({ key } = await createRequest('any'));
});
interface WireResource {
  type: string;
  title: string;
  parameters: Record<string, unknown>;
  sensitive_parameters?: string[];
}

interface WireCatalog {
  version: string;
  resources: WireResource[];
  metadata: Record<string, { checksum: { value: string } }>;
}

async function catalogOf(agent: SimulatedAgent, facts: object = container): Promise<WireCatalog> {
  const { status, body } = await agent.catalog(facts);
  expect(status, body).toBe(200);
  return JSON.parse(body) as WireCatalog;
}

const titles = ({ resources }: WireCatalog) => resources.map(({ title }) => title);

function resource({ resources }: WireCatalog, title: string): WireResource | undefined {
  return resources.find((each) => each.title === title);
}

const apiNames = (catalog: WireCatalog) =>
  resource(catalog, '/etc/nova/pki/kube-apiserver.request')?.parameters.content;

/** Later facts are written shortly after they arrive. */
async function factsWritten(name: string, facts: object): Promise<void> {
  await expect.poll(() => server.facts(name).catch(() => undefined)).toEqual(facts);
}

/** A plan with one node and these additional names of its API server. */
const named = (...names: string[]): Declaration => ({ config: { k8sAPIAdditionalSANs: names } });
const changedRequest = {
  resource: 'File[/etc/nova/pki/kube-apiserver.request]',
  piece: 'certificates',
  kind: 'changed',
  parameters: [{ parameter: 'content', from: expect.any(String), to: expect.stringContaining('api.example.com') }],
};

eachStore('catalogs', (locate) => {
  beforeEach(async () => {
    server = await startTestManager({ location: await locate() });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await server.remove();
  });

  test('a node without a plan gets an error that nothing is approved for it', async () => {
    await server.approve(plan());
    const agent = await server.enrolled('stray', key);
    expect(refusalOf(await agent.catalog())).toBe('404 NOVA8011');
    expect(server.refusals()).toMatchObject([{ code: 'NOVA8011', path: '/puppet/v3/catalog/stray' }]);
  });

  test('unreadable facts are rejected and never compiled', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const send = (body: string) =>
      agent.send('POST', `/puppet/v3/catalog/${node}`, {
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const nested = `{"values":{"virtual":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const bad = [
      '',
      'facts=',
      'facts=%257B',
      'facts=null',
      'facts=%257B%2522values%2522%253A%255B%255D%257D',
      'facts=%25E0%25A4',
      `facts=${encodeURIComponent(encodeURIComponent(nested))}`,
    ];
    for (const body of bad) expect(refusalOf(await send(body))).toBe('400 NOVA8025');
    expect(await codes(() => server.client.showCatalog({ params: { name: node } }))).toEqual(['NOVA8016']);
  });

  test('a node gets a catalog for its facts at first contact', async () => {
    await server.approve(
      plan({
        nodeGroups: [
          { name: 'main', roles: allRoles },
          { name: 'more', roles: ['worker'] },
        ],
      }),
    );
    const [first, second] = await Promise.all([server.enrolled(node, key), server.enrolled(worker, key)]);
    const inContainer = await catalogOf(first, container);
    const onMachine = await catalogOf(second, machine);
    expect(inContainer).toMatchObject({ name: node, environment: 'production' });
    expect(titles(inContainer)).not.toContain('load br_netfilter');
    expect(titles(onMachine)).toContain('load br_netfilter');
  });

  test('concurrent requests of a node get the same catalog', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const twin = new SimulatedAgent(node, server.manager.port, agent.identity);
    const [one, other] = await Promise.all([agent.catalog(container), twin.catalog(container)]);
    expect(one.status).toBe(200);
    expect(other.body).toBe(one.body);
    twin.close();
  });

  test('a plan approved right after a node’s first catalog changes the catalog', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    await catalogOf(agent);
    // Without waiting: the facts are stored with the catalog compiled from them.
    expect(await server.facts(node)).toEqual(container);
    await server.approve(plan(named('api.example.com')));
    expect(apiNames(await catalogOf(agent))).toContain('api.example.com');
  });

  test('the later of two plans approved in the same millisecond wins', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await server.approve(plan());
    // Creating the token already reads the first plan.
    const agent = await server.enrolled(node, key);
    const approvedAt = async () => (await server.rows('plans')).map(({ approved_at }) => approved_at);
    const first = await approvedAt();
    await server.approve(plan(named('api.example.com')));
    expect(await approvedAt()).not.toEqual(first);
    expect(apiNames(await catalogOf(agent))).toContain('api.example.com');
  });

  test('later facts do not change the served catalog and are shown as pending', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const before = await agent.catalog(container);
    await factsWritten(node, container);
    const shown = () => server.client.showNode({ params: { name: node } });
    expect(await shown()).toMatchObject({ name: node, pending: 0 });

    expect((await agent.catalog(machine)).body).toBe(before.body);
    await factsWritten(node, machine);
    expect((await agent.catalog(machine)).body).toBe(before.body);
    const { pending } = await server.client.showDifference({ params: { name: node } });
    expect(pending).toContainEqual({ resource: 'Exec[load br_netfilter]', piece: 'kernel-modules', kind: 'added' });
    expect(await shown()).toMatchObject({ pending: pending.length });

    // Applying the plan again approves the change.
    await server.approve(plan());
    expect(titles(await catalogOf(agent, machine))).toContain('load br_netfilter');
    expect((await server.client.showDifference({ params: { name: node } })).pending).toEqual([]);
  });

  test('a changed plan shows its changes, and makes them once approved', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const before = await agent.catalog(container);
    await factsWritten(node, container);

    const { change } = await server.preview(plan(named('api.example.com')));
    expect(change).toMatchObject({ cluster: 'demo', catalogs: [{ node, changes: [changedRequest] }] });
    expect(change.catalogs[0]?.changes).toHaveLength(1);
    expect((await agent.catalog(container)).body).toBe(before.body);
    expect((await server.client.showDifference({ params: { name: node } })).pending).toEqual([]);
    expect((await server.client.listPlans({}))[0]).toEqual(plan());

    const applied = await server.approve(plan(named('api.example.com')));
    expect(applied.change).toEqual(change);
    const after = await catalogOf(agent);
    expect(resource(after, '/etc/nova/pki/kube-apiserver.request')?.parameters.content).toContain('api.example.com');
    expect(after.version).not.toBe((JSON.parse(before.body) as WireCatalog).version);
    expect((await server.client.listPlans({}))[0]).toEqual(plan(named('api.example.com')));
  });

  test('a preview leaves nothing in the database', async () => {
    const tables = ['authorities', 'shared_keys', 'plans', 'nodes', 'catalogs'] as const;
    const kept = () => Promise.all(tables.map((table) => server.rows(table)));
    const before = await kept();
    const { change } = await server.preview(plan());
    expect(change.catalogs[0]?.changes).not.toEqual([]);
    expect(await kept()).toEqual(before);
  });

  test('approval applies exactly the previewed change or fails', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const before = await agent.catalog(container);
    await factsWritten(node, container);
    const changed = plan(named('api.example.com'));
    const { digest } = await server.preview(changed);

    await agent.catalog(machine);
    await factsWritten(node, machine);
    expect(await codes(() => server.approve(changed, {}, digest))).toEqual(['NOVA8017']);
    expect((await agent.catalog(machine)).body).toBe(before.body);
    expect((await server.client.listPlans({}))[0]).toEqual(plan());

    const again = await server.preview(changed);
    expect(again.digest).not.toBe(digest);
    await server.approve(changed, {}, again.digest);
    const after = await catalogOf(agent, machine);
    expect(titles(after)).toContain('load br_netfilter');
    expect(resource(after, '/etc/nova/pki/kube-apiserver.request')?.parameters.content).toContain('api.example.com');
  });

  test('an unchanged plan creates no new version, even after a restart', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const before = await agent.catalog(container);
    await factsWritten(node, container);
    const again = await server.approve(plan());
    expect(again.change).toMatchObject({ catalogs: [], items: [] });
    expect((await agent.catalog(container)).body).toBe(before.body);
    await server.restart();
    await server.approve(plan());
    expect((await agent.catalog(container)).body).toBe(before.body);
    expect((await server.client.showCatalog({ params: { name: node } })).version).toBe(
      (JSON.parse(before.body) as WireCatalog).version,
    );
  });

  test('a node removed from the plan gets no catalog, content, certificate or key', async () => {
    const two = plan({
      nodeGroups: [
        { name: 'main', roles: allRoles },
        { name: 'more', roles: ['control-plane'], count: 2 },
      ],
    });
    await server.approve(two);
    const agent = await server.enrolled('demo-more-2', key);
    const { body } = await agent.catalog(container);
    const [checksum] = /[0-9a-f]{64}(?=","content_uri)|(?<=puppet:\/\/\/nova\/)[0-9a-f]{64}/.exec(body) ?? [];
    const content = () => agent.send('GET', `/puppet/v3/file_content/nova/${checksum}`);
    expect((await content()).status).toBe(200);
    const { request } = await createRequest('any', { key, subject: 'CN = system:kube-proxy' });
    const ask = async () => [
      refusalOf(await agent.catalog(container)),
      refusalOf(await agent.send('POST', '/nova/v1/nodes/demo-more-2/certificates/kube-proxy', { body: request })),
      refusalOf(await agent.send('GET', '/nova/v1/nodes/demo-more-2/keys/service-account')),
    ];
    expect((await ask()).map((each) => each.slice(0, 3))).toEqual(['200', '200', '200']);
    await server.approve(plan());
    expect(await ask()).toEqual(['404 NOVA8011', '404 NOVA8011', '404 NOVA8011']);
    expect((await content()).status).toBe(404);
    expect((await server.nodes()).find(({ name }) => name === 'demo-more-2')).not.toHaveProperty('cluster');

    // Once planned again, it gets its current plan.
    await server.approve(two);
    expect((await ask()).map((each) => each.slice(0, 3))).toEqual(['200', '200', '200']);
  });

  test('a cluster cannot claim a node of another cluster', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const before = await agent.catalog(container);
    const thief = { ...plan(), cluster: { ...plan().cluster, name: 'thief' } };
    expect(await codes(() => server.preview(thief))).toEqual(['NOVA8012']);
    expect(await codes(() => server.approve(thief))).toEqual(['NOVA8012']);
    expect((await server.client.listPlans({})).map(({ cluster }) => cluster.name)).toEqual(['demo']);
    expect((await agent.catalog(container)).body).toBe(before.body);
  });

  test('pending work is computed from the last run that applied a catalog of the node', async () => {
    const two: Declaration = {
      nodeGroups: [
        { name: 'main', roles: allRoles },
        { name: 'more', roles: ['worker'] },
      ],
    };
    await server.approve(plan(two));
    const [agent, other] = await Promise.all([server.enrolled(node, key), server.enrolled(worker, key)]);
    const first = await catalogOf(agent);
    const foreign = await catalogOf(other);
    await factsWritten(node, container);
    const left = async () => (await server.client.showDifference({ params: { name: node } })).sinceLastRun;
    const report = async (changes: object) => {
      expect((await agent.report({ ...reportOf(node, { catalog: first.version }), ...changes })).status).toBe(200);
    };

    const everything = first.resources.length;
    expect(await left()).toHaveLength(everything);
    await report({ noop: true });
    await report({ status: 'failed' });
    await report({ configuration_version: foreign.version });
    await report({ configuration_version: '987654' });
    await report({ configuration_version: 'nonsense' });
    expect(await left()).toHaveLength(everything);
    await report({});
    expect(await left()).toEqual([]);

    await server.approve(plan({ ...two, ...named('api.example.com') }));
    expect(await left()).toEqual([changedRequest]);
    // This run used the previous catalog.
    await report({});
    expect(await left()).toEqual([changedRequest]);
    await report({ configuration_version: (await catalogOf(agent)).version, status: 'changed' });
    expect(await left()).toEqual([]);
  });

  test('a deleted node starts anew under its name, and its old certificate is invalid', async () => {
    const two = plan({
      nodeGroups: [
        { name: 'main', roles: allRoles },
        { name: 'more', roles: ['worker'] },
      ],
    });
    await server.approve(two);
    const { catalogs, nodes } = server.manager.services;
    const old = await server.enrolled(worker, key);
    const { version } = await catalogOf(old);
    await old.report(reportOf(worker, { catalog: version }));
    expect(await nodes.progress(worker)).toEqual({ isCurrent: true, status: 'unchanged' });

    await catalogs.forgetNode(worker);
    expect(await nodes.progress(worker)).toEqual({ isCurrent: false, status: null });
    expect(refusalOf(await old.catalog(container))).toBe('403 NOVA8020');
    const anew = await server.enrolled(worker, key);
    expect(await nodes.progress(worker)).toEqual({ isCurrent: false, status: null });
    await anew.report(reportOf(worker, { catalog: (await catalogOf(anew)).version }));
    expect(await nodes.progress(worker)).toMatchObject({ isCurrent: true });

    // A node that is no longer planned is unknown.
    await server.approve(plan());
    await catalogs.forgetNode(worker);
    expect((await server.nodes()).map(({ name }) => name)).toEqual([node]);
  });

  test('long contents are served by checksum to the nodes whose catalog has them', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `a-rather-long-name-${index}.example.com`);
    const nodeGroups: Declaration['nodeGroups'] = [
      { name: 'main', roles: allRoles },
      { name: 'more', roles: ['worker'] },
    ];
    await server.approve(plan({ ...named(...names), nodeGroups }));
    const [agent, other, stray] = await Promise.all([node, worker, 'stray'].map((name) => server.enrolled(name, key)));
    if (!(agent && other && stray)) throw new Error('not enrolled');
    const catalog = await catalogOf(agent);
    await catalogOf(other);
    const title = '/etc/nova/pki/kube-apiserver.request';
    const checksum = catalog.metadata[title]?.checksum.value.replace('{sha256}', '');
    expect(resource(catalog, title)?.parameters).toEqual({ source: `puppet:///nova/${checksum}`, mode: '0644' });
    for (const kind of ['static_file_content', 'file_content']) {
      const path = `/puppet/v3/${kind}/nova/${checksum}?code_id=nova&environment=production`;
      const { status, headers, body } = await agent.send('GET', path);
      expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/octet-stream' });
      expect(createHash('sha256').update(body).digest('hex')).toBe(checksum);
      expect(body).toContain(names.at(-1));
      expect((await other.send('GET', path)).status).toBe(404);
      expect((await stray.send('GET', path)).status).toBe(404);
    }
  });

  test('an ongoing run gets the long contents of its catalog even if another is approved meanwhile', async () => {
    const names = (of: string) => Array.from({ length: 60 }, (_, index) => `a-rather-long-name-${index}.${of}.com`);
    await server.approve(plan(named(...names('before'))));
    const agent = await server.enrolled(node, key);
    const contentOf = async ({ metadata }: WireCatalog) => {
      const [, checksum] = metadata['/etc/nova/pki/kube-apiserver.request']?.checksum.value.split('}') ?? [];
      return (await agent.send('GET', `/puppet/v3/static_file_content/nova/${checksum}`)).body;
    };
    const before = await catalogOf(agent);
    await server.approve(plan(named(...names('after'))));
    expect(await contentOf(before)).toContain(names('before').at(-1));
    const after = await catalogOf(agent);
    expect(await contentOf(after)).toContain(names('after').at(-1));
    expect(await contentOf(before)).toContain(names('before').at(-1));
  });

  test('an agent without gzip gets the same catalog', async () => {
    await server.approve(plan());
    const agent = await server.enrolled(node, key);
    const compressed = await agent.catalog(container);
    const plain = await agent.send('POST', `/puppet/v3/catalog/${node}?environment=production`, {
      body: catalogBody(node, container),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(compressed.body);
  });
});
