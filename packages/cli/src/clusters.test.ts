import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultAddresses } from '@nova-platform/plan';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answering } from './testing/answers.ts';
import { novaCtl } from './testing/terminal.ts';

const examples = join(import.meta.dirname, '../../../examples');
const single = join(examples, 'single.yaml');
const ha = join(examples, 'ha.yaml');
const vm = join(examples, 'vm.yaml');

let folder: string;
/** No context of the user who runs the tests. */
let env: Record<string, string>;
let demo: unknown;
let vms: unknown;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nova-clusters-'));
  env = { NOVA_CONTEXTS: join(folder, 'contexts.json') };
  const planOf = async (file: string) =>
    JSON.parse((await novaCtl(['plan', '-f', file, '-o', 'json'], { env })).stdout) as unknown;
  [demo, vms] = [await planOf(single), await planOf(vm)];
});
afterAll(() => rmSync(folder, { recursive: true }));

const universeWith = (...plans: unknown[]) =>
  answering({ 'GET /v1/site': defaultAddresses, 'GET /v1/plans': plans, 'GET /v1/clusters': { clusters: [] } });
const unreachable = () => ({ ...env, NOVA_UNIVERSE_SOCKET: join(folder, 'missing.sock') });
const addressOf = (text: string) =>
  (JSON.parse(text) as { network: { router: { externalAddress: string } } }).network.router.externalAddress;

describe('init', () => {
  test('proposes a name and a network that no other cluster has', async () => {
    await using universe = await universeWith(demo);
    const { exitCode, stdout } = await universe.ctl(['init', '--yes', '--file', '-']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('dnsBaseDomain: demo-2.nova.local');
    expect(stdout).toContain('nodeNetwork: 10.20.1.0/24');
  });

  test('proposes the defaults without other clusters, and with --offline', async () => {
    await using universe = await universeWith();
    for (const outcome of [
      await universe.ctl(['init', '--yes', '--file', '-']),
      await novaCtl(['init', '--yes', '--file', '-', '--offline'], { env: unreachable() }),
    ]) {
      expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
      expect(outcome.stdout).toContain('dnsBaseDomain: demo.nova.local');
      expect(outcome.stdout).toContain('nodeNetwork: 10.20.0.0/24');
    }
  });

  test('refuses the base domain of another cluster', async () => {
    await using universe = await universeWith(demo);
    const { exitCode, stdout, stderr } = await universe.ctl([
      'init',
      '--yes',
      '--file',
      '-',
      '--domain',
      'demo.nova.local',
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('NOVA3031');
  });
});

describe('plan', () => {
  test('uses no address of a cluster of Universe', async () => {
    await using universe = await universeWith(demo);
    const beside = await universe.ctl(['plan', '-f', ha, '-o', 'json']);
    const offline = await universe.ctl(['plan', '-f', ha, '-o', 'json', '--offline']);
    expect(addressOf(beside.stdout)).not.toBe(addressOf(offline.stdout));
  });

  test('shows the changes of a cluster that Universe has', async () => {
    await using universe = await universeWith(demo);
    expect((await universe.ctl(['plan', '-f', single])).stdout).toBe('✓ demo has no changes.\n');
  });

  test('warns about VMs on a host of Universe without KVM, in new and in existing clusters', async () => {
    const answers = { 'GET /v1/site': defaultAddresses, 'GET /v1/clusters': { clusters: [] } };
    const host = { 'GET /v1/host': { hasKvm: false } };
    await using empty = await answering({ ...answers, ...host, 'GET /v1/plans': [] });
    await using used = await answering({ ...answers, ...host, 'GET /v1/plans': [vms] });
    const warning = '! VM: emulated: the host has no KVM, about twenty times slower';
    expect((await empty.ctl(['plan', '-f', vm])).stdout).toContain(warning);
    expect((await empty.ctl(['plan', '-f', single])).stdout).not.toContain(warning);
    expect((await used.ctl(['plan', '-f', vm])).stdout).toBe('✓ vm has no changes.\n');
    const more = join(folder, 'more.yaml');
    writeFileSync(
      more,
      readFileSync(vm, 'utf8').replace('nodeGroups:', `nodeGroups:\n    - { name: more, roles: [worker] }`),
    );
    expect((await used.ctl(['plan', '-f', more])).stdout).toContain(warning);
  });

  test('asks Universe for nothing if the plans are given', async () => {
    const file = join(folder, 'demo.json');
    writeFileSync(file, JSON.stringify(demo));
    const outcome = await novaCtl(['plan', '-f', ha, '--beside', file], { env: unreachable() });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

test('an unreachable Universe is reported with --offline as the way out', async () => {
  for (const argv of [
    ['init', '--yes', '--file', '-'],
    ['plan', '-f', single],
  ]) {
    const { exitCode, stderr } = await novaCtl(argv, { env: unreachable() });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/NOVA8331[^→]*→ Add --offline to work without Universe\. /);
    expect(await novaCtl([...argv, '--offline'], { env: unreachable() })).toMatchObject({ exitCode: 0 });
  }
});

test('a logged-out user plans without Universe', async () => {
  const contexts = { current: 'a', contexts: { a: { server: 'https://192.0.2.1', authority: '', user: 'anna' } } };
  const file = join(folder, 'logged-out.json');
  writeFileSync(file, JSON.stringify(contexts));
  expect(await novaCtl(['plan', '-f', single], { env: { NOVA_CONTEXTS: file } })).toMatchObject({ exitCode: 0 });
});
