import { writeFile } from 'node:fs/promises';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningPid } from '../supervisor.ts';
import { codesOf, inside, program } from '../testing.ts';
import { hostDown, hostStop } from './down.ts';
import { hostUp } from './up.ts';

const say = () => undefined;
const machine = { image: 'node', network: 'lab', memoryMebibytes: 128 };
/** Universe's machine is the one in its network. */
const platform = { ...machine, name: 'universe', network: 'integration' };

const states = async () =>
  Object.fromEntries((await engineClient.machines()).map(({ name, state }) => [name, state] as const));
const allStopped = { m1: 'stopped', m2: 'stopped', universe: 'stopped' };
const asBefore = { m1: 'running', m2: 'stopped', universe: 'running' };
const isOn = async () => (await engineClient.host()).maintenance !== undefined;

/** Kills the engine at this point of a change, and waits until it is back. */
async function killedAt(point: string, change: () => Promise<unknown>): Promise<void> {
  await writeFile('/run/nova/fault', point);
  expect(await codesOf(change())).toEqual(['NOVA7030']);
  await expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 30_000 }).toBeTruthy();
}

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createNetwork('lab', '10.67.0.0/24');
  await engineClient.createMachine({ ...machine, name: 'm1' });
  await engineClient.createMachine({ ...machine, name: 'm2' });
  await engineClient.createMachine(platform);
  await engineClient.stopMachine('m2');
});

afterAll(() => hostDown(say));

test('maintenance stops all machines, the one of Universe last', async () => {
  // The machine of the cluster takes some seconds to stop.
  const slow = 'systemd-run -q --unit=slow -p KillSignal=SIGCONT -p TimeoutStopSec=3 sleep 1000';
  expect(await inside('m1', slow)).toBe('');
  const entered = engineClient.changeMaintenance(true);
  await expect.poll(isOn).toBe(true);
  expect(await states()).toEqual(asBefore);
  await entered;
  expect(await states()).toEqual(allStopped);
  expect((await engineClient.host()).maintenance?.machines).toEqual(['m1', 'universe']);
});

test('in maintenance no machine can be created or started', async () => {
  const attempts = [
    () => engineClient.startMachine('m1'),
    () => engineClient.startMachine('m2'),
    () => engineClient.restartMachine('m1'),
    () => engineClient.createMachine({ ...machine, name: 'm3' }),
    () => engineClient.createMachine({ ...machine, name: 'm3', isStarted: false }),
  ];
  for (const attempt of attempts) expect(await codesOf(attempt())).toEqual(['NOVA7140']);
  expect(await states()).toEqual(allStopped);
});

test('the maintenance outlives a crash of the engine and a restart of the host', async () => {
  const { since } = (await engineClient.host()).maintenance ?? {};
  process.kill((await runningPid('nova-engine')) ?? 0, 'SIGKILL');
  await expect.poll(() => states().catch(() => undefined), { timeout: 30_000 }).toEqual(allStopped);
  await hostStop(say);
  await hostUp(program, say);
  await engineClient.changeMaintenance(true);
  expect(await states()).toEqual(allStopped);
  expect((await engineClient.host()).maintenance).toEqual({ since, machines: ['m1', 'universe'] });
});

test('its end starts exactly the machines that should run', async () => {
  await engineClient.changeMaintenance(false);
  expect(await states()).toEqual(asBefore);
  expect(await isOn()).toBe(false);
  expect(await inside('m1', 'ping -c1 -W5 10.67.0.1 >/dev/null && echo reached')).toBe('reached\n');
  await engineClient.changeMaintenance(false);
  expect(await states()).toEqual(asBefore);
});

test.for(['maintenance.recorded', 'maintenance.clusters-stopped'])(
  'an engine killed at %s continues with the maintenance',
  async (point) => {
    await killedAt(point, () => engineClient.changeMaintenance(true));
    await expect.poll(states, { timeout: 30_000 }).toEqual(allStopped);
    expect(await isOn()).toBe(true);
    await engineClient.changeMaintenance(false);
    expect(await states()).toEqual(asBefore);
  },
);

test.for(['maintenance.removed', 'maintenance.universe-started'])(
  'an engine killed at %s starts the machines all the same',
  async (point) => {
    await engineClient.changeMaintenance(true);
    await killedAt(point, () => engineClient.changeMaintenance(false));
    await expect.poll(states, { timeout: 60_000 }).toEqual(asBefore);
    expect(await isOn()).toBe(false);
  },
);

test('a machine that is being created when the maintenance begins stays stopped until it ends', async () => {
  const created = codesOf(engineClient.createMachine({ ...machine, name: 'm4' }));
  await expect.poll(states).toHaveProperty('m4');
  await engineClient.changeMaintenance(true);
  expect(await states()).toMatchObject({ m4: 'stopped' });
  expect([[], ['NOVA7140'], ['NOVA7013']]).toContainEqual(await created);
  await engineClient.changeMaintenance(false);
  expect(await states()).toMatchObject({ m4: 'running' });
});
