import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngineClient, engineClient } from '@nova-platform/contracts/engine/client';
import { createKeyPair } from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientEndpoint } from '../paths.ts';
import { runningPid } from '../supervisor.ts';
import { codesOf, inside, program, running } from '../testing.ts';
import { hostDown, hostStop } from './down.ts';
import { hostUp } from './up.ts';

const say = () => undefined;
const machine = { image: 'node', network: 'lab', memoryMebibytes: 128 };
const volumes = [{ name: 'data', path: '/srv/data' }];
const services = ['nova-supervisor', 'nova-vswitchd', 'nova-controller', 'nova-northd'];

let before: string[] = [];
let folder: string;

/** A bundle that only imports the sources. */
async function bundle(name: string): Promise<string[]> {
  const file = join(folder, name, 'nova-engine.mjs');
  await mkdir(join(folder, name));
  await writeFile(file, `// ${name}\nimport '${program[1]}';\n`);
  return [process.execPath, file];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-engine-'));
  before = await running();
  await hostUp(program, say);
  await engineClient.buildImage('node', say);
  await engineClient.createNetwork('lab', '10.62.0.0/24');
  await engineClient.createMachine({ ...machine, name: 'm1', address: '10.62.0.20', volumes });
  await engineClient.createMachine({ ...machine, name: 'm2' });
  await engineClient.stopMachine('m2');
});

afterAll(async () => {
  await hostDown(say);
  await rm(folder, { recursive: true });
});

test('an upgrade of the engine does not disturb daemons and machines', async () => {
  const pids = () => Promise.all(services.slice(1).map(runningPid));
  const booted = () => inside('m1', 'cut -d" " -f22 /proc/1/stat');
  const [daemons, bootedAt] = [await pids(), await booted()];
  await inside('m1', 'systemd-run -q --unit=ping sh -c "ping -D -i 0.1 10.62.0.1 > /root/pings"');

  const newer = await bundle('newer');
  await hostUp(newer, say);
  const { version } = await engineClient.health();
  expect(version).toMatch(/^[0-9a-f]{16}$/);

  const engine = await runningPid('nova-engine');
  await hostUp(newer, say);
  expect(await runningPid('nova-engine')).toBe(engine);

  await hostUp(await bundle('newest'), say);
  expect(await engineClient.health()).not.toMatchObject({ version });
  expect(await runningPid('nova-engine')).not.toBe(engine);
  expect([await pids(), await booted()]).toEqual([daemons, bootedAt]);
  // The new supervisor restarts the engine.
  process.kill((await runningPid('nova-engine')) ?? 0, 'SIGKILL');
  await expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 20_000 }).toBeTruthy();
  await inside('m1', 'systemctl stop ping');
  const count = `awk -F'icmp_seq=' '/icmp_seq/ {n = $2 + 0; if (last && n != last + 1) lost++; last = n} END {print (last > 20), lost + 0}'`;
  expect(await inside('m1', `${count} /root/pings`)).toBe('1 0\n');
});

test('a machine that exits for any reason is restarted, and a stopped one is not', async () => {
  const pidOf = async () => Number(await readFile('/var/lib/nova/machines/m1/pid', 'utf8').catch(() => '0'));
  const works = () =>
    inside('m1', 'cat /root/kept; ping -c1 -W2 10.62.0.1 >/dev/null && echo reached').catch(() => undefined);
  await inside('m1', 'echo kept > /root/kept');
  for (const end of [
    async (pid: number) => void process.kill(pid, 'SIGKILL'),
    async () => void (await inside('m1', 'until systemctl poweroff; do sleep 0.2; done')),
  ]) {
    const pid = await pidOf();
    await end(pid);
    await expect.poll(async () => [0, pid].includes(await pidOf()), { timeout: 30_000 }).toBe(false);
    await expect.poll(works, { timeout: 20_000 }).toBe('kept\nreached\n');
  }
  expect((await engineClient.machines()).map(({ name, state }) => `${name} ${state}`)).toEqual([
    'm1 running',
    'm2 stopped',
  ]);
});

