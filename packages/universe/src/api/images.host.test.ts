import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { importLayout, RegistryWriter } from '@nova-platform/contracts/registry/client';
import { type UniverseClient, universeClient } from '@nova-platform/contracts/universe/client';
import { apiClient } from '@nova-platform/http/client';
import { createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { type Registry, startRegistry } from '@nova-platform/registry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildComponent, chooseComponents, readComponents } from '../../../distro/src/index.ts';

const mebibyte = 1024 * 1024;
let folder: string;
let registry: Registry;
let child: ChildProcess;
let port: number;
let local: UniverseClient;
let ca: string;
let layout: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-images-'));
  const [component] = chooseComponents(await readComponents(), ['distribution']);
  if (!component) throw new Error('there is no registry');
  const built = await buildComponent(component);
  layout = join(built.folder, 'images');
  const named = { subject: { commonName: 'nova', organizations: [] }, lifetimeHours: 1000 };
  const authority = await openAuthority(await createStandaloneAuthority(named));
  registry = await startRegistry({
    data: join(folder, 'registry'),
    program: join(built.folder, 'bin', 'registry'),
    listen: { host: '127.0.0.1', port: 15100 },
    importListen: { host: '127.0.0.1', port: 15101 },
    socket: join(folder, 'registry.sock'),
    log: () => undefined,
    // No node pulls in this test.
    watchIdentities: (_onList, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
      }),
    certify: async (publicKey) => {
      const order = { ...named, publicKey, dnsNames: ['localhost'], addresses: [], usages: ['server auth' as const] };
      return { certificate: (await issueCertificate(authority, order)).certificate, authority: authority.certificate };
    },
  });
  child = fork(new URL('../testing/serve.ts', import.meta.url), [folder], {
    execArgv: ['--optimize-for-size', '--max-semi-space-size=4'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  [{ port }] = (await once(child, 'message')) as [{ port: number }];
  local = universeClient(apiClient({ socketPath: join(folder, 'universe.sock') }, (error) => error));
  ca = (await local.authority({})).certificate;
  // fetch has no option for a CA.
  setDefaultCACertificates([...getCACertificates('default'), ca]);
});
afterAll(async () => {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  await registry.close();
  await rm(folder, { recursive: true });
});

async function tokenOf(role: 'viewer' | 'operator'): Promise<string> {
  await local.createUser({ body: { name: role, role } }).catch(() => undefined);
  return (await local.createAccessToken({ body: { name: 'x', role, seconds: 600, user: role } })).token;
}

const writer = (password: string) => new RegistryWriter({ url: `https://127.0.0.1:${port}`, username: 'x', password });

const memory = (field: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

test('operators push, viewers only pull, anonymous clients can do neither', async () => {
  const operator = writer(await tokenOf('operator'));
  const viewer = writer(await tokenOf('viewer'));
  const [image] = await importLayout(layout, 'platform', operator);
  expect(image?.sent).toBeGreaterThan(mebibyte);
  expect((await importLayout(layout, 'platform', operator))[0]?.sent).toBe(0);
  const [repository = '', tag = ''] = (image?.image ?? '').split(':');
  expect(await viewer.digestOf(repository, tag)).toBe(image?.digest);
  expect(await viewer.repositories()).toEqual([repository]);
  await expect(importLayout(layout, 'others', viewer)).rejects.toThrow('403');
  await expect(viewer.putManifest(repository, 'other', 'application/json', '{}')).rejects.toThrow('403');
  await expect(writer('wrong').repositories()).rejects.toThrow('401');
  expect(await viewer.repositories()).toEqual([repository]);
  const { entries } = await local.listAudit({ query: { who: 'operator' } });
  expect(entries.map(({ target, outcome }) => `${target} ${outcome}`)).toContain(
    `v2/${repository}/manifests/${tag} 201`,
  );
  const refused = await local.listAudit({ query: { who: 'viewer' } });
  expect(refused.entries.every(({ outcome }) => outcome === 403)).toBe(true);
});

test("clients get a challenge, and the registry's own credentials never leave Universe", async () => {
  const send = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: object }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, ca, path, headers, agent: false }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      })
        .once('error', reject)
        .end();
    });
  const { status, headers } = await send('/v2/');
  expect(status).toBe(401);
  expect(headers).toMatchObject({ 'www-authenticate': 'Basic realm="nova"' });

  // A request with the URL of another server is forwarded to the registry: its credentials must not reach the other
  // server.
  const heard: (string | undefined)[] = [];
  const other = createServer((incoming, response) => {
    heard.push(incoming.headers.authorization);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port: otherPort } = other.address() as { port: number };
  const authorization = `Bearer ${await tokenOf('viewer')}`;
  const at = `http://127.0.0.1:${otherPort}`;
  for (const path of [
    `${at}/v2/`,
    `${at}/v2/_catalog`,
    `//127.0.0.1:${otherPort}/v2/`,
    `/v2/../..//127.0.0.1:${otherPort}/`,
  ])
    expect((await send(path, { authorization })).status).toBeLessThan(500);
  expect((await send(`${at}/v2/`, { authorization })).status).toBe(200);
  expect(heard).toEqual([]);
  other.close();
});

test('a large layer streams both ways', async () => {
  const size = 200 * mebibyte;
  const file = join(folder, 'layer');
  const hash = createHash('sha256');
  const output = createWriteStream(file);
  const block = randomBytes(mebibyte);
  for (let index = 0; index < 200; index += 1) {
    block.writeUInt32BE(index);
    hash.update(block);
    if (!output.write(Buffer.from(block))) await once(output, 'drain');
  }
  output.end();
  await once(output, 'close');
  const digest = `sha256:${hash.digest('hex')}`;
  const token = await tokenOf('operator');
  // Resets the peak memory.
  writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
  const before = memory('VmRSS');
  await writer(token).putBlob('large', { mediaType: '', digest, size }, file, () => undefined);
  const pulled = createHash('sha256');
  await new Promise<void>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, ca, path: `/v2/large/blobs/${digest}`, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        expect(response.statusCode).toBe(200);
        response
          .on('data', (chunk: Buffer) => pulled.update(chunk))
          .once('end', resolve)
          .once('error', reject);
      },
    ).end();
  });
  expect(`sha256:${pulled.digest('hex')}`).toBe(digest);
  expect(memory('VmHWM') - before).toBeLessThan(80);
});

test('an interrupted transfer, on either side, affects no other', async () => {
  const token = await tokenOf('operator');
  const authorization = `Bearer ${token}`;
  for (let round = 0; round < 10; round += 1) {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      ca,
      agent: false,
      method: round % 2 === 0 ? 'PUT' : 'PATCH',
      path: `/v2/large/blobs/uploads/${'0'.repeat(8)}-0000-0000-0000-000000000000?digest=sha256:0`,
      headers: { authorization, 'content-length': String(50 * mebibyte) },
    });
    outgoing.on('error', () => undefined);
    createReadStream(join(folder, 'layer'), { end: 20 * mebibyte }).pipe(outgoing, { end: false });
    await new Promise((wake) => setTimeout(wake, 30 * round));
    outgoing.destroy();
  }
  expect(child.exitCode).toBe(null);
  expect(await writer(token).repositories()).toEqual(['platform/registry']);
  await registry.close();
  await expect(writer(token).repositories()).rejects.toThrow('NOVA8211');
  expect(child.exitCode).toBe(null);
});
