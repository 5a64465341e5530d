import { expect, test } from 'vitest';
import { ociConfig } from './oci.ts';

const record = {
  name: 'm1',
  kind: 'container' as const,
  hostname: 'm1',
  image: { name: 'node', digest: 'x', layers: [] },
  cpu: 2,
  memoryMebibytes: 512,
  machineId: '0'.repeat(32),
  cloudConfig: { ssh_authorized_keys: [], users: [], write_files: [] },
  volumes: [
    { name: 'inner', path: '/srv/a/b' },
    { name: 'outer', path: '/srv/a' },
  ],
  wanted: 'running' as const,
};

interface Config {
  mounts: { destination: string; source: string; type: string }[];
  process: { capabilities: Record<string, string[]> };
  linux: {
    resources: {
      devices: { access: string; type?: string; major?: number; minor?: number }[];
      memory: { limit: number };
      cpu: { quota: number; period: number };
    };
  };
}

const config = (hostCapabilities: bigint) =>
  ociConfig({ record, netns: 'nova-m1', dataRoot: '/x', hostCapabilities, disks: [], ownMounts: [] }) as Config;

test('a machine cannot set the clock, load modules, access raw devices, open file handles or reboot the host', () => {
  for (const granted of Object.values(config(0n).process.capabilities)) {
    expect(
      granted.filter((name) =>
        /SYS_TIME|SYS_MODULE|SYS_RAWIO|SYS_BOOT|WAKE_ALARM|MAC_ADMIN|DAC_READ_SEARCH/.test(name),
      ),
    ).toEqual([]);
  }
});

test('SYS_RESOURCE is granted only if the host has it', () => {
  expect(config(0n).process.capabilities.bounding).not.toContain('CAP_SYS_RESOURCE');
  expect(config(1n << 24n).process.capabilities.bounding).toContain('CAP_SYS_RESOURCE');
});

test('no block device can be opened, and only listed character devices', () => {
  const [first, ...allowed] = config(0n).linux.resources.devices;
  expect(first).toEqual({ allow: false, access: 'rwm' });
  const opened = allowed.filter(({ access }) => access !== 'm');
  expect(opened.map(({ type, major, minor = '*', access }) => `${type} ${major}:${minor} ${access}`)).toEqual([
    ...[3, 5, 7, 8, 9].map((minor) => `c 1:${minor} rwm`),
    'c 1:11 rm',
    ...[0, 1, 2].map((minor) => `c 5:${minor} rwm`),
    'c 136:* rwm',
    'c 10:200 rwm',
    'c 10:229 rwm',
  ]);
});

test('CPU and memory are limited', () => {
  const { memory, cpu } = config(0n).linux.resources;
  expect({ memory, cpu }).toEqual({ memory: { limit: 512 * 1024 ** 2 }, cpu: { quota: 200_000, period: 100_000 } });
});

test('volumes are mounted, nested ones after their parents', () => {
  const mounts = config(0n).mounts.slice(-2);
  expect(mounts.map(({ source, destination, type }) => `${type} ${source} ${destination}`)).toEqual([
    'bind /var/lib/nova/volumes/outer /srv/a',
    'bind /var/lib/nova/volumes/inner /srv/a/b',
  ]);
});
