import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { application, DeliveryPlatform } from './delivery.ts';
import type { Kubectl } from './kubectl.ts';
import { execute } from './nova-ctl.ts';
import { until } from './platform.ts';

const platform = new DeliveryPlatform();
const host = 'page.demo.nova.local';
let kubectl: Kubectl;
let published: string;

beforeAll(async () => {
  await platform.done('up');
  await platform.done('component', 'build', 'nettest');
  await platform.done('registry', 'import', 'nettest');
  kubectl = await platform.kubectl('demo');
  published = await platform.published('demo', 'demo-main-1');
}, 900_000);
afterAll(async () => {
  await platform.ctl(['down', '--purge', '--yes']);
  platform.folder.remove();
});

/** All created objects, except those derived from others. */
async function inventory(): Promise<string[]> {
  const { stdout } = await kubectl(['api-resources', '--verbs=list', '-o', 'name']);
  // Exclude short-lived objects, and addresses, which are assigned anew.
  const kinds = stdout
    .split('\n')
    .filter((kind) => kind !== '' && !/^events|^leases|^ipaddresses|metrics\.k8s/.test(kind));
  const each = '{{.kind}}/{{.metadata.namespace}}/{{.metadata.name}}{{"\\n"}}';
  const template = `go-template={{range .items}}{{if not .metadata.ownerReferences}}${each}{{end}}{{end}}`;
  const found = await kubectl(['get', kinds.join(','), '-A', '-o', template]);
  expect(found).toMatchObject({ exitCode: 0 });
  return found.stdout.trim().split('\n').toSorted();
}

test('all base modules become ready from nothing', async () => {
  expect((await platform.modules('demo')).toSorted()).toEqual([
    'ingress ready',
    'local-path ready',
    'metrics-server ready',
    'nova-dns ready',
  ]);
  const running = await kubectl(['-n', 'nova-gitops', 'get', 'kustomizations,gitrepositories', '--no-headers']);
  expect(running.stdout.match(/ True /g)).toHaveLength(5);
});

test('a page behind the ingress responds on its name, with a certificate of our CA', async () => {
  expect(await kubectl(['apply', '-f', '-'], application(host))).toMatchObject({ exitCode: 0 });
  const ask = [
    '-s',
    '--max-time',
    '5',
    '--cacert',
    await platform.authority(),
    '--resolve',
    `${host}:443:${published}`,
  ];
  const answer = await until('the page', async () =>
    (await execute('curl', [...ask, `https://${host}/`])).stdout.startsWith('page-'),
  );
  expect(answer).toBe(true);
  const line = `\n  ${published} ${host}\n`;
  await until('its name in the status', async () => (await platform.ctl(['status', 'demo'])).stdout.includes(line));
  // Its volume was created on the node.
  expect((await kubectl(['get', 'pvc', 'page', '-o', 'jsonpath={.status.phase}'])).stdout).toBe('Bound');
  expect(
    (await execute('curl', ['-s', '--max-time', '5', '--resolve', `${host}:443:${published}`, `https://${host}/`]))
      .exitCode,
  ).toBe(60);
});

test('names under the base domain resolve in pods, on nodes and outside', async () => {
  const outside = new Resolver();
  outside.setServers([published]);
  expect(await outside.resolve4('anything.demo.nova.local')).toEqual([published]);
  // Nova DNS forwards queries only for the cluster.
  await expect(outside.resolve4('www.example.com')).rejects.toMatchObject({ code: 'EREFUSED' });
  expect(
    (await platform.inside('demo-main-1', `dig +short ${host}; dig +short +tcp ${host} @10.233.63.254`)).stdout.split(
      '\n',
    ),
  ).toEqual(['demo.nova.local.', published, 'demo.nova.local.', published, '']);
  const inPod = await kubectl([
    'exec',
    'deploy/page',
    '--',
    '/nettest',
    'check',
    'tcp',
    `${host}:443`,
    '--timeout',
    '5s',
  ]);
  expect(inPod.stderr).not.toContain('lookup');
});

test('metrics of nodes and pods are available', async () => {
  await until('metrics', async () =>
    (await kubectl(['top', 'nodes', '--no-headers'])).stdout.startsWith('demo-main-1'),
  );
});

test('a deleted object is restored, and module list shows the repair', async () => {
  await kubectl(['-n', 'kube-system', 'delete', 'deployment', 'metrics-server']);
  const now = `reconcile.fluxcd.io/requestedAt=${Date.now()}`;
  await kubectl(['-n', 'nova-gitops', 'annotate', '--overwrite', 'kustomization', 'metrics-server', now]);
  await until('the Deployment', async () => {
    const { stdout } = await kubectl([
      '-n',
      'kube-system',
      'get',
      'deployment',
      'metrics-server',
      '-o',
      'jsonpath={.status.readyReplicas}',
    ]);
    return stdout === '1';
  });
  await until('what was repaired', async () =>
    (await platform.done('module', 'list', 'demo')).includes('Deployment/kube-system/metrics-server'),
  );
});

test('disabling a module removes exactly its own objects; enabling it restores them', async () => {
  const before = await inventory();
  const shown = await platform.ctl(['module', 'disable', 'demo', 'metrics-server']);
  expect(shown.stdout).toContain('metrics-server: all objects of the module are deleted');
  expect(await inventory()).toEqual(before);
  await platform.done('module', 'disable', 'demo', 'metrics-server', '--yes');
  const after = await inventory();
  expect(after.filter((each) => !before.includes(each))).toEqual([]);
  const gone = before.filter((each) => !after.includes(each));
  expect(gone.length).toBeGreaterThan(6);
  expect(gone.filter((each) => !each.includes('metrics'))).toEqual([]);
  expect(after.filter((each) => each.includes('metrics-server'))).toEqual([]);
  const label = ['-A', '-l', 'nova-platform.io/module=metrics-server'];
  await until('its pods to go', async () => (await kubectl(['get', 'pods', ...label, '-o', 'name'])).stdout === '');
  expect(await platform.modules('demo')).toContain('metrics-server off');
  const refused = await platform.ctl(['module', 'disable', 'demo', 'ingress', '--yes']);
  expect(refused.stderr).toContain('NOVA3009');

  const again = await platform.ctl(['module', 'enable', 'demo', 'metrics-server']);
  expect(again.stdout).toContain('+ metrics-server: module');
  await platform.done('module', 'enable', 'demo', 'metrics-server', '--yes');
  expect(await platform.modules('demo')).toContain('metrics-server ready');
  expect(await inventory()).toEqual(before);
});
