import { readdir, writeFile } from 'node:fs/promises';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown, hostStop } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { codesOf, inside, program } from '../testing.ts';
import { withQmp } from '../vms/qmp.ts';
import { blockNodes } from './vm-disks.ts';

const say = () => undefined;
// Emulated, under the load of other tests.
const bootMilliseconds = 900_000;
const machine = { image: 'vm', memoryMebibytes: 512, diskMebibytes: 4096 };
const device = '/dev/disk/by-id/virtio-data';
const sizeOf = () => inside('v1', `blockdev --getsize64 ${device}`);
const diskOf = async (name: string) => (await engineClient.disks()).find((each) => each.name === name);
const snapshotNames = async () => (await engineClient.snapshots('v1')).map(({ name }) => name);
const canWrite = () => inside('v1', 'date > /root/probe && sync && echo written').catch(() => '');
/** Writes to both disks of the VM. */
const write = (text: string) => inside('v1', `echo ${text} | tee /root/file > /mnt/file; sync`);
const content = () => inside('v1', `mount ${device} /mnt 2>/dev/null; cat /root/file /mnt/file`);

/** The snapshots inside the images of the VM. */
async function tags(): Promise<string[]> {
  const nodes = await withQmp('v1', blockNodes);
  return nodes.flatMap(({ image }) => (image.snapshots ?? []).map(({ name }) => name));
}

async function killedAt(point: string, change: () => Promise<unknown>): Promise<void> {
  await writeFile('/run/nova/fault', point);
  expect(await codesOf(change())).toEqual(['NOVA7030']);
  await expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 60_000 }).toBeTruthy();
}

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createMachine({ ...machine, name: 'v1' });
  await engineClient.createMachine({ image: 'node', memoryMebibytes: 256, name: 'c1' });
}, bootMilliseconds);

afterAll(() => hostDown(say));

test('a disk is attached to a running VM under its name, and grows there', async () => {
  const created = await engineClient.createDisk({ name: 'data', format: 'block', sizeMebibytes: 1024 });
  expect(created.usedBytes).toBeLessThan(1024 ** 2);
  expect(await engineClient.attachDisk('v1', 'data')).toMatchObject({ machine: 'v1' });
  await expect.poll(sizeOf, { timeout: 60_000 }).toBe(`${1024 ** 3}\n`);
  await inside('v1', `mkfs.ext4 -q ${device}; mount ${device} /mnt`);
  await write('first');
  await engineClient.growDisk('data', 2048);
  await expect.poll(sizeOf, { timeout: 60_000 }).toBe(`${2 * 1024 ** 3}\n`);
});

test('a disk that does not fit is refused', async () => {
  await engineClient.createDisk({ name: 'files', format: 'filesystem', sizeMebibytes: 512 });
  const codes = (name: string, disk: string, path?: string) =>
    codesOf(engineClient.attachDisk(name, disk, path === undefined ? {} : { path }));
  expect(await codes('v1', 'files')).toEqual(['NOVA7122']);
  expect(await codes('c1', 'data', '/data')).toEqual(['NOVA7120', 'NOVA7122']);
  expect(await codes('v1', 'data', '/data')).toEqual(['NOVA7120', 'NOVA7129']);
  const long = engineClient.createDisk({ name: 'a-name-that-is-too-long', format: 'block', sizeMebibytes: 512 });
  expect(await codesOf(long)).toEqual(['NOVA7139']);
});

test(
  'a snapshot of a running VM has its frozen disks, and a restore gives them all back',
  async () => {
    const snapshot = await engineClient.createSnapshot('v1', { name: 's1', description: 'before' });
    expect(snapshot).toMatchObject({ name: 's1', disks: ['data'], isFrozen: true });
    expect(await tags()).toEqual([snapshot.id, snapshot.id]);
    expect(await canWrite()).toBe('written\n');
    await write('second');
    expect(await codesOf(engineClient.detachDisk('v1', 'data'))).toEqual(['NOVA7133']);
    expect(await codesOf(engineClient.restoreSnapshot('v1', 's1'))).toEqual(['NOVA7100']);
    await engineClient.stopMachine('v1');
    await engineClient.restoreSnapshot('v1', 's1');
    await engineClient.startMachine('v1');
    expect(await content()).toBe('first\nfirst\n');
    expect(await sizeOf()).toBe(`${2 * 1024 ** 3}\n`);
  },
  bootMilliseconds,
);

test.for(['snapshot.frozen', 'storage.filled'])(
  'an engine killed at %s leaves no snapshot, and no frozen guest',
  async (point) => {
    const before = await tags();
    await killedAt(point, () => engineClient.createSnapshot('v1', { name: 'half' }));
    await expect.poll(canWrite, { timeout: 60_000 }).toBe('written\n');
    expect(await snapshotNames()).toEqual(['s1']);
    await expect.poll(tags).toEqual(before);
  },
);

