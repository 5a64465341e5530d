import type { ChildProcess } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importLayout, RegistryWriter } from '@nova-platform/contracts/registry/client';
import { attempt, escapes } from '@nova-platform/delivery/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { imagesOf } from '../packages/cli/src/services.ts';
import { companyAddress, companyBase, companyDns, companyGit, companyPorts, writeArtifact } from './company.ts';
import { application, DeliveryPlatform, nettest } from './delivery.ts';
import { type Kubectl, kubectlWith } from './kubectl.ts';
import { execute, root } from './nova-ctl.ts';
import { until } from './platform.ts';

const platform = new DeliveryPlatform();
const single = readFileSync(join(root, 'examples', 'single.yaml'), 'utf8');

/** Separate infra and ingress nodes; the company's servers serve the base domain. */
const shop = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local, machineKind: container }
  nodeGroups:
    - { name: cp, roles: [control-plane, infra], cpu: 2, memory: 3Gi }
    - { name: edge, roles: [ingress, worker], cpu: 2, memory: 2Gi }
  clusterConfiguration:
    dnsBaseDomain: shop.mycompany.local
    nodeNetwork: 10.45.0.0/24
    extraOptions:
      dns:
        customerDns:
          enable: true
          forwardZones:
            - { name: shop.mycompany.local, server: ${companyAddress} }
            - { name: acme.corp, server: ${companyAddress} }
          servers: [${companyAddress}]
