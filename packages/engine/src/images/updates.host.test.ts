import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown, hostStop } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { program } from '../testing.ts';
import { readGenerations, updatesFolder, writeGenerations } from './generations.ts';
import { suite } from './recipes.ts';

const say = () => undefined;
const machine = { image: 'node', network: 'lab', memoryMebibytes: 128 };
const mounts: string[] = [];
let folder: string;
let mirror: Server;

/** Publishes the packages of a suite, signed with the key of a gpg home. */
async function publish(name: string, label: string, packages: Record<string, string>, home = 'debian'): Promise<void> {
  const architecture = (await run('dpkg', ['--print-architecture'])).trim();
  const repository = label === 'Debian-Security' ? 'debian-security' : 'debian';
  const top = join(folder, 'mirror', repository, 'dists', name);
  const path = `main/binary-${architecture}/Packages`;
  const text = Object.entries(packages)
    .map(
      ([each, version]) =>
        `Package: ${each}\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: test\nDescription: test\n` +
        `Filename: ${each}.deb\nSize: 1\n`,
    )
    .join('\n');
  mkdirSync(join(top, `main/binary-${architecture}`), { recursive: true });
  writeFileSync(join(top, path), text);
  const hash = createHash('sha256').update(text).digest('hex');
  const release =
    `Origin: Debian\nLabel: ${label}\nSuite: ${name}\nVersion: 13\nCodename: ${name}\nArchitectures: ${architecture}\n` +
    `Components: main\nDate: ${new Date().toUTCString()}\nSHA256:\n ${hash} ${text.length} ${path}\n`;
  const gpg = ['--homedir', join(folder, home), '--batch', '--yes', '--clearsign', '--output', join(top, 'InRelease')];
  await run('gpg', gpg, { input: release });
}

async function createKey(home: string): Promise<void> {
  mkdirSync(join(folder, home), { mode: 0o700 });
  const gpg = ['--homedir', join(folder, home), '--batch', '--passphrase', ''];
  await run('gpg', [...gpg, '--quick-gen-key', home, 'default', 'default', 'never']);
  await run('gpg', [...gpg, '--export', '--output', join(folder, `${home}.gpg`)]);
}

/** Affects this sandbox only. */
async function mountOver(source: string, target: string): Promise<void> {
  if (!existsSync(target)) return;
  await run('mount', ['--bind', source, target]);
  mounts.push(target);
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  return error instanceof ProblemError ? error.problems[0]?.code : undefined;
}

const digests = async () =>
  Object.fromEntries(
    (await engineClient.images()).filter(({ isBuilt }) => isBuilt).map((each) => [each.name, each.digest]),
  );

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nova-mirror-'));
  for (const home of ['debian', 'stranger']) await createKey(home);
  await publish(suite, 'Debian', {});
  await publish(`${suite}-updates`, 'Debian', {});
  mirror = createServer((request, response) => {
    const file = join(folder, 'mirror', request.url ?? '');
    if (existsSync(file)) response.end(readFileSync(file));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(mirror, 'listening');
  const { port } = mirror.address() as AddressInfo;
  for (const name of ['keyrings', 'sources']) mkdirSync(join(folder, name));
  cpSync(join(folder, 'debian.gpg'), join(folder, 'keyrings/debian-archive-keyring.gpg'));
  writeFileSync(join(folder, 'sources/debian.sources'), `Types: deb\nURIs: http://127.0.0.1:${port}/debian\n`);
  writeFileSync(join(folder, 'sources.list'), '');
  await mountOver(join(folder, 'keyrings'), '/usr/share/keyrings');
  await mountOver(join(folder, 'sources'), '/etc/apt/sources.list.d');
  await mountOver(join(folder, 'sources.list'), '/etc/apt/sources.list');
  rmSync(join(updatesFolder, 'check.json'), { force: true });
  await hostUp(program, say);
  await engineClient.buildImage('node', say);
  await engineClient.createNetwork('lab', '10.63.0.0/24');
  await engineClient.createMachine({ ...machine, name: 'old' });
});

