import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestEngine, type TestEngine } from '../testing/engine.ts';
import { documentsOf, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let universe: TestUniverse;
let engine: TestEngine;
let admin: string;

beforeAll(async () => {
  universe = await startTestUniverse();
  admin = await universe.token('admin');
  const body = { documents: documentsOf('demo') };
  const { operation } = await universe.local.declareCluster({ params: { cluster: 'demo' }, body });
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
  engine = await startTestEngine(universe);
});
afterAll(async () => {
  await universe.close();
  await engine.close();
});
beforeEach(async () => {
  for (const things of [engine.machines, engine.networks, engine.disks, engine.snapshots]) things.clear();
  engine.images.splice(0, engine.images.length, ...engine.images.filter(({ isTemplate }) => !isTemplate));
  engine.addNetwork('integration', '10.255.0.0/24');
  engine.addNetwork('demo', '10.20.0.0/24');
  engine.addMachine('universe', 'integration');
  engine.addMachine('demo-main-1', 'demo', { state: 'stopped' });
  engine.addMachine('web', undefined, { kind: 'vm' });
  engine.addMachine('golden', undefined, { state: 'stopped' });
  engine.addDisk('data', 'web');
  engine.addDisk('spare');
  engine.addDisk('of-cluster', 'demo-main-1');
  engine.addDisk('of-platform', 'universe');
  engine.addSnapshot('web', 'before');
  engine.addSnapshot('demo-main-1', 'old');
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
const disk = { name: 'more', format: 'block', sizeMebibytes: 1024 };
const template = { name: 'base', machine: 'golden', description: 'With our agents' };

/** Every change: of an object without a cluster, and of one with it. */
const changes: [method: string, path: string, ofCluster?: string, refusal?: string][] = [
  ['PATCH', '/disks/spare', '/disks/of-cluster', 'NOVA8430'],
  ['DELETE', '/disks/spare', '/disks/of-cluster', 'NOVA8430'],
  ['PUT', '/machines/web/disks/spare', '/machines/demo-main-1/disks/spare', 'NOVA8430'],
  ['PUT', '/machines/web/disks/spare', '/machines/web/disks/of-cluster', 'NOVA8430'],
  ['DELETE', '/machines/web/disks/data', '/machines/demo-main-1/disks/of-cluster', 'NOVA8430'],
  ['DELETE', '/machines/web/disks/data', '/machines/web/disks/of-cluster', 'NOVA8430'],
  ['POST', '/machines/web/snapshots', '/machines/demo-main-1/snapshots', 'NOVA8433'],
  ['POST', '/machines/web/snapshots/before/restore', '/machines/demo-main-1/snapshots/old/restore', 'NOVA8433'],
  ['DELETE', '/machines/web/snapshots/before', '/machines/demo-main-1/snapshots/old', 'NOVA8430'],
  ['POST', '/disks'],
  ['POST', '/disks/check'],
  ['POST', '/machines/web/snapshots/check'],
  ['POST', '/templates'],
  ['POST', '/templates/check'],
  ['DELETE', '/templates/base'],
];
/** A valid body for a change. */
function bodyOf(method: string, path: string): object | undefined {
  if (method === 'PATCH') return { sizeMebibytes: 20_480 };
  if (method === 'PUT') return {};
  if (method === 'DELETE' || path.endsWith('/restore')) return undefined;
  if (path.startsWith('/disks')) return disk;
  return path.startsWith('/templates') ? template : { name: 'now' };
}

test.for(['viewer', 'operator'] as const)('a %s reads disks and snapshots and changes none', async (role) => {
  const token = await universe.token(role);
  for (const path of ['/disks', '/machines/web/snapshots', '/machines/demo-main-1/snapshots', '/machine-images'])
    expect((await call('GET', path, undefined, token)).status, path).toBe(200);
  for (const [method, path] of changes)
    expect((await call(method, path, bodyOf(method, path), token)).status, `${method} ${path}`).toBe(403);
});

test('disks and snapshots of clusters are read with their cluster, and those of the platform are left out', async () => {
  const { disks } = (await call('GET', '/disks')).json as { disks?: { name: string; cluster?: string }[] };
  expect(disks?.map(({ name, cluster }) => [name, cluster])).toEqual([
    ['data', undefined],
    ['spare', undefined],
    ['of-cluster', 'demo'],
  ]);
  const { snapshots } = (await call('GET', '/machines/demo-main-1/snapshots')).json as { snapshots?: object[] };
  expect(snapshots).toMatchObject([{ name: 'old', isFrozen: true }]);
  for (const [method, path] of [
    ['GET', '/machines/universe/snapshots'],
    ['PATCH', '/disks/of-platform'],
    ['DELETE', '/disks/of-platform'],
    ['PUT', '/machines/universe/disks/spare'],
    ['PUT', '/machines/web/disks/of-platform'],
    ['POST', '/machines/universe/snapshots'],
  ] as const)
    expect(await call(method, path, bodyOf(method, path)), path).toMatchObject({
      status: 404,
      json: { code: 'NOVA8432' },
    });
});

test('disks and snapshots of clusters are not changed, and the refusal has the reason', async () => {
  const before = JSON.stringify([[...engine.disks], [...engine.snapshots]]);
  for (const [method, , path = '', refusal = ''] of changes.filter(([, , ofCluster]) => ofCluster !== undefined)) {
    const refused = await call(method, path, bodyOf(method, path));
    expect(refused.status, `${method} ${path}`).toBe(409);
    expect(refused.json.problems, `${method} ${path}`).toMatchObject([{ code: refusal, params: { cluster: 'demo' } }]);
  }
  const refused = await call('POST', '/templates', { ...template, machine: 'demo-main-1' });
  expect(refused).toMatchObject({ status: 409, json: { code: 'NOVA8434' } });
  expect(JSON.stringify([[...engine.disks], [...engine.snapshots]])).toBe(before);
  expect(engine.images.some(({ isTemplate }) => isTemplate)).toBe(false);
});

test('a disk is created, attached, grown, detached and deleted', async () => {
  expect((await call('POST', '/disks', disk)).json).toMatchObject({ ...disk, usedBytes: 0 });
  expect((await call('PUT', '/machines/web/disks/more', {})).json).toMatchObject({ machine: 'web' });
  expect((await call('PATCH', '/disks/more', { sizeMebibytes: 2048 })).json).toMatchObject({ sizeMebibytes: 2048 });
  expect((await call('DELETE', '/machines/web/disks/more')).json).not.toHaveProperty('machine');
  expect((await call('DELETE', '/disks/more')).status).toBe(200);
  expect(engine.disks.has('more')).toBe(false);
});

test('a snapshot is created, restored and deleted', async () => {
  expect(await operate('POST', '/machines/web/snapshots', { name: 'now', description: 'Before the update' })).toBe(
    'done',
  );
  expect(engine.snapshots.get('web')?.map(({ name, description }) => [name, description])).toEqual([
    ['before', ''],
    ['now', 'Before the update'],
  ]);
  expect(codesOf(await call('POST', '/machines/web/snapshots/now/restore'))).toEqual(['NOVA7100']);
  expect(await operate('POST', '/machines/web/stop')).toBe('done');
  expect(await operate('POST', '/machines/web/snapshots/now/restore')).toBe('done');
  expect(await operate('DELETE', '/machines/web/snapshots/now')).toBe('done');
  expect(engine.snapshots.get('web')?.map(({ name }) => name)).toEqual(['before']);
});

test('a template is created from a stopped machine, listed with the images, and deleted', async () => {
  expect(await operate('POST', '/templates', template)).toBe('done');
  const { images } = (await call('GET', '/machine-images')).json as { images?: { name: string }[] };
  expect(images?.find(({ name }) => name === 'base')).toMatchObject({
    isTemplate: true,
    description: 'With our agents',
  });
  // An image of the site is no template.
  expect(await call('DELETE', '/templates/node')).toMatchObject({ status: 404, json: { code: 'NOVA8432' } });
  expect((await call('DELETE', '/templates/base')).status).toBe(200);
  expect(engine.images.map(({ name }) => name)).toEqual(['node', 'kubernetes-node', 'universe']);
});

test('all problems of a new disk, snapshot and template are reported at once, each with its field', async () => {
  const problemsOf = async (path: string, body: object) => {
    const { json } = await call('POST', path, body);
    return (json.problems as unknown as { code: string; path: string[] }[]).map(
      (each) => `${each.path.join('.')} ${each.code}`,
    );
  };
  expect(await problemsOf('/disks/check', { ...disk, name: 'spare', format: 'tape', sizeMebibytes: 1 })).toEqual([
    'format NOVA7026',
    'sizeMebibytes NOVA7026',
    'name NOVA7021',
  ]);
  expect(await problemsOf('/disks/check', disk)).toEqual([]);
  expect(await problemsOf('/machines/web/snapshots/check', { name: 'before', description: 1 })).toEqual([
    'description NOVA7026',
    'name NOVA7021',
  ]);
  expect(await problemsOf('/machines/demo-main-1/snapshots/check', { name: 'Old!' })).toEqual([
    ' NOVA8433',
    'name NOVA7026',
  ]);
  expect(await problemsOf('/templates/check', { name: 'node', machine: 'web' })).toEqual([
    'name NOVA7021',
    'machine NOVA7100',
  ]);
  expect(await problemsOf('/templates/check', { ...template, machine: 'universe' })).toEqual(['machine NOVA8432']);
  // The creation checks the same.
  expect(codesOf(await call('POST', '/disks', { ...disk, name: 'spare' }))).toEqual(['NOVA7021']);
  expect(codesOf(await call('POST', '/machines/web/snapshots', { name: 'before' }))).toEqual(['NOVA7021']);
  expect(codesOf(await call('POST', '/templates', { name: 'node', machine: 'web' }))).toEqual(['NOVA7021', 'NOVA7100']);
});

test('a snapshot that got the name later is neither restored nor deleted', async () => {
  const { kinds, operations } = universe.universe.parts;
  const input = { machine: 'web', name: 'before', id: 'another' };
  const restored = await operations.start(kinds.restoreSnapshot, input, 'admin');
  expect(await operations.ended(restored.id)).toMatchObject({ failure: { problems: [{ code: 'NOVA8435' }] } });
  await operations.cancel(restored.id);
  await operations.ended(restored.id);
  const deleted = await operations.start(kinds.deleteSnapshot, input, 'admin');
  expect((await operations.ended(deleted.id)).state).toBe('done');
  expect(engine.snapshots.get('web')).toHaveLength(1);
});

test('a cancelled creation removes only what it created', async () => {
  const { kinds, operations } = universe.universe.parts;
  const end = async (id: number) => {
    expect((await operations.ended(id)).state).toBe('failed');
    await operations.cancel(id);
    expect((await operations.ended(id)).state).toBe('cancelled');
  };
  // Another client took the name after the request was checked.
  const taken = { machine: 'web', name: 'before', description: '' };
  await end((await operations.start(kinds.createSnapshot, taken, 'admin')).id);
  expect(engine.snapshots.get('web')).toHaveLength(1);
  engine.afterCreation = () => {
    throw new Error('the disk is full');
  };
  await end((await operations.start(kinds.createSnapshot, { ...taken, name: 'now' }, 'admin')).id);
  await end((await operations.start(kinds.createTemplate, template, 'admin')).id);
  engine.afterCreation = () => undefined;
  expect(engine.snapshots.get('web')).toHaveLength(1);
  expect(engine.images.some(({ isTemplate }) => isTemplate)).toBe(false);
});

test('a creation whose response was lost is completed once', async () => {
  let lost = 0;
  engine.afterCreation = (request) => {
    lost += 1;
    if (lost <= 2) request.raw.socket.destroy();
  };
  expect(await operate('POST', '/machines/web/snapshots', { name: 'now' })).toBe('done');
  expect(engine.snapshots.get('web')?.map(({ name }) => name)).toEqual(['before', 'now']);
  lost = 0;
  expect(await operate('POST', '/templates', template)).toBe('done');
  expect(engine.images.filter(({ isTemplate }) => isTemplate)).toHaveLength(1);
  engine.afterCreation = () => undefined;
});

test('only administrators cancel and resume operations on templates', async () => {
  const { kinds, operations } = universe.universe.parts;
  const { id } = await operations.start(kinds.createTemplate, { ...template, name: 'node' }, 'admin');
  await operations.ended(id);
  const operator = await universe.token('operator');
  expect((await call('POST', `/operations/${id}/cancel`, undefined, operator)).status).toBe(403);
  expect((await call('POST', `/operations/${id}/cancel`)).status).toBe(200);
});

test('the audit trail has every change with its object and its fields', async () => {
  await call('POST', '/disks', disk);
  await call('PATCH', '/disks/more', { sizeMebibytes: 2048 });
  await call('PUT', '/machines/golden/disks/more', { path: '/srv' });
  await operate('POST', '/machines/web/snapshots', { name: 'now' });
  await operate('POST', '/templates', template);
  await call('DELETE', '/templates/base');
  await call('POST', '/machines/demo-main-1/snapshots', { name: 'now' });
  const { entries } = await universe.local.listAudit({ query: { limit: 7 } });
  expect(
    entries.toReversed().map(({ action, target, outcome, changes: made = [] }) => ({
      entry: `${action} ${target} ${outcome}`,
      changes: made.filter(({ field }) => field !== 'operation').map(({ field, after = '' }) => `${field} ${after}`),
    })),
  ).toEqual([
    { entry: 'createDisk disks/more 200', changes: ['format block', 'sizeMebibytes 1024'] },
    { entry: 'growDisk disks/more 200', changes: ['sizeMebibytes 2048'] },
    { entry: 'attachDisk machines/golden/disks/more 200', changes: ['path /srv'] },
    { entry: 'createSnapshot machines/web/snapshots 200', changes: ['name now'] },
    { entry: 'createTemplate templates/base 200', changes: ['machine golden'] },
    { entry: 'deleteTemplate templates/base 200', changes: [] },
    { entry: 'createSnapshot machines/demo-main-1/snapshots 409', changes: [] },
  ]);
});
