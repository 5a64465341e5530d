import { readFile, stat, writeFile } from 'node:fs/promises';
import { createEngineClient, engineClient } from '@nova-platform/contracts/engine/client';
import { createKeyPair } from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown, hostStop } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { clientEndpoint } from '../paths.ts';
import { codesOf, inside, program, running } from '../testing.ts';

const say = () => undefined;
const machine = { image: 'node', memoryMebibytes: 256, diskMebibytes: 512 };
const size = (path: string) => inside('m1', `df -BM --output=size ${path} | tail -n 1 | tr -d ' '`);
const diskOf = async (name: string) => (await engineClient.disks()).find((each) => each.name === name);

/** Loop devices and mounts of additional disks on the host. */
async function used(): Promise<string[]> {
  const loops = await run('losetup', ['--noheadings', '--output', 'BACK-FILE']);
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  return [...loops.split('\n'), ...mounts].filter((line) => /nova\/disks\/|m\d\/disks/.test(line)).sort();
}

/** Kills the engine at this point of a change, and waits until it is back. */
async function killedAt(point: string, change: () => Promise<unknown>): Promise<void> {
  await writeFile('/run/nova/fault', point);
  expect(await codesOf(change())).toEqual(['NOVA7030']);
  await expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 30_000 }).toBeTruthy();
}

let before: string[] = [];

beforeAll(async () => {
  before = await running();
  await hostUp(program, say);
  await Promise.all(['m1', 'm2'].map((name) => engineClient.createMachine({ ...machine, name })));
});

afterAll(() => hostDown(say));

test('a new disk is thin and has its declared size', async () => {
  const created = await engineClient.createDisk({ name: 'data', format: 'filesystem', sizeMebibytes: 4096 });
  expect(created).toMatchObject({ name: 'data', format: 'filesystem', sizeMebibytes: 4096 });
  expect(created.usedBytes).toBeLessThan(100 * 1024 ** 2);
  expect(await engineClient.disks()).toEqual([created]);
});

test('a disk is attached to a running machine, grows there, and keeps its files when it moves to another machine', async () => {
  expect(await engineClient.attachDisk('m1', 'data', { path: '/srv/data' })).toMatchObject({
    machine: 'm1',
    path: '/srv/data',
  });
  expect(await size('/srv/data')).toBe('4096M\n');
  await engineClient.growDisk('data', 5120);
  expect(await size('/srv/data')).toBe('5120M\n');
  await inside('m1', 'echo kept > /srv/data/file');
  expect(await engineClient.detachDisk('m1', 'data')).not.toHaveProperty('machine');
  expect(await inside('m1', 'ls -A /srv/data /run/nova-disks/0')).toBe('/run/nova-disks/0:\n\n/srv/data:\n');
  expect((await used()).join()).not.toContain('data');
  await engineClient.attachDisk('m2', 'data', { path: '/data' });
  expect(await inside('m2', 'cat /data/file')).toBe('kept\n');
});

test('a machine boots with its disks', async () => {
  await engineClient.restartMachine('m2');
  expect(await inside('m2', 'cat /data/file; findmnt -no FSTYPE /data')).toBe('kept\nxfs\n');
  await engineClient.stopMachine('m2');
  expect((await used()).filter((line) => line.includes('m2') || line.includes('data'))).toEqual([]);
  await engineClient.growDisk('data', 6144);
  await engineClient.startMachine('m2');
  expect(await inside('m2', 'df -BM --output=size /data | tail -n 1 | tr -d " "')).toBe('6144M\n');
});

test('a disk cannot be attached where it does not fit; all problems are reported at once', async () => {
  const codes = (disk: string, path?: string) =>
    codesOf(engineClient.attachDisk('m1', disk, path === undefined ? {} : { path }));
  expect(await codes('data', '/proc/x')).toEqual(['NOVA7120', 'NOVA7121']);
  expect(await codes('data')).toEqual(['NOVA7120', 'NOVA7123']);
  expect(await codes('missing', '/x')).toEqual(['NOVA7010']);
  await engineClient.createDisk({ name: 'second', format: 'filesystem', sizeMebibytes: 512 });
  for (const path of ['/', '/dev/x', '/a/../b', '/run/x']) expect(await codes('second', path)).toEqual(['NOVA7121']);
  expect(await codesOf(engineClient.attachDisk('missing', 'second', { path: '/x' }))).toEqual(['NOVA7010']);
  expect(await codesOf(engineClient.attachDisk('m2', 'second', { path: '/data' }))).toEqual(['NOVA7121']);
  expect(await codesOf(engineClient.deleteDisk('data'))).toEqual(['NOVA7120']);
  expect(await codesOf(engineClient.growDisk('data', 1024))).toEqual(['NOVA7124']);
  expect(await codesOf(engineClient.detachDisk('m1', 'data'))).toEqual(['NOVA7010']);
  const again = engineClient.createDisk({ name: 'data', format: 'filesystem', sizeMebibytes: 8 * 1024 * 1024 });
  expect(await codesOf(again)).toEqual(['NOVA7127', 'NOVA7021']);
  await engineClient.deleteDisk('second');
});

