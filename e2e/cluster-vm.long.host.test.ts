import { mkdirSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '@nova-platform/contracts/universe/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kubectl, kubectlWith } from './kubectl.ts';
import { execute, temporaryFolder } from './nova-ctl.ts';
import { platformOf } from './platform.ts';

// One node in one VM. Without KVM its processors are emulated: nothing else should run on this machine meanwhile.

const minute = 60_000;
const limit = 60 * minute;
const folder = temporaryFolder();
const cluster = 'virtual';
const node = `${cluster}-main-1`;
const image = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';
const manifest = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local, machineKind: vm }
  nodeGroups:
    - { name: main, roles: [control-plane, infra, ingress, worker], cpu: 2, memory: 3Gi, disk: 20Gi }
  clusterConfiguration:
    { dnsBaseDomain: ${cluster}.nova.local, nodeNetwork: 10.49.0.0/24, delivery: none, publishNodePorts: true }
`;
const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: '${image}' }]
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  type: NodePort
  selector: { app: web }
  ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }]
`;

const { ctl, done, inside } = platformOf(folder.path);
const file = join(folder.path, 'cluster.yaml');
let kubectl: Kubectl;

/** An emulated node needs minutes where others need seconds. */
async function eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + limit / 2; Date.now() < end; await sleep(2000)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`waited too long: ${what}`);
}

async function answersFromHost(): Promise<boolean> {
  const { router } = JSON.parse(await done('network', 'show', cluster, '-o', 'json')) as {
    router: { nat: { type: string; externalAddress: string }[] };
  };
  const address = router.nat.find(({ type }) => type === 'dnat')?.externalAddress ?? '';
  return (await execute('curl', ['-s', '--max-time', '10', `http://${address}:30080/`])).stdout.startsWith('web-');
}

beforeAll(async () => {
  await done('up', '--no-cluster');
  await done('registry', 'import', 'pause', 'coredns', 'nettest');
  writeFileSync(file, manifest);
}, limit);

afterAll(async () => {
  await ctl('down', '--purge', '--yes');
  folder.remove();
}, 10 * minute);

test(
  'a cluster of VMs is refused until their images are built',
  async () => {
    // The sandbox may have them already.
    const images = JSON.parse(await done('image', 'list', '-o', 'json')) as { name: string; isBuilt: boolean }[];
    const missing = images.filter(({ name, isBuilt }) => /^(hypervisor|kubernetes-vm)$/.test(name) && !isBuilt);
    const { stderr } = missing.length > 0 ? await ctl('apply', '-f', file, '--yes') : { stderr: '' };
    for (const { name } of missing) expect(stderr).toContain(`nova-ctl image build ${name}`);
    await done('image', 'build', 'hypervisor');
    await done('image', 'build', 'kubernetes-vm');
  },
  limit,
);

test(
  'a cluster with a single node in a VM is created, and its node has its own kernel',
  async () => {
    const started = Date.now();
    expect(await done('plan', '-f', file)).toContain('; VM');
    await done('apply', '-f', file, '--yes');
    console.log(`the cluster was created in ${Math.round((Date.now() - started) / 1000)} s`);
    const place = join(folder.path, cluster);
    mkdirSync(place);
    kubectl = await kubectlWith(place, await done('kubeconfig', cluster, '--static'));
    const info = ['get', 'node', node, '-o', 'jsonpath={.status.nodeInfo.kernelVersion} {.status.capacity.cpu}'];
    const [kernel, cpu] = await eventually('the node', async () => {
      const { exitCode, stdout } = await kubectl(info);
      return exitCode === 0 && stdout.split(' ');
    });
    expect(kernel).not.toBe(release());
    expect(kernel).toMatch(/cloud/);
    expect(cpu).toBe('2');
    expect(await done('machine', 'list')).toMatch(new RegExp(`${node} +VM +running `));
    expect((await inside(node, 'uname -r')).trim()).toBe(kernel);
  },
  limit,
);

test(
  'a pod in the VM serves the host through a Service',
  async () => {
    await eventually('the Deployment to be accepted', async () => {
      return (await kubectl(['apply', '-f', '-'], web)).exitCode === 0;
    });
    await eventually('the Service to answer', answersFromHost);
  },
  limit,
);

test(
  'the cluster has no problems',
  async () => {
    await eventually('no findings', async () => {
      const health = JSON.parse((await ctl('status', cluster, '-o', 'json')).stdout) as Health;
      return health.findings.length === 0;
    });
  },
  limit,
);

test(
  'the node works again after its VM was stopped and started',
  async () => {
    await done('stop', cluster);
    await done('start', cluster);
    await eventually('the Service to answer', answersFromHost);
  },
  limit,
);