afterAll(async () => {
  await hostDown(say);
  for (const target of mounts) await run('umount', [target]);
  mirror.close();
  rmSync(folder, { recursive: true });
});

test('updates are unknown before the first check', async () => {
  expect(await engineClient.lastCheck()).toEqual({ missing: [] });
  expect((await engineClient.machines()).map(({ updates }) => updates)).toEqual([undefined]);
});

test('a mirror without the security suite is reported', async () => {
  expect((await engineClient.checkImages(say)).missing).toEqual([`${suite}-security`]);
  expect((await engineClient.machines())[0]?.updates).toMatchObject({ all: [], security: [] });
});

test('an image without a security update is reported, and every machine on it', async () => {
  await publish(`${suite}-security`, 'Debian-Security', { openssl: '99:1', unheard: '1' });
  expect((await engineClient.checkImages(say)).missing).toEqual([]);
  const image = (await engineClient.images()).find(({ name }) => name === 'node');
  expect(image?.updates?.packages).toMatchObject([{ name: 'openssl', available: '99:1', isSecurity: true }]);
  expect((await engineClient.machines())[0]?.updates).toMatchObject({ all: ['openssl'], security: ['openssl'] });
});

test('lists signed with another key are refused, and the last check stays', async () => {
  const last = await engineClient.lastCheck();
  await publish(`${suite}-security`, 'Debian-Security', {}, 'stranger');
  expect(await codeOf(engineClient.checkImages(say))).toBe('NOVA7080');
  expect(await engineClient.lastCheck()).toEqual(last);
  expect((await engineClient.machines())[0]?.updates?.security).toEqual(['openssl']);
  await publish(`${suite}-security`, 'Debian-Security', { openssl: '99:1' });
});

test('a failed update leaves all images unchanged', async () => {
  const before = await digests();
  // The mirror lists the package but does not contain it.
  expect(await codeOf(engineClient.updateImages(say))).toBe('NOVA7004');
  expect(await digests()).toEqual(before);
});

test('after an update new machines use the new images, and older machines are still reported', async () => {
  const [old, generations] = [await engineClient.images(), await readGenerations()];
  await writeGenerations({ ...generations, base: 'next' });
  // The result of an update, with the same packages.
  for (const { name, layers } of await engineClient.images()) {
    const [from = '', to = ''] = [old.find((each) => each.name === name)?.layers[0], layers[0]];
    if (existsSync(from) && !existsSync(to)) await run('cp', ['-al', from, to]);
  }
  await engineClient.createMachine({ ...machine, name: 'new' });
  const [newer, older] = await engineClient.machines();
  const [now, then] = [await engineClient.images(), old].map((all) => all.find(({ name }) => name === 'node')?.digest);
  expect([newer?.imageDigest, older?.imageDigest]).toEqual([now, then]);
  expect(now).not.toBe(then);
  // No check has covered the new image; the old one still lacks the update.
  expect([newer?.updates, older?.updates?.security]).toEqual([undefined, ['openssl']]);
  // The old image stays while a machine uses it.
  await engineClient.pruneImages();
  const [layer = ''] = old.find(({ name }) => name === 'node')?.layers ?? [];
  expect(existsSync(layer)).toBe(true);
  await engineClient.deleteMachine('old');
  await engineClient.pruneImages();
  expect(existsSync(layer)).toBe(false);
});

test('the networks of the host are reported until they run on their new image', async () => {
  expect((await engineClient.lastCheck()).networks?.security).toEqual(['openssl']);
  await hostStop(say);
  await hostUp(program, say);
  // No check has covered the new image yet.
  expect((await engineClient.lastCheck()).networks).toBeUndefined();
  const [layer = ''] = (await engineClient.images()).find(({ name }) => name === 'network')?.layers ?? [];
  expect(readFileSync('/proc/mounts', 'utf8')).toContain(layer);
});

test('the check fails without the mirror, and the last result with its time stays', async () => {
  const last = await engineClient.lastCheck();
  mirror.closeAllConnections();
  mirror.close();
  expect(await codeOf(engineClient.checkImages(say))).toBe('NOVA7080');
  expect(await engineClient.lastCheck()).toEqual(last);
});