test('a machine whose own disk this host can never hold is refused, and nothing of it is left', async () => {
  const diskMebibytes = 8 * 1024 * 1024;
  const created = engineClient.createMachine({ ...machine, name: 'm3', diskMebibytes });
  expect(await codesOf(created)).toEqual(['NOVA7141']);
  expect(await run('ls', ['/var/lib/nova/machines'])).toBe('m1\nm2\n');
  expect(await codesOf(engineClient.resizeMachine('m1', { diskMebibytes }))).toEqual(['NOVA7141']);
  const [m1] = await engineClient.machines();
  expect(m1).toMatchObject({ name: 'm1', diskMebibytes: 512 });
});

test('a disk that programs use stays attached', async () => {
  const hold = (command: string) => inside('m2', `systemd-run -q --unit=hold ${command}`);
  await hold('--property=WorkingDirectory=/data sleep 1000');
  expect(await codesOf(engineClient.detachDisk('m2', 'data'))).toEqual(['NOVA7128']);
  await inside('m2', 'systemctl stop hold');
  // A second mount, hidden in a namespace.
  await hold(`unshare -m --propagation private sh -c 'mount --bind /data /mnt; exec sleep 1000'`);
  expect(await inside('m2', 'until systemctl is-active -q hold; do :; done; cat /data/file')).toBe('kept\n');
  await expect.poll(() => inside('m2', 'grep -c /mnt /proc/$(systemctl show -P MainPID hold)/mounts')).toBe('1\n');
  expect(await codesOf(engineClient.detachDisk('m2', 'data'))).toEqual(['NOVA7128']);
  expect(await diskOf('data')).toMatchObject({ machine: 'm2' });
  expect(await inside('m2', 'cat /data/file')).toBe('kept\n');
  await inside('m2', 'systemctl stop hold');
  await engineClient.detachDisk('m2', 'data');
});

test('two machines never get the same disk', async () => {
  const both = await Promise.all(
    ['m1', 'm2'].map((name) => codesOf(engineClient.attachDisk(name, 'data', { path: '/both' }))),
  );
  expect(both.flat()).toEqual(['NOVA7120']);
  const holder = (await diskOf('data'))?.machine ?? '';
  const other = holder === 'm1' ? 'm2' : 'm1';
  expect(await inside(holder, 'cat /both/file')).toBe('kept\n');
  expect(await inside(other, 'cat /both/file')).toContain('No such file');
  await engineClient.detachDisk(holder, 'data');
});

test('links in a machine do not lead a disk out of it', async () => {
  const out = '/../../../../../../../../../../var/lib/nova';
  await inside('m1', `mkdir -p /var/lib/nova; ln -s ${out} /link; ln -s /proc/1/root${out} /magic`);
  const mountsBefore = await used();
  for (const path of ['/link/escaped', '/magic/escaped']) {
    await engineClient.attachDisk('m1', 'data', { path });
    // The machine has it in its own folder of that name.
    expect(await inside('m1', 'cat /var/lib/nova/escaped/file')).toBe('kept\n');
    expect(await stat('/var/lib/nova/escaped').catch(() => 'none')).toBe('none');
    await engineClient.restartMachine('m1');
    expect(await inside('m1', `cat ${path}/file`)).toBe('kept\n');
    expect(await stat('/var/lib/nova/escaped').catch(() => 'none')).toBe('none');
    await engineClient.detachDisk('m1', 'data');
  }
  // The slots cannot be replaced by links.
  const replace =
    'umount /run/nova-disks/1; mount -o remount,rw /run/nova-disks; rmdir /run/nova-disks/1 || echo refused';
  expect(await inside('m1', `(${replace}) 2>/dev/null`)).toBe('refused\n');
  expect(await used()).toEqual(mountsBefore);
});

test('a machine that pretends to mount a disk does not get it', async () => {
  await inside(
    'm1',
    'mv /usr/bin/mount /usr/bin/mount.real; printf "#!/bin/sh\\nexit 0\\n" > /usr/bin/mount; chmod +x /usr/bin/mount',
  );
  expect(await codesOf(engineClient.attachDisk('m1', 'data', { path: '/data' }))).toEqual(['NOVA7128']);
  expect(await diskOf('data')).not.toHaveProperty('machine');
  await inside('m1', 'mv /usr/bin/mount.real /usr/bin/mount');
});

test('a machine that froze its disks can be stopped, and its disk attached to another machine', async () => {
  await engineClient.attachDisk('m1', 'data', { path: '/data' });
  await inside('m1', 'fsfreeze -f /data');
  await engineClient.stopMachine('m1');
  await engineClient.detachDisk('m1', 'data');
  await engineClient.attachDisk('m2', 'data', { path: '/data' });
  expect(await inside('m2', 'cat /data/file')).toBe('kept\n');
  await engineClient.detachDisk('m2', 'data');
  await engineClient.startMachine('m1');
});

