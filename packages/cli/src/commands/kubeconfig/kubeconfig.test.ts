import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStandaloneAuthority } from '@nova-platform/pki';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { answering } from '../../testing/answers.ts';

const request = 'POST /v1/clusters/demo/kubeconfig';
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'nova-kubeconfig-'));
});
afterEach(() => rm(home, { recursive: true }));

async function universeWith(lifetimeHours: number) {
  const subject = { commonName: 'vera', organizations: ['nova:viewers'] };
  const { certificate, key } = await createStandaloneAuthority({ subject, lifetimeHours });
  const access = { server: 'https://demo:6443', authority: 'CA', certificate, key, user: 'vera' };
  return { access, universe: await answering({ [request]: access }) };
}

const cache = () => join(home, '.cache', 'nova', 'credentials');
const environment = () => ({ HOME: home, NOVA_CTL: '/opt/nova/nova-ctl' });
const userIn = (text: string) => (parse(text) as { users: { user: Record<string, unknown> }[] }).users[0]?.user ?? {};

test('kubeconfig writes a user that gets its certificate from nova-ctl, and no secret', async () => {
  const { access, universe } = await universeWith(1);
  await using _server = universe;
  const { exitCode, stdout } = await universe.ctl(['kubeconfig', 'demo'], environment());
  expect(exitCode).toBe(0);
  expect(userIn(stdout)).toMatchObject({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/opt/nova/nova-ctl',
      args: ['kubeconfig', 'demo', '--credential'],
      env: [{ name: 'NOVA_UNIVERSE_SOCKET', value: expect.any(String) as string }],
      interactiveMode: 'Never',
    },
  });
  expect(stdout).not.toContain(Buffer.from(access.key).toString('base64'));
});

test('kubeconfig --credential answers kubectl from the cache, which only its owner can read', async () => {
  const { access, universe } = await universeWith(1);
  await using _server = universe;
  const ask = () => universe.ctl(['kubeconfig', 'demo', '--credential'], environment());
  const first = await ask();
  expect(JSON.parse(first.stdout)).toMatchObject({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { clientCertificateData: access.certificate, clientKeyData: access.key },
  });
  const { expirationTimestamp } = (JSON.parse(first.stdout) as { status: { expirationTimestamp: string } }).status;
  expect(Date.parse(expirationTimestamp) - Date.now()).toBeGreaterThan(50 * 60_000);
  expect((await ask()).stdout).toBe(first.stdout);
  expect(universe.asked.map((each) => each.request)).toEqual([request]);
  const [file = ''] = readdirSync(cache());
  expect(statSync(join(cache(), file)).mode & 0o777).toBe(0o600);
  expect(statSync(cache()).mode & 0o777).toBe(0o700);
});

test('kubeconfig --credential requests a new certificate shortly before the cached one expires', async () => {
  const { universe } = await universeWith(30 / 3600);
  await using _server = universe;
  for (let run = 0; run < 2; run += 1) await universe.ctl(['kubeconfig', 'demo', '--credential'], environment());
  expect(universe.asked).toHaveLength(2);
});

test('kubeconfig --credential works without a writable cache', async () => {
  const { universe } = await universeWith(1);
  await using _server = universe;
  mkdirSync(join(home, '.cache'));
  const taken = { ...environment(), XDG_CACHE_HOME: '/dev/null' };
  expect(await universe.ctl(['kubeconfig', 'demo', '--credential'], taken)).toMatchObject({ exitCode: 0, stderr: '' });
});

test('kubeconfig --static contains the certificate and caches nothing', async () => {
  const { access, universe } = await universeWith(1);
  await using _server = universe;
  const { stdout } = await universe.ctl(['kubeconfig', 'demo', '--static'], environment());
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  expect(userIn(stdout)).toEqual({
    'client-certificate-data': base64(access.certificate),
    'client-key-data': base64(access.key),
  });
  expect(existsSync(cache())).toBe(false);
});

test('kubeconfig --merge keeps other contexts', async () => {
  const { universe } = await universeWith(1);
  await using _server = universe;
  const file = join(home, 'config');
  const env = { ...environment(), KUBECONFIG: file };
  for (let run = 0; run < 2; run += 1)
    expect(await universe.ctl(['kubeconfig', 'demo', '--merge'], env)).toMatchObject({ exitCode: 0 });
  expect((parse(readFileSync(file, 'utf8')) as { users: unknown[] }).users).toHaveLength(1);
});
