import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileCatalog } from '../../compile.ts';
import { leaderScript } from '../../node-scripts.ts';
import { contentOf, nodeInput } from '../../testing.ts';

const script = '/usr/local/lib/nova/leader';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nova-leader-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('programs that elect a leader start through the script only in VMs', () => {
  for (const machineKind of ['container', 'vm'] as const) {
    const catalog = compileCatalog(nodeInput({ provider: { type: 'local', machineKind } }));
    for (const name of ['kube-controller-manager', 'kube-scheduler'])
      expect(contentOf(catalog, `/etc/systemd/system/${name}.service`).includes(script)).toBe(machineKind === 'vm');
    expect(contentOf(catalog, '/etc/systemd/system/kube-apiserver.service')).not.toContain(script);
    expect(catalog.resources.some(({ title }) => title === script)).toBe(machineKind === 'vm');
  }
});

test.each([
  ['qemu', '--a --leader-elect-lease-duration=120s --leader-elect-renew-deadline=90s --leader-elect-retry-period=10s'],
  ['kvm', '--a'],
  ['none', '--a'],
])('on %s, a program gets the flags %s', (virtualization, flags) => {
  writeFileSync(join(folder, 'script'), leaderScript);
  writeFileSync(join(folder, 'systemd-detect-virt'), `#!/bin/sh\necho ${virtualization}\n`);
  chmodSync(join(folder, 'systemd-detect-virt'), 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { stdout } = spawnSync('sh', [join(folder, 'script'), 'echo', '--a'], { env, encoding: 'utf8' });
  expect(stdout).toBe(`${flags}\n`);
});