test.for(['disk.formatted', 'storage.filled'])('a disk is not created by an engine killed at %s', async (point) => {
  const create = () => engineClient.createDisk({ name: 'half', format: 'filesystem', sizeMebibytes: 512 });
  await killedAt(point, create);
  expect((await engineClient.disks()).map(({ name }) => name)).toEqual(['data']);
  expect(await run('ls', ['/var/lib/nova/disks'])).toBe('data\n');
});

test.for(['disk.attached', 'disk.mounted', 'disk.bound'])(
  'a disk is attached completely by an engine killed at %s',
  async (point) => {
    await killedAt(point, () => engineClient.attachDisk('m1', 'data', { path: '/data' }));
    await expect.poll(() => inside('m1', 'cat /data/file')).toBe('kept\n');
    expect(await inside('m1', 'grep -c " /data xfs " /proc/mounts')).toBe('1\n');
    await engineClient.detachDisk('m1', 'data');
    expect((await used()).join()).not.toContain('data');
  },
);

test.for([
  ['disk.unbound', 'm1'],
  ['disk.taken', 'm1'],
])('a disk stays attached by an engine killed at %s of a detachment', async ([point = '', holder]) => {
  await engineClient.attachDisk('m1', 'data', { path: '/data' });
  await killedAt(point, () => engineClient.detachDisk('m1', 'data'));
  expect(await diskOf('data')).toMatchObject({ machine: holder });
  await expect.poll(() => inside('m1', 'cat /data/file')).toBe('kept\n');
  await engineClient.detachDisk('m1', 'data');
});

test.for(['disk.grown', 'disk.extended'])('an engine killed at %s completes the growth', async (point) => {
  await engineClient.attachDisk('m1', 'data', { path: '/data' });
  const { sizeMebibytes = 0 } = (await diskOf('data')) ?? {};
  await killedAt(point, () => engineClient.growDisk('data', sizeMebibytes + 512));
  await expect.poll(() => size('/data')).toBe(`${sizeMebibytes + 512}M\n`);
  await engineClient.detachDisk('m1', 'data');
});

test('a full disk affects only programs that write to it', async () => {
  await engineClient.createDisk({ name: 'small', format: 'filesystem', sizeMebibytes: 512 });
  await engineClient.attachDisk('m1', 'small', { path: '/small' });
  expect(await inside('m1', 'head -c 1G /dev/zero > /small/fill')).toContain('No space left on device');
  expect(await inside('m1', 'echo fits > /root/file && cat /root/file')).toBe('fits\n');
  await engineClient.growDisk('small', 1024);
  expect(await inside('m1', 'head -c 200M /dev/zero > /small/more && echo fits')).toBe('fits\n');
});

test('a disk of a deleted machine is detached and keeps its files', async () => {
  await inside('m1', 'rm /small/*; echo kept > /small/file');
  await engineClient.deleteMachine('m1');
  expect(await diskOf('small')).not.toHaveProperty('machine');
  await engineClient.attachDisk('m2', 'small', { path: '/small' });
  expect(await inside('m2', 'cat /small/file')).toBe('kept\n');
});

test('a client over the network has no access to a disk of Universe', async () => {
  await engineClient.createMachine({ ...machine, name: 'universe', network: 'integration', isStarted: false });
  await engineClient.createDisk({ name: 'own', format: 'filesystem', sizeMebibytes: 512 });
  await engineClient.attachDisk('universe', 'own', { path: '/own' });
  const { privateKey: key, publicKey } = await createKeyPair();
  const { certificate: cert, authority: ca } = await engineClient.createClient('universe', publicKey);
  const client = createEngineClient({ ...clientEndpoint(defaultSite), ca, cert, key });
  expect(await codesOf(client.growDisk('own', 1024))).toEqual(['NOVA7040']);
  expect(await codesOf(client.detachDisk('m2', 'own'))).toEqual(['NOVA7040']);
  expect(await codesOf(client.attachDisk('m2', 'own', { path: '/own' }))).toEqual(['NOVA7040']);
  await engineClient.detachDisk('universe', 'own');
  await engineClient.deleteMachine('universe');
  await client.deleteDisk('own');
});

test('a disk of a machine survives a restart of the host', async () => {
  await hostStop(say);
  expect([await used(), await running()]).toEqual([[], before]);
  await hostUp(program, say);
  await expect.poll(() => inside('m2', 'cat /small/file').catch(() => ''), { timeout: 60_000 }).toBe('kept\n');
});

test('a deleted disk leaves nothing, also with an engine that is killed meanwhile', async () => {
  await engineClient.detachDisk('m2', 'small');
  await engineClient.deleteDisk('small');
  await killedAt('storage.deleted', () => engineClient.deleteDisk('data'));
  expect(await run('ls', ['/var/lib/nova/disks'])).toBe('');
});

test('hostDown leaves no disks', async () => {
  await hostDown(say);
  expect([await used(), await running()]).toEqual([[], before]);
});
