import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../packages/ovirt/src/testing/server.ts';
import { startTestUniverse, type TestUniverse } from '../packages/universe/src/testing/universe.ts';
import { novaCtl } from './nova-ctl.ts';
import { createMirror, findTofu } from './ovirt/tofu.ts';

/** Without the component opentofu, Universe has no OpenTofu. */
const program = await findTofu();

interface Settings {
  url?: string;
  username?: string;
  password?: string;
  caBundle?: string;
  cluster?: string;
  storageDomain?: string;
  template?: string;
  vnicProfile?: string;
  /** Of every node. */
  disk?: string;
}

let engine: TestServer;
let universe: TestUniverse;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-check-'));
  const tofu = program && { program, providers: await createMirror(), folder: join(folder, 'runs') };
  [engine, universe] = await Promise.all([startTestServer(), startTestUniverse(tofu ? { tofu } : {})]);
  engine.engine.addNetwork('lab', '10.30.0.0/24');
});
afterAll(async () => {
  await Promise.all([engine.close(), universe.close()]);
  await rm(folder, { recursive: true });
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

async function check({ disk = '40Gi', ...changes }: Settings, type = 'ovirt', output = 'json') {
  const settings = {
    url: `${engine.url}/ovirt-engine/api`,
    username: 'admin@internal',
    password,
    caBundle: base64(engine.authority),
    cluster: 'Default',
    storageDomain: 'local',
    template: 'node',
    vnicProfile: 'lab',
    ...changes,
  };
  const manifest = {
    apiVersion: 'config.nova-platform.io/v1alpha4',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: {
      provider: type === 'local' ? { type } : { type, [type]: settings },
      ...(type !== 'local' && {
        externalNetwork: {
          network: '10.250.24.0/24',
          gateway: '10.250.24.1',
          addresses: ['10.250.24.171-10.250.24.190'],
        },
      }),
      nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], count: 3, disk }],
      clusterConfiguration: { clusterName: 'prod', dnsBaseDomain: 'prod.company.local' },
    },
  };
  const file = join(folder, 'cluster.yaml');
  await writeFile(file, JSON.stringify(manifest));
  return novaCtl(['provider', 'check', '-f', file, '-o', output], {
    env: {
      NOVA_UNIVERSE_SOCKET: join(universe.folder, 'universe.sock'),
      NOVA_CONFIG_SOCKET: join(universe.folder, 'config.sock'),
    },
  });
}

interface Found {
  ready: boolean;
  checks: { name: string; ok: boolean; found?: string; problems: { code: string; message: string; path?: string }[] }[];
}

const otherAuthority = async () =>
  openAuthority(
    await createStandaloneAuthority({ subject: { commonName: 'other', organizations: [] }, lifetimeHours: 1 }),
  );

/** The codes of each check that failed. */
async function failures(changes: Settings): Promise<Record<string, string[]>> {
  const { stdout, stderr } = await check(changes);
  const { checks } = JSON.parse(stdout || stderr) as Found;
  return Object.fromEntries(
    checks.filter(({ ok }) => !ok).map(({ name, problems }) => [name, problems.map(({ code }) => code)]),
  );
}

test.each(['ovirt', 'zvirt'])('an engine with everything is ready: %s', async (type) => {
  const { exitCode, stdout } = await check({}, type);
  expect(exitCode).toBe(0);
  const { ready, checks } = JSON.parse(stdout) as Found;
  expect(ready).toBe(true);
  expect(checks.map(({ name, found }) => [name, found])).toEqual([
    ['connection', `${engine.url}/ovirt-engine/api`],
    ['rights', 'SuperUser'],
    ['cluster', 'Default, hosts up: 1'],
    ['template', 'node'],
    ['network', 'lab/lab'],
    ['storage', expect.stringContaining('local, available: ') as string],
    ['names', undefined],
    ...(program ? [['plan', 'machines to create: 3']] : []),
  ]);
});

test('everything that is missing is reported at once, with what there is', async () => {
  const wrong = { cluster: 'Other', storageDomain: 'none', template: 'absent', vnicProfile: 'lab/none' };
  expect(await failures({ ...wrong, username: 'reader@internal' })).toEqual({
    rights: ['NOVA8556'],
    cluster: ['NOVA8555'],
    template: ['NOVA8555'],
    network: ['NOVA8555'],
    storage: ['NOVA8555'],
  });
  const { exitCode, stdout } = await check(wrong, 'ovirt', 'text');
  expect(exitCode).toBe(2);
  expect(stdout).toContain('There is no cluster Other for this user. There are: Default.');
  expect(stdout).toContain('There is no vNIC profile lab/none for this user. There are: lab/lab.');
});

test('a disk smaller than that of the template, and machines of others with names of nodes', async () => {
  expect(await failures({ disk: '1Gi' })).toEqual({ template: ['NOVA8559'] });
  engine.engine.addMachine('prod-main-2', 'lab');
  expect(await failures({})).toEqual({ names: ['NOVA8562'] });
  engine.engine.machines.delete('prod-main-2');
});

test.each([
  ['a wrong password', { password: 'wrong' }, 'NOVA8552'],
  ['an unknown user', { username: 'nobody@internal' }, 'NOVA8552'],
  ['a certificate of another CA', { caBundle: 'other' }, 'NOVA8551'],
  ['a port where nothing listens', { url: 'https://127.0.0.1:1/ovirt-engine/api' }, 'NOVA8550'],
  ['a path without the API', { url: 'PATH' }, 'NOVA8553'],
] as const)('%s is one clear error, and shows no password', async (_what, changes, code) => {
  const given: Settings = { ...changes };
  if (given.caBundle) given.caBundle = base64((await otherAuthority()).certificate);
  if (given.url === 'PATH') given.url = `${engine.url}/wrong/api`;
  const { stdout, stderr } = await check(given);
  const { checks } = JSON.parse(stdout) as Found;
  expect(checks.map(({ name, problems }) => [name, ...problems.map((each) => each.code)])).toEqual([
    ['connection', code],
  ]);
  expect(stdout + stderr).not.toContain(password);
  expect(universe.log()).not.toContain(password);
});

test('the page of a busy engine is named, not parsed', async () => {
  const authority = await otherAuthority();
  const { publicKey, privateKey } = await createKeyPair();
  const { certificate } = await issueCertificate(authority, {
    subject: { commonName: 'engine', organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: ['127.0.0.1'],
    usages: ['server auth'],
    lifetimeHours: 1,
  });
  const busy = createServer({ cert: certificate, key: privateKey }, (_request, response) =>
    response.writeHead(503, { 'content-type': 'text/html' }).end('<html><title>Service Unavailable</title></html>'),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  try {
    const { port } = busy.address() as { port: number };
    const given = { url: `https://127.0.0.1:${port}/ovirt-engine/api`, caBundle: base64(authority.certificate) };
    const { checks } = JSON.parse((await check(given)).stdout) as Found;
    expect(checks).toMatchObject([{ name: 'connection', ok: false, problems: [{ code: 'NOVA8553' }] }]);
    expect(checks[0]?.problems[0]?.message).toContain('503, the page “Service Unavailable”');
  } finally {
    busy.close();
  }
});

test('a provider without an engine is refused', async () => {
  const { exitCode, stdout, stderr } = await check({}, 'local');
  expect(exitCode).not.toBe(0);
  expect(stdout + stderr).toContain('NOVA8563');
});
