import { type Infrastructure, ipv4, type Module, modulesOf } from '@nova-platform/api';
import type { ClusterPlan, PlannedCertificate, PlannedNode } from './cluster-plan.ts';
import { controlPlanes } from './nodes.ts';
import type { Site } from './site.ts';
import { apiName } from './site.ts';

const authorityLifetime = 10 * 365 * 24;

type Basis = Pick<ClusterPlan, 'cluster' | 'nodes' | 'api' | 'services' | 'dns'>;

/** The CAs of the cluster; their keys never leave Universe. */
export function planAuthorities(cluster: string): ClusterPlan['authorities'] {
  return ['kubernetes', 'etcd', 'front-proxy'].map((name) => ({
    name,
    subject: { commonName: `${cluster} ${name}`, organizations: ['Nova'] },
    lifetimeHours: authorityLifetime,
    key: { in: 'universe' },
  }));
}

/** All certificates; keys are generated where they are used. */
export function planCertificates(basis: Basis, document: Infrastructure, site: Site): PlannedCertificate[] {
  const { certificateHours, identityHours } = site;
  const apiServerNames = apiServerSubjectNames(basis, document.spec.clusterConfiguration, site);
  const certificates = [
    ...controlPlanes(basis.nodes).flatMap((node) => controlPlaneCertificates(node, apiServerNames)),
    ...basis.nodes.flatMap((node) => nodeCertificates(node, identityHours)),
    ...modulesOf(document).flatMap(({ module }) => moduleCertificate(module, basis)),
  ];
  return certificates.map(({ key, lifetimeHours = certificateHours, ...rest }) => ({ ...rest, lifetimeHours, key }));
}

/** Keys that several nodes must share. */
export function planSharedKeys(nodes: readonly PlannedNode[]): ClusterPlan['sharedKeys'] {
  const names = controlPlanes(nodes).map(({ name }) => name);
  return ['service-account', 'etcd-encryption'].map((name) => ({ name, nodes: names, path: keyPath(name) }));
}

/** By default, the site sets the lifetime. */
type Certificate = Omit<PlannedCertificate, 'lifetimeHours'> & { lifetimeHours?: number };

interface SubjectNames {
  dnsNames: string[];
  addresses: string[];
}

function apiServerSubjectNames(
  { cluster, api, services }: Basis,
  config: Infrastructure['spec']['clusterConfiguration'],
  site: Site,
): SubjectNames {
  const extra = config.k8sAPIAdditionalSANs;
  const { isAddress } = ipv4;
  return {
    dnsNames: [
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      `kubernetes.default.svc.${config.k8sDefaultDnsZone}`,
      apiName(cluster.name, site),
      ...(api.fqdn ? [api.fqdn] : []),
      ...extra.filter((name) => !isAddress(name)),
    ],
    addresses: ['127.0.0.1', services.kubernetes, api.address, api.externalAddress, ...extra.filter(isAddress)],
  };
}

function controlPlaneCertificates(node: PlannedNode, apiServer: SubjectNames): Certificate[] {
  const own: SubjectNames = { dnsNames: [node.name, 'localhost'], addresses: [node.address, '127.0.0.1'] };
  return [
    certificate(node, 'kube-apiserver', 'kubernetes', 'kube-apiserver', ['server auth'], {
      dnsNames: [...new Set([...apiServer.dnsNames, node.name])],
      addresses: [...new Set([...apiServer.addresses, node.address])],
    }),
    certificate(node, 'kube-apiserver-kubelet-client', 'kubernetes', 'kube-apiserver-kubelet-client', ['client auth']),
    certificate(node, 'kube-controller-manager', 'kubernetes', 'system:kube-controller-manager', ['client auth']),
    certificate(node, 'kube-scheduler', 'kubernetes', 'system:kube-scheduler', ['client auth']),
    certificate(node, 'front-proxy-client', 'front-proxy', 'front-proxy-client', ['client auth']),
    certificate(node, 'kube-apiserver-etcd-client', 'etcd', 'kube-apiserver-etcd-client', ['client auth']),
    certificate(node, 'etcd-server', 'etcd', node.name, ['server auth', 'client auth'], own),
    certificate(node, 'etcd-peer', 'etcd', node.name, ['server auth', 'client auth'], own),
  ];
}

function nodeCertificates(node: PlannedNode, identityHours: number): Certificate[] {
  const own: SubjectNames = { dnsNames: [node.name], addresses: [node.address] };
  return [
    { ...certificate(node, 'identity', 'universe', node.name, ['client auth']), lifetimeHours: identityHours },
    certificate(node, 'kubelet-client', 'kubernetes', `system:node:${node.name}`, ['client auth'], undefined, [
      'system:nodes',
    ]),
    certificate(node, 'kubelet-server', 'kubernetes', `system:node:${node.name}`, ['server auth'], own, [
      'system:nodes',
    ]),
    certificate(node, 'kube-proxy', 'kubernetes', 'system:kube-proxy', ['client auth']),
  ];
}

/** The certificate of a module for the base domain. */
function moduleCertificate(
  { name: module, namespace, certificateSecret: name }: Module,
  { cluster, dns: { baseDomain } }: Basis,
): Certificate[] {
  if (name === undefined) return [];
  return [
    {
      name,
      issuer: 'universe',
      subject: { commonName: `${cluster.name} ${module}`, organizations: [] },
      dnsNames: [`*.${baseDomain}`, baseDomain],
      addresses: [],
      usages: ['server auth'],
      key: { in: 'secret', namespace, name },
    },
  ];
}

function certificate(
  node: PlannedNode,
  name: string,
  issuer: string,
  commonName: string,
  usages: PlannedCertificate['usages'],
  { dnsNames, addresses }: SubjectNames = { dnsNames: [], addresses: [] },
  organizations: string[] = [],
): Certificate {
  return {
    name,
    node: node.name,
    issuer,
    subject: { commonName, organizations },
    dnsNames,
    addresses,
    usages,
    key: { in: 'node', node: node.name, path: keyPath(name) },
  };
}

function keyPath(name: string): string {
  return `/etc/nova/pki/${name}.key`;
}
