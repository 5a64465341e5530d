import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { type MachineRecord, readMachine } from '../machines/record.ts';
import { type ImageInfo, insideDisks, machineTool } from '../storage/qemu-img.ts';
import { blockNodes } from '../storage/vm-disks.ts';
import { runningPid } from '../supervisor.ts';
import { codesOf, program } from '../testing.ts';
import { baseDisk, diskFolder, rootDisk, uidOf } from './disk.ts';
import { hypervisorLayers, inside, runTool } from './hypervisor.ts';
import { withQmp } from './qmp.ts';

// One VM with an additional disk, which hardly boots: most of these steps need only QEMU.

type Victim = 'engine' | 'QEMU';

const say = () => undefined;
// Emulated, under the load of other tests.
const bootMilliseconds = 900_000;
const mebibyte = 1024 ** 2;
const pidFile = '/var/lib/nova/machines/v1/pid';
const polling = { timeout: 240_000 };
vi.setConfig({ testTimeout: bootMilliseconds });
const images = ['root.qcow2', 'disk-0.qcow2'] as const;

const status = async () => (await engineClient.machines()).find(({ name }) => name === 'v1');
const snapshotIds = async () => (await engineClient.snapshots('v1')).map(({ id }) => id);
const record = async () => (await readMachine('v1')) as MachineRecord;
/** Starts the VM, and does not wait until it has booted. */
const begin = () => void engineClient.startMachine('v1').catch(() => undefined);
const engineIsBack = () => expect.poll(() => engineClient.health().catch(() => undefined), polling).toBeTruthy();

/** Kills the engine or QEMU at a point of a change, which without its QEMU may fail, but only with an error of ours. */
async function killedAt(point: string, victim: Victim, change: () => Promise<unknown>): Promise<string[]> {
  await writeFile('/run/nova/fault', victim === 'QEMU' ? `${point} ${pidFile}` : point);
  const codes = await codesOf(change());
  expect(existsSync('/run/nova/fault'), `${point} was reached`).toBe(false);
  if (victim === 'engine') expect(codes).toEqual(['NOVA7030']);
  else expect(codes.filter((code) => code.startsWith('NOVA90'))).toEqual([]);
  await engineIsBack();
  return codes;
}

/** What QEMU has open, with the snapshots in it. */
async function opened(): Promise<Record<string, string[]>> {
  const nodes = await withQmp('v1', blockNodes);
  const own = nodes.filter((node) => /^(?:root|disk-\d)$/.test(node['node-name']));
  return Object.fromEntries(
    own.map(({ 'node-name': name, image }) => [name, (image.snapshots ?? []).map((each) => each.name)]),
  );
}

/** The VM runs once, with each of its disks once, and with the snapshots that are recorded. */
async function runsOnce(disks: readonly string[] = ['root', 'disk-0']): Promise<void> {
  await expect.poll(async () => (await status())?.state, polling).toBe('running');
  await expect
    .poll(async () => {
      const [nodes, ids] = [await opened().catch(() => ({})), await snapshotIds()];
      return [Object.keys(nodes).toSorted(), Object.values(nodes).every((tags) => String(tags) === String(ids))];
    }, polling)
    .toEqual([disks.toSorted(), true]);
  expect((await run('pgrep', ['-c', '-f', '[g]uest=v1'])).trim()).toBe('1');
  expect((await readdir(diskFolder('v1'))).toSorted()).toEqual(disks.map((name) => `${name}.qcow2`).toSorted());
  await nothingLeft();
}

/** No unfinished files, and no tool that still runs. */
async function nothingLeft(): Promise<void> {
  const names = ['*.new', '*.deleted', '*.tmp', 'snapshots-changing.json', 'restore.json', 'scratch'];
  const find = ['/var/lib/nova/disks', '/var/lib/nova/machines', '/var/lib/nova/templates'].filter(existsSync);
  const left = () =>
    run('find', [...find, ...names.flatMap((name, index) => [...(index ? ['-o'] : []), '-name', name])]);
  await expect.poll(left, polling).toBe('');
  const tools = '/run/nova/tools';
  expect(existsSync(tools) ? await readdir(tools) : []).toEqual([]);
  expect((await run('sh', ['-c', 'pgrep -c -x qemu-img || true'])).trim()).toBe('0');
}

