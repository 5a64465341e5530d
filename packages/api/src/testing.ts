/** Shared by the tests of this package. */
import { groupClusters } from './clusters.ts';
import { loadDocuments } from './documents.ts';
import { formatPath, type Problem } from './problem.ts';
import { checkCluster } from './rules/index.ts';
import type { Environment } from './rules/rule.ts';
import type { Source } from './yaml.ts';

/** Parts of a manifest, as YAML. */
export interface Parts {
  provider?: string;
  nodeGroups?: string;
  /** More fields of `spec.clusterConfiguration`, from line 9 on. */
  config?: string;
  /** More fields of `spec`, after all others. */
  spec?: string;
}

/** The smallest Infrastructure, with parts replaced and added. */
export function manifest({
  provider = '{ type: local }',
  nodeGroups = '[{ name: main, roles: [control-plane, infra, ingress, worker] }]',
  config = '',
  spec = '',
}: Parts = {}): string {
  return `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: ${provider}
  nodeGroups: ${nodeGroups}
  clusterConfiguration:
    dnsBaseDomain: demo.nova.local
${indented(4, config)}${indented(2, spec)}`;
}

function indented(width: number, text: string): string {
  return text === '' ? '' : text.replace(/^/gm, ' '.repeat(width)).concat('\n');
}

/** A document as `kubectl get -o yaml --show-managed-fields` shows it after `kubectl apply`. */
export function asRead(text: string): string {
  const applied = JSON.stringify({ spec: { password: 'hunter2' } });
  const added = `metadata:
  annotations:
    example.com/owner: me
    kubectl.kubernetes.io/last-applied-configuration: |
      ${applied}
  creationTimestamp: "2026-11-15T10:00:00Z"
  generation: 2
  managedFields:
  - apiVersion: config.nova-platform.io/v1alpha4
    fieldsType: FieldsV1
    fieldsV1: {'f:spec': {'f:nodeGroups': {'k:{"name":"main"}': {.: {}, 'f:name': {}}}}}
    manager: kubectl-client-side-apply
  name: cluster
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: 1a7f0d3c-9d0e-4a51-8a1b-0c2f5d1e7a44}]
  resourceVersion: "4711"
  uid: 6f2c2f5e-2f0b-4f7e-9d35-0a4b7f3c9b11
`;
  return `${text.replace(/metadata:.*\n(?: .*\n)*/, added)}status:\n  conditions: []\n`;
}

const engine =
  'url: https://engine.local, username: nova, password: hunter2, cluster: Default, storageDomain: data, template: debian';
export const externalNetwork =
  'externalNetwork: { network: 10.250.24.0/24, gateway: 10.250.24.1, addresses: [10.250.24.171-10.250.24.190] }';
export const zvirt: Parts = { provider: `{ type: zvirt, zvirt: { ${engine} } }`, spec: externalNetwork };
export const ovirt: Parts = { provider: `{ type: ovirt, ovirt: { ${engine} } }`, spec: externalNetwork };
export const vsphere: Parts = {
  provider: `
    type: vsphere
    vsphere:
      { server: vcenter.local, username: nova, password: hunter2, datacenter: dc1, cluster: compute,
        datastore: ds1, portGroup: VLAN-20, template: debian, gateway: 10.20.0.1, addresses: [10.20.0.20-10.20.0.60] }`,
};
export const existing: Parts = {
  provider: '{ type: existing }',
  nodeGroups: '[{ name: main, roles: [control-plane, infra], hosts: [{ name: n1, address: 10.20.0.21 }] }]',
};

/** A site with the default networks and nothing else. */
const emptySite: Environment = {
  siteNetworks: [
    { name: 'integration', network: '10.255.0.0/24' },
    { name: 'transit', network: '100.64.0.0/16' },
    {
      name: 'external',
      network: '172.30.0.0/16',
      gateway: '172.30.0.1',
      addresses: ['172.30.0.16-172.30.255.254'],
    },
  ],
  siteZones: ['nova.internal'],
  clusters: [],
};

/** All problems of the files. */
export function check(files: string | Source[], environment: Partial<Environment> = {}): Problem[] {
  const loaded = loadDocuments(typeof files === 'string' ? [{ name: 'cluster.yaml', text: files }] : files);
  const { clusters, problems } = groupClusters(loaded.documents);
  const findings = clusters.flatMap((cluster) => checkCluster(cluster, { ...emptySite, ...environment }));
  return [...loaded.problems, ...problems, ...findings];
}

/** All problems, each as `CODE path line:column marked-text`. */
export function problems(files: string | Source[], environment: Partial<Environment> = {}): string[] {
  return check(files, environment).map(brief);
}

export function brief({ code, path, place }: Problem): string {
  const { line = 0, column = 0, snippet = '', caret = 0, length = 0 } = place ?? {};
  return [code, formatPath(path), `${line}:${column}`, snippet.slice(caret, caret + length)]
    .filter((part) => part !== '')
    .join(' ');
}
