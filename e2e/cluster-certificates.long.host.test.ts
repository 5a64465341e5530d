import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kubectl, kubectlWith } from './kubectl.ts';
import { temporaryFolder } from './nova-ctl.ts';
import { clusterManifest, numbered, platformOf, until } from './platform.ts';

const folder = temporaryFolder();
const { ctl, done, inside } = platformOf(folder.path);
const cluster = 'brief';
const minute = 60_000;
const lifetime = 4 * minute;
const image = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';

/** Three control planes, so that etcd members must also renew the trust between each other. */
const manifest = clusterManifest(cluster, '10.46.0.0/24', 3);

/** Survives the loss of a single node. Each start checks the image in the registry, with the node's identity. */
const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: '${image}', imagePullPolicy: Always }]
`;

const controlPlanes = numbered(`${cluster}-cp`, 3).map((machine, index) => ({
  machine,
  address: `10.46.0.${10 + index}`,
}));
const worker = { machine: `${cluster}-work-1`, address: '10.46.0.13' };
const nodes = [...controlPlanes, worker];
/** Every server certificate, and the machine to inspect it from; for Universe, a node. */
const servers = [
  ...controlPlanes.flatMap((node) => [6443, 2379, 2380].map((port) => ({ ...node, port }))),
  ...nodes.map((node) => ({ ...node, port: 10250 })),
  ...[443, 8140, 5000].map((port) => ({ ...worker, address: '10.255.0.10', port })),
];

let kubectl: Kubectl;

/** The output, or undefined on failure: API servers may be restarting. */
async function answer(...args: string[]): Promise<string | undefined> {
  const { exitCode, stdout } = await kubectl(args);
  return exitCode === 0 ? stdout.trim() : undefined;
}

const does = async (...args: string[]) => (await answer(...args)) !== undefined;

/** The expiry of the certificate that a server actually presents; waits while the server restarts. */
async function endOf({ machine, address, port }: (typeof servers)[number]): Promise<number> {
  const show = `openssl s_client -connect ${address}:${port} </dev/null 2>/dev/null | openssl x509 -noout -enddate || true`;
  let end = Number.NaN;
  await until(`a certificate at ${address}:${port}`, async () => {
    end = Date.parse((await inside(machine, show)).trim().replace('notAfter=', ''));
    return !Number.isNaN(end);
  });
  return end;
}

const endsOf = () => Promise.all(servers.map(endOf));

/** The latest expiry of all certificates on the nodes, including the nodes' own. */
async function lastEnd(): Promise<number> {
  const show =
    'for file in /etc/nova/pki/*.crt /var/lib/puppet/ssl/certs/$(hostname).pem; do case $file in *-ca.crt) ;; *) openssl x509 -in $file -noout -enddate ;; esac; done';
  const shown = await Promise.all(nodes.map(({ machine }) => inside(machine, show)));
  const ends = shown
    .flatMap((text) => text.trim().split('\n'))
    .map((line) => Date.parse(line.replace('notAfter=', '')));
  expect(ends.length).toBe(3 * 12 + 4);
  return Math.max(...ends);
}

interface Leases {
  items: { metadata: { name: string }; spec: { renewTime: string } }[];
}

/** All components with a client certificate renew their leases every few seconds. */
async function leasesAreRenewed(): Promise<boolean> {
  const spaces = ['kube-system', 'kube-node-lease'];
  const texts = await Promise.all(spaces.map((space) => answer('get', 'leases', '-n', space, '-o', 'json')));
  const leases = texts.flatMap((text) => (text === undefined ? [] : (JSON.parse(text) as Leases).items));
  const holders = ['kube-controller-manager', 'kube-scheduler', ...nodes.map(({ machine }) => machine)];
  const late = holders.filter((name) => {
    const { renewTime = '' } = leases.find(({ metadata }) => metadata.name === name)?.spec ?? {};
    return !(Date.now() - Date.parse(renewTime) < 20_000);
  });
  return late.length === 0;
}

/** The status is clean, new objects work, and all kept objects still exist. */
async function everythingWorks(run: string, kept: readonly string[]): Promise<void> {
  await until('all leases to be renewed', leasesAreRenewed);
  await podsWork(run);
  const names = await answer('get', 'configmaps', '-o', 'name');
  expect(names?.split('\n')).toEqual(expect.arrayContaining(kept.map((name) => `configmap/${name}`)));
  await until('good certificates', async () => (await endsOf()).every((end) => end > Date.now()));
  await until('nothing to be wrong', async () => (await ctl('status', cluster)).exitCode === 0);
}

/** Recreates a pod, reaches it through a new Service, and runs a command in it. */
async function podsWork(run: string): Promise<void> {
  const service = `{ "apiVersion": "v1", "kind": "Service", "metadata": { "name": "${run}" }, "spec": { "type": "NodePort", "selector": { "app": "web" }, "ports": [{ "port": 80, "targetPort": 8080 }] } }`;
  await until('a new Service', async () => (await kubectl(['apply', '-f', '-'], service)).exitCode === 0);
  const old = await answer('get', 'pods', '-l', 'app=web', '-o', 'name');
  await until('pods to go', () => does('delete', 'pods', '-l', 'app=web', '--wait=false'));
  await until('a new pod', async () => {
    const names = await answer(
      'get',
      'pods',
      '-l',
      'app=web',
      '-o',
      'name',
      '--field-selector',
      'status.phase=Running',
    );
    return names !== undefined && names !== '' && names !== old;
  });
  // For exec, the API server calls the kubelet.
  await until('a command in it', () =>
    does('exec', 'deploy/web', '--', '/nettest', 'check', 'http', 'http://127.0.0.1:8080/'),
  );
  await until('the Service to answer', async () => {
    const port = await answer('get', 'service', run, '-o', 'jsonpath={.spec.ports[0].nodePort}');
    const ask = `curl -s --max-time 2 http://${worker.address}:${port}/ || true`;
    return (await inside(`${cluster}-cp-1`, ask)).startsWith('web-');
  });
}

