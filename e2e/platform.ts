import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { novaCtl, type Outcome } from './nova-ctl.ts';

/** The platform of a user with that home folder. */
export function platformOf(home: string) {
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), NOVA_CONTEXT: '' };
  const ctl = (...args: string[]): Promise<Outcome> => novaCtl(args, { env });
  const done = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await ctl(...args);
    if (exitCode !== 0) throw new Error(`nova-ctl ${args.join(' ')} ends with ${exitCode}:\n${stderr}${stdout}`);
    return stdout;
  };
  const inside = (machine: string, command: string) => done('machine', 'exec', machine, '--', 'sh', '-c', command);
  /** Runs etcdctl on a control plane against its own member. */
  const etcdctl = (node: string, command: string) => {
    const pki = '/etc/nova/pki';
    const options = `--cacert ${pki}/etcd-ca.crt --cert ${pki}/etcd-server.crt --key ${pki}/etcd-server.key`;
    return inside(node, `/opt/nova/etcd/*/bin/etcdctl ${options} ${command}`);
  };
  /** The etcd members of a cluster, as seen by one of them. */
  const members = async (node: string): Promise<string[]> =>
    (await etcdctl(node, 'member list'))
      .trim()
      .split('\n')
      .map((line) => line.split(', '))
      .map(([, , name, , , isLearner]) => (isLearner === 'false' ? (name ?? '') : `${name} learns`))
      .toSorted();
  /** Which of these nodes is the etcd leader. */
  const leaderAmong = async (nodes: readonly string[]): Promise<string> => {
    for (const node of nodes) {
      const leads = await inside(node, 'curl --silent http://127.0.0.1:2381/metrics | grep "^etcd_server_is_leader "');
      if (leads === 'etcd_server_is_leader 1\n') return node;
    }
    throw new Error('no etcd member is the leader');
  };
  return { ctl, done, inside, etcdctl, members, leaderAmong };
}

/** Plain Kubernetes in containers with control planes, and workers that have every other role: modules have their own tests. */
export function clusterManifest(cluster: string, nodeNetwork: string, controlPlanes = 1, workers = 1): string {
  return `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local, machineKind: container }
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

/** Polls until the result is truthy, and returns it. Pauses for at most two minutes in all. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, pause = 500): Promise<T> {
  for (let left = 120_000; left > 0; left -= pause) {
    const found = await look();
    if (found) return found;
    await sleep(pause);
  }
  throw new Error(`waited too long: ${what}`);
}
