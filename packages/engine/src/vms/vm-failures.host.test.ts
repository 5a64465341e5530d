import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ProblemError } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { codesOf, program, running } from '../testing.ts';

const say = () => undefined;
const machine = { image: 'vm', network: 'lab', memoryMebibytes: 512 };
const statusOf = async (name: string) => (await engineClient.machines()).find((each) => each.name === name);
const stateIs = (name: string, state: string | undefined) =>
  expect.poll(async () => (await statusOf(name).catch(() => undefined))?.state, { timeout: 60_000 }).toBe(state);
const engineIsBack = () =>
  expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 60_000 }).toBeTruthy();
const processes = async (pattern: string) => (await run('sh', ['-c', `pgrep -c -f ${pattern} || true`])).trim();

let before: string[] = [];

beforeAll(async () => {
  before = await running();
  await hostUp(program, say);
  await engineClient.createNetwork('lab', '10.70.0.0/24');
});

afterAll(() => hostDown(say));

describe('refusals', () => {
  test.for([
    [{ memoryMebibytes: 1024 * 1024 }, 'NOVA7025'],
    [{ diskMebibytes: 512 }, 'NOVA7113'],
    [{ volumes: [{ name: 'data', path: '/srv' }] }, 'NOVA7114'],
  ] as const)('a VM with %o is refused', async ([more, code]) => {
    const spec = { ...machine, name: 'v2', ...more };
    expect(await codesOf(engineClient.createMachine(spec as typeof spec & { volumes: [] }))).toEqual([code]);
    expect(await statusOf('v2')).toBeUndefined();
  });
});

test('an engine killed while it makes the disk of an image leaves none, and the next build makes it', async () => {
  const vm = async () => (await engineClient.images()).find(({ name }) => name === 'vm');
  const folder = `${(await vm())?.layers[0]}.boot`;
  await rm(folder, { recursive: true });
  expect(await codesOf(engineClient.createMachine({ ...machine, name: 'v1' }))).toEqual(['NOVA7002']);
  await writeFile('/run/nova/fault', 'image.boot-files');
  expect(await codesOf(engineClient.buildImage('vm', say))).toEqual(['NOVA7030']);
  await engineIsBack();
  expect(await vm()).toMatchObject({ isBuilt: false });
  expect(await engineClient.buildImage('vm', say)).toMatchObject({ isBuilt: true, kind: 'vm' });
  expect((await readdir(folder)).toSorted()).toEqual(['disk.qcow2', 'initramfs', 'kernel']);
  expect((await readdir(dirname(folder))).filter((name) => name.includes('.building-'))).toEqual([]);
});

test('a missing or corrupt base disk is named, and the VM starts once it is back', async () => {
  const base = `${(await engineClient.images()).find(({ name }) => name === 'vm')?.layers[0]}.boot/disk.qcow2`;
  const reasons = async () => {
    const error: unknown = await engineClient.startMachine('v3').catch((each: unknown) => each);
    return error instanceof ProblemError ? error.problems.map(({ code, params }) => [code, params.reason]) : [];
  };
  await engineClient.createMachine({ ...machine, name: 'v3', isStarted: false });
  await rename(base, `${base}.away`);
  try {
    expect(await reasons()).toEqual([['NOVA7112', `${base} is missing`]]);
    await writeFile(base, Buffer.alloc(1024 * 1024));
    expect(await reasons()).toEqual([['NOVA7112', expect.stringContaining('not in qcow2 format')]]);
  } finally {
    await rename(`${base}.away`, base);
  }
  await stateIs('v3', 'running');
  await engineClient.deleteMachine('v3');
});

test.for([
  'machine.recorded',
  'machine.disk.formatted',
  'machine.disk.created',
  'machine.scratch.mounted',
  'machine.configured',
  'machine.connected',
  'machine.created',
  'machine.started',
])('an engine killed at %s creates the VM once', async (fault) => {
  await writeFile('/run/nova/fault', fault);
  expect(await codesOf(engineClient.createMachine({ ...machine, name: 'v4' }))).toEqual(['NOVA7030']);
  await engineIsBack();
  await stateIs('v4', 'running');
  expect(await processes('[g]uest=v4')).toBe('1');
  expect(await readdir('/var/lib/nova/machines/v4/disks')).toEqual(['root.qcow2']);
  expect(existsSync('/var/lib/nova/machines/v4/scratch')).toBe(false);
  await engineClient.deleteMachine('v4');
});

test.for(['machine.created', 'machine.started'])('QEMU killed at %s starts again, once', async (fault) => {
  await writeFile('/run/nova/fault', `${fault} /var/lib/nova/machines/v4/pid`);
  const created = codesOf(engineClient.createMachine({ ...machine, name: 'v4' }));
  await expect.poll(() => existsSync('/run/nova/fault'), { timeout: 60_000 }).toBe(false);
  await stateIs('v4', 'running');
  expect(await processes('[g]uest=v4')).toBe('1');
  expect(await readdir('/var/lib/nova/machines/v4/disks')).toEqual(['root.qcow2']);
  await engineClient.deleteMachine('v4');
  await created;
});

test.for(['machine.marked', 'machine.deleted', 'machine.detached', 'machine.unmounted', 'machine.emptied'])(
  'an engine killed at %s deletes the VM',
  async (fault) => {
    const created = codesOf(engineClient.createMachine({ ...machine, name: 'v5' }));
    await stateIs('v5', 'running');
    await writeFile('/run/nova/fault', fault);
    expect(await codesOf(engineClient.deleteMachine('v5'))).toEqual(['NOVA7030']);
    await created;
    await engineIsBack();
    await stateIs('v5', undefined);
    expect(existsSync('/var/lib/nova/machines/v5')).toBe(false);
    expect(await readdir('/run/nova/vms')).not.toContain('v5');
    expect(await processes('[g]uest=v5')).toBe('0');
  },
);

test('a VM whose QEMU is killed meanwhile is deleted, and does not start again', async () => {
  const created = codesOf(engineClient.createMachine({ ...machine, name: 'v5' }));
  await stateIs('v5', 'running');
  await writeFile('/run/nova/fault', 'machine.marked /var/lib/nova/machines/v5/pid');
  await engineClient.deleteMachine('v5');
  await created;
  expect(existsSync('/run/nova/fault')).toBe(false);
  expect(await statusOf('v5')).toBeUndefined();
  expect(existsSync('/var/lib/nova/machines/v5')).toBe(false);
  expect(await processes('[g]uest=v5')).toBe('0');
});

test('a stopped host runs no VM, and nothing is left of those that are deleted', async () => {
  await hostDown(say);
  expect(await running()).toEqual(before);
  expect(await processes('^qemu-system')).toBe('0');
});
