import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestEngine, type TestEngine } from '../testing/engine.ts';
import { documentsOf, eventually, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let universe: TestUniverse;
let engine: TestEngine;
let admin: string;

beforeAll(async () => {
  universe = await startTestUniverse();
  admin = await universe.token('admin');
  const { operation } = await universe.local.declareCluster({
    params: { cluster: 'demo' },
    body: { documents: documentsOf('demo') },
  });
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
  engine = await startTestEngine(universe);
});
afterAll(async () => {
  await universe.close();
  await engine.close();
});
beforeEach(() => {
  for (const things of [engine.machines, engine.networks, engine.disks, engine.snapshots]) things.clear();
  engine.addNetwork('integration', '10.255.0.0/24');
  engine.addNetwork('demo', '10.20.0.0/24');
  engine.addNetwork('lab', '10.30.0.0/24');
  engine.addMachine('universe', 'integration');
  engine.addMachine('demo-main-1', 'demo');
  engine.addMachine('web', 'lab');
  engine.addMachine('alone');
});

const call = (method: string, path: string, body?: object, token = admin) =>
  universe.send(`/api/v1${path}`, { method, token, ...(body && { body }) });
const codesOf = ({ json }: { json: { problems?: { code: string }[] } }) => json.problems?.map(({ code }) => code);
/** Starts an operation, and waits for its end. */
async function operate(method: string, path: string, body?: object): Promise<string> {
  const { json, status } = await call(method, path, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return (await universe.universe.parts.operations.ended(json.id as number)).state;
}
const machine = (more: object = {}) => ({ name: 'new', image: 'node', network: 'lab', ...more });

test('machines of clusters name their cluster, and those of the platform are left out', async () => {
  const { json } = await call('GET', '/machines', undefined, await universe.token('viewer'));
  const machines = json.machines as { name: string; cluster?: string }[];
  expect(machines.map(({ name, cluster }) => [name, cluster])).toEqual([
    ['demo-main-1', 'demo'],
    ['web', undefined],
    ['alone', undefined],
  ]);
  expect(await call('GET', '/machines/universe')).toMatchObject({ status: 404, json: { code: 'NOVA8432' } });
  expect((await call('GET', '/machines/web')).json).toMatchObject({ name: 'web', usage: { disk: expect.any(Number) } });
  const { networks } = (await call('GET', '/networks')).json as { networks?: { name: string; machines: number }[] };
  expect(networks?.map(({ name, machines: count }) => [name, count])).toEqual([
    ['demo', 1],
    ['lab', 1],
  ]);
  const { images } = (await call('GET', '/machine-images')).json as { images?: { name: string }[] };
  expect(images?.map(({ name }) => name)).toEqual(['node', 'kubernetes-node']);
});

/** Every change of a machine or a network of a cluster, and of the platform. */
const changes: [method: string, path: string, body?: object][] = [
  ['POST', '/machines/NAME/start'],
  ['POST', '/machines/NAME/restart'],
  ['POST', '/machines/NAME/stop'],
  ['DELETE', '/machines/NAME'],
  ['PATCH', '/machines/NAME', { cpu: 2 }],
  ['PUT', '/machines/NAME/card', { network: 'lab' }],
  ['DELETE', '/machines/NAME/card'],
];

test('only clusters change their machines, and nobody those of the platform', async () => {
  for (const [method, path, body] of changes) {
    const ofCluster = await call(method, path.replace('NAME', 'demo-main-1'), body);
    expect(codesOf(ofCluster), `${method} ${path}`).toEqual(['NOVA8430']);
    expect(ofCluster).toMatchObject({ status: 409, json: { problems: [{ params: { cluster: 'demo' } }] } });
    expect((await call(method, path.replace('NAME', 'universe'), body)).status, `${method} ${path}`).toBe(404);
  }
  expect(engine.machines.get('demo-main-1')).toMatchObject({ state: 'running', cpu: 1, network: 'demo' });
  expect(codesOf(await call('DELETE', '/networks/demo'))).toEqual(['NOVA8431']);
  expect(codesOf(await call('DELETE', '/networks/integration'))).toEqual(['NOVA8432']);
  expect(codesOf(await call('POST', '/networks', { name: 'demo', network: '10.40.0.0/24' }))).toEqual(['NOVA8431']);
  expect(codesOf(await call('PUT', '/machines/web/card', { network: 'demo' }))).toEqual(['NOVA8431']);
  expect(codesOf(await call('PUT', '/machines/web/card', { network: 'integration' }))).toEqual(['NOVA7027']);
  expect(codesOf(await call('POST', '/machines', machine({ network: 'demo' })))).toEqual(['NOVA8431']);
  expect(codesOf(await call('POST', '/machines', machine({ network: 'integration' })))).toEqual(['NOVA8432']);
});

test.for(['viewer', 'operator'] as const)('a %s reads machines and changes none', async (role) => {
  const token = await universe.token(role);
  for (const path of ['/machines', '/machines/web', '/machine-images', '/networks', '/networks/lab', '/host'])
    expect((await call('GET', path, undefined, token)).status, path).toBe(200);
  expect((await call('GET', '/machines/web/console', undefined, token)).status).toBe(role === 'viewer' ? 403 : 200);
  for (const [method, path, body] of [
    ...changes,
    ['POST', '/machines', machine()] as const,
    ['POST', '/machines/check', machine()] as const,
    ['POST', '/networks', { name: 'other', network: '10.40.0.0/24' }] as const,
    ['DELETE', '/networks/lab'] as const,
  ])
    expect((await call(method, path.replace('NAME', 'web'), body, token)).status, `${method} ${path}`).toBe(403);
});

test('a machine is created, stopped, started, resized and deleted', async () => {
  const cloudConfig = '#cloud-config\nhostname: secret-name\n';
  expect(await operate('POST', '/machines', machine({ cpu: 2, cloudConfig }))).toBe('done');
  expect(engine.machines.get('new')).toMatchObject({ state: 'running', cpu: 2, network: 'lab' });
  expect(await operate('POST', '/machines/new/stop')).toBe('done');
  expect(engine.machines.get('new')?.state).toBe('stopped');
  expect(await operate('POST', '/machines/new/start')).toBe('done');
  expect(engine.machines.get('new')?.state).toBe('running');
  expect((await call('PATCH', '/machines/new', { memoryMebibytes: 1024 })).json).toMatchObject({
    memoryMebibytes: 1024,
  });
  expect(await operate('POST', '/machines/new/restart')).toBe('done');
  expect(await operate('DELETE', '/machines/new')).toBe('done');
  expect(engine.machines.has('new')).toBe(false);
});

test('the store has no cloud-init configuration in clear text', async () => {
  const cloudConfig = '#cloud-config\nhostname: secret-name\n';
  expect(await operate('POST', '/machines', machine({ cloudConfig }))).toBe('done');
  const rows = await universe.universe.parts.journal.db.selectFrom('operations').select('input').execute();
  const inputs = rows.map(({ input }) => input).filter((input) => input.includes('"new"'));
  expect(inputs.length).toBeGreaterThan(0);
  expect(inputs.join()).not.toContain('secret-name');
});

test('all problems of a new machine are reported at once, each with its field', async () => {
  const { json } = await call('POST', '/machines/check', {
    name: 'Web!',
    image: 'missing',
    network: 'nowhere',
    cpu: 0,
    memoryMebibytes: 1024 * 1024,
    cloudConfig: 'packages: []',
  });
  const problems = json.problems as unknown as { code: string; path: string[] }[];
  expect(problems.map(({ code, path }) => `${path.join('.')} ${code}`)).toEqual([
    'name NOVA7026',
    'cpu NOVA7026',
    'image NOVA7001',
    'network NOVA8432',
    'memoryMebibytes NOVA7025',
    'cloudConfig NOVA7012',
  ]);
  const taken = await call('POST', '/machines/check', machine({ name: 'web', address: '10.30.0.1' }));
  expect(codesOf(taken)).toEqual(['NOVA7021', 'NOVA7023']);
  expect(codesOf(await call('POST', '/machines/check', machine({ address: '10.31.0.9' })))).toEqual(['NOVA3018']);
  expect(codesOf(await call('POST', '/machines/check', machine()))).toEqual([]);
});

test('a cancelled creation removes its machine; only administrators cancel and resume operations on machines', async () => {
  const { operations } = universe.universe.parts;
  const operator = await universe.token('operator');
  engine.isBootFailing = true;
  const id = (await call('POST', '/machines', machine())).json.id as number;
  expect(await operations.ended(id)).toMatchObject({ state: 'failed', failure: { problems: [{ code: 'NOVA7013' }] } });
  engine.isBootFailing = false;
  expect((await call('POST', `/operations/${id}/cancel`, undefined, operator)).status).toBe(403);
  expect((await call('POST', `/operations/${id}/resume`, undefined, operator)).status).toBe(403);
  expect(engine.machines.has('new')).toBe(true);
  expect((await call('POST', `/operations/${id}/cancel`)).status).toBe(200);
  expect((await operations.ended(id)).state).toBe('cancelled');
  expect(engine.machines.has('new')).toBe(false);
});

test('a machine that got the name later is not deleted', async () => {
  const { kinds, operations } = universe.universe.parts;
  const { id } = await operations.start(kinds.deleteMachine, { name: 'web', id: 'another' }, 'admin');
  expect((await operations.ended(id)).state).toBe('done');
  expect(engine.machines.has('web')).toBe(true);
});

test('the audit trail has every change with its object and its fields', async () => {
  await operate('POST', '/machines', machine({ cpu: 2 }));
  await call('PATCH', '/machines/new', { cpu: 3 });
  await call('POST', '/networks', { name: 'other', network: '10.40.0.0/24' });
  await call('DELETE', '/networks/other');
  await call('DELETE', '/machines/demo-main-1');
  const { entries } = await universe.local.listAudit({ query: { limit: 5 } });
  expect(
    entries.toReversed().map(({ action, target, outcome, changes: made = [] }) => ({
      entry: `${action} ${target} ${outcome}`,
      changes: made.filter(({ field }) => field !== 'operation').map(({ field, after = '' }) => `${field} ${after}`),
    })),
  ).toEqual([
    {
      entry: 'createMachine machines/new 200',
      changes: ['image node', 'network lab', 'cpu 2', 'memoryMebibytes 512'],
    },
    { entry: 'resizeMachine machines/new 200', changes: ['cpu 3'] },
    { entry: 'createNetwork networks/other 200', changes: ['network 10.40.0.0/24'] },
    { entry: 'deleteNetwork networks/other 200', changes: [] },
    { entry: 'deleteMachine machines/demo-main-1 409', changes: [] },
  ]);
});

test('while the engine is unreachable, requests say so', async () => {
  await engine.close();
  expect(await call('GET', '/machines')).toMatchObject({ json: { code: 'NOVA7030' } });
  await eventually(async () => (await call('GET', '/clusters')).status === 200);
  engine = await startTestEngine(universe);
});
