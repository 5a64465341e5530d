import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineClient, execIn } from '@nova-platform/contracts/engine/client';
import { type ClusterAccess, KubernetesApi } from '@nova-platform/kubernetes';
import { networkRoot, paths, runcRoot } from '../packages/engine/src/paths.ts';
import { execute } from './nova-ctl.ts';

/** How long recovery may take after the last kill of a machine. */
const settleMilliseconds = 90_000;
const database = join(paths.state, 'volumes/universe/universe/universe.db');

/** The expected state of a cluster. */
export interface Expected {
  cluster: string;
  controlPlane: string;
  nodes: readonly string[];
  access: () => Promise<ClusterAccess>;
}

/** All deviations that remain after the time for recovery. */
export async function complaintsAbout(expected: Expected): Promise<string[]> {
  const deadline = Date.now() + settleMilliseconds;
  for (;;) {
    const complaints = await look(expected).catch((error: Error) => [`the check failed: ${error.message}`]);
    if (complaints.length === 0 || Date.now() > deadline) return complaints;
    await sleep(1000);
  }
}

/**
 * Our resources on this host, in its networks and in Universe's database: they must be the same before and after a
 * cluster.
 */
export async function traces(cluster: string): Promise<string[]> {
  const found = await Promise.all([
    lines('ip netns list | cut -d" " -f1 | grep ^nova'),
    lines('grep nova /proc/mounts | grep -v /var/cache | cut -d" " -f1,2'),
    lines('ip -o link show | cut -d: -f2 | cut -d@ -f1 | grep -E "nova|ovs"'),
    lines('ip -4 route show table all | grep -E "nova|unreachable|172.30."'),
    lines('find /sys/fs/cgroup -path "*/nova-machines/*" -prune'),
    lines(
      `find ${runcRoot} ${paths.runtime}/attach ${paths.state}/machines ${paths.state}/networks -mindepth 1 -maxdepth 1`,
    ),
    Promise.resolve(monitors().map((machine) => `conmon ${machine}`)),
    rowsOf('OVN_Northbound', '/run/ovn/ovnnb_db.sock'),
    rowsOf('Open_vSwitch', '/run/openvswitch/db.sock'),
  ]);
  return [...found.flat(), ...remembered(cluster)].toSorted();
}

async function look({ cluster, controlPlane, nodes, access }: Expected): Promise<string[]> {
  const complaints: string[] = [];
  const check = (what: string, found: readonly string[], wanted: readonly string[] = nodes) => {
    const [is, should] = [found, wanted].map((each) => each.toSorted().join(', '));
    if (is !== should) complaints.push(`${what}: ${is || 'none'}, not ${should || 'none'}`);
  };
  const own = (names: readonly string[]) => names.filter((name) => name.includes(`${cluster}-`));

  const machines = (await engineClient.machines()).filter(({ network }) => network === cluster);
  check(
    'machines',
    machines.map(({ name, state }) => `${name} ${state}`),
    nodes.map((name) => `${name} running`),
  );
  check('containers', own(readdirSync(runcRoot)));
  check('monitors of machines', own(monitors()));
  check('folders of machines', own(readdirSync(join(paths.state, 'machines'))));
  check(
    'network namespaces',
    own((await lines('ip netns list')).map((line) => line.split(' ')[0] ?? '')),
    nodes.map((name) => `nova-m-${name}`),
  );
  const mounted = (await lines('cut -d" " -f2 /proc/mounts')).flatMap(
    (path) => /machines\/([^/]+)\/rootfs$/.exec(path)?.[1] ?? [],
  );
  check('mounted disks', own(mounted));
  const { ports } = await engineClient.network(cluster);
  check(
    'ports',
    ports.map(({ name, up }) => `${name} ${up ? 'up' : 'down'}`),
    nodes.map((name) => `${name} up`),
  );

  const api = new KubernetesApi(await access());
  try {
    const { items } = await api.get<NodeList>('/api/v1/nodes');
    check(
      'nodes',
      items.map(stateOfNode),
      nodes.map((name) => `${name} ready`),
    );
    const locks = await api.get<NamedList>('/apis/config.nova-platform.io/v1alpha1/terraformlocks');
    check('locks in the cluster', namesOf(locks), []);
    const states = await api.get<{ data?: object }>('/api/v1/namespaces/kube-system/configmaps/nova-machines');
    check('machines in the state of the cluster', Object.keys(states.data ?? {}));
  } finally {
    api.close();
  }
  const pki = '/etc/nova/pki';
  const etcdctl = `/opt/nova/etcd/*/bin/etcdctl --cacert ${pki}/etcd-ca.crt --cert ${pki}/etcd-server.crt --key ${pki}/etcd-server.key`;
  const members = await execIn(controlPlane, ['sh', '-c', `${etcdctl} member list`]);
  check('members of etcd', own(members.split(', ')), [controlPlane]);

  const store = new DatabaseSync(database, { readOnly: true });
  try {
    const column = (sql: string, ...values: string[]) =>
      store
        .prepare(sql)
        .all(...values)
        .map((row) => String(Object.values(row)[0]));
    check('nodes in Universe', own(column('select name from nodes')));
    const identities = `select node from certificates where purpose = 'identity' and revoked_at is null`;
    check('identities', own(column(identities)));
    check('locks of operations', column('select name from locks where name = ?', cluster), []);
    check('running operations', column(`select id from operations where state = 'running'`), []);
  } finally {
    store.close();
  }
  return complaints;
}

