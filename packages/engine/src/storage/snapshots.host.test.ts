import { existsSync } from 'node:fs';
import { statfs, writeFile } from 'node:fs/promises';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { codesOf, inside, program } from '../testing.ts';

const say = () => undefined;
const machine = { image: 'node', memoryMebibytes: 256 };
const folder = '/var/lib/nova/machines/m1/snapshots';
const snapshotNames = async () => (await engineClient.snapshots('m1')).map(({ name }) => name);
/** Copies an image, replays its log as a mount does, and looks for errors in the file system. */
const check = `cp --sparse=always $1 $2; mkdir $2.mount; mount -o loop,nouuid $2 $2.mount; umount $2.mount
  xfs_repair -n -f $2 2>/dev/null >&2 || echo broken; rm -r $2 $2.mount`;
/** The content of the machine's own disk and of its additional one. */
const content = () => inside('m1', 'cat /root/file /data/file');
const write = (text: string) => inside('m1', `echo ${text} | tee /root/file > /data/file`);
const canWrite = () => inside('m1', 'date > /root/probe && date > /data/probe && echo written').catch(() => '');

async function killedAt(point: string, change: () => Promise<unknown>): Promise<void> {
  await writeFile('/run/nova/fault', point);
  expect(await codesOf(change())).toEqual(['NOVA7030']);
  await expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 30_000 }).toBeTruthy();
}

async function restored(snapshot: string): Promise<void> {
  await engineClient.stopMachine('m1');
  expect(await engineClient.restoreSnapshot('m1', snapshot)).toMatchObject({ name: 'm1', state: 'stopped' });
  await engineClient.startMachine('m1');
}

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createMachine({ ...machine, name: 'm1', diskMebibytes: 1024 });
  await engineClient.createDisk({ name: 'data', format: 'filesystem', sizeMebibytes: 512 });
  await engineClient.attachDisk('m1', 'data', { path: '/data' });
});

afterAll(() => hostDown(say));

test('a snapshot of a running machine gives it back all its disks', async () => {
  await write('first');
  const snapshot = await engineClient.createSnapshot('m1', { name: 's1', description: 'before the change' });
  expect(snapshot).toMatchObject({ name: 's1', description: 'before the change', disks: ['data'], isFrozen: true });
  expect(snapshot.usedBytes).toBeGreaterThan(1024 ** 2);
  expect(await canWrite()).toBe('written\n');
  await write('second');
  await engineClient.growDisk('data', 768);
  await restored('s1');
  expect(await content()).toBe('first\nfirst\n');
  // Disks keep the size that they have now.
  expect(await inside('m1', 'df -BM --output=size / /data | tail -n 2 | tr -d " "')).toBe('1024M\n768M\n');
});

