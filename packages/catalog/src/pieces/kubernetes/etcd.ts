import { controlPlanes, type PlannedNode } from '@nova-platform/plan';
import type { NodeInput } from '../../node.ts';
import { scriptFolder } from '../../node-scripts.ts';
import { file, piece, type Resource } from '../../resource.ts';
import { certificatesObtained } from '../certificates.ts';
import { lines } from '../text.ts';
import { unit } from '../unit.ts';
import { authorityOf, certificateOf, folder, keyOf, programOf } from './paths.ts';

const data = '/var/lib/etcd';
const settings = `${folder}/etcd-member.conf`;
/** The name stays as it is: the initial members of running clusters already have the file. */
const initialMembersPath = '/etc/nova/etcd-founders';

type Member = Pick<PlannedNode, 'name' | 'address'>;

/** etcd on every control plane. */
export function etcd(input: NodeInput): Resource[] {
  const { plan, node } = input;
  const dataFolder = file(data, { ensure: 'directory', mode: '0700' });
  const others = controlPlanes(plan.nodes).filter(({ name }) => name !== node.name);
  const script = file(`${scriptFolder}/etcd-member`, { content: etcdMemberScript, mode: '0755' });
  // A running member learns its peers from etcd: a change here must not restart it.
  const membership = file(settings, {
    content: lines(
      `node=${node.name}`,
      `peer=${peerOf(node)}`,
      `others=${others.map(({ address }) => `https://${address}:2379`).join()}`,
      `etcdctl=${programOf(input, 'etcd', 'etcdctl')}`,
    ),
    mode: '0644',
  });
  return piece(
    'etcd',
    dataFolder,
    script,
    membership,
    ...unit(
      {
        name: 'etcd',
        description: 'etcd, the database of Kubernetes',
        command: [
          `${scriptFolder}/etcd-member`,
          programOf(input, 'etcd', 'etcd'),
          `--name=${node.name}`,
          `--data-dir=${data}`,
          `--initial-cluster-token=${plan.cluster.name}`,
          `--initial-advertise-peer-urls=${peerOf(node)}`,
          `--listen-peer-urls=${peerOf(node)}`,
          `--advertise-client-urls=https://${node.address}:2379`,
          `--listen-client-urls=https://127.0.0.1:2379,https://${node.address}:2379`,
          '--listen-metrics-urls=http://127.0.0.1:2381',
          `--cert-file=${certificateOf('etcd-server')}`,
          `--key-file=${keyOf('etcd-server')}`,
          `--trusted-ca-file=${authorityOf('etcd')}`,
          '--client-cert-auth',
          `--peer-cert-file=${certificateOf('etcd-peer')}`,
          `--peer-key-file=${keyOf('etcd-peer')}`,
          `--peer-trusted-ca-file=${authorityOf('etcd')}`,
          '--peer-client-cert-auth',
          '--tls-min-version=TLS1.2',
          '--auto-compaction-retention=1h',
          '--logger=zap',
        ],
        service: ['LimitNOFILE=65536'],
      },
      { needs: [dataFolder, script, membership, certificatesObtained] },
    ),
  );
}

/**
 * The file of a machine that is an initial member of etcd. It lists all initial members. Only machines of a cluster that
 * has no etcd yet get it: machines that are created later can only join.
 */
export function initialMembersFile(members: readonly Member[]): { path: string; content: string; permissions: string } {
  const content = members.map((member) => `${member.name}=${peerOf(member)}`).join();
  return { path: initialMembersPath, content: `${content}\n`, permissions: '0644' };
}

function peerOf({ address }: Pick<Member, 'address'>): string {
  return `https://${address}:2380`;
}

/**
 * Starts etcd as an initial, a joining or an existing member. A node that is not yet a member waits here, not in the
 * agent.
 */
export const etcdMemberScript = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
# etcd-member ETCD FLAG...
set -u
has_data() { ls ${data}/member/wal/*.wal >/dev/null 2>&1; }
run_etcdctl() {
  "$etcdctl" --endpoints="$others" --command-timeout=3s --cacert=${authorityOf('etcd')} \\
    --cert=${certificateOf('etcd-server')} --key=${keyOf('etcd-server')} "$@" 2>/dev/null
}
logged=
log() { [ "$1" = "$logged" ] || echo "$1"; logged=$1; }

# A node with data is a member already.
if has_data; then
  rm -f ${initialMembersPath}
  exec "$@"
fi

# Initial members start a new cluster, in any order: none of them can have been a member before.
if [ -s ${initialMembersPath} ]; then
  ETCD_INITIAL_CLUSTER_STATE=new
  ETCD_INITIAL_CLUSTER=$(cat ${initialMembersPath})
  export ETCD_INITIAL_CLUSTER_STATE ETCD_INITIAL_CLUSTER
  # A node with data is no longer an initial member, even if it loses its data later.
  (until has_data; do sleep 1; done; rm -f ${initialMembersPath}) &
  exec "$@"
fi

# Other nodes join the existing cluster and never start a new one, even if no member responds for a while.
while :; do
  . ${settings}
  if [ -z "$others" ]; then
    log 'there is no other control plane to join'
  elif listed=$(run_etcdctl member list); then
    members= own= before=
    while IFS=, read -r id _state name url clients _learner; do
      name=\${name# } url=\${url# } clients=\${clients# }
      if [ "$url" = "$peer" ]; then own=$id before=$clients name=$node; fi
      members=$members,$name=$url
    done <<END
$listed
END
    if [ -z "$own" ]; then
      log 'waiting to be added as a member'
    elif [ -n "$before" ]; then
      # Raft votes are lost with the data: under its old ID the member could cause data loss in the cluster.
      log 'this member lost its data: removing it, so that it can be added again'
      run_etcdctl member remove "$own"
    else
      ETCD_INITIAL_CLUSTER_STATE=existing
      ETCD_INITIAL_CLUSTER=\${members#,}
      export ETCD_INITIAL_CLUSTER_STATE ETCD_INITIAL_CLUSTER
      exec "$@"
    fi
  else
    log 'no other member responds'
  fi
  sleep 1
done
`;
