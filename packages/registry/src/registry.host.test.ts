import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import {
  importLayout,
  type RegistryAccess,
  RegistryWriter,
  registryClient,
} from '@nova-platform/contracts/registry/client';
import { buildComponent, chooseComponents, readComponents } from '@nova-platform/distro';
import {
  createKeyPair,
  createStandaloneAuthority,
  type Issuer,
  issueCertificate,
  openAuthority,
} from '@nova-platform/pki';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Registry, startRegistry } from './registry.ts';

const execute = promisify(execFile);
const reading = { host: '127.0.0.1', port: 15000 };
const writing = { host: '127.0.0.1', port: 15001 };
const source = `localhost:${reading.port}`;
const target = `127.0.0.1:${writing.port}`;

interface Outcome {
  exitCode: number;
  output: string;
}

let folder: string;
let programs: Record<'distribution' | 'crane' | 'nettest', string>;
let authority: Issuer;
let stranger: Issuer;
let registry: Registry;
let access: RegistryAccess;
/** Serials of valid identities that the simulated Configuration Manager reports. */
const valid = new Set<string>();
let report = (): void => undefined;

async function run(command: string, ...args: string[]): Promise<Outcome> {
  const environment = { ...process.env, HOME: folder, DOCKER_CONFIG: join(folder, 'docker') };
  try {
    const { stdout, stderr } = await execute(command, args, { env: environment, maxBuffer: 64 * 2 ** 20 });
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: Number(code), output: stdout + stderr };
  }
}

const skopeo = (...args: string[]) => run('skopeo', '--insecure-policy', ...args);
const crane = (...args: string[]) => run(join(programs.crane, 'bin', 'crane'), ...args);
const layout = (component: 'distribution' | 'nettest') => join(programs[component], 'images');
const credentials = () => `${access.username}:${access.password}`;

/** A certificate folder in the layout of skopeo and containerd. */
async function certificateFolder(
  name: string,
  issuer: Issuer,
  lifetimeHours: number,
  usage: 'client auth' | 'server auth' = 'client auth',
): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  const { privateKey, publicKey } = await createKeyPair();
  const order = {
    subject: { commonName: name, organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: [],
    usages: [usage],
    lifetimeHours,
  };
  const { certificate, serial } = await issueCertificate(issuer, order);
  valid.add(serial);
  report();
  await writeFile(join(path, 'client.cert'), certificate);
  await writeFile(join(path, 'client.key'), privateKey);
  await writeFile(join(path, 'ca.crt'), authority.certificate);
  return path;
}

function start(data: string, lifetimeHours = 720): Promise<Registry> {
  return startRegistry({
    data,
    program: join(programs.distribution, 'bin', 'registry'),
    listen: reading,
    importListen: writing,
    socket: join(folder, 'registry.sock'),
    log: () => undefined,
    watchIdentities: (onList, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
        report = () => onList([...valid]);
        report();
      }),
    certify: async (publicKey) => {
      const order = {
        subject: { commonName: 'hub', organizations: [] },
        publicKey,
        dnsNames: ['localhost'],
        addresses: [],
        usages: ['server auth' as const],
        lifetimeHours,
      };
      return { certificate: (await issueCertificate(authority, order)).certificate, authority: authority.certificate };
    },
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-registry-'));
  const components = chooseComponents(await readComponents(), ['distribution', 'crane', 'nettest']);
  const built: [string, string][] = [];
  for (const component of components) built.push([component.name, (await buildComponent(component)).folder]);
  programs = Object.fromEntries(built) as typeof programs;
  const order = { subject: { commonName: 'nova', organizations: [] }, lifetimeHours: 10_000 };
  authority = await openAuthority(await createStandaloneAuthority(order));
  stranger = await openAuthority(await createStandaloneAuthority(order));
  registry = await start(join(folder, 'data'));
  access = await registryClient(join(folder, 'registry.sock')).access();
});

afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true });
});