/** The snapshots inside an image of the stopped VM. */
async function tagsIn(file: string): Promise<string[]> {
  const info = await machineTool(await record(), ['info', '--output=json', insideDisks(file)]);
  return ((JSON.parse(info) as ImageInfo).snapshots ?? []).map(({ name }) => name);
}

async function isStoppedWithSnapshots(): Promise<void> {
  await nothingLeft();
  expect(await status()).toMatchObject({ state: 'stopped' });
  const ids = await snapshotIds();
  for (const file of images) expect(await tagsIn(file)).toEqual(ids);
}

/** Runs qemu-io on an image of the stopped VM. */
async function io(file: string, command: string, tool = 'v1'): Promise<string> {
  const machine = await record();
  return runTool(['qemu-io', '-c', command, insideDisks(file)], {
    machine: tool,
    uid: uidOf(machine),
    hypervisor: await hypervisorLayers(machine.vm?.hypervisor ?? []),
    binds: [
      { source: diskFolder('v1'), destination: inside.disks },
      { source: dirname(baseDisk(machine)), destination: inside.base, isReadOnly: true },
    ],
  });
}

/** Where the guest has no files. */
const place = { 'root.qcow2': '4000M 64k', 'disk-0.qcow2': '512M 64k' } as const;
async function write(pattern: number): Promise<void> {
  for (const file of images) await io(file, `write -P ${pattern} ${place[file]}`);
}
async function contains(pattern: number): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const file of images)
    found.push(!(await io(file, `read -P ${pattern} ${place[file]}`).catch(() => 'failed')).includes('failed'));
  return found;
}

/** The programs of QEMU by the images of disks that they have open. */
function holders(): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('qemu')) continue;
      const files = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => statSync(`/proc/${pid}/fd/${fd}`).ino));
      for (const file of files) found.set(file, [...(found.get(file) ?? []), Number(pid)]);
    } catch {
      // It has exited.
    }
  }
  return found;
}

/** Programs that had the same image open at the same time. */
const doubles: string[] = [];
function look(): void {
  for (const image of [...['data', 'more'].map((name) => `/var/lib/nova/disks/${name}/disk.qcow2`), rootDisk('v1')]) {
    const file = statSync(image, { throwIfNoEntry: false })?.ino;
    if (file === undefined) continue;
    const pids = () => holders().get(file) ?? [];
    // Looked at twice: one may have exited before the other one was found.
    if (pids().length > 1 && pids().length > 1) doubles.push(`${image}: ${pids().join(', ')}`);
  }
}

let watch: NodeJS.Timeout | undefined;
const keepLooking = () => {
  watch = setInterval(look, 20);
};

/** For tests of the locks of images: the second program opens one before it finds the lock. */
async function withoutLooking(work: () => Promise<void>): Promise<void> {
  clearInterval(watch);
  await work();
  keepLooking();
}

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createDisk({ name: 'data', format: 'block', sizeMebibytes: 1024 });
  await engineClient.createDisk({ name: 'more', format: 'block', sizeMebibytes: 512 });
  const machine = { name: 'v1', image: 'vm', memoryMebibytes: 512, diskMebibytes: 4096 };
  await engineClient.createMachine({ ...machine, isStarted: false });
  await engineClient.attachDisk('v1', 'data');
  keepLooking();
  begin();
}, bootMilliseconds);

afterAll(async () => {
  clearInterval(watch);
  await hostDown(say);
});

test('no other program can open the disks of a running VM', async () => {
  await runsOnce();
  await withoutLooking(async () => {
    for (const file of images)
      await expect(machineTool(await record(), ['info', insideDisks(file)])).rejects.toThrow(/another process/);
  });
});

