import { randomBytes } from 'node:crypto';
import { globSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OvirtOptions } from '@nova-platform/api';
import { Tofu } from '@nova-platform/infra';
import { serveStates, type TestStates } from '@nova-platform/infra/testing';
import type { ClusterPlan } from '@nova-platform/plan';
import { plan } from '@nova-platform/plan/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { adoptMachines } from '../packages/infra/src/ovirt/adopt.ts';
import { checkOvirt } from '../packages/infra/src/ovirt/check.ts';
import { ovirtConfiguration } from '../packages/infra/src/ovirt/configuration.ts';
import { password, startTestServer, type TestServer } from '../packages/ovirt/src/testing/server.ts';
import { builtTofu, createMirror } from './ovirt/tofu.ts';

const program = await builtTofu();
/** As nodes get it. Its token is another one each time. */
const cloudConfig = (name: string) =>
  `#cloud-config\nhostname: ${name}\nwrite_files:\n  - path: /etc/token\n    content: "<${randomBytes(4).toString('hex')}>\\n"\n`;

// Each of many runs starts OpenTofu and the provider.
vi.setConfig({ testTimeout: 600_000 });

describe('machines of a plan through OpenTofu', () => {
  let server: TestServer;
  let mirror: string;
  let folder: string;
  let opened: TestStates;
  let tofu: Tofu;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nova-machines-'));
    [server, mirror] = await Promise.all([startTestServer(), createMirror()]);
    server.engine.addNetwork('demo', '10.21.0.0/24');
    opened = await serveStates({ kind: 'sqlite', file: join(folder, 'store.db') });
    const folders = { program, providers: mirror, folder: join(folder, 'runs') };
    tofu = new Tofu({ ...folders, states: opened.states, server: opened.server });
  });
  afterEach(async () => {
    await opened[Symbol.asyncDispose]();
    await server.close();
    for (const each of [folder, mirror]) await rm(each, { recursive: true });
  });

  const settings = (): OvirtOptions => ({
    url: `${server.url}/ovirt-engine/api`,
    username: 'admin@internal',
    password,
    caBundle: Buffer.from(server.authority).toString('base64'),
    cluster: 'Default',
    storageDomain: 'local',
    template: 'node',
  });
  const declared = ({ workers = 1, cpu = 1 } = {}): ClusterPlan =>
    plan({
      provider: { type: 'zvirt', zvirt: settings() },
      externalNetwork: {
        network: '10.250.24.0/24',
        gateway: '10.250.24.1',
        addresses: ['10.250.24.171-10.250.24.190'],
      },
      nodeGroups: [
        { name: 'cp', roles: ['control-plane', 'infra'], count: 1, cpu: 2, memory: '2Gi', disk: '20Gi' },
        { name: 'worker', roles: ['worker'], count: workers, cpu, memory: '1Gi', disk: '20Gi' },
      ],
      config: { nodeNetwork: '10.21.0.0/24' },
    });
  const workOf = async (wanted: ClusterPlan, stopped: string[] = []) => {
    const { places, checks } = await checkOvirt(settings(), wanted);
    if (!places) throw new Error(JSON.stringify(checks));
    const cloudConfigs = Object.fromEntries(wanted.nodes.map(({ name }) => [name, cloudConfig(name)]));
    const input = { plan: wanted, settings: settings(), places, cloudConfigs, stopped: new Set(stopped) };
    return { cluster: wanted.cluster.name, configuration: ovirtConfiguration(input) };
  };
  /** Applies what it has planned, and returns what it has changed of machines. */
  const apply = async (wanted: ClusterPlan, stopped?: string[]) => {
    const work = await workOf(wanted, stopped);
    const { changes, file } = await tofu.plan(work);
    await tofu.apply(work, file);
    return changes
      .filter(({ address }) => /^ovirt_vm(_start)?\./.test(address))
      .map(({ address, action }) => `${action} ${address}`);
  };
  const machines = () =>
    [...server.engine.machines.values()]
      .map(({ name, state, cpu, memoryMebibytes, diskMebibytes, address }) =>
        [name, state, `${cpu} CPU`, `${memoryMebibytes}Mi`, `${diskMebibytes}Mi`, address].join(' '),
      )
      .toSorted();

  const tags = async () => {
    const { access_token: token } = await server.login('admin@internal');
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { tag } = JSON.parse((await server.ask('GET', '/ovirt-engine/api/tags', { headers })).body) as {
      tag?: { name: string }[];
    };
    return (tag ?? []).map(({ name }) => name).filter((name) => name.startsWith('nova-'));
  };

  test('the machines are created, changed, stopped, scaled, healed and removed, and nothing remains', async () => {
    expect(await apply(declared())).toEqual([
      'create ovirt_vm.machine["demo-cp-1"]',
      'create ovirt_vm.machine["demo-worker-1"]',
      'create ovirt_vm_start.machine["demo-cp-1"]',
      'create ovirt_vm_start.machine["demo-worker-1"]',
    ]);
    expect(machines()).toEqual([
      'demo-cp-1 running 2 CPU 2048Mi 20480Mi 10.21.0.10',
      'demo-worker-1 running 1 CPU 1024Mi 20480Mi 10.21.0.11',
    ]);
    // Nothing else changes, whatever the tokens of today are.
    expect((await tofu.plan(await workOf(declared()))).changes).toEqual([]);

    expect(await apply(declared({ workers: 2 }))).toEqual([
      'create ovirt_vm.machine["demo-worker-2"]',
      'create ovirt_vm_start.machine["demo-worker-2"]',
    ]);
    expect(await apply(declared({ workers: 2, cpu: 2 }))).toEqual([
      'change ovirt_vm.machine["demo-worker-1"]',
      'change ovirt_vm.machine["demo-worker-2"]',
    ]);
    expect(machines().filter((each) => each.includes('worker'))).toEqual([
      expect.stringContaining('demo-worker-1 running 2 CPU') as string,
      expect.stringContaining('demo-worker-2 running 2 CPU') as string,
    ]);

    expect(await apply(declared({ workers: 2, cpu: 2 }), ['demo-worker-2'])).toEqual([
      'remove ovirt_vm_start.machine["demo-worker-2"]',
    ]);
    expect(server.engine.machines.get('demo-worker-2')?.state).toBe('stopped');

    // Deleted behind our back: the plan shows it.
    server.engine.machines.delete('demo-worker-1');
    expect(await apply(declared({ workers: 2, cpu: 2 }))).toEqual([
      'create ovirt_vm.machine["demo-worker-1"]',
      'create ovirt_vm_start.machine["demo-worker-1"]',
      'create ovirt_vm_start.machine["demo-worker-2"]',
    ]);

    const none = { ...declared(), nodes: [] };
    expect(await apply(none)).toHaveLength(6);
    expect(machines()).toEqual([]);
    expect([...server.engine.disks.keys()]).toEqual([]);
    expect(await tags()).toEqual([]);
  });

  /** Kills OpenTofu and its provider, which work in the folder of the run. */
  const kill = () => {
    for (const cwd of globSync('/proc/[0-9]*/cwd')) {
      const [, pid = ''] = /(\d+)/.exec(cwd) ?? [];
      if (linkOf(cwd).startsWith(folder)) process.kill(Number(pid), 'SIGKILL');
    }
  };

  test.each([
    ['a machine that was only created', /ovirt_vm\.machine.*Creation complete/],
    ['a machine that was connected', /ovirt_nic\.machine.*Creation complete/],
    ['a machine that was started', /ovirt_vm_start\.machine.*Creation complete/],
  ])('a killed run leaves no orphan: %s', async (_what, moment) => {
    const wanted = declared();
    const work = await workOf(wanted);
    const { file } = await tofu.plan(work);
    const killed = tofu.apply({ ...work, log: (line) => moment.test(line) && kill() }, file);
    await expect(killed).rejects.toMatchObject({ problems: [{ code: 'NOVA8560' }] });
    expect(machines()).not.toEqual([]);
    // It is as if the run had noted nothing.
    await opened.states.remove('demo');
    const { places } = await checkOvirt(settings(), wanted);
    if (!places) throw new Error('the engine lacks something');
    const input = { plan: wanted, settings: settings(), places };
    const adopted = await adoptMachines({ tofu, states: opened.states }, input);
    expect(adopted.filter((each) => each.startsWith('ovirt_vm.')).toSorted()).toEqual(
      [...server.engine.machines.keys()].toSorted().map((name) => `ovirt_vm.machine["${name}"]`),
    );
    await apply(wanted);
    expect(machines()).toEqual([
      'demo-cp-1 running 2 CPU 2048Mi 20480Mi 10.21.0.10',
      'demo-worker-1 running 1 CPU 1024Mi 20480Mi 10.21.0.11',
    ]);
    expect(await adoptMachines({ tofu, states: opened.states }, input)).toEqual([]);

    // Machines that nobody wants any more are adopted to be removed.
    await opened.states.remove('demo');
    const none = { ...wanted, nodes: [] };
    expect(await adoptMachines({ tofu, states: opened.states }, { ...input, plan: none })).toHaveLength(3);
    await apply(none);
    expect(machines()).toEqual([]);
    expect(await tags()).toEqual([]);
  });
});

/** The process may have ended. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