`;

let published: string;
let dns: ChildProcess | undefined;

beforeAll(async () => {
  await platform.done('up');
  await platform.done('component', 'build', 'nettest');
  await platform.done('registry', 'import', 'nettest');
  published = await platform.published('demo', 'demo-main-1');
  for (const port of companyPorts) await platform.done('host', 'open', port);
}, 900_000);
afterAll(async () => {
  dns?.kill();
  await platform.ctl(['down', '--purge', '--yes']);
  platform.folder.remove();
});

/** Queries DNS in the network namespace of a pod. */
const inPod = async (machine: string, question: string) =>
  (
    await platform.inside(machine, `nsenter -t "$(pgrep -o -x nettest)" -n dig +time=2 +tries=2 ${question}`)
  ).stdout.trim();
const onNode = async (machine: string, question: string) =>
  (await platform.inside(machine, `dig +time=2 +tries=2 ${question}`)).stdout.trim();
const outside = async (server: string, name: string): Promise<string[]> => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([server]);
  return resolver.resolve4(name).catch(({ code }: { code: string }) => [code]);
};

const deploy = async (kubectl: Kubectl, host: string) => {
  expect(await kubectl(['apply', '-f', '-'], application(host))).toMatchObject({ exitCode: 0 });
  await until('the page', async () => {
    const { stdout } = await kubectl(['get', 'deployment', 'page', '-o', 'jsonpath={.status.readyReplicas}']);
    return stdout === '1';
  });
};

describe('DNS in internal and hybrid mode', () => {
  const name = 'anything.demo.nova.local';
  const answer = (address: string) => `demo.nova.local.\n${address}`;

  beforeAll(async () => deploy(await platform.kubectl('demo'), 'page.demo.nova.local'));

  test('resolves names in pods and on nodes, over UDP and TCP, with and without EDNS', async () => {
    for (const options of ['', '+tcp', '+edns=0 +bufsize=1232', '+noedns']) {
      expect(await inPod('demo-main-1', `+short ${options} ${name} @10.233.0.10`), options).toBe(answer(published));
      expect(await inPod('demo-main-1', `+short ${options} ${name} @10.233.63.254`), options).toBe(answer(published));
      expect(await onNode('demo-main-1', `+short ${options} ${name}`), options).toBe(answer(published));
      expect(await onNode('demo-main-1', `+short ${options} ${name} @${published}`), options).toBe(answer(published));
    }
    expect(await inPod('demo-main-1', '+short demo.nova.local @10.233.0.10')).toBe(published);
  });

  test('resolves names outside at the infra nodes, also for a company server that forwards', async () => {
    expect(await outside(published, name)).toEqual([published]);
    dns = await companyDns(
      platform.folder.path,
      `demo.nova.local:53 {
    bind ${companyAddress}
    forward . ${published}
}
demo.nova.local:5353 {
    bind ${companyAddress}
    forward . ${published} {
        force_tcp
    }
}
.:53 {
    bind ${companyAddress}
    hosts /dev/null {
        192.168.7.7 git.mycompany.local
        192.168.7.8 www.acme.corp
        reload 0
    }
}
`,
    );
    await until('the company’s server', async () => (await outside(companyAddress, name))[0] === published);
    expect(await outside(`${companyAddress}:5353`, name)).toEqual([published]);
    expect(await outside(companyAddress, 'git.mycompany.local')).toEqual(['192.168.7.7']);
  });

  test('returns NXDOMAIN for unknown names', async () => {
    for (const unknown of ['nothing.example.com', 'nothing.nova.internal', 'nothing.default.svc.cluster.local'])
      expect(await inPod('demo-main-1', `${unknown} @10.233.0.10`), unknown).toContain('status: NXDOMAIN');
    for (const type of ['AAAA', 'TXT'])
      expect(await inPod('demo-main-1', `+short ${type} demo.nova.local @10.233.0.10`), type).toBe('');
  });

  test('refuses outside queries for other names: Nova DNS forwards queries only for the cluster', async () => {
    for (const other of ['kubernetes.default.svc.cluster.local', 'www.example.com'])
      expect(await outside(published, other), other).toEqual(['EREFUSED']);
    const asked = '+tcp universe.nova.internal';
    expect(await onNode('demo-main-1', `${asked} @${published}`)).toContain('status: REFUSED');
    expect(await inPod('demo-main-1', `+short ${asked} @10.233.63.254`)).toBe('10.255.0.10');
  });

  test('cannot change to external mode after installation', async () => {
    const document = parse(single) as { spec: { clusterConfiguration: Record<string, unknown> } };
    document.spec.clusterConfiguration.extraOptions = {
      dns: { customerDns: { enable: true, forwardZones: [{ name: 'demo.nova.local', server: companyAddress }] } },
    };
    const refused = await platform.ctl(['apply', '-f', platform.file('external.yaml', stringify(document)), '--yes']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('NOVA4002') as string });
  });

  test('status shows the names as lines for a hosts file', async () => {
    const line = `${published} page.demo.nova.local`;
    await until('its name in the status', async () => (await platform.ctl(['status', 'demo'])).stdout.includes(line));
  });
});

describe('another release', () => {
  const limit = async () =>
    (
      await (
        await platform.kubectl('demo')
      )([
        '-n',
        'nova-storage',
        'get',
        'deployment',
        'local-path-provisioner',
        '-o',
        'jsonpath={..limits.memory} {.status.readyReplicas}',
      ])
    ).stdout;

  test('rolls modules forward and back with only a change of the manifest', async () => {
    const source = join(platform.folder.path, 'release');
    cpSync(join(root, 'release'), source, { recursive: true });
    const file = join(source, 'modules/local-path/provisioner.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('memory: 128Mi', 'memory: 192Mi'));
    await platform.done('release', 'import', '--version', '0.1.1', '--from', source);
    const { releases } = await platform.json<{ releases: string[] }>('release', 'list');
    expect(releases).toEqual(['0.1.0', '0.1.1']);
    expect(await limit()).toBe('128Mi 1');
    for (const [release, memory] of [
      ['0.1.1', '192Mi'],
      ['0.1.0', '128Mi'],
    ] as const) {
      const manifest = platform.file(
        `${release}.yaml`,
        single.replace('clusterConfiguration:', `clusterConfiguration:\n    release: ${release}`),
      );
      expect((await platform.ctl(['apply', '-f', manifest])).stdout).toContain(`→ ${release}`);
      await platform.done('apply', '-f', manifest, '--yes');
      expect(await limit()).toBe(`${memory} 1`);
      expect((await platform.modules('demo')).filter((each) => !each.endsWith(' ready'))).toEqual([]);
    }
  });

  test('is immutable: other content under the same version is refused', async () => {
    const source = join(platform.folder.path, 'release');
    const file = join(source, 'modules/local-path/provisioner.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('memory: 192Mi', 'memory: 100Mi'));
    const refused = await platform.ctl(['release', 'import', '--version', '0.1.1', '--from', source]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('NOVA8405') as string });
  });
});

describe('an administrator and a team', () => {
  const team = 'team-a';
  const tried = escapes({ team, other: 'team-b', base: companyBase, domain: 'demo.nova.local' });
  const chart = {
    'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
    'app/templates/note.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: charted }\ndata: { word: "{{ .Values.word }}" }\n',
  };
  const host = `shop--${team}.demo.nova.local`;
  const shopFront = [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop' },
      spec: { selector: { app: 'from-git' }, ports: [{ port: 80, targetPort: 8080 }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'shop' },
      spec: {
        rules: [
          {
            host,
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'shop', port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
  ];
  const deployment = (name: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name, image: nettest }] },
      },
    },
  });
  let administrator: Kubectl;
  let asTeam: Kubectl;
  let git: Awaited<ReturnType<typeof companyGit>>;

  beforeAll(async () => {
    administrator = await platform.kubectl('demo');
    for (const name of [team, 'team-b']) await platform.done('tenant', 'create', 'demo', name, '--yes');
    await administrator(['-n', 'team-b', 'create', 'secret', 'generic', 'hidden', '--from-literal=word=swordfish']);

    // The team logs in with the token from its administrator.
    const { stdout: token } = await administrator(['-n', team, 'create', 'token', team]);
    const config = parse(await platform.done('kubeconfig', 'demo', '--static')) as {
      users: { user: object }[];
      contexts: { context: Record<string, string> }[];
    };
    const [user] = config.users;
    if (user) user.user = { token: token.trim() };
    for (const { context } of config.contexts) context.namespace = team;
    asTeam = await kubectlWith(platform.folder.path, stringify(config));

    const files = Object.assign({}, ...tried.map((each) => each.files)) as Record<string, string>;
    git = await companyGit(platform.folder.path, {
      ...files,
      'app/app.yaml': [deployment('from-git'), ...shopFront].map((each) => JSON.stringify(each)).join('\n---\n'),
    });
    const source = {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: 'apps' },
      spec: { interval: '10m', url: git.url, ref: { branch: 'main' } },
    };
    expect(await asTeam(['apply', '-f', '-'], JSON.stringify(source))).toMatchObject({ exitCode: 0 });
    expect(await verdict('gitrepository', 'apps')).toMatchObject({ status: 'True' });
  });
  afterAll(() => git.server.close());

  /** Flux's verdict on an object, as soon as it exists. */
  async function verdict(kind: string, name: string): Promise<{ status: string; message: string }> {
    return until(`${kind} ${name}`, async () => {
      const { stdout } = await asTeam(['get', kind, name, '-o', 'json']);
      const { status } = JSON.parse(stdout || '{}') as {
        status?: { conditions?: { type: string; status: string; message: string }[] };
      };
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      return ready && ready.status !== 'Unknown' && !/is not ready|artifact not found/.test(ready.message) && ready;
    });
  }

  test.for(tried.map((each, index) => ({ ...each, name: `try-${index}` })))(
    'a team is refused: $what',
    async ({ name, refusal, ...way }) => {
      await asTeam(['apply', '-f', '-'], attempt(team, name, { refusal, ...way }));
      const { status, message } = await verdict('kustomization', name);
      expect(status).toBe('False');
      expect(message).toMatch(refusal);
      expect(message).not.toContain('swordfish');
    },
  );

  test('a team is refused access to objects of others without Flux', async () => {
    for (const args of [
      ['-n', 'team-b', 'get', 'secrets'],
      ['-n', 'nova-gitops', 'get', 'secrets'],
      ['create', 'clusterrolebinding', 'all', '--clusterrole=cluster-admin', `--serviceaccount=${team}:${team}`],
      ['annotate', 'namespace', team, 'nova-platform.io/hosts=nova-console.demo.nova.local'],
    ])
      expect((await asTeam(args)).stderr, args.join(' ')).toContain('forbidden');
  });

  test('Flux fetches no remote base', () => {
    expect(git.asked).toContain('/apps.git/info/refs?service=git-upload-pack');
    expect(git.asked.filter((path) => path.includes('base'))).toEqual([]);
  });

  test('a team can deploy from a git repository, an OCI repository and a chart', async () => {
    const { stdin, stdout, stderr } = process;
    const env = { ...process.env, ...platform.env };
    const io = { stdin, stdout, stderr, env, cwd: root, untilStopped: () => Promise.resolve() };
    const writer = new RegistryWriter(await imagesOf(io));
    const layouts = [
      writeArtifact(platform.folder.path, {
        name: 'app',
        tag: '1.0.0',
        files: { 'app.yaml': JSON.stringify(deployment('from-oci')) },
        configType: 'application/vnd.cncf.flux.config.v1+json',
        layerType: 'application/vnd.cncf.flux.content.v1.tar+gzip',
      }),
      writeArtifact(platform.folder.path, {
        name: 'chart',
        tag: '1.0.0',
        files: chart,
        configType: 'application/vnd.cncf.helm.config.v1+json',
        layerType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
      }),
    ];
    for (const layout of layouts) await importLayout(layout, team, writer);

    const { token } = await platform.json<{ token: string }>(
      'token',
      'create',
      '--role',
      'viewer',
      '--ttl',
      '1d',
      '--name',
      team,
    );
    const server = 'universe.nova.internal';
    const login = JSON.stringify({ auths: { [server]: { username: 'x', password: token } } });
    await asTeam([
      'create',
      'secret',
      'generic',
      'registry',
      '--type=kubernetes.io/dockerconfigjson',
      `--from-literal=.dockerconfigjson=${login}`,
    ]);
    await asTeam(['create', 'secret', 'generic', 'authority', `--from-file=ca.crt=${await platform.authority()}`]);
    const oci = (name: string, more: object = {}) => ({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'OCIRepository',
      metadata: { name },
      spec: {
        interval: '10m',
        url: `oci://${server}/${team}/${name}`,
        ref: { tag: '1.0.0' },
        secretRef: { name: 'registry' },
        certSecretRef: { name: 'authority' },
        ...more,
      },
    });
    const kustomization = (name: string, kind: string, source: string, path: string) => ({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name },
      spec: {
        interval: '10m',
        prune: true,
        wait: true,
        path,
        sourceRef: {
          kind,
          name: source,
        },
        serviceAccountName: team,
        targetNamespace: team,
      },
    });
    const objects = [
      kustomization('from-git', 'GitRepository', 'apps', './app'),
      oci('app'),
      kustomization('from-oci', 'OCIRepository', 'app', './'),
      oci('chart', {
        layerSelector: { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', operation: 'copy' },
      }),
      {
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata: { name: 'charted' },
        spec: {
          interval: '10m',
          serviceAccountName: team,
          chartRef: {
            kind: 'OCIRepository',
            name: 'chart',
          },
          values: { word: 'helm' },
        },
      },
    ];
    for (const object of objects)
      expect(await asTeam(['apply', '-f', '-'], JSON.stringify(object))).toMatchObject({ exitCode: 0 });
    for (const name of ['from-git', 'from-oci'])
      expect(await verdict('kustomization', name)).toMatchObject({ status: 'True' });
    expect(await verdict('helmrelease', 'charted')).toMatchObject({
      status: 'True',
      message: expect.any(String) as string,
    });
    expect((await asTeam(['get', 'deployments', '-o', 'jsonpath={.items[*].status.readyReplicas}'])).stdout).toBe(
      '1 1',
    );
    expect((await asTeam(['get', 'configmap', 'charted', '-o', 'jsonpath={.data.word}'])).stdout).toBe('helm');
    const ask = [
      '-s',
      '--max-time',
      '5',
      '--cacert',
      await platform.authority(),
      '--resolve',
      `${host}:443:${published}`,
    ];
    await until('the page of the team', async () =>
      (await execute('curl', [...ask, `https://${host}/`])).stdout.startsWith('from-git-'),
    );
  });
});

