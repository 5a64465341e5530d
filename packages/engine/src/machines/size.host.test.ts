import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { runningPid } from '../supervisor.ts';
import { inside, program, running } from '../testing.ts';

const say = () => undefined;
const look = `free -m | awk '/Mem/ {print $2}'; grep -c ^processor /proc/cpuinfo; cat /sys/devices/system/cpu/online`;
const bootedAt = (name: string) => inside(name, 'cut -d" " -f22 /proc/1/stat');

let before: string[] = [];

beforeAll(async () => {
  before = await running();
  await hostUp(program, say);
  await engineClient.createNetwork('lab', '10.64.0.0/24');
  const machine = { image: 'node', network: 'lab', cpu: 1 };
  await engineClient.createMachine({ ...machine, name: 'm1', memoryMebibytes: 256 });
  await engineClient.createMachine({ ...machine, name: 'm2', memoryMebibytes: 384 });
});

afterAll(() => hostDown(say));

test('a machine sees its own memory, CPUs, load and uptime', async () => {
  expect(cpus().length).toBeGreaterThan(1);
  expect(await inside('m1', look)).toBe('256\n1\n0\n');
  expect(await inside('m2', look)).toBe('384\n1\n0\n');
  expect(Number((await inside('m1', 'cut -d. -f1 /proc/uptime')).trim())).toBeLessThan(120);
});

test('machines see their size again after a crash of lxcfs, without a restart', async () => {
  const booted = [await bootedAt('m1'), await bootedAt('m2')];
  // Soon the kernel gives a new lxcfs the device number of an earlier one.
  for (let time = 0; time < 5; time += 1) {
    const pid = (await runningPid('nova-lxcfs')) ?? 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => runningPid('nova-lxcfs')).not.toBe(pid);
    await expect.poll(() => inside('m1', look), { timeout: 30_000 }).toBe('256\n1\n0\n');
    await expect.poll(() => inside('m2', look), { timeout: 30_000 }).toBe('384\n1\n0\n');
  }
  expect([await bootedAt('m1'), await bootedAt('m2')]).toEqual(booted);
});

test('a machine boots while lxcfs restarts', async () => {
  process.kill((await runningPid('nova-lxcfs')) ?? 0, 'SIGKILL');
  await engineClient.createMachine({ name: 'm3', image: 'node', network: 'lab', cpu: 1, memoryMebibytes: 128 });
  await expect.poll(() => inside('m3', look)).toBe('128\n1\n0\n');
});

test('machines see their size again after a crash of lxcfs and the engine', async () => {
  for (const name of ['nova-lxcfs', 'nova-engine']) process.kill((await runningPid(name)) ?? 0, 'SIGKILL');
  await expect.poll(() => inside('m1', look).catch(() => '')).toBe('256\n1\n0\n');
});

test('hostDown leaves nothing of lxcfs', async () => {
  await hostDown(say);
  expect(await running()).toEqual(before);
  expect(await readFile('/proc/mounts', 'utf8')).not.toContain('lxcfs');
});