/** The process whose command line ends with `word`. */
async function processWith(word: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (words.at(-2) === word) return Number(pid);
  }
  throw new Error(`no process has ${word}`);
}

test('an image is uploaded once, and a second import sends nothing', async () => {
  const writer = new RegistryWriter(access);
  const [first] = await importLayout(layout('nettest'), 'nova', writer);
  expect(first).toMatchObject({ image: expect.stringMatching(/^nova\/nettest:/) as string, sent: first?.bytes });
  const [again] = await importLayout(layout('nettest'), 'nova', writer);
  expect(again).toMatchObject({ sent: 0, digest: first?.digest });
  expect(await writer.repositories()).toEqual(['nova/nettest']);
  await importLayout(layout('distribution'), 'nova', writer);
});

describe('third-party clients', () => {
  test('skopeo pushes, lists, pulls with a certificate, and deletes', async () => {
    const image = `docker://${target}/tools/skopeo:1`;
    const [tag] = await new RegistryWriter(access).tags('nova/nettest');
    const login = ['--dest-creds', credentials(), '--dest-tls-verify=false'];
    expect(await skopeo('copy', ...login, `oci:${layout('nettest')}:nettest:${tag}`, image)).toMatchObject({
      exitCode: 0,
    });
    const list = await skopeo(
      'list-tags',
      '--creds',
      credentials(),
      '--tls-verify=false',
      `docker://${target}/tools/skopeo`,
    );
    expect(list.output).toContain('"1"');
    const node = await certificateFolder('node', authority, 24);
    const pulled = await skopeo(
      'copy',
      '--src-cert-dir',
      node,
      `docker://${source}/tools/skopeo:1`,
      `dir:${join(folder, 'pulled')}`,
    );
    expect(pulled).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, 'pulled', 'manifest.json'))).toBe(true);
    expect(await skopeo('delete', '--creds', credentials(), '--tls-verify=false', image)).toMatchObject({
      exitCode: 0,
    });
    expect((await skopeo('inspect', '--cert-dir', node, `docker://${source}/tools/skopeo:1`)).exitCode).not.toBe(0);
  });

  test('crane pushes, lists, pulls and deletes on the import endpoint', async () => {
    expect(await crane('auth', 'login', target, '-u', access.username, '-p', access.password)).toMatchObject({
      exitCode: 0,
    });
    const [tag] = await new RegistryWriter(access).tags('nova/nettest');
    expect(await crane('copy', '--insecure', `${target}/nova/nettest:${tag}`, `${target}/tools/crane:1`)).toMatchObject(
      { exitCode: 0 },
    );
    expect((await crane('ls', '--insecure', `${target}/tools/crane`)).output).toBe('1\n');
    const digest = (await crane('digest', '--insecure', `${target}/tools/crane:1`)).output.trim();
    expect(await crane('pull', '--insecure', `${target}/tools/crane:1`, join(folder, 'crane.tar'))).toMatchObject({
      exitCode: 0,
    });
    expect(await crane('delete', '--insecure', `${target}/tools/crane@${digest}`)).toMatchObject({ exitCode: 0 });
    expect((await crane('digest', '--insecure', `${target}/tools/crane@${digest}`)).exitCode).not.toBe(0);
  });
});