test('a snapshot that was taken while programs write has a consistent file system', async () => {
  const load = `i=0; while :; do i=$((i+1)); head -c 100k /dev/urandom > /root/load/new; sha256sum < /root/load/new > /root/load/sum
    mv /root/load/sum /root/load/$((i % 50)).sum; mv /root/load/new /root/load/$((i % 50)); mkdir /data/$i; rmdir /data/$((i - 20)) 2>/dev/null; done`;
  await inside('m1', 'mkdir /root/load');
  await inside('m1', `systemd-run -q --unit=load sh -c '${load.replaceAll("'", `'\\''`)}'`);
  await expect.poll(() => inside('m1', 'ls /root/load | wc -l').then(Number)).toBeGreaterThan(60);
  await engineClient.createSnapshot('m1', { name: 'load' });
  expect(await canWrite()).toBe('written\n');
  expect(await inside('m1', 'systemctl is-active load; systemctl stop load')).toBe('active\n');
  const images = (await run('find', [`${folder}/load`, '-name', '*.img'])).trim().split('\n');
  expect(images).toHaveLength(2);
  for (const image of images) expect(await run('sh', ['-ec', check, 'check', image, '/var/lib/nova/check'])).toBe('');
  await restored('load');
  // Every complete file but at most the one that was being replaced.
  const compare =
    'cd /root/load; for f in *.sum; do [ "$(sha256sum < $(basename $f .sum))" = "$(cat $f)" ] || echo $f; done | wc -l';
  expect(Number(await inside('m1', compare))).toBeLessThanOrEqual(1);
  await inside('m1', 'rm -r /root/load');
});

test('a snapshot of a stopped machine can be restored, and is deleted with all its files', async () => {
  await write('third');
  await engineClient.stopMachine('m1');
  await engineClient.createSnapshot('m1', { name: 'cold' });
  await engineClient.startMachine('m1');
  await write('fourth');
  await restored('cold');
  expect(await content()).toBe('third\nthird\n');
  expect(await snapshotNames()).toEqual(['s1', 'load', 'cold']);
  for (const name of ['load', 'cold']) await engineClient.deleteSnapshot('m1', name);
  expect(await run('ls', [folder])).toBe('s1\n');
});

test('a snapshot that is not possible is refused with the reason', async () => {
  await engineClient.createMachine({ ...machine, name: 'plain' });
  await engineClient.createMachine({ ...machine, name: 'new', diskMebibytes: 512, isStarted: false });
  const refused = (name: string) => codesOf(engineClient.createSnapshot(name, { name: 's1' }));
  expect(await refused('plain')).toEqual(['NOVA7132']);
  expect(await refused('new')).toEqual(['NOVA7132']);
  expect(await refused('m1')).toEqual(['NOVA7021']);
  expect(await codesOf(engineClient.restoreSnapshot('m1', 's1'))).toEqual(['NOVA7100']);
  expect(await codesOf(engineClient.restoreSnapshot('m1', 'missing'))).toEqual(['NOVA7010']);
  expect(await codesOf(engineClient.deleteSnapshot('m1', 'missing'))).toEqual(['NOVA7010']);
  for (const name of ['plain', 'new']) await engineClient.deleteMachine(name);
});

test('a disk of a snapshot must be attached for a restore, and cannot be deleted', async () => {
  await engineClient.stopMachine('m1');
  await engineClient.detachDisk('m1', 'data');
  expect(await codesOf(engineClient.restoreSnapshot('m1', 's1'))).toEqual(['NOVA7137']);
  expect(await codesOf(engineClient.deleteDisk('data'))).toEqual(['NOVA7133']);
  await engineClient.attachDisk('m1', 'data', { path: '/data' });
  await engineClient.startMachine('m1');
});

test('a machine that thaws its file system meanwhile gets no snapshot', async () => {
  await inside('m1', `systemd-run -q --unit=thaw sh -c 'while :; do fsfreeze -u /data; done'`);
  expect(await codesOf(engineClient.createSnapshot('m1', { name: 'thawed' }))).toEqual(['NOVA7131']);
  await inside('m1', 'systemctl stop thaw');
  expect(await canWrite()).toBe('written\n');
  expect(await snapshotNames()).toEqual(['s1']);
});

test('a host without space refuses a snapshot', async () => {
  const { bavail, bsize } = await statfs('/var/lib/nova');
  const filling = '/var/lib/nova/filling';
  await run('fallocate', ['-l', String(bavail * bsize - 1024 ** 3), filling]);
  try {
    expect(await codesOf(engineClient.createSnapshot('m1', { name: 'full' }))).toEqual(['NOVA7126']);
  } finally {
    await run('rm', [filling]);
  }
  expect(await snapshotNames()).toEqual(['s1']);
});

test.for(['snapshot.frozen', 'storage.filled'])(
  'an engine killed at %s leaves no snapshot, and no frozen disk',
  async (point) => {
    await killedAt(point, () => engineClient.createSnapshot('m1', { name: 'half' }));
    await expect.poll(canWrite, { timeout: 20_000 }).toBe('written\n');
    expect(await snapshotNames()).toEqual(['s1']);
    await expect.poll(() => run('ls', [folder])).toBe('s1\n');
  },
);

test.for([
  ['restore.copied', 'fifth\nfifth\n'],
  ['restore.recorded', 'first\nfirst\n'],
  ['restore.renamed', 'first\nfirst\n'],
])('an engine killed at %s restores all disks or none', async ([point = '', expected]) => {
  await write('fifth');
  await engineClient.stopMachine('m1');
  await killedAt(point, () => engineClient.restoreSnapshot('m1', 's1'));
  await engineClient.startMachine('m1');
  expect(await content()).toBe(expected);
  expect(await run('find', ['/var/lib/nova', '-xdev', '-name', '*.restored'])).toBe('');
});

test('an engine killed while it deletes a snapshot leaves nothing of it', async () => {
  await killedAt('storage.deleted', () => engineClient.deleteSnapshot('m1', 's1'));
  await expect.poll(() => run('ls', [folder])).toBe('');
  expect(await snapshotNames()).toEqual([]);
});

test('the number of snapshots is limited', async () => {
  await engineClient.stopMachine('m1');
  for (let index = 0; index < 32; index += 1) await engineClient.createSnapshot('m1', { name: `s${index}` });
  expect(await codesOf(engineClient.createSnapshot('m1', { name: 'one-more' }))).toEqual(['NOVA7134']);
});

test('the snapshots of a machine are deleted with it', async () => {
  await engineClient.deleteMachine('m1');
  expect(existsSync(folder)).toBe(false);
  await engineClient.deleteDisk('data');
});