beforeAll(async () => {
  await done('up', '--no-cluster', '--certificate-lifetime', '4m');
  await done('component', 'build', 'kubernetes', 'etcd', 'pause', 'coredns', 'nettest');
  await done('image', 'build', 'kubernetes-node');
  await done('registry', 'import', 'pause', 'coredns', 'nettest');
  const file = join(folder.path, 'cluster.yaml');
  writeFileSync(file, manifest);
  await done('apply', '-f', file, '--yes');
  kubectl = await kubectlWith(folder.path, await done('kubeconfig', cluster, '--static'));
  expect(await kubectl(['apply', '-f', '-'], web)).toMatchObject({ exitCode: 0 });
});

afterAll(async () => {
  await ctl('down', '--purge', '--yes');
  folder.remove();
});

test('all certificates have the configured lifetime', async () => {
  // Some certificates may be renewed during the inspection.
  const ends = [...(await endsOf()), await lastEnd()];
  const longest = Date.now() + lifetime;
  for (const end of ends) expect(end).toBeLessThanOrEqual(longest);
});

const kept: string[] = [];

test(
  'the cluster keeps working past two expiries of all its certificates, without intervention',
  async () => {
    const over = Math.max(...(await endsOf())) + lifetime + 30_000;
    const ended: string[] = [];
    let lastWrite = Date.now();
    let longestGap = 0;
    for (let round = 0; Date.now() < over; round += 1) {
      const name = `kept-${kept.length}`;
      if (await does('create', 'configmap', name)) {
        kept.push(name);
        longestGap = Math.max(longestGap, Date.now() - lastWrite);
        lastWrite = Date.now();
      }
      const looking = Date.now();
      const ends = round % 10 === 0 ? await endsOf() : [];
      // Exclude the inspection, during which nothing is written.
      lastWrite += Date.now() - looking;
      ended.push(
        ...servers.filter((_, index) => (ends[index] ?? over) < Date.now()).map((each) => JSON.stringify(each)),
      );
      await sleep(1000);
    }
    expect(ended).toEqual([]);
    // API servers restart with their new certificates.
    expect(longestGap).toBeLessThan(30_000);
    await everythingWorks('after-two', kept);
  },
  5 * lifetime,
);

test(
  'the cluster recovers after it was off past the expiry of all certificates, including the nodes’ own',
  async () => {
    const end = await lastEnd();
    await done('stop', cluster);
    await sleep(end - Date.now() + 5000);
    // A stopped cluster is not an error.
    expect(await done('status')).not.toContain('overdue renewal');
    await done('start', cluster);
    await everythingWorks('after-off', kept);
  },
  5 * lifetime,
);

test(
  'the cluster recovers after Universe was down past the expiry of all certificates',
  async () => {
    await inside('universe', 'systemctl stop nova-universe');
    await sleep((await lastEnd()) - Date.now() + 5000);
    await inside('universe', 'systemctl start nova-universe');
    await until('the API', () => does('get', 'nodes'));
    await everythingWorks('after-universe', kept);
  },
  5 * lifetime,
);
