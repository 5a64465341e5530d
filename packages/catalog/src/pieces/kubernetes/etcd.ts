import { controlPlanes } from '@nova-platform/plan';
import type { NodeInput } from '../../node.ts';
import { file, piece, type Resource } from '../../resource.ts';
import { certificatesObtained } from '../certificates.ts';
import { unit } from '../unit.ts';
import { authorityOf, certificateOf, keyOf, programOf } from './paths.ts';

const data = '/var/lib/etcd';

/** The cluster's store, on every control plane; its members know each other from the plan. */
export function etcd(input: NodeInput): Resource[] {
  const { plan, node } = input;
  const members = controlPlanes(plan.nodes).map(({ name, address }) => `${name}=https://${address}:2380`);
  const folder = file(data, { ensure: 'directory', mode: '0700' });
  return piece(
    'etcd',
    folder,
    ...unit(
      {
        name: 'etcd',
        description: 'etcd, the store of Kubernetes',
        command: [
          programOf(input, 'etcd', 'etcd'),
          `--name=${node.name}`,
          `--data-dir=${data}`,
          `--initial-cluster=${members.join(',')}`,
          `--initial-cluster-token=${plan.cluster.name}`,
          '--initial-cluster-state=new',
          `--initial-advertise-peer-urls=https://${node.address}:2380`,
          `--listen-peer-urls=https://${node.address}:2380`,
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
      { needs: [folder, certificatesObtained] },
    ),
  );
}