describe('the registry refuses', () => {
  const inspect = (certificates: string) =>
    skopeo('inspect', '--cert-dir', certificates, `docker://${source}/nova/registry:latest`);

  test('a client without a certificate, or with one that is expired, from another CA or for servers', async () => {
    const ended = await certificateFolder('ended', authority, 0);
    const other = await certificateFolder('other', stranger, 24);
    const server = await certificateFolder('server', authority, 24, 'server auth');
    const none = await certificateFolder('none', authority, 24);
    for (const file of ['client.cert', 'client.key']) await rm(join(none, file));
    for (const certificates of [none, ended, other, server]) {
      const { exitCode, output } = await inspect(certificates);
      expect(exitCode).not.toBe(0);
      // A client that is still writing sees the connection close before it reads the reason.
      expect(output).toMatch(/certificate|handshake|tls|connection reset|broken pipe|EOF/i);
    }
  });

  test('a revoked node, also on an open connection', async () => {
    const certificates = await certificateFolder('revoked', authority, 24);
    const [tag] = await new RegistryWriter(access).tags('nova/nettest');
    const image = `docker://${source}/nova/nettest:${tag}`;
    expect(await skopeo('inspect', '--cert-dir', certificates, image)).toMatchObject({ exitCode: 0 });
    const [cert, key] = await Promise.all(
      ['client.cert', 'client.key'].map((name) => readFile(join(certificates, name), 'utf8')),
    );
    const open = connect({ ...reading, ca: authority.certificate, cert, key, servername: 'localhost' });
    const ended = new Promise((resolve) => open.on('error', () => undefined).once('close', resolve));
    await new Promise((resolve) => open.once('secureConnect', resolve));
    // The server may not have registered the connection before its first response.
    open.write('HEAD /v2/ HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => open.once('data', resolve));
    valid.delete(new X509Certificate(cert ?? '').serialNumber);
    report();
    await ended;
    const refused = await skopeo('inspect', '--cert-dir', certificates, image);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.output).toMatch(/403|denied|revoked/i);
  });

  test('pushes and deletions by a node', async () => {
    const node = await certificateFolder('pusher', authority, 24);
    const [tag] = await new RegistryWriter(access).tags('nova/nettest');
    const pushed = await skopeo(
      'copy',
      '--dest-cert-dir',
      node,
      `oci:${layout('nettest')}:nettest:${tag}`,
      `docker://${source}/nova/nettest:evil`,
    );
    expect(pushed.exitCode).not.toBe(0);
    const deleted = await skopeo('delete', '--cert-dir', node, `docker://${source}/nova/nettest:${tag}`);
    expect(deleted.exitCode).not.toBe(0);
    expect(await new RegistryWriter(access).tags('nova/nettest')).toEqual([tag]);
  });

  test('an import with a wrong password', async () => {
    const writer = new RegistryWriter({ ...access, password: 'guessed' });
    await expect(importLayout(layout('nettest'), 'nova', writer)).rejects.toMatchObject({
      problems: [{ code: 'NOVA8213' }],
    });
    expect((await fetch(`${access.url}/v2/_catalog`)).status).toBe(401);
  });
});

test('eight clients pull one large image at the same time', async () => {
  const node = await certificateFolder('puller', authority, 24);
  const [tag] = await new RegistryWriter(access).tags('nova/registry');
  const pulls = Array.from({ length: 8 }, (_, index) =>
    skopeo(
      'copy',
      '--src-cert-dir',
      node,
      `docker://${source}/nova/registry:${tag}`,
      `dir:${join(folder, `pull-${index}`)}`,
    ),
  );
  for (const outcome of await Promise.all(pulls)) expect(outcome).toMatchObject({ exitCode: 0 });
});

test('garbage collection keeps the blobs of images, and nodes can pull meanwhile', async () => {
  const writer = new RegistryWriter(access);
  const node = await certificateFolder('collecting', authority, 24);
  const [tag] = await writer.tags('nova/registry');
  const lines: string[] = [];
  const collecting = registryClient(join(folder, 'registry.sock')).collect((line) => lines.push(line));
  const pull = await skopeo(
    'copy',
    '--src-cert-dir',
    node,
    `docker://${source}/nova/registry:${tag}`,
    `dir:${join(folder, 'collected')}`,
  );
  await collecting;
  expect(pull).toMatchObject({ exitCode: 0 });
  // The images that skopeo and crane deleted in earlier tests.
  expect(lines.join('\n')).toMatch(/eligible for deletion/);
  expect(await importLayout(layout('distribution'), 'nova', writer)).toMatchObject([{ sent: 0 }]);
});

