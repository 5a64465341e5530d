import { type ChildProcess, spawn } from 'node:child_process';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import { createKeyPair } from '@nova-platform/pki';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, novaCtl, type Outcome, root, temporaryFolder } from './nova-ctl.ts';

// Uses our own small components: they need nothing from the network except Go.

interface Listed {
  name: string;
  version: string;
  module: string | null;
  key: string;
  isBuilt: boolean;
  folder: string;
  programs: { name: string; bytes: number; sha256: string }[];
  images: { name: string; digest: string }[];
  withoutLicence: string[];
}

const folder = temporaryFolder();
/** An installation with only these components. */
const installation = join(folder.path, 'nova');
const program = join(installation, 'dist', 'nova-ctl.js');
const caches = {
  usual: join(folder.path, 'cache'),
  killed: join(folder.path, 'killed'),
  rivals: join(folder.path, 'rivals'),
};

beforeAll(async () => {
  await novaCtl(['--version']);
  cpSync(join(root, 'dist'), join(installation, 'dist'), { recursive: true });
  for (const name of ['pause', 'nettest'])
    cpSync(join(root, 'distro', name), join(installation, 'distro', name), { recursive: true });
});
afterAll(() => folder.remove());

const ctl = (args: readonly string[], cache = caches.usual): Promise<Outcome> =>
  execute(process.execPath, [program, ...args], { env: { NOVA_CACHE: cache } });

async function list(cache = caches.usual): Promise<Listed[]> {
  const { exitCode, stdout, stderr } = await ctl(['component', 'list', '-o', 'json'], cache);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Listed[];
}

function spawned(args: readonly string[], cache: string): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: { ...process.env, NOVA_CACHE: cache }, stdio: 'ignore' });
}

const results = (cache: string) => readdirSync(join(cache, 'components')).filter((name) => !name.endsWith('.lock'));

test('component build builds everything from scratch, and a second run does nothing', async () => {
  expect((await list()).map(({ name, isBuilt }) => [name, isBuilt])).toEqual([
    ['pause', false],
    ['nettest', false],
  ]);
  const first = await ctl(['component', 'build']);
  expect(first).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^✓ 2 components built in .+\.\n$/) as string,
  });
  expect(first.stderr).toMatch(/^pause 1\.0\.0: building \(1\/2\)\n/);
  expect(first.stderr).toMatch(/^pause 1\.0\.0: built in .+, 1\.\d MiB$/m);
  expect(existsSync(join(caches.usual, 'go', 'build'))).toBe(false);

  expect(await ctl(['component', 'build'])).toEqual({
    exitCode: 0,
    stdout: '✓ 2 components are already built.\n',
    stderr: '',
  });
}, 600_000);

test('component list shows the builds, as text and as JSON', async () => {
  const components = await list();
  for (const { name, module, version, key, isBuilt, folder: place, programs, images, withoutLicence } of components) {
    expect({ module, version, isBuilt, withoutLicence }).toEqual({
      module: null,
      version: '1.0.0',
      isBuilt: true,
      withoutLicence: [],
    });
    expect(place).toBe(join(caches.usual, 'components', `${name}-1.0.0-${key}`));
    expect(programs).toMatchObject([{ name, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    const index = JSON.parse(readFileSync(join(place, 'images', 'index.json'), 'utf8')) as {
      manifests: { digest: string }[];
    };
    expect(images.map(({ digest }) => digest)).toEqual(index.manifests.map(({ digest }) => digest));
    const { stdout } = await execute(join(place, 'bin', name), ['--version']);
    expect(stdout).toContain('v1.0.0');
  }
  const { stdout } = await ctl(['component', 'list']);
  expect(stdout).toMatch(
    /^NAME +VERSION +LICENCE +SIZE +BUILT +IMAGES\npause +1\.0\.0 +Apache-2\.0 +1\.\d MiB +✓ +1\n/,
  );
});

test('a killed build leaves no usable result, and the next build succeeds', async () => {
  mkdirSync(join(caches.killed, 'components'), { recursive: true });
  for (const moment of [0, 500]) {
    const child = spawned(['component', 'build', 'pause'], caches.killed);
    const gone = once(child, 'exit');
    const isBuilding = () => results(caches.killed).some((name) => name.endsWith(`.building-${child.pid}`));
    while (!isBuilding() && child.exitCode === null) await sleep(10);
    await sleep(moment);
    child.kill('SIGKILL');
    await gone;
    expect(isBuilding()).toBe(true);
    const pause = (await list(caches.killed)).find(({ name }) => name === 'pause');
    expect(pause).toMatchObject({ isBuilt: false, folder: null });
  }
  expect(await ctl(['component', 'build', 'pause'], caches.killed)).toMatchObject({ exitCode: 0 });
  expect(results(caches.killed)).toEqual([expect.stringMatching(/^pause-1\.0\.0-[0-9a-f]{12}$/)]);
  // The Go cache is removed once everything that clusters need is built; nettest is not.
  expect(existsSync(join(caches.killed, 'go', 'build'))).toBe(true);
  expect(await ctl(['component', 'build'], caches.killed)).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(caches.killed, 'go', 'build'))).toBe(false);
  expect(await sums(caches.killed)).toEqual(await sums(caches.usual));
}, 600_000);

test('parallel builds of the same component do not conflict, and produce the same result', async () => {
  const build = () => ctl(['component', 'build', 'pause', '-o', 'json'], caches.rivals);
  const outcomes = await Promise.all([build(), build(), build()]);
  for (const { exitCode, stderr } of outcomes) expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const [one, ...others] = outcomes.map(({ stdout }) => JSON.parse(stdout) as { components: object[] });
  for (const other of others) expect(other.components).toEqual(one?.components);
  expect(outcomes.filter(({ stderr }) => stderr.includes('another process is building it'))).toHaveLength(2);
  expect(results(caches.rivals)).toHaveLength(1);
  expect(await sums(caches.rivals)).toEqual(await sums(caches.usual));
}, 600_000);

test('component verify reproduces the build, and finds modified files', async () => {
  const good = await ctl(['component', 'verify']);
  expect(good).toMatchObject({ exitCode: 0, stdout: '✓ 2 components match their pinned sources.\n' });
  expect(good.stderr).toMatch(/^✓ pause 1\.0\.0 .+\n(?:.*\n)*✓ nettest 1\.0\.0 /m);
  expect(existsSync(join(caches.usual, 'verify'))).toBe(false);

  const pause = (await list()).find(({ name }) => name === 'pause');
  appendFileSync(join(String(pause?.folder), 'bin', 'pause'), '\0');
  const bad = await ctl(['component', 'verify', 'pause', '-o', 'json']);
  expect(bad.exitCode).toBe(1);
  expect(JSON.parse(bad.stdout)).toMatchObject({
    components: [
      {
        component: 'pause',
        isSame: false,
        findings: [{ kind: 'changed', file: 'bin/pause', written: pause?.programs[0]?.sha256 }],
      },
    ],
  });
  expect(await ctl(['component', 'verify', 'nettest'], caches.rivals)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^NOVA8214\n/) as string,
  });
}, 600_000);

