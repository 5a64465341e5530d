import { spawn } from 'node:child_process';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkHost } from '../host/check.ts';
import { hostDown, hostStop } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { codesOf, inside, program, running } from '../testing.ts';

const say = () => undefined;
const machine = { image: 'node', network: 'lab', cpu: 1, memoryMebibytes: 256 };
const size = (name: string) => inside(name, 'df -BM --output=size / | tail -n 1 | tr -d " "').catch(() => '');
const bootedAt = (name: string) => inside(name, 'cut -d" " -f22 /proc/1/stat');
const statusOf = async (name: string) => {
  const found = (await engineClient.machines()).find((each) => each.name === name);
  return [found?.diskMebibytes, found?.isDiskLimited];
};

/** Loop devices and mounts of these machines. Loop devices are visible on the whole host, also outside the sandbox. */
async function disks(): Promise<string[]> {
  const loops = await run('losetup', ['--noheadings', '--output', 'BACK-FILE']);
  const mounts = await readFile('/proc/mounts', 'utf8');
  return [...loops.split('\n'), ...mounts.split('\n')].filter((line) => /machines\/disk-/.test(line));
}

let before: string[] = [];

beforeAll(async () => {
  before = await running();
  await hostUp(program, say);
  await engineClient.createNetwork('lab', '10.66.0.0/24');
  await engineClient.createMachine({ ...machine, name: 'disk-1', diskMebibytes: 1024 });
  await engineClient.createMachine({ ...machine, name: 'disk-2', diskMebibytes: 512 });
  await engineClient.createMachine({ ...machine, name: 'plain' });
});

afterAll(() => hostDown(say));

test('a machine shows the size of its disk', async () => {
  expect(await size('disk-1')).toBe('1024M\n');
  expect(await inside('disk-1', 'df -BM --output=size /var/lib/containerd | tail -n 1 | tr -d " "')).toBe('1024M\n');
  expect(await statusOf('disk-1')).toEqual([1024, true]);
  expect(await statusOf('plain')).toEqual([undefined, false]);
});

test('a full disk affects only its machine, and deleted files free space on the host', async () => {
  const free = async () => {
    const { bavail, bsize } = await statfs('/var/lib/nova');
    return bavail * bsize;
  };
  const freeBefore = await free();
  const fill = 'head -c 2G /dev/zero > /fill; head -c 2G /dev/zero > /var/lib/etcd/fill';
  expect((await inside('disk-2', fill)).match(/No space left on device/g)).toHaveLength(2);
  expect(freeBefore - (await free())).toBeLessThan(1024 ** 3);
  for (const other of ['disk-1', 'plain'])
    expect(await inside(other, 'head -c 64M /dev/zero > /file && sync && rm /file && echo written')).toBe('written\n');
  expect((await engineClient.machineUsage('disk-2')).disk).toBeGreaterThan(400 * 1024 ** 2);
  await inside('disk-2', 'rm -f /fill /var/lib/etcd/fill; sync');
  await expect
    .poll(async () => (await engineClient.machineUsage('disk-2')).disk, { timeout: 60_000 })
    .toBeLessThan(200 * 1024 ** 2);
});

test('containerd can use overlays on a limited disk', async () => {
  const script = `systemctl start containerd
    ctr plugins ls | awk '$2 == "overlayfs" {print $NF}'
    cd /var/lib/containerd && mkdir lower upper work merged && echo below > lower/file
    mount -t overlay probe -o lowerdir=lower,upperdir=upper,workdir=work merged
    cat merged/file; echo above > merged/file; cat upper/file; umount merged; rm -r lower upper work merged`;
  expect(await inside('disk-1', script)).toBe('ok\nbelow\nabove\n');
});

test('a full disk grows while the machine runs, and cannot shrink', async () => {
  const booted = await bootedAt('disk-1');
  await inside(
    'disk-1',
    'head -c 1M /dev/urandom > /root/file; sha256sum /root/file > /root/sum; head -c 2G /dev/zero > /fill',
  );
  await engineClient.resizeMachine('disk-1', { diskMebibytes: 3072 });
  expect(await size('disk-1')).toBe('3072M\n');
  expect(
    await inside(
      'disk-1',
      'fallocate -l 1500M /large && rm /large /fill && sha256sum --quiet -c /root/sum && echo whole',
    ),
  ).toBe('whole\n');
  expect(await bootedAt('disk-1')).toBe(booted);
  expect(await codesOf(engineClient.resizeMachine('disk-1', { diskMebibytes: 2048, cpu: 2 }))).toEqual(['NOVA7085']);
  expect(await codesOf(engineClient.resizeMachine('plain', { diskMebibytes: 2048 }))).toEqual(['NOVA7086']);
  expect(await statusOf('disk-1')).toEqual([3072, true]);
});

