export { gitopsNamespace as namespace } from '@nova-platform/api';

/** The service account of system Kustomizations; it is cluster-admin. */
export const deployer = 'kustomize-controller';
export const sourceName = 'nova-release-git-main';
export const commonValues = 'nova-gitops-common-substitute-config';
export const moduleValues = (module: string): string => `nova-gitops-${module}-substitute-config`;
export const proxyValues = 'nova-gitops-proxy-substitute-config';
/** In each namespace with pods of the platform: a Secret with the proxy, a ConfigMap with certificates to trust. */
export const proxyName = 'nova-proxy';
/** On every object and pod of a module. */
export const moduleLabel = 'nova-platform.io/module';
/** Flux reconciles as soon as an object with this label changes. */
export const watchLabel = { 'reconcile.fluxcd.io/watch': 'Enabled' };

/** The kinds of Flux as `plural.group`. */
export const fluxKinds: readonly string[] = Object.entries({
  source: ['buckets', 'externalartifacts', 'gitrepositories', 'helmcharts', 'helmrepositories', 'ocirepositories'],
  kustomize: ['kustomizations'],
  helm: ['helmreleases'],
  notification: ['alerts', 'providers', 'receivers'],
  image: ['imagepolicies', 'imagerepositories', 'imageupdateautomations'],
}).flatMap(([group, kinds]) => kinds.map((kind) => `${kind}.${group}.toolkit.fluxcd.io`));