test('a registry killed during a push keeps all acknowledged data, and a retry completes the push', async () => {
  const writer = new RegistryWriter(access);
  const pid = await processWith(join(folder, 'data', 'writing.yaml'));
  let isKilled = false;
  const push = importLayout(layout('distribution'), 'again', writer, (_image, sent, bytes) => {
    if (isKilled || sent < bytes / 4) return;
    isKilled = true;
    process.kill(pid, 'SIGKILL');
  });
  const failed = await push.then(
    () => false,
    () => true,
  );
  expect(isKilled).toBe(true);
  // The supervisor restarts it.
  await expect.poll(() => writer.repositories().catch(() => []), { timeout: 10_000 }).toContain('nova/nettest');
  if (failed) await importLayout(layout('distribution'), 'again', writer);
  const [tag] = await writer.tags('again/registry');
  const node = await certificateFolder('after', authority, 24);
  expect(
    await skopeo(
      'copy',
      '--src-cert-dir',
      node,
      `docker://${source}/again/registry:${tag}`,
      `dir:${join(folder, 'after-kill')}`,
    ),
  ).toMatchObject({ exitCode: 0 });
});

test('a full disk rejects an image that does not fit and keeps the stored ones', async () => {
  await registry.close();
  const small = join(folder, 'small');
  await mkdir(small);
  await execute('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small]);
  const tight = await start(small);
  try {
    const writer = new RegistryWriter(await registryClient(join(folder, 'registry.sock')).access());
    await importLayout(layout('nettest'), 'nova', writer);
    await expect(importLayout(layout('distribution'), 'nova', writer)).rejects.toMatchObject({
      problems: [{ code: 'NOVA8213' }],
    });
    const node = await certificateFolder('tight', authority, 24);
    const [tag] = await writer.tags('nova/nettest');
    expect(
      await skopeo(
        'copy',
        '--src-cert-dir',
        node,
        `docker://${source}/nova/nettest:${tag}`,
        `dir:${join(folder, 'full')}`,
      ),
    ).toMatchObject({ exitCode: 0 });
    expect(await writer.tags('nova/registry')).toEqual([]);
  } finally {
    await tight.close();
    await execute('umount', [small]);
    registry = await start(join(folder, 'data'));
  }
});

test('the certificate is renewed long before it expires, and nodes get the new one', async () => {
  await registry.close();
  registry = await start(join(folder, 'data'), 10 / 3600);
  const seen = () =>
    new Promise<string>((resolve) => {
      const socket = connect({ ...reading, ca: authority.certificate, servername: 'localhost' }, () => {
        resolve(socket.getPeerX509Certificate()?.serialNumber ?? '');
        socket.destroy();
      });
      socket.on('error', ({ message }) => resolve(message));
    });
  const first = await seen();
  const serials = new Set<string>();
  for (const end = Date.now() + 15_000; Date.now() < end; await sleep(200)) serials.add(await seen());
  serials.delete(first);
  expect([...serials].filter((each) => each.includes('expired'))).toEqual([]);
  expect([...serials].filter((each) => /^[\dA-F]{32}$/.test(each)).length).toBeGreaterThanOrEqual(2);
  await registry.close();
  registry = await start(join(folder, 'data'));
});

test('images survive a restart, and files with secrets are readable only by their owner', async () => {
  const { stdout } = await execute('sh', [
    '-c',
    `find ${join(folder, 'data')} -maxdepth 1 -type f ! -name '*.new' -exec stat -c '%a %n' {} +`,
  ]);
  for (const line of stdout.trim().split('\n')) expect(line).toMatch(/^600 /);
  const passwords = await readFile(join(folder, 'data', 'import.htpasswd'), 'utf8');
  expect(passwords).not.toContain(access.password);
  expect(await readdir(join(folder, 'data', 'storage'))).toEqual(['docker']);
  expect(await new RegistryWriter(access).repositories()).toContain('nova/nettest');
});