test('an unknown component name is reported, and our own programs have no module to pin', async () => {
  for (const command of [['build'], ['verify'], ['update']]) {
    const args = command[0] === 'update' ? ['pausee', '1.0.0'] : ['pause', 'pausee'];
    const { exitCode, stderr } = await ctl(['component', ...command, ...args]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'NOVA8201\n  There is no component pausee.\n  → Components: pause, nettest.\n',
    });
  }
  const before = readFileSync(join(installation, 'distro', 'pause', 'go.mod'), 'utf8');
  const { exitCode, stderr } = await ctl(['component', 'update', 'pause', '1.0.1']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('pause is our own program; its version is in component.yaml');
  expect(readFileSync(join(installation, 'distro', 'pause', 'go.mod'), 'utf8')).toBe(before);
});

test('platform servers get a certificate for their key, and invalid requests are rejected', async () => {
  const socket = join(folder.path, 'config.sock');
  const flags = ['--data', join(folder.path, 'config'), '--listen', '127.0.0.1:0', '--socket', socket];
  const child = spawn(process.execPath, [program, 'config', 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(child.stdout, 'data');
    const client = configClient(socket);
    const { publicKey, privateKey } = await createKeyPair();
    const order = { dnsNames: ['hub.universe.nova.internal'], addresses: ['172.30.0.1', 'fd00::1'], publicKey };
    const { certificate, authority } = await client.certifyServer({ body: order });
    const [own = '', issuer = ''] = certificate.split(/(?<=-----END CERTIFICATE-----\n)/);
    const [leaf, issuing] = [new X509Certificate(own), new X509Certificate(issuer)];
    expect(authority).toContain(issuer.trim());
    expect(leaf.verify(issuing.publicKey)).toBe(true);
    expect(leaf.publicKey.equals(createPublicKey(publicKey))).toBe(true);
    expect(leaf.subjectAltName).toBe(
      'DNS:hub.universe.nova.internal, IP Address:172.30.0.1, IP Address:FD00:0:0:0:0:0:0:1',
    );
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    const days = (Date.parse(leaf.validTo) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);

    for (const wrong of [
      { dnsNames: Array.from({ length: 9 }, (_, index) => `hub-${index}.internal`) },
      { dnsNames: ['Hub.internal'] },
      { dnsNames: ['*.internal'] },
      { dnsNames: ['hub_internal'] },
      { addresses: ['172.30.0.0/16'] },
      { addresses: ['172.30.0.256'] },
      { dnsNames: [], addresses: [] },
      { publicKey: privateKey },
      { publicKey: publicKey.replace(/\n.{12}/, '\n') },
      { lifetimeHours: 100_000 },
    ]) {
      await expect(client.certifyServer({ body: { ...order, ...wrong } }), JSON.stringify(wrong)).rejects.toMatchObject(
        {
          problems: [{ code: 'NOVA7026' }],
        },
      );
    }
  } finally {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  }
});

async function sums(cache: string) {
  const pause = (await list(cache)).find(({ name }) => name === 'pause');
  return { programs: pause?.programs, images: pause?.images };
}