test('the disk of a stopped machine has its new size from the next start', async () => {
  await engineClient.stopMachine('disk-2');
  expect(await disks()).not.toContainEqual(expect.stringContaining('disk-2'));
  await engineClient.resizeMachine('disk-2', { diskMebibytes: 1024 });
  await engineClient.startMachine('disk-2');
  expect(await size('disk-2')).toBe('1024M\n');
});

test('an engine killed while a disk grows completes the change', async () => {
  await writeFile('/run/nova/fault', 'disk.extended');
  expect(await codesOf(engineClient.resizeMachine('disk-2', { diskMebibytes: 1536 }))).toEqual(['NOVA7030']);
  await expect.poll(() => size('disk-2'), { timeout: 30_000 }).toBe('1536M\n');
});

test.for(['disk.formatted', 'disk.mounted', 'machine.mounted', 'machine.configured'])(
  'an engine killed at %s creates the machine with one disk, and its deletion leaves none',
  async (fault) => {
    await writeFile('/run/nova/fault', fault);
    expect(await codesOf(engineClient.createMachine({ ...machine, name: 'disk-3', diskMebibytes: 512 }))).toEqual([
      'NOVA7030',
    ]);
    await expect.poll(() => size('disk-3'), { timeout: 60_000 }).toBe('512M\n');
    expect((await disks()).filter((line) => line.endsWith('disk-3/disk.img'))).toHaveLength(1);
    await writeFile('/run/nova/fault', 'machine.unmounted');
    expect(await codesOf(engineClient.deleteMachine('disk-3'))).toEqual(['NOVA7030']);
    const names = async () => (await engineClient.machines().catch(() => undefined))?.map(({ name }) => name);
    await expect.poll(names, { timeout: 30_000 }).toEqual(['disk-1', 'disk-2', 'plain']);
    expect((await disks()).join('\n')).not.toContain('disk-3');
  },
);

test('a killed machine reboots from its disk', async () => {
  const pid = Number(await readFile('/var/lib/nova/machines/disk-1/pid', 'utf8'));
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(() => inside('disk-1', 'sha256sum --quiet -c /root/sum && echo whole').catch(() => ''), { timeout: 60_000 })
    .toBe('whole\n');
  expect(await size('disk-1')).toBe('3072M\n');
});

test('a host service with copies of the mounts does not keep the disk of a deleted machine', async () => {
  await engineClient.createMachine({ ...machine, name: 'disk-4', diskMebibytes: 512 });
  const service = spawn('sh', ['-c', 'exec unshare --mount --propagation private sh -c "echo up; exec sleep 10000"']);
  try {
    await new Promise((resolve) => service.stdout.once('data', resolve));
    expect(await readFile(`/proc/${service.pid}/mounts`, 'utf8')).toContain('machines/disk-4/disk ');
    await engineClient.stopMachine('disk-4');
    await engineClient.resizeMachine('disk-4', { diskMebibytes: 1024 });
    await engineClient.startMachine('disk-4');
    expect(await size('disk-4')).toBe('1024M\n');
    expect((await disks()).filter((line) => line.endsWith('disk-4/disk.img'))).toHaveLength(1);
    await engineClient.deleteMachine('disk-4');
    expect((await disks()).join('\n')).not.toContain('disk-4');
  } finally {
    service.kill();
  }
});

test('a host without XFS tools creates machines and reports that their disks are not limited', async () => {
  const tool = (await run('sh', ['-c', 'readlink -f "$(command -v mkfs.xfs)"'])).trim();
  await run('mount', ['--bind', '/dev/null', tool]);
  try {
    const created = await engineClient.createMachine({ ...machine, name: 'disk-5', diskMebibytes: 512 });
    expect(created).toMatchObject({ diskMebibytes: 512, isDiskLimited: false });
    expect(await engineClient.resizeMachine('disk-5', { diskMebibytes: 1024 })).toMatchObject({ diskMebibytes: 1024 });
    expect((await checkHost()).find(({ what }) => what.en === 'mkfs.xfs')).toMatchObject({
      isThere: false,
      isOptional: true,
    });
  } finally {
    await run('umount', [tool]);
  }
  await engineClient.restartMachine('disk-5');
  expect(await statusOf('disk-5')).toEqual([1024, false]);
  expect(await inside('disk-5', 'echo up')).toBe('up\n');
});

test('a stopped host has no disks, and hostUp restores them', async () => {
  await hostStop(say);
  expect([await disks(), await running()]).toEqual([[], before]);
  await hostUp(program, say);
  await expect
    .poll(() => inside('disk-1', 'sha256sum --quiet -c /root/sum && echo whole').catch(() => ''), { timeout: 60_000 })
    .toBe('whole\n');
  expect(await size('disk-1')).toBe('3072M\n');
});

test('hostDown leaves no disks', async () => {
  await hostDown(say);
  expect([await disks(), await running()]).toEqual([[], before]);
});
