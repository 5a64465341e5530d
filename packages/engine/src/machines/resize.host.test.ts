import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createEngineClient, engineClient } from '@nova-platform/contracts/engine/client';
import { createKeyPair } from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { clientEndpoint } from '../paths.ts';
import { runningPid } from '../supervisor.ts';
import { codesOf, inside, program } from '../testing.ts';

const say = () => undefined;
const look = `free -m | awk '/Mem/ {print $2}'; grep -c ^processor /proc/cpuinfo`;
const bootedAt = (name: string) => inside(name, 'cut -d" " -f22 /proc/1/stat');
const sizeOf = async (name: string) => {
  const machine = (await engineClient.machines()).find((each) => each.name === name);
  return [machine?.memoryMebibytes, machine?.cpu];
};

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createNetwork('lab', '10.65.0.0/24');
  await engineClient.createMachine({ name: 'm1', image: 'node', network: 'lab', cpu: 1, memoryMebibytes: 256 });
});

afterAll(() => hostDown(say));

test('a running machine gets its new size at once without a restart', async () => {
  const booted = await bootedAt('m1');
  expect(await engineClient.resizeMachine('m1', { cpu: 2, memoryMebibytes: 512 })).toMatchObject({
    state: 'running',
    cpu: 2,
    memoryMebibytes: 512,
  });
  expect(await inside('m1', look)).toBe('512\n2\n');
  // More than the old limit, and less than the new one.
  expect(await inside('m1', 'head -c 300M /dev/zero | tail | wc -c')).toBe(`${300 * 1024 ** 2}\n`);
  expect(await bootedAt('m1')).toBe(booted);
});

test('the size survives a crash of the engine and a restart of the machine', async () => {
  process.kill((await runningPid('nova-engine')) ?? 0, 'SIGKILL');
  await expect.poll(() => inside('m1', look).catch(() => ''), { timeout: 30_000 }).toBe('512\n2\n');
  await engineClient.restartMachine('m1');
  expect(await inside('m1', look)).toBe('512\n2\n');
});

test('a memory limit below the used memory is refused, and nothing changes', async () => {
  await inside('m1', `systemd-run -q --unit=hold sh -c '{ head -c 200M /dev/zero; sleep 10000; } | tail'`);
  await expect
    .poll(async () => (await engineClient.machineUsage('m1')).memory, { timeout: 30_000 })
    .toBeGreaterThan(200 * 1024 ** 2);
  expect(await codesOf(engineClient.resizeMachine('m1', { cpu: 1, memoryMebibytes: 128 }))).toEqual(['NOVA7084']);
  expect(await sizeOf('m1')).toEqual([512, 2]);
  expect(await inside('m1', `${look}; systemctl is-active hold`)).toBe('512\n2\nactive\n');
  await inside('m1', 'systemctl stop hold');
});

test('the page cache does not count as used memory', async () => {
  await inside('m1', 'head -c 350M /dev/zero > /root/file; cat /root/file >/dev/null');
  expect((await engineClient.machineUsage('m1')).memory).toBeGreaterThan(300 * 1024 ** 2);
  expect(await engineClient.resizeMachine('m1', { memoryMebibytes: 192 })).toMatchObject({ memoryMebibytes: 192 });
  expect(await inside('m1', look)).toBe('192\n2\n');
  await inside('m1', 'rm /root/file');
  await engineClient.resizeMachine('m1', { memoryMebibytes: 512 });
});

// cgroup v2 has no such restriction.
test.skipIf(!existsSync('/sys/fs/cgroup/cpu'))(
  'memory stays unchanged if the kernel refuses the CPU limit',
  async () => {
    const group = '/sys/fs/cgroup/cpu/large';
    await inside('m1', `mkdir ${group} && echo 150000 > ${group}/cpu.cfs_quota_us`);
    expect(await codesOf(engineClient.resizeMachine('m1', { cpu: 1, memoryMebibytes: 384 }))).toEqual(['NOVA7084']);
    expect(await sizeOf('m1')).toEqual([512, 2]);
    expect(await inside('m1', look)).toBe('512\n2\n');
    await inside('m1', `rmdir ${group}`);
  },
);

test('more memory than the host has is refused', async () => {
  expect(await codesOf(engineClient.resizeMachine('m1', { memoryMebibytes: 1024 * 1024 }))).toEqual(['NOVA7025']);
  expect(await sizeOf('m1')).toEqual([512, 2]);
});

test('a stopped machine has its new size from its next start', async () => {
  await engineClient.stopMachine('m1');
  expect(await engineClient.resizeMachine('m1', { cpu: 1, memoryMebibytes: 128 })).toMatchObject({
    state: 'stopped',
    memoryMebibytes: 128,
  });
  await engineClient.startMachine('m1');
  expect(await inside('m1', look)).toBe('128\n1\n');
});

test('an engine killed during a resize completes it at its next start', async () => {
  await writeFile('/run/nova/fault', 'machine.resized');
  expect(await codesOf(engineClient.resizeMachine('m1', { cpu: 2, memoryMebibytes: 256 }))).toEqual(['NOVA7030']);
  await expect.poll(() => inside('m1', look).catch(() => ''), { timeout: 30_000 }).toBe('256\n2\n');
  expect(await sizeOf('m1')).toEqual([256, 2]);
});

test('the result of concurrent requests is one of the requested sizes', async () => {
  const sizes = [160, 192, 224].map((memoryMebibytes) => ({ memoryMebibytes, cpu: 1 }));
  await Promise.all(sizes.map((size) => engineClient.resizeMachine('m1', size)));
  const [memory] = await sizeOf('m1');
  expect(await inside('m1', look)).toBe(`${memory}\n1\n`);
});

test('Universe can resize machines of clusters with its certificate', async () => {
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate, authority } = await engineClient.createClient('universe', publicKey);
  const client = createEngineClient({
    ...clientEndpoint(defaultSite),
    ca: authority,
    cert: certificate,
    key: privateKey,
  });
  await client.resizeMachine('m1', { memoryMebibytes: 320 });
  expect(await inside('m1', look)).toBe('320\n1\n');
  expect(await readFile('/var/lib/nova/machines/m1/machine.json', 'utf8')).toContain('"memoryMebibytes": 320');
});
