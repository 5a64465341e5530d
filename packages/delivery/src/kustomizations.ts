import type { KubernetesObject } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import { encoded } from './encoded.ts';
import { factsOf } from './facts.ts';
import { commonValues, deployer, moduleLabel, moduleValues, namespace, proxyValues, sourceName } from './names.ts';
import type { ReleasedModule } from './release.ts';
import { tagNameOf } from './releases.ts';
import { moduleValuesOf } from './values.ts';

const interval = '10m';

interface SourceAccess {
  url: string;
  /** CA certificates (PEM) for the server. */
  authority: string;
  token: string;
}

/** The source from which Flux fetches the release, and its credentials. */
export function sourceObjects(release: string, { url, authority, token }: SourceAccess): KubernetesObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: sourceName, namespace },
      type: 'Opaque',
      data: encoded({ username: 'flux', password: token, 'ca.crt': authority }),
    },
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: sourceName, namespace },
      spec: {
        interval,
        timeout: '60s',
        url,
        ref: { tag: tagNameOf(release) },
        secretRef: { name: sourceName },
      },
    },
  ];
}

/** The objects that make Flux deliver the modules of a plan: one Kustomization per module. */
export function moduleObjects(plan: ClusterPlan, released: readonly ReleasedModule[]): KubernetesObject[] {
  const facts = factsOf(plan);
  return plan.modules.flatMap((module) => {
    const values = moduleValuesOf(facts, module);
    const needs = released.find(({ name }) => name === module.name)?.needs ?? [];
    const names = [commonValues, ...(values ? [moduleValues(module.name)] : []), ...(plan.proxy ? [proxyValues] : [])];
    return [...(values ? [values] : []), kustomization(module.name, needs, names)];
  });
}

function kustomization(module: string, needs: readonly string[], names: readonly string[]): KubernetesObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: module, namespace, labels: { [moduleLabel]: module } },
    spec: {
      interval,
      retryInterval: '30s',
      timeout: '5m',
      sourceRef: { kind: 'GitRepository', name: sourceName },
      path: `./modules/${module}`,
      dependsOn: needs.map((name) => ({ name })),
      postBuild: { substituteFrom: names.map((name) => ({ kind: 'ConfigMap', name })) },
      serviceAccountName: deployer,
      prune: true,
      // It is ready only when all its objects are.
      wait: true,
    },
  };
}

interface ServerCertificate {
  certificate: string;
  key: string;
}

/** The certificate of a module, and the namespace, which does not exist before the module. */
export function tlsSecret(
  { namespace, name }: { namespace: string; name: string },
  { certificate, key }: ServerCertificate,
): KubernetesObject[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      type: 'kubernetes.io/tls',
      data: encoded({ 'tls.crt': certificate, 'tls.key': key }),
    },
  ];
}
