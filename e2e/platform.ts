import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { novaCtl, type Outcome } from './nova-ctl.ts';

/** The platform as a user whose home is that folder has it. */
export function platformOf(home: string) {
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), NOVA_CONTEXT: '' };
  const ctl = (...args: string[]): Promise<Outcome> => novaCtl(args, { env });
  const done = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await ctl(...args);
    if (exitCode !== 0) throw new Error(`nova-ctl ${args.join(' ')} ends with ${exitCode}:\n${stderr}${stdout}`);
    return stdout;
  };
  const inside = (machine: string, command: string) => done('machine', 'exec', machine, '--', 'sh', '-c', command);
  /** etcd's client on a control plane, toward its own member. */
  const etcdctl = (node: string, command: string) => {
    const pki = '/etc/nova/pki';
    const options = `--cacert ${pki}/etcd-ca.crt --cert ${pki}/etcd-server.crt --key ${pki}/etcd-server.key`;
    return inside(node, `/opt/nova/etcd/*/bin/etcdctl ${options} ${command}`);
  };
  /** The members of a cluster's store, as one of them sees it. */
  const members = async (node: string): Promise<string[]> =>
    (await etcdctl(node, 'member list'))
      .trim()
      .split('\n')
      .map((line) => line.split(', '))
      .map(([, , name, , , isLearner]) => (isLearner === 'false' ? (name ?? '') : `${name} learns`))
      .toSorted();
  /** Who leads it, of these. */
  const leaderAmong = async (nodes: readonly string[]): Promise<string> => {
    for (const node of nodes) {
      const leads = await inside(node, 'curl --silent http://127.0.0.1:2381/metrics | grep "^etcd_server_is_leader "');
      if (leads === 'etcd_server_is_leader 1\n') return node;
    }
    throw new Error('nobody leads the store');
  };
  return { ctl, done, inside, etcdctl, members, leaderAmong };
}

/** Kubernetes alone, of control planes and of workers that take every other role: what modules bring has tests of its own. */
export function clusterManifest(cluster: string, nodeNetwork: string, controlPlanes = 1, workers = 1): string {
  return `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local }
  nodeGroups:
    - { name: cp, roles: [control-plane], count: ${controlPlanes}, cpu: 2, memory: 2Gi }
    - { name: work, roles: [infra, ingress, worker], count: ${workers}, cpu: 2, memory: 2Gi }
  clusterConfiguration: { dnsBaseDomain: ${cluster}.nova.local, nodeNetwork: ${nodeNetwork}, delivery: none }
`;
}

/** `grow-cp-1`, `grow-cp-2`, … */
export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
}

/** What is looked for, as soon as it is there. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 240; tries += 1) {
    const found = await look();
    if (found) return found;
    await sleep(500);
  }
  throw new Error(`waited too long: ${what}`);
}
