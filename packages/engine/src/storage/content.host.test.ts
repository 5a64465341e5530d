import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { ContentFormat } from '@nova-platform/contracts/engine/content';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { codesOf, program } from '../testing.ts';

const say = () => undefined;
const mebibyte = 1024 ** 2;
const content = randomBytes(3 * mebibyte + 512);

const imported = (name: string, format: ContentFormat, bytes: Buffer) =>
  engineClient.importDisk(name, format, Readable.from([bytes]));
const names = async () => (await engineClient.disks()).map(({ name }) => name);

async function exported(work: (to: Writable) => Promise<void>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await work(to);
  return Buffer.concat(chunks);
}

/** The header of a qcow2 image (version 3) without data, with this size, base and external data file. */
function header(bytes: bigint, { base = '', dataFile = '' } = {}): Buffer {
  const image = Buffer.alloc(3 * 65_536);
  image.write('QFI\xfb', 0, 'latin1');
  image.writeUInt32BE(3, 4);
  if (base) {
    image.writeBigUInt64BE(512n, 8);
    image.writeUInt32BE(base.length, 16);
    image.write(base, 512);
  }
  image.writeUInt32BE(16, 20);
  image.writeBigUInt64BE(bytes, 24);
  const tables = Number((bytes + 2n ** 29n - 1n) / 2n ** 29n);
  image.writeUInt32BE(Math.min(tables, 2 ** 22), 36);
  image.writeBigUInt64BE(65_536n, 40);
  image.writeBigUInt64BE(131_072n, 48);
  image.writeUInt32BE(1, 56);
  image.writeBigUInt64BE(dataFile ? 4n : 0n, 72);
  image.writeUInt32BE(4, 96);
  image.writeUInt32BE(104, 100);
  if (dataFile) {
    image.writeUInt32BE(0x44415441, 104);
    image.writeUInt32BE(dataFile.length, 108);
    image.write(dataFile, 112);
  }
  return image;
}

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createMachine({ name: 'c1', image: 'node', memoryMebibytes: 256, diskMebibytes: 512 });
  await engineClient.createDisk({ name: 'files', format: 'filesystem', sizeMebibytes: 512 });
});

afterAll(() => hostDown(say));

test('a raw file becomes a disk with its content, and comes out of it again in both formats', async () => {
  expect(await imported('raw', 'raw', content)).toMatchObject({ format: 'block', sizeMebibytes: 4 });
  const raw = await exported((to) => engineClient.exportDisk('raw', 'raw', to));
  expect(raw.length).toBe(4 * mebibyte);
  expect(raw.subarray(0, content.length).equals(content)).toBe(true);
  const qcow2 = await exported((to) => engineClient.exportDisk('raw', 'qcow2', to));
  expect(qcow2.subarray(0, 4).toString('latin1')).toBe('QFI\xfb');
  await imported('copy', 'qcow2', qcow2);
  expect((await exported((to) => engineClient.exportDisk('copy', 'raw', to))).equals(raw)).toBe(true);
});

test('the file systems of containers can be exported', async () => {
  const disk = await exported((to) => engineClient.exportDisk('files', 'raw', to));
  expect(disk.subarray(0, 4).toString()).toBe('XFSB');
  await engineClient.stopMachine('c1');
  const own = await exported((to) => engineClient.exportMachine('c1', 'raw', to));
  expect(own.subarray(0, 4).toString()).toBe('XFSB');
  await engineClient.startMachine('c1');
});

test('what is in use is not exported', async () => {
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  expect(await codesOf(engineClient.exportMachine('c1', 'qcow2', nowhere()))).toEqual(['NOVA7100']);
  await engineClient.attachDisk('c1', 'files', { path: '/files' });
  expect(await codesOf(engineClient.exportDisk('files', 'qcow2', nowhere()))).toEqual(['NOVA7120']);
  expect(await codesOf(engineClient.exportDisk('missing', 'qcow2', nowhere()))).toEqual(['NOVA7010']);
});

test.for<[string, ContentFormat, Buffer, RegExp]>([
  ['with a base on this host', 'qcow2', header(BigInt(mebibyte), { base: '/etc/shadow' }), /based on another file/],
  [
    'with a base of a server',
    'qcow2',
    header(BigInt(mebibyte), { base: 'nbd://127.0.0.1/x' }),
    /based on another file/,
  ],
  [
    'with its data in another file',
    'qcow2',
    header(BigInt(mebibyte), { dataFile: '/etc/shadow' }),
    /\/etc\/shadow|another file/,
  ],
  ['of a size that no host has', 'qcow2', header(2n ** 60n), /too big/],
  ['that is no image', 'qcow2', content, /not in qcow2 format/],
  ['that is incomplete', 'qcow2', header(BigInt(mebibyte)).subarray(0, 60), /qcow2/],
  ['without content', 'raw', Buffer.alloc(0), /0 bytes/],
])('a file %s is refused', async ([, format, bytes, reason]) => {
  const work = imported('hostile', format, bytes);
  expect(await codesOf(work)).toEqual(['NOVA7138']);
  await expect(work).rejects.toThrow(reason);
  expect(await names()).toEqual(['copy', 'files', 'raw']);
});

test('a name that is taken or too long is refused', async () => {
  expect(await codesOf(imported('raw', 'raw', content))).toEqual(['NOVA7021']);
  expect(await codesOf(imported('a-name-that-is-too-long', 'raw', content))).toEqual(['NOVA7139']);
});

test('an engine killed during an import leaves nothing of it', async () => {
  await writeFile('/run/nova/fault', 'transfer.received');
  expect(await codesOf(imported('half', 'raw', content))).toEqual(['NOVA7030']);
  await expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 30_000 }).toBeTruthy();
  expect(await names()).toEqual(['copy', 'files', 'raw']);
  const folder = '/var/lib/nova/transfers';
  expect(existsSync(folder) ? await readdir(folder) : []).toEqual([]);
});