test('a failed boot is retried until it succeeds', async () => {
  const pid = () => readFile('/var/lib/nova/machines/m1/pid', 'utf8').catch(() => 'none');
  const conmon = (await run('sh', ['-c', 'command -v conmon'])).trim();
  await run('mount', ['--bind', '/bin/false', conmon]);
  try {
    process.kill(Number(await pid()), 'SIGKILL');
    await expect.poll(pid).toBe('none');
    await expect.poll(async () => (await engineClient.machines())[0]?.state).toBe('stopped');
  } finally {
    await run('umount', [conmon]);
  }
  await expect.poll(() => inside('m1', 'echo up').catch(() => undefined), { timeout: 60_000 }).toBe('up\n');
});

test('a machine that is killed before its first program runs is created all the same', async () => {
  const pid = async () => Number(await readFile('/var/lib/nova/machines/m4/pid', 'utf8').catch(() => '0'));
  const created = engineClient.createMachine({ ...machine, name: 'm4' });
  let first = 0;
  while (first === 0) first = await pid();
  process.kill(first, 'SIGKILL');
  expect((await created).state).toBe('running');
  expect(await pid()).not.toBe(first);
  await engineClient.deleteMachine('m4');
});

test('a volume belongs to one machine, and can be deleted when it belongs to none', async () => {
  expect(await codesOf(engineClient.createMachine({ ...machine, name: 'm3', volumes }))).toEqual(['NOVA7041']);
  expect(await codesOf(engineClient.deleteVolume('data'))).toEqual(['NOVA7041']);
  expect(await codesOf(engineClient.deleteVolume('dat'))).toEqual(['NOVA7010']);
  await engineClient.createMachine({ ...machine, name: 'm3', volumes: [{ name: 'spare', path: '/srv/spare' }] });
  await inside('m3', 'head -c 1M /dev/zero > /srv/spare/file');
  await engineClient.deleteMachine('m3');
  expect((await engineClient.volumes()).find(({ name }) => name === 'spare')?.bytes).toBeGreaterThan(2 ** 20);

  await writeFile('/run/nova/fault', 'volume.marked');
  expect(await codesOf(engineClient.deleteVolume('spare'))).toEqual(['NOVA7030']);
  await expect.poll(() => engineClient.volumes().catch(() => undefined), { timeout: 20_000 }).toHaveLength(1);
  expect(await readdir('/var/lib/nova/volumes')).toEqual(['data']);
});

test('hostUp restores the state before hostStop', async () => {
  await inside('m1', 'echo disk > /root/file; echo volume > /srv/data/file');
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate, authority } = await engineClient.createClient('universe', publicKey);
  await hostStop(say);
  expect(await running()).toEqual(before);
  await hostStop(say);

  await hostUp(program, say);
  expect((await engineClient.machines()).map(({ name, state, address }) => [name, state, address])).toEqual([
    ['m1', 'running', '10.62.0.20'],
    ['m2', 'stopped', '10.62.0.10'],
  ]);
  await expect
    .poll(() => inside('m1', 'cat /root/file /srv/data/file; ping -c1 -W2 10.62.0.1 >/dev/null && echo reached'), {
      timeout: 20_000,
    })
    .toBe('disk\nvolume\nreached\n');
  const client = createEngineClient({
    ...clientEndpoint(defaultSite),
    ca: authority,
    cert: certificate,
    key: privateKey,
  });
  expect(await client.machines()).toHaveLength(2);
  expect((await stat('/var/lib/nova/engine/authority.json')).mode & 0o777).toBe(0o600);
  await engineClient.startMachine('m2');
  const bootedAt = await inside('m2', 'cut -d" " -f22 /proc/1/stat');
  await engineClient.startMachine('m2');
  expect(await inside('m2', 'cut -d" " -f22 /proc/1/stat')).toBe(bootedAt);
  expect(await inside('m2', 'ping -c1 -W2 10.62.0.20 >/dev/null && echo reached')).toBe('reached\n');
});

test('hostDown leaves nothing behind', async () => {
  await hostDown(say);
  expect(await running()).toEqual(before);
  // The folders themselves are mount points of the sandbox.
  for (const folder of ['/var/lib/nova', '/var/log/nova']) expect(await readdir(folder)).toEqual([]);
  expect(existsSync('/var/cache/nova/images')).toBe(true);
});
