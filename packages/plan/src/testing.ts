import {
  checkCluster,
  groupClusters,
  type Infrastructure,
  infrastructure,
  loadDocuments,
  type Problem,
  ProblemError,
  type ProxyDocument,
  proxy as proxyKind,
} from '@nova-platform/api';
import type { z } from 'zod';
import type { ClusterPlan, PlannedCertificate, SdnPlan } from './cluster-plan.ts';
import { type PlanInput, planCluster } from './plan.ts';
import { defaultSite, siteNetworks, siteZones } from './site.ts';

type Spec = z.input<typeof infrastructure.schema>['spec'];
export type Group = Spec['nodeGroups'][number];

/** The part of a declaration that a test sets; the default is one local node with all roles. */
export interface Declaration extends Partial<Omit<Spec, 'clusterConfiguration'>> {
  config?: Partial<Spec['clusterConfiguration']>;
  proxy?: z.input<typeof proxyKind.schema>['spec'];
}

export const allRoles: Group['roles'] = ['control-plane', 'infra', 'ingress', 'worker'];

/** The documents as `nova-ctl` passes them: validated, with defaults. Frozen, because planning changes no input. */
export function declare({ config, proxy, ...spec }: Declaration = {}): {
  infrastructure: Infrastructure;
  proxy?: ProxyDocument;
} {
  const documents = [
    document(infrastructure, {
      provider: { type: 'local' },
      nodeGroups: [{ name: 'main', roles: allRoles }],
      ...spec,
      clusterConfiguration: { dnsBaseDomain: 'demo.nova.local', ...config },
    }),
    ...(proxy ? [document(proxyKind, proxy)] : []),
  ];
  // JSON is YAML.
  const loaded = loadDocuments([{ name: 'cluster.yaml', text: documents.join('\n---\n') }]);
  const { clusters } = groupClusters(loaded.documents);
  const environment = { siteNetworks: siteNetworks(defaultSite), siteZones: siteZones(defaultSite), clusters: [] };
  const problems = [...loaded.problems, ...clusters.flatMap((cluster) => checkCluster(cluster, environment))];
  const [cluster] = clusters;
  if (problems.length > 0 || !cluster) throw new ProblemError(...problems);
  return freeze({
    infrastructure: cluster.infrastructure.value,
    ...(cluster.proxy && { proxy: cluster.proxy.value }),
  });
}

function document({ kind, version }: { kind: string; version: string }, spec: object): string {
  return JSON.stringify({
    apiVersion: `config.nova-platform.io/${version}`,
    kind,
    metadata: { name: 'cluster' },
    spec,
  });
}

export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

export function plan(declaration: Declaration = {}, input: Partial<PlanInput> = {}): ClusterPlan {
  return planCluster({ ...declare(declaration), site: defaultSite, ...input });
}

/** The problems that `work` throws. */
export function problemsOf(work: () => unknown): readonly Problem[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
  return [];
}

export function sdnOf({ network }: ClusterPlan): SdnPlan {
  if (network.kind !== 'sdn') throw new Error('not a network of ours');
  return network;
}

/** All certificates with this name, one per node. */
export function certificatesOf({ certificates }: ClusterPlan, name: string): PlannedCertificate[] {
  return certificates.filter((each) => each.name === name);
}

const ovirt = {
  url: 'https://engine.mycompany.local/ovirt-engine/api',
  username: 'nova@internal',
  password: 'engine-password',
  cluster: 'Default',
  storageDomain: 'data',
  template: 'nova-node-debian13',
};

/** One declaration per provider. */
export const zvirt = {
  provider: { type: 'zvirt', zvirt: ovirt },
  externalNetwork: {
    network: '10.250.24.0/24',
    gateway: '10.250.24.1',
    addresses: ['10.250.24.171-10.250.24.190'],
  },
} as const satisfies Declaration;

export const vsphere = {
  provider: {
    type: 'vsphere',
    vsphere: {
      server: 'vcenter.mycompany.local',
      username: 'nova@vsphere.local',
      password: 'vcenter-password',
      datacenter: 'dc1',
      cluster: 'compute',
      datastore: 'datastore1',
      portGroup: 'VLAN-120',
      template: 'nova-node-debian13',
      gateway: '10.120.0.1',
      addresses: ['10.120.0.20-10.120.0.60'],
    },
  },
  config: { nodeNetwork: '10.120.0.0/24' },
} as const satisfies Declaration;