describe('of a running VM', () => {
  test.for<[string, Victim, number?]>([
    ['snapshot.marked', 'QEMU'],
    ['snapshot.marked', 'engine', 0],
    ['snapshot.frozen', 'QEMU'],
    ['snapshot.taken', 'engine', 0],
    ['snapshot.taken', 'QEMU'],
    ['storage.named', 'engine', 1],
    ['storage.filled', 'QEMU'],
  ])('a snapshot is whole or absent if at %s %s is killed', async ([point, victim, count]) => {
    await killedAt(point, victim, () => engineClient.createSnapshot('v1', { name: 's1' }));
    await runsOnce();
    const names = (await engineClient.snapshots('v1')).map(({ name }) => name);
    expect(names).toEqual((count ?? names.length) === 1 ? ['s1'] : []);
    if (names.length > 0) await engineClient.deleteSnapshot('v1', 's1');
  });

  test.for<[string, Victim]>([
    ['storage.deleted', 'engine'],
    ['storage.deleted', 'QEMU'],
    ['snapshot.removed', 'engine'],
    ['snapshot.removed', 'QEMU'],
  ])('nothing of a deleted snapshot is left if at %s %s is killed', async ([point, victim]) => {
    await engineClient.createSnapshot('v1', { name: 's1' });
    await killedAt(point, victim, () => engineClient.deleteSnapshot('v1', 's1'));
    await runsOnce();
    expect(await snapshotIds()).toEqual([]);
  });

  test.for<[string, Victim]>([
    ['machine.resized', 'engine'],
    ['machine.resized', 'QEMU'],
    ['machine.limited', 'engine'],
    ['machine.limited', 'QEMU'],
    ['machine.plugged', 'engine'],
    ['machine.plugged', 'QEMU'],
    ['machine.disk.extended', 'engine'],
    ['machine.disk.extended', 'QEMU'],
  ])('the size is that of the record if at %s %s is killed', async ([point, victim]) => {
    const before = (await status()) as { memoryMebibytes: number; diskMebibytes: number };
    const size = { memoryMebibytes: before.memoryMebibytes + 32, diskMebibytes: before.diskMebibytes + 32 };
    await killedAt(point, victim, () => engineClient.resizeMachine('v1', size));
    await runsOnce();
    const after = await status();
    if (victim === 'engine') expect(after).toMatchObject(size);
    const actual = () =>
      withQmp('v1', async (qmp) => {
        const root = (await blockNodes(qmp)).find((node) => node['node-name'] === 'root');
        const path = '/machine/peripheral/memory';
        const more = await qmp.execute<number>('qom-get', { path, property: 'requested-size' });
        const { 'base-memory': base } = await qmp.execute<{ 'base-memory': number }>('query-memory-size-summary');
        return {
          memoryMebibytes: (base + more) / mebibyte,
          diskMebibytes: (root?.image['virtual-size'] ?? 0) / mebibyte,
        };
      }).catch(() => undefined);
    const { memoryMebibytes, diskMebibytes } = after ?? {};
    await expect.poll(actual, polling).toEqual({ memoryMebibytes, diskMebibytes });
    await expect.poll(status, polling).not.toHaveProperty('untilRestart');
  });

  const isAttached = async () => (await engineClient.disks()).find(({ name }) => name === 'more')?.machine === 'v1';

  test.for(['disk.attached', 'disk.plugged'])(
    'a disk is attached or refused if at %s QEMU is killed',
    async (point) => {
      const codes = await killedAt(point, 'QEMU', () => engineClient.attachDisk('v1', 'more'));
      expect(await isAttached()).toBe(codes.length === 0);
      await runsOnce(codes.length === 0 ? ['root', 'disk-0', 'disk-1'] : undefined);
      if (codes.length > 0) await engineClient.attachDisk('v1', 'more');
      // The guest releases it once it has booted.
      await engineClient.startMachine('v1');
      await killedAt('disk.unplugged', 'QEMU', () => engineClient.detachDisk('v1', 'more'));
      expect(await isAttached()).toBe(false);
      await runsOnce();
    },
  );
});

