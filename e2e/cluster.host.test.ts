import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredReport } from '@nova-platform/contracts/config-manager/client';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { Operation } from '@nova-platform/contracts/universe/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Kubectl, kubectlWith } from './kubectl.ts';
import { execute, novaCtl, type Outcome, root, temporaryFolder } from './nova-ctl.ts';
import { clusterManifest, until } from './platform.ts';
import { victims } from './victims.ts';

const folder = temporaryFolder();
const env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, '.config'), NOVA_CONTEXT: '' };
const image = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';

/** A Deployment and its Service of type NodePort. */
const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
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

const ctl = (args: readonly string[]): Promise<Outcome> => novaCtl(args, { env });

async function done(...args: string[]): Promise<Outcome> {
  const outcome = await ctl(args);
  expect(outcome, args.join(' ')).toMatchObject({ exitCode: 0 });
  return outcome;
}

const inside = (machine: string, command: string): Promise<Outcome> =>
  ctl(['machine', 'exec', machine, '--', 'sh', '-c', command]);

async function kubectlOf(cluster: string): Promise<Kubectl> {
  const place = join(folder.path, cluster);
  mkdirSync(place, { recursive: true });
  return kubectlWith(place, (await done('kubeconfig', cluster, '--static')).stdout);
}

function manifest(name: string, text: string): string {
  const file = join(folder.path, `${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** Newest first. */
async function operations(cluster: string): Promise<string[]> {
  const { stdout } = await done('operation', 'list', '--cluster', cluster, '-o', 'json');
  return (JSON.parse(stdout) as { operations: Operation[] }).operations.map(({ kind, state }) => `${kind} ${state}`);
}

const answerAt = async (address: string) =>
  (await execute('curl', ['-s', '--max-time', '2', `http://${address}/`])).stdout;

/** The external address of its first published node. */
async function publishedAddress(cluster: string): Promise<string> {
  const { stdout } = await done('network', 'show', cluster, '-o', 'json');
  const { router } = JSON.parse(stdout) as { router: { nat: { type: string; externalAddress: string }[] } };
  return router.nat.find(({ type }) => type === 'dnat')?.externalAddress ?? '';
}

/** Plain Kubernetes in containers: modules have their own tests. */
const single = readFileSync(join(root, 'examples', 'single.yaml'), 'utf8')
  .replace(/modules:[\s\S]*/, 'delivery: none\n')
  .replace('type: local', 'type: local\n    machineKind: container')
  .replace('memory: 4Gi', 'memory: 4194304Ki');
const demo = manifest('demo', single);

beforeAll(async () => {
  await done('up', '--no-cluster');
  await done('component', 'build', 'kubernetes', 'etcd', 'pause', 'coredns', 'nettest');
  await done('image', 'build', 'kubernetes-node');
  await done('registry', 'import', 'pause', 'coredns', 'nettest');
  await done('apply', '-f', demo, '--yes');
});

afterAll(async () => {
  await ctl(['down', '--purge', '--yes']);
  folder.remove();
});

describe('a first cluster', () => {
  let kubectl: Kubectl;
  beforeAll(async () => {
    kubectl = await kubectlOf('demo');
  });

  test('runs a Deployment that is reachable from the host through a Service', async () => {
    expect((await kubectl(['get', 'nodes', '--no-headers'])).stdout).toMatch(/^demo-main-1 +Ready /);
    expect(await kubectl(['apply', '-f', '-'], web)).toMatchObject({ exitCode: 0 });
    const published = await publishedAddress('demo');
    const answer = await until('the Service to answer', async () => answerAt(`${published}:30080`));
    expect(answer).toMatch(/^web-/);
  });

  test('has the CPU and memory capacity of its manifest', async () => {
    const output = 'jsonpath={.status.capacity.cpu} {.status.capacity.memory}';
    const { stdout } = await kubectl(['get', 'node', 'demo-main-1', '-o', output]);
    // 4Gi, and 2 CPUs unless this host has fewer.
    expect(stdout).toBe(`${Math.min(2, availableParallelism())} 4Gi`);
  });

  test('resolves Service names in pods, and has no access to outside networks', async () => {
    const pod = (await kubectl(['get', 'pods', '-l', 'app=web', '-o', 'name'])).stdout.split('\n')[0] ?? '';
    const inPod = (...args: string[]) => kubectl(['exec', pod, '--', '/nettest', 'check', '--timeout', '2s', ...args]);
    // CoreDNS may still be starting.
    const answer = await until('names to be answered', async () => {
      return (await inPod('http', 'http://web.default.svc.cluster.local/')).stdout;
    });
    expect(answer).toMatch(/^web-/);
    expect((await inPod('http', 'http://example.com/')).exitCode).toBe(1);
    expect((await inPod('tcp', '1.1.1.1:443')).exitCode).toBe(1);
  });

  test('runs privileged pods in exempt namespaces, with the file limits of its node', async () => {
    const pod = `{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "tool" }, "spec": { "containers": [{ "name": "x", "image": "${image}", "securityContext": { "privileged": true } }] } }`;
    expect(await kubectl(['--namespace', 'kube-system', 'apply', '-f', '-'], pod)).toMatchObject({ exitCode: 0 });
    const wait = ['wait', 'pod/tool', '--for=condition=Ready', '--timeout=30s', '--request-timeout=40s'];
    expect(await kubectl(['--namespace', 'kube-system', ...wait])).toMatchObject({ exitCode: 0 });
    const { stdout } = await inside('demo-main-1', 'systemctl show --property=DefaultLimitNOFILE --value');
    expect(stdout).toBe('524288\n');
  });

  test('status reports problems, and stops when they are fixed', async () => {
    // Another problem may be present for a moment.
    const told = async (what: string) => {
      let status = '';
      const isTold = async () => {
        status = (await ctl(['status', 'demo'])).stdout;
        return status.includes(what);
      };
      await until(`${what} in the status`, isTold).catch((error: Error) => expect.fail(`${error.message}\n${status}`));
    };
    const nothing = () => told('No problems found.');
    await nothing();

    // Pods: a pod with a missing image is reported until it is deleted.
    await kubectl(['run', 'wrong', `--image=${image}-not`]);
    await told('Pod/default/wrong');
    await kubectl(['delete', 'pod', 'wrong']);
    await nothing();

    // Events of deleted pods do not count, not even many of them.
    const gone = (n: number) => {
      const involvedObject = { kind: 'Pod', namespace: 'default', name: `gone-${n}` };
      const metadata = { namespace: 'default', name: `gone-${n}` };
      const said = { type: 'Warning', reason: 'BackOff', message: 'x', lastTimestamp: new Date().toISOString() };
      return { apiVersion: 'v1', kind: 'Event', metadata, involvedObject, ...said };
    };
    const list = { apiVersion: 'v1', kind: 'List', items: Array.from({ length: 60 }, (_, n) => gone(n)) };
    expect(await kubectl(['create', '-f', '-'], JSON.stringify(list))).toMatchObject({ exitCode: 0 });
    await nothing();

    // Other objects: a ReplicaSet whose pods are forbidden is reported until they are allowed.
    await kubectl(['create', 'namespace', 'strict']);
    await kubectl(['create', 'deployment', 'web', '--namespace=strict', `--image=${image}`, '--replicas=0']);
    const hostNetwork = '[{ "op": "add", "path": "/spec/template/spec/hostNetwork", "value": true }]';
    await kubectl(['patch', 'deployment', 'web', '--namespace=strict', '--type=json', '--patch', hostNetwork]);
    await kubectl(['scale', 'deployment', 'web', '--namespace=strict', '--replicas=1']);
    await told('ReplicaSet/strict/web-');
    await kubectl(['label', 'namespace', 'strict', 'pod-security.kubernetes.io/enforce=privileged']);
    await nothing();
    await kubectl(['delete', 'namespace', 'strict']);
  });

  test('is hardened by default', async () => {
    const api = (await done('kubeconfig', 'demo', '-o', 'json')).stdout.match(/https:\/\/[\d.:]+/)?.[0] ?? '';
    const anonymous = await execute('curl', ['-sk', '-o', '/dev/null', '-w', '%{http_code}', `${api}/version`]);
    expect(anonymous.stdout).toBe('401');
    const kubelet = await inside('demo-main-1', 'curl -sk -o /dev/null -w %{http_code} https://127.0.0.1:10250/pods');
    expect(kubelet.stdout).toBe('401');
    const privileged = await kubectl(
      ['apply', '-f', '-'],
      `{ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "root" }, "spec": { "containers": [{ "name": "x", "image": "${image}", "securityContext": { "privileged": true } }] } }`,
    );
    expect(privileged.stderr).toContain('violates PodSecurity "baseline');
    await kubectl(['create', 'secret', 'generic', 'hidden', '--from-literal=word=swordfish']);
    const raw = await inside(
      'demo-main-1',
      'cd /etc/nova/pki && /opt/nova/etcd/*/bin/etcdctl --endpoints https://127.0.0.1:2379 --cacert etcd-ca.crt --cert kube-apiserver-etcd-client.crt --key kube-apiserver-etcd-client.key get /registry/secrets/default/hidden',
    );
    expect(raw.stdout).toContain('k8s:enc:secretbox:v1:key1:');
    expect(raw.stdout).not.toContain('swordfish');
    await kubectl(['exec', 'deploy/web', '--', '/nettest', 'check', 'http', 'http://127.0.0.1:8080/']);
    const lines = async (text: string) =>
      Number((await inside('demo-main-1', `grep -c '${text}' /var/log/kubernetes/audit.log`)).stdout);
    expect(await lines('"subresource":"exec"')).toBeGreaterThan(0);
    expect(await lines('swordfish')).toBe(0);
  });

  test('confines pods with seccomp, and runs images by digest', async () => {
    const filter = await inside('demo-main-1', 'grep -h ^Seccomp: /proc/$(pgrep -o -x nettest)/status');
    expect(filter.stdout).toMatch(/^Seccomp:\s2$/m);
    const images = await inside('demo-main-1', 'ctr --namespace k8s.io images list --quiet');
    for (const name of ['pause', 'coredns'])
      expect(images.stdout).toMatch(new RegExp(`^hub.universe.nova.internal:5000/nova/${name}@sha256:`, 'm'));
  });

  test('denies operators external IPs and access to platform namespaces', async () => {
    const operator = ['--as=oleg', '--as-group=nova:operators', '--as-group=system:authenticated'];
    const captured =
      '{ "apiVersion": "v1", "kind": "Service", "metadata": { "name": "captured" }, "spec": { "externalIPs": ["10.20.0.10"], "ports": [{ "port": 80 }] } }';
    expect((await kubectl([...operator, 'apply', '-f', '-'], captured)).stderr).toContain('only administrators');
    const token = await kubectl([...operator, '--namespace', 'kube-system', 'create', 'token', 'coredns']);
    expect(token.stderr).toContain('only administrators');
    const check = ['/nettest', 'check', 'http', 'http://127.0.0.1:8080/'];
    expect(await kubectl([...operator, 'exec', 'deploy/web', '--', ...check])).toMatchObject({ exitCode: 0 });
  });

  test('has our CRDs, and rejects invalid documents', async () => {
    expect((await kubectl(['explain', 'infrastructure.spec.nodeGroups'])).stdout).toContain(
      'Groups of identical nodes.',
    );
    const bad = clusterManifest('demo', '10.20.0.0/24').replace('type: local', 'type: lokal');
    expect((await kubectl(['apply', '--dry-run=server', '-f', '-'], bad)).stderr).toContain(
      'Unsupported value: "lokal"',
    );
  });

  test('the first agent run after the boot of a control plane changes nothing', async () => {
    await done('node', 'run', 'demo-main-1');
    const [last, boot] = JSON.parse(
      (await done('node', 'reports', 'demo-main-1', '-o', 'json')).stdout,
    ) as StoredReport[];
    expect(last).toMatchObject({ status: 'unchanged', resources: { changed: 0, failed: 0 }, changes: [] });
    expect(boot).toMatchObject({ status: 'changed', agentVersion: 'boot' });
  });

  test('apply without changes does nothing', async () => {
    const { stdout } = await done('apply', '-f', demo, '--yes');
    expect(stdout).toContain('has no changes');
  });
});

describe('a second cluster', () => {
  const file = manifest('other', clusterManifest('other', '10.45.0.0/24'));

  test('is created even when every component is killed on the way', async () => {
    const applying = ctl(['apply', '-f', file, '--yes']);
    const worker = 'other-work-1';
    // The first boot comes first: it lasts only about two seconds.
    const blows = {
      'the first boot': () => victims.agent(worker),
      Universe: victims.universe,
      'the machine': () => victims.machine(worker),
      'the engine': victims.engine,
      'Universe again': victims.universe,
    };
    for (const [victim, strike] of Object.entries(blows)) {
      await until(victim, async () => strike(), 20);
      await sleep(1500);
    }
    expect(await applying).toMatchObject({ exitCode: 0 });
    const kubectl = await kubectlOf('other');
    expect((await kubectl(['get', 'nodes', '--no-headers'])).stdout.match(/ Ready /g)).toHaveLength(2);
    expect((await engineClient.machines()).filter(({ network }) => network === 'other')).toHaveLength(2);
  });

  test('is isolated from the first cluster in both directions, also for pods', async () => {
    const kubectl = await kubectlOf('other');
    await kubectl(['apply', '-f', '-'], web);
    await until('its pods', async () => {
      const { stdout } = await kubectl(['get', 'deployment', 'web', '-o', 'jsonpath={.status.readyReplicas}']);
      return stdout === '2';
    });
    const reach = (machine: string, address: string) =>
      inside(machine, `curl -sk -o /dev/null --max-time 2 https://${address}/; echo $?`);
    // A timeout, not a refused connection.
    expect((await reach('demo-main-1', '10.45.0.10:6443')).stdout.trim()).toBe('28');
    expect((await reach('other-work-1', '10.20.0.10:6443')).stdout.trim()).toBe('28');
    const pod = (await kubectl(['get', 'pods', '-l', 'app=web', '-o', 'name'])).stdout.split('\n')[0] ?? '';
    for (const address of ['10.20.0.10:6443', '1.1.1.1:443']) {
      const tried = await kubectl(['exec', pod, '--', '/nettest', 'check', '--timeout', '2s', 'tcp', address]);
      expect(tried.exitCode, address).toBe(1);
    }
  });

  test('reaches published nodes of the first cluster only on published ports, like the host', async () => {
    const ports = [22, 80, 443, 2379, 2380, 6443, 10250, 30080];
    const reachable = async (machine: string | undefined, address: string) => {
      // 28 is a timeout; a refusal comes from the node itself.
      const probe = (port: number) =>
        `(curl -s -o /dev/null --max-time 3 http://${address}:${port}/; [ $? = 28 ] || echo ${port}) &`;
      const script = `${ports.map(probe).join('\n')}\nwait`;
      const { stdout } = await (machine ? inside(machine, script) : execute('bash', ['-c', script]));
      return stdout
        .split('\n')
        .filter(Boolean)
        .map(Number)
        .toSorted((one, other) => one - other);
    };
    const [first, second] = [await publishedAddress('demo'), await publishedAddress('other')];
    for (const machine of [undefined, 'other-work-1'])
      expect(await reachable(machine, first)).toEqual([80, 443, 30080]);
    // Its manifest does not publish NodePorts.
    for (const machine of [undefined, 'demo-main-1']) expect(await reachable(machine, second)).toEqual([80, 443]);
    const api = (await done('kubeconfig', 'demo', '-o', 'json')).stdout.match(/https:\/\/([\d.]+):/)?.[1] ?? '';
    for (const machine of [undefined, 'other-work-1']) expect(await reachable(machine, api)).toEqual([6443]);
  });

  test.each([
    ['more memory, while it runs', '3Gi', 'resized without a restart'],
    ['less memory, with a restart', '2Gi', 'resized with a restart'],
  ] as const)('apply resizes a worker: %s', { timeout: 300_000 }, async (_what, memory, words) => {
    const text = readFileSync(file, 'utf8').replace(/(name: work.*memory: )\w+/, `$1${memory}`);
    const resized = manifest('resized', text);
    expect((await done('apply', '-f', resized)).stdout).toContain(`other-work-1: ${words}`);
    await done('apply', '-f', resized, '--yes');
    const capacity = async () =>
      (await (await kubectlOf('other'))(['get', 'node', 'other-work-1', '-o', 'jsonpath={.status.capacity.memory}']))
        .stdout;
    await until('its capacity', async () => (await capacity()) === memory);
    expect((await ctl(['apply', '-f', resized, '--yes'])).stdout).toContain('has no changes');
  });

  test.each([
    ['stopped', 'stop', 'stopped; will be started'],
    ['missing', 'delete', 'container, 2 CPU, 2 GiB memory'],
  ] as const)('apply recovers a machine that is %s', async (_state, command, words) => {
    const isReady = async () =>
      (await (await kubectlOf('other'))(['get', 'nodes', '--no-headers'])).stdout.match(/ Ready /g)?.length === 2;
    expect((await ctl(['apply', '-f', file, '--yes'])).stdout).toContain('has no changes');
    await done('machine', command, 'other-work-1');
    expect((await done('apply', '-f', file)).stdout).toContain(`other-work-1: ${words}`);
    await done('apply', '-f', file, '--yes');
    expect((await engineClient.machines()).find(({ name }) => name === 'other-work-1')?.state).toBe('running');
    await until('its node to be ready', isReady);
  });

  test('destroy leaves nothing behind, even when Universe is killed meanwhile', async () => {
    const destroying = spawn(join(root, 'nova-ctl'), ['destroy', 'other', '--yes'], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => destroying.once('exit', resolve));
    await until('its operation', async () => (await operations('other'))[0]?.startsWith('cluster.destroy'));
    await until('a process to kill', async () => victims.universe());
    expect(await ended).toBe(0);
    expect((await engineClient.machines()).filter(({ network }) => network === 'other')).toEqual([]);
    expect((await engineClient.networks()).map(({ name }) => name)).not.toContain('other');
    await until('Universe to be back', async () => (await ctl(['status'])).exitCode === 0);
    expect(await operations('other')).toEqual([
      'cluster.destroy done',
      'cluster.change done',
      'cluster.change done',
      'cluster.change done',
      'cluster.change done',
      'cluster.create done',
    ]);
    expect((await ctl(['kubeconfig', 'other'])).stderr).toContain('NOVA8321');
  });
});
