import { createHash } from 'node:crypto';
import { modules } from '@nova-platform/api';
import type { KubernetesObject } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import { encoded } from './encoded.ts';
import { proxyName, proxyValues } from './names.ts';
import { values } from './values.ts';

/** The proxy for pods of the platform. */
export interface PodProxy {
  /** `HTTP_PROXY` and others, with credentials. */
  variables: Record<string, string>;
  /** CA certificates (PEM) to trust for the proxy. */
  authorities?: string;
}

/** The folder in pods with certificates to trust in addition to those of the image. */
const folder = '/etc/nova/proxy';

/** The proxy of a plan; `variables` are those of its nodes. */
export function podProxy({ declared, proxy }: ClusterPlan, variables: Record<string, string>): PodProxy {
  const zone = declared.clusterConfiguration.k8sDefaultDnsZone;
  return {
    variables: {
      ...variables,
      // Names of services with a trailing dot match only entries with one.
      NO_PROXY: `${variables.NO_PROXY},.${zone}.`,
      ...(proxy?.trustedCA && { SSL_CERT_DIR: folder }),
    },
    ...(proxy?.trustedCA && { authorities: Buffer.from(proxy.trustedCA, 'base64').toString() }),
  };
}

/** The objects from which pods of a namespace read the proxy. */
export function proxyObjects(namespace: string, { variables, authorities }: PodProxy): KubernetesObject[] {
  const [secret, configMap] = proxyPlaces(namespace);
  return [
    { ...secret, type: 'Opaque', data: encoded(variables) },
    { ...configMap, data: authorities === undefined ? {} : { 'proxy.crt': authorities } },
  ];
}

/** The same objects without content, to delete them. */
export function proxyPlaces(namespace: string): [secret: KubernetesObject, configMap: KubernetesObject] {
  const metadata = { name: proxyName, namespace };
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata },
  ];
}

/** The objects from which pods of modules read the proxy, in each namespace. */
export function moduleProxyObjects({ modules: planned }: ClusterPlan, proxy: PodProxy): KubernetesObject[] {
  return [
    ...namespacesOf(planned).flatMap((name) => [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      ...proxyObjects(name, proxy),
    ]),
    values(proxyValues, { proxyDigest: JSON.stringify(proxyDigest(proxy)) }),
  ];
}

/** The objects without content that a plan does not need, to delete them: a removed module leaves no credentials. */
export function moduleProxyPlaces({ modules: planned, proxy }: ClusterPlan): KubernetesObject[] {
  const used = new Set(proxy ? namespacesOf(planned) : []);
  const unused = namespacesOf(modules).filter((name) => !used.has(name));
  return [...unused.flatMap(proxyPlaces), ...(proxy ? [] : [values(proxyValues, {})])];
}

/** Pods read the proxy when they start, so a new digest replaces them. */
export function proxyDigest({ variables, authorities }: PodProxy): string {
  return createHash('sha256')
    .update(JSON.stringify([variables, authorities]))
    .digest('hex')
    .slice(0, 12);
}

/** The parts of a pod that give it the proxy. */
export const proxyParts = {
  envFrom: [{ secretRef: { name: proxyName } }],
  volumeMount: { name: 'proxy', mountPath: folder, readOnly: true },
  volume: { name: 'proxy', configMap: { name: proxyName } },
};

function namespacesOf(planned: readonly { name: string }[]): string[] {
  const namespaceOf = new Map(modules.map(({ name, namespace }) => [name, namespace]));
  return [...new Set(planned.flatMap(({ name }) => namespaceOf.get(name) ?? []))];
}
