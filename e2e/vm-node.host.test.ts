import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configSite } from './config-site.ts';
import { novaCtl, temporaryFolder } from './nova-ctl.ts';
import { until } from './platform.ts';

const folder = temporaryFolder();
const site = configSite(folder.path);
const worker = { name: 'demo-work-1', address: '10.43.0.11', image: 'kubernetes-vm' };

const manifest = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local }
  nodeGroups:
    - { name: main, roles: [control-plane, infra, ingress] }
    - { name: work, roles: [worker] }
  clusterConfiguration: { dnsBaseDomain: demo.nova.local, nodeNetwork: 10.43.0.0/24 }
`;

const inside = async (command: string) =>
  (await novaCtl(['machine', 'exec', worker.name, '--', 'sh', '-c', command])).stdout;

beforeAll(async () => {
  await site.prepare();
  await site.startServer();
  writeFileSync(join(folder.path, 'cluster.yaml'), manifest);
  await site.config('config', 'apply', '-f', join(folder.path, 'cluster.yaml'), '--yes');
  await site.createMachine(worker);
});

afterAll(async () => {
  await site.stopServer();
  await novaCtl(['host', 'down']);
  folder.remove();
});

test('a VM enrols and applies its approved catalog', async () => {
  const report = await until('the first report', () => site.lastReport(worker.name), 2000);
  expect(report).toMatchObject({ status: 'changed', resources: { failed: 0, skipped: 0 } });
  expect(
    await inside('systemd-detect-virt; systemctl is-active containerd; cat /proc/sys/net/ipv4/ip_forward'),
  ).toMatch(/^(?:qemu|kvm)\nactive\n1\n$/);
});

test("the agent's first run in a VM changes nothing", async () => {
  await site.config('node', 'run', worker.name);
  expect(await site.lastReport(worker.name)).toMatchObject({
    status: 'unchanged',
    resources: { changed: 0, failed: 0 },
    agentVersion: '8.10.0',
  });
});