describe('external mode with separate infra and ingress nodes', () => {
  let kubectl: Kubectl;
  let edge: string;
  const host = 'page.shop.mycompany.local';

  beforeAll(async () => {
    dns?.kill();
    await platform.done('apply', '-f', platform.file('shop.yaml', shop), '--yes');
    kubectl = await platform.kubectl('shop');
    edge = await platform.published('shop', 'shop-edge-1');
    await deploy(kubectl, host);
  }, 600_000);

  test('Nova DNS is absent, and the company’s DNS serves names to pods and nodes', async () => {
    expect(await platform.modules('shop')).toEqual(
      expect.arrayContaining(['nova-dns off', 'ingress ready', 'local-path ready']),
    );
    expect((await kubectl(['get', 'namespace', 'nova-dns'])).exitCode).toBe(1);
    dns = await companyDns(
      platform.folder.path,
      `.:53 {
    bind ${companyAddress}
    hosts /dev/null {
        ${edge} ${host}
        192.168.7.7 git.mycompany.local
        192.168.7.8 www.acme.corp
        reload 0
    }
}
`,
    );
    await until('the company’s server', async () => (await outside(companyAddress, host))[0] === edge);
    for (const options of ['', '+tcp', '+edns=0'])
      expect(await inPod('shop-edge-1', `+short ${options} ${host} @10.233.0.10`), options).toBe(edge);
    expect(await inPod('shop-edge-1', '+short www.acme.corp @10.233.0.10')).toBe('192.168.7.8');
    expect(await inPod('shop-edge-1', '+short git.mycompany.local @10.233.0.10')).toBe('192.168.7.7');
    expect(await onNode('shop-edge-1', `+short ${host}`)).toBe(edge);
    expect(await outside(companyAddress, host)).toEqual([edge]);
    const { stdout } = await platform.ctl(['status', 'shop']);
    expect(stdout).toContain('shop');
    expect(stdout).not.toContain('hosts');
  });

  test('applications are published only on ingress nodes, the platform only on infra nodes', async () => {
    const at = async (address: string) =>
      (
        await execute('curl', [
          '-s',
          '-o',
          '/dev/null',
          '-w',
          '%{http_code}',
          '--max-time',
          '5',
          '--cacert',
          await platform.authority(),
          '--resolve',
          `${host}:443:${address}`,
          `https://${host}/`,
        ])
      ).stdout;
    await until('the page', async () => (await at(edge)) === '200');
    const sets = await kubectl([
      '-n',
      'nova-ingress',
      'get',
      'pods',
      '-o',
      'jsonpath={range .items[*]}{.metadata.labels.app} {.spec.nodeName}{"\\n"}{end}',
    ]);
    expect(sets.stdout.trim().split('\n').toSorted()).toEqual([
      'traefik-infra shop-cp-1',
      'traefik-ingress shop-edge-1',
    ]);
    expect(await at(await platform.published('shop', 'shop-cp-1'))).toBe('404');
  });
});
