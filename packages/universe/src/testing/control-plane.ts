import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { get, type RequestOptions } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorizationConfiguration, type Denied, nowhere } from '@nova-platform/catalog';
import { admission, admissionPlugins, auditPolicy } from '@nova-platform/catalog/testing';
import { cacheFolder, chooseComponents, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';
import { type ClusterAccess, KubernetesApi } from '@nova-platform/kubernetes';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { stringify } from 'yaml';

/** Kubernetes without nodes, on loopback: its API is real, and only Flux runs. */
export interface ControlPlane extends AsyncDisposable {
  access: ClusterAccess;
  api: KubernetesApi;
  /** Sends requests as an identity; returns the status. */
  as: (user: string, groups: string[]) => Promise<(path: string) => Promise<number>>;
  /** Users and groups that are denied from now on. */
  deny: (denied: Denied) => Promise<void>;
  kubectl: (
    args: readonly string[],
    input?: string,
  ) => Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
  /** The output of a program. */
  log: (program: string) => Promise<string>;
  /** The entries of its audit log. */
  audit: () => Promise<AuditEvent[]>;
}

interface AuditEvent {
  level: string;
  verb: string;
  requestURI: string;
  user: { username: string };
  objectRef?: { resource: string; subresource?: string; namespace?: string; name?: string };
}

interface Workload {
  kind: 'Deployment' | 'DaemonSet';
  metadata: { name: string; namespace: string; generation: number };
  spec: {
    template: {
      spec: {
        serviceAccountName?: string;
        containers: { args?: string[]; env?: { name: string; value?: string }[] }[];
      };
    };
  };
  status?: { observedGeneration?: number };
}

const pause = 200;

export async function startControlPlane(): Promise<ControlPlane> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-control-plane-'));
  const programs = new Programs(folder);
  const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];

  const authority = await openAuthority(await createStandaloneAuthority({ subject: named('test'), lifetimeHours: 24 }));
  const certify = async (name: string, organizations: string[], usage: 'server auth' | 'client auth') => {
    const { privateKey, publicKey } = await createKeyPair();
    const order = { dnsNames: ['localhost'], addresses: ['127.0.0.1'], usages: [usage], lifetimeHours: 24 };
    const { certificate } = await issueCertificate(authority, {
      ...order,
      subject: { commonName: name, organizations },
      publicKey,
    });
    return { cert: certificate, key: privateKey };
  };
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const [server, admin] = [
    await certify('localhost', [], 'server auth'),
    await certify('admin', ['system:masters'], 'client auth'),
  ];
  const ca = await file('ca.crt', authority.certificate);
  const accounts = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const accountKey = await file('accounts.key', accounts.privateKey.export({ type: 'sec1', format: 'pem' }).toString());
  const accountPublicKey = await file(
    'accounts.pub',
    accounts.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  const url = `https://127.0.0.1:${apiPort}`;
  const kubeconfigFor = (user: object) =>
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority': ca } }],
      users: [{ name: 'test', user }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      'current-context': 'test',
    });
  const kubeconfig = await file(
    'admin.kubeconfig',
    kubeconfigFor({
      'client-certificate': await file('admin.crt', admin.cert),
      'client-key': await file('admin.key', admin.key),
    }),
  );

  const auditLog = join(folder, 'audit.log');
  const deniedKubeconfig = await file('denied.kubeconfig', nowhere(ca));
  // Replaced atomically, as agents replace files.
  const deny = async (denied: Denied) => {
    const written = await file('authorization.new', authorizationConfiguration(denied, deniedKubeconfig));
    await rename(written, authorization);
  };
  const authorization = join(folder, 'authorization.yaml');
  await deny({ users: [], groups: [] });

  const etcd = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  await programs.start('etcd', 'etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
  ]);
  await programs.start('kubernetes', 'kube-apiserver', [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    // By default it is found by the default route, which a sandbox does not have.
    '--advertise-address=192.0.2.1',
    `--secure-port=${apiPort}`,
    `--tls-cert-file=${await file('server.crt', server.cert)}`,
    `--tls-private-key-file=${await file('server.key', server.key)}`,
    `--client-ca-file=${ca}`,
    `--authorization-config=${authorization}`,
    '--allow-privileged=true',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${accountPublicKey}`,
    `--service-account-signing-key-file=${accountKey}`,
    '--service-cluster-ip-range=10.233.0.0/18',
    `--enable-admission-plugins=${admissionPlugins.join(',')}`,
    `--admission-control-config-file=${await file('admission.yaml', admission)}`,
    `--audit-policy-file=${await file('audit-policy.yaml', auditPolicy)}`,
    `--audit-log-path=${auditLog}`,
  ]);
  const access: ClusterAccess = { host: '127.0.0.1', port: apiPort, ca: authority.certificate, ...admin };
  const api = new KubernetesApi(access);
  while (!(await api.isReady())) {
    programs.assertRunning();
    await sleep(pause);
  }
  await programs.start('kubernetes', 'kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    '--secure-port=0',
    '--leader-elect=false',
    `--service-account-private-key-file=${accountKey}`,
    `--root-ca-file=${ca}`,
    // Without controllers that would report that nothing runs.
    '--controllers=serviceaccount-controller,namespace-controller,garbage-collector-controller,clusterrole-aggregation-controller,root-ca-certificate-publisher-controller,resourcequota-controller',
  ]);

  const node = new Node(api, programs, async (account) => {
    const { status } = await api.create<{ status: { token: string } }>(
      `/api/v1/namespaces/nova-gitops/serviceaccounts/${account}/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
    );
    return file(`${account}.kubeconfig`, kubeconfigFor({ token: status.token }));
  });
  const running = node.run();
  const kubectl = await programs.path('kubernetes', 'kubectl');
  return {
    access,
    api,
    as: async (user, groups) => {
      const identity = await certify(user, groups, 'client auth');
      return (path) => statusOf({ ...access, ...identity, path });
    },
    deny,
    kubectl: async (args, input = '') => {
      const child = spawn(kubectl, ['--kubeconfig', kubeconfig, ...args]);
      const exit = once(child, 'close') as Promise<[number | null]>;
      child.stdin.end(input);
      const [stdout, stderr, [exitCode]] = await Promise.all([buffer(child.stdout), buffer(child.stderr), exit]);
      return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    },
    log: (program) => readFile(join(folder, `${program}.log`), 'utf8'),
    audit: async () =>
      (await readFile(auditLog, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as AuditEvent),
    async [Symbol.asyncDispose]() {
      node.stop();
      await running;
      api.close();
      await programs.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function statusOf(options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ ...options, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on('error', reject);
  });
}

const named = (commonName: string) => ({ commonName, organizations: [] });

/**
 * Stands in for nodes: runs the Flux controllers as programs of this host, and reports all other workloads as running.
 */
class Node {
  readonly #api: KubernetesApi;
  readonly #programs: Programs;
  readonly #kubeconfigOf: (account: string) => Promise<string>;
  readonly #started = new Set<string>();
  #isStopped = false;

  constructor(api: KubernetesApi, programs: Programs, kubeconfigOf: (account: string) => Promise<string>) {
    this.#api = api;
    this.#programs = programs;
    this.#kubeconfigOf = kubeconfigOf;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      for (const kind of ['Deployment', 'DaemonSet'] as const) {
        const path = `/apis/apps/v1/${kind.toLowerCase()}s`;
        const { items } = await this.#api.get<{ items: Workload[] }>(path).catch(() => ({ items: [] }));
        // Workloads may be deleted meanwhile.
        for (const workload of items) await this.#look({ ...workload, kind }).catch(() => undefined);
      }
      await sleep(pause);
    }
  }

  async #look(workload: Workload): Promise<void> {
    const { kind, metadata, status } = workload;
    const { name, namespace, generation } = metadata;
    if (status?.observedGeneration === generation) return;
    if (namespace === 'nova-gitops' && !this.#started.has(name)) {
      await this.#start(workload);
      this.#started.add(name);
    }
    const counts =
      kind === 'Deployment'
        ? { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
        : {
            desiredNumberScheduled: 1,
            currentNumberScheduled: 1,
            updatedNumberScheduled: 1,
            numberReady: 1,
            numberAvailable: 1,
            numberMisscheduled: 0,
          };
    const now = new Date().toISOString();
    const conditions = ['Available', 'Progressing'].map((type) => ({
      type,
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: '',
      lastUpdateTime: now,
      lastTransitionTime: now,
    }));
    await this.#api.merge(
      {
        apiVersion: 'apps/v1',
        kind,
        metadata: { name, namespace },
        status: { observedGeneration: generation, ...counts, ...(kind === 'Deployment' && { conditions }) },
      },
      '/status',
    );
  }

  /**
   * Starts a controller with the arguments and the service account of its Deployment; only addresses and folders
   * differ.
   */
  async #start({ metadata: { name }, spec }: Workload): Promise<void> {
    const { serviceAccountName = '', containers } = spec.template.spec;
    const storage = `127.0.0.1:${await freePort()}`;
    const changed: [RegExp, string | undefined][] = [
      [/^--storage-path=.*/, `--storage-path=${await this.#programs.folder(name)}`],
      [/^--storage-adv-addr=.*/, `--storage-adv-addr=${storage}`],
      [/^--events-addr=.*/, undefined],
      // Leader election needs the namespace of a pod.
      [/^--enable-leader-election$/, undefined],
    ];
    const args = (containers[0]?.args ?? []).flatMap((arg) => {
      const [, other] = changed.find(([pattern]) => pattern.test(arg)) ?? [undefined, arg];
      return other ?? [];
    });
    const local = ['--metrics-addr=0', `--health-addr=127.0.0.1:${await freePort()}`];
    if (name === 'source-controller') local.push(`--storage-addr=${storage}`);
    if (name === 'notification-controller')
      local.push(`--events-addr=127.0.0.1:${await freePort()}`, `--receiverAddr=127.0.0.1:${await freePort()}`);
    const own = (containers[0]?.env ?? []).flatMap(({ name: key, value }) =>
      value === undefined ? [] : [[key, value]],
    );
    const env = {
      ...(Object.fromEntries(own) as Record<string, string>),
      KUBECONFIG: await this.#kubeconfigOf(serviceAccountName),
      RUNTIME_NAMESPACE: 'nova-gitops',
    };
    await this.#programs.start(`flux-${name}`, name, [...args, ...local], env);
  }
}

/** Running programs of built components. */
class Programs {
  readonly #folder: string;
  readonly #running: ChildProcess[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async path(component: string, program: string): Promise<string> {
    const [found] = chooseComponents(await readComponents(), [component]);
    const built = found && (await findBuilt(found, await findToolchain(cacheFolder(), () => undefined)));
    if (!built) throw new Error(`${component} is not built`);
    return join(built.folder, 'bin', program);
  }

  async folder(name: string): Promise<string> {
    const path = join(this.#folder, `data-${name}`);
    await mkdir(path, { recursive: true });
    return path;
  }

  async start(
    component: string,
    program: string,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<void> {
    const child = spawn(await this.path(component, program), args, {
      env: { ...process.env, ...env },
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(this.#folder, `${program}.log`));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    this.#running.push(child);
  }

  assertRunning(): void {
    const ended = this.#running.find(({ exitCode }) => exitCode !== null);
    if (ended) throw new Error(`${ended.spawnfile} exited with ${ended.exitCode}, see ${this.#folder}`);
  }

  async stop(): Promise<void> {
    for (const child of this.#running.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