describe('of a stopped VM', () => {
  beforeAll(async () => {
    await engineClient.startMachine('v1');
    await engineClient.stopMachine('v1');
  }, bootMilliseconds);

  test.for<[string, number]>([
    ['snapshot.marked', 0],
    ['snapshot.image', 0],
    ['storage.filled', 0],
    ['storage.named', 1],
  ])('a snapshot is whole or absent if at %s the engine is killed', async ([point, count]) => {
    await killedAt(point, 'engine', () => engineClient.createSnapshot('v1', { name: 's1' }));
    await isStoppedWithSnapshots();
    expect(await snapshotIds()).toHaveLength(count);
  });

  test.for(['restore.recorded', 'restore.applied'])(
    'a restore is completed if at %s the engine is killed',
    async (point) => {
      if ((await snapshotIds()).length > 0) await engineClient.deleteSnapshot('v1', 's1');
      await write(1);
      await engineClient.createSnapshot('v1', { name: 's1' });
      await write(2);
      await killedAt(point, 'engine', () => engineClient.restoreSnapshot('v1', 's1'));
      await isStoppedWithSnapshots();
      expect(await contains(1)).toEqual([true, true]);
    },
  );

  test('a restore is refused while another program has a disk open, and changes none', async () => {
    await write(2);
    await withoutLooking(async () => {
      const held = io('disk-0.qcow2', 'sleep 1000000', 'holder').catch(() => undefined);
      const holder = async () => Number(await run('sh', ['-c', 'pgrep -x qemu-io || true']));
      await expect.poll(holder).toBeGreaterThan(0);
      expect(await codesOf(engineClient.restoreSnapshot('v1', 's1'))).toEqual(['NOVA7138']);
      // SIGTERM would not reach the first process of a container.
      process.kill(await holder(), 'SIGKILL');
      await held;
    });
    await isStoppedWithSnapshots();
    expect(await contains(2)).toEqual([true, true]);
  });

  test('nothing of a deleted snapshot is left if the engine is killed', async () => {
    await killedAt('snapshot.removed', 'engine', () => engineClient.deleteSnapshot('v1', 's1'));
    await isStoppedWithSnapshots();
    expect(await snapshotIds()).toEqual([]);
  });

  test('a killed engine leaves no tool that still works on a disk', async () => {
    const created = codesOf(engineClient.createTemplate({ name: 'golden', machine: 'v1' }));
    const tool = async () => (await run('sh', ['-c', 'pgrep -x qemu-img || true'])).trim();
    await expect.poll(tool, { ...polling, interval: 5 }).not.toBe('');
    // It would never end.
    process.kill(Number(await tool()), 'SIGSTOP');
    process.kill((await runningPid('nova-engine')) ?? 0, 'SIGKILL');
    expect(await created).toEqual(['NOVA7030']);
    await engineIsBack();
    await isStoppedWithSnapshots();
    expect(existsSync('/var/lib/nova/templates/golden')).toBe(false);
  });

  test('a resize takes effect at the next start if the engine is killed', async () => {
    const { diskMebibytes = 0 } = (await status()) ?? {};
    await killedAt('machine.resized', 'engine', () =>
      engineClient.resizeMachine('v1', { diskMebibytes: diskMebibytes + 64 }),
    );
    begin();
    await runsOnce();
    const [root] = (await withQmp('v1', blockNodes)).filter((node) => node['node-name'] === 'root');
    expect(root?.image['virtual-size']).toBe((diskMebibytes + 64) * mebibyte);
  });
});

test('the disk of a deleted VM is free, without its snapshots, if the engine is killed', async () => {
  await engineClient.createSnapshot('v1', { name: 's1' });
  await killedAt('disk.released', 'engine', () => engineClient.deleteMachine('v1'));
  await expect.poll(status, polling).toBeUndefined();
  const data = async () => (await engineClient.disks()).find(({ name }) => name === 'data');
  await expect.poll(data, polling).not.toHaveProperty('machine');
  await nothingLeft();
  expect((await run('sh', ['-c', 'pgrep -c qemu || true'])).trim()).toBe('0');
  await engineClient.deleteDisk('data');
});

test('no disk was ever open twice', () => {
  expect(doubles).toEqual([]);
});