interface NodeList {
  items: {
    metadata: { name: string };
    spec: { unschedulable?: boolean };
    status: { conditions?: { type: string; status: string }[] };
  }[];
}

interface NamedList {
  items: { metadata: { name: string } }[];
}

const namesOf = ({ items }: NamedList): string[] => items.map(({ metadata }) => metadata.name);

function stateOfNode({ metadata, spec, status }: NodeList['items'][number]): string {
  const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  return [metadata.name, isReady ? 'ready' : 'not ready', ...(spec.unschedulable === true ? ['closed'] : [])].join(' ');
}

/** Machines with a running conmon on this host. */
function monitors(): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && mountsOf(entry) === mountsOf('self'))
    .flatMap((pid) => {
      const words = textOf(`/proc/${pid}/cmdline`).split('\0');
      return words[0]?.endsWith('conmon') ? [words[words.indexOf('--cid') + 1] ?? ''] : [];
    });
}

/** The number of rows of each table in a network database. */
async function rowsOf(name: string, socket: string): Promise<string[]> {
  const args = [networkRoot, 'ovsdb-client', '--format=json', 'dump', `unix:${socket}`, name];
  const { stdout } = await execute('chroot', args);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { caption: string; data: unknown[] })
    .map(({ caption, data }) => `${name} ${caption} ${data.length}`);
}

/** Rows in Universe's database about a cluster or its nodes, except the operation history. */
function remembered(cluster: string): string[] {
  const tables = {
    clusters: 'name',
    locks: 'name',
    plans: 'cluster',
    shared_keys: 'cluster',
    authorities: 'name',
    nodes: 'name',
    tokens: 'node',
    certificates: 'node',
    catalogs: 'node',
    reports: 'node',
  };
  const store = new DatabaseSync(database, { readOnly: true });
  try {
    return Object.entries(tables).flatMap(([table, column]) =>
      store
        .prepare(`select ${column} as name from ${table} where ${column} like ?`)
        .all(`${cluster}%`)
        .map(({ name }) => `${table} ${String(name)}`),
    );
  } finally {
    store.close();
  }
}

async function lines(script: string): Promise<string[]> {
  const { stdout } = await execute('bash', ['-c', script]);
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

// A process may end while it is inspected.
const textOf = (file: string): string => orNothing(() => readFileSync(file, 'utf8'));
const mountsOf = (pid: string): string => orNothing(() => readlinkSync(`/proc/${pid}/ns/mnt`));

function orNothing(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}