test(
  'an engine killed while it restores a snapshot completes it',
  async () => {
    await write('third');
    await engineClient.stopMachine('v1');
    await killedAt('restore.applied', () => engineClient.restoreSnapshot('v1', 's1'));
    await engineClient.startMachine('v1');
    expect(await content()).toBe('first\nfirst\n');
  },
  bootMilliseconds,
);

test('an engine killed while it deletes a snapshot leaves nothing of it', async () => {
  await killedAt('storage.deleted', () => engineClient.deleteSnapshot('v1', 's1'));
  await expect.poll(tags).toEqual([]);
  expect(await snapshotNames()).toEqual([]);
});

test('a disk leaves a running VM, and keeps its content', async () => {
  await inside('v1', 'umount /mnt');
  await engineClient.detachDisk('v1', 'data');
  await expect.poll(() => inside('v1', `test -e ${device} || echo absent`)).toBe('absent\n');
  expect(await readdir('/var/lib/nova/machines/v1/disks')).toEqual(['root.qcow2']);
  await engineClient.attachDisk('v1', 'data');
  await expect.poll(() => inside('v1', `test -e ${device} && echo present`)).toBe('present\n');
  expect(await content()).toBe('first\nfirst\n');
});

test('an engine killed while it detaches a disk keeps it attached', async () => {
  await inside('v1', 'umount /mnt');
  await killedAt('disk.unplugged', () => engineClient.detachDisk('v1', 'data'));
  expect(await diskOf('data')).toMatchObject({ machine: 'v1' });
  await expect.poll(content, { timeout: 60_000 }).toBe('first\nfirst\n');
  await inside('v1', 'umount /mnt');
  await engineClient.detachDisk('v1', 'data');
  await killedAt('disk.plugged', () => engineClient.attachDisk('v1', 'data'));
  await expect.poll(content, { timeout: 60_000 }).toBe('first\nfirst\n');
});

test(
  'a VM boots with its disks, after a restart of the host too',
  async () => {
    await engineClient.growDisk('data', 3072);
    await hostStop(say);
    await hostUp(program, say);
    await engineClient.startMachine('v1');
    expect(await content()).toBe('first\nfirst\n');
    expect(await sizeOf()).toBe(`${3 * 1024 ** 3}\n`);
  },
  bootMilliseconds,
);

test(
  'a template of a VM has its files, without what identifies it',
  async () => {
    const files = '/etc/nova/secret /root/.ssh/authorized_keys /var/log/own /var/lib/puppet/key';
    await inside(
      'v1',
      `mkdir -p /etc/nova /root/.ssh /var/lib/puppet; for f in ${files} /opt/program; do echo of-v1 > $f; done`,
    );
    await engineClient.stopMachine('v1');
    await engineClient.createSnapshot('v1', { name: 'cold' });
    const template = await engineClient.createTemplate({ name: 'golden', machine: 'v1' });
    expect(template).toMatchObject({ kind: 'vm', isTemplate: true, diskMebibytes: 4096 });
    const small = engineClient.createMachine({ ...machine, name: 'v2', image: 'golden', diskMebibytes: 2048 });
    expect(await codesOf(small)).toEqual(['NOVA7113']);
    await engineClient.createMachine({ ...machine, name: 'v2', image: 'golden', diskMebibytes: 5120 });
    expect(await inside('v2', 'cat /opt/program; hostname; df -BM --output=size / | tail -n 1')).toMatch(
      /^of-v1\nv2\n +(?:4[89]|50)\d\dM\n$/,
    );
    expect(await inside('v2', 'grep -rl of-[v]1 /etc /root /var /home; cat /root/file')).toBe('first\n');
    expect(await codesOf(engineClient.deleteTemplate('golden'))).toEqual(['NOVA7136']);
    await engineClient.deleteMachine('v2');
    await engineClient.deleteTemplate('golden');
  },
  bootMilliseconds,
);

test('a VM that has never been started becomes a template with the content of its image', async () => {
  await engineClient.createMachine({ ...machine, name: 'v3', isStarted: false });
  expect(await engineClient.createTemplate({ name: 'fresh', machine: 'v3' })).toMatchObject({ diskMebibytes: 4096 });
  await engineClient.deleteMachine('v3');
  await engineClient.deleteTemplate('fresh');
});

test('a disk of a deleted VM is free, without its snapshots', async () => {
  await engineClient.deleteMachine('v1');
  expect(await diskOf('data')).not.toHaveProperty('machine');
  await engineClient.deleteDisk('data');
  expect(await readdir('/var/lib/nova/disks')).toEqual(['files']);
});
