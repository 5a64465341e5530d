/** A way in which a team could try to reach beyond its namespace through Flux. */
export interface Escape {
  what: string;
  /** The spec of the Kustomization, in addition to the team's own source. */
  spec: Record<string, unknown>;
  /** The files in the team's repository. */
  files: Record<string, string>;
  refusal: RegExp;
}

const toPage = { path: '/', pathType: 'Prefix', backend: { service: { name: 'page', port: { number: 80 } } } };
const rbac = 'rbac.authorization.k8s.io/v1';
const everything = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };

interface Scene {
  team: string;
  /** The team that is attacked. */
  other: string;
  /** A file that is not in the team's repository. */
  base: string;
  /** The base domain. */
  domain: string;
}

export function escapes({ team, other, base, domain }: Scene): Escape[] {
  const own = { serviceAccountName: team };
  const subjects = [{ kind: 'ServiceAccount', name: team, namespace: team }];
  const page = (...hosts: string[]) =>
    object(
      'Ingress',
      { name: 'page', namespace: team },
      { spec: { rules: hosts.map((host) => ({ host, http: { paths: [toPage] } })) } },
      'networking.k8s.io/v1',
    );
  const note = (namespace: string) => object('ConfigMap', { name: 'note', namespace });
  return [
    {
      what: 'an object in another namespace',
      spec: { ...own, path: './elsewhere' },
      files: { 'elsewhere/note.yaml': note(other) },
      refusal: /forbidden/,
    },
    {
      what: 'another target namespace',
      spec: { ...own, path: './moved', targetNamespace: other },
      files: { 'moved/note.yaml': note(team) },
      refusal: /forbidden/,
    },
    {
      what: 'no account at all',
      spec: { path: './plain' },
      files: { 'plain/note.yaml': note(team) },
      refusal: /:default" cannot/,
    },
    {
      what: 'an account by the name of the platform’s own',
      spec: { serviceAccountName: 'kustomize-controller', path: './plain' },
      files: { 'plain/note.yaml': note(team) },
      refusal: /:kustomize-controller" cannot|not found/,
    },
    {
      what: 'a secret of another namespace as a value',
      spec: { ...own, path: './plain', postBuild: { substituteFrom: [{ kind: 'Secret', name: 'hidden' }] } },
      files: { 'plain/note.yaml': note(team) },
      refusal: /not found/,
    },
    {
      what: 'the source of the platform',
      spec: {
        ...own,
        path: './modules/ingress',
        sourceRef: { kind: 'GitRepository', name: 'nova-release-git-main', namespace: 'nova-gitops' },
      },
      files: {},
      refusal: /cross-namespace references have been blocked/,
    },
    {
      what: 'a role in the whole cluster',
      spec: { ...own, path: './cluster-role' },
      files: {
        'cluster-role/binding.yaml': object(
          'ClusterRoleBinding',
          { name: `${team}-takes-all` },
          { roleRef: everything, subjects },
          rbac,
        ),
      },
      refusal: /forbidden/,
    },
    {
      what: 'more rights in its own namespace than it has',
      spec: { ...own, path: './more-rights' },
      files: {
        'more-rights/binding.yaml': object(
          'RoleBinding',
          { name: 'all', namespace: team },
          { roleRef: everything, subjects },
          rbac,
        ),
      },
      refusal: /forbidden/,
    },
    {
      what: 'a base from elsewhere',
      spec: { ...own, path: './borrowed' },
      files: {
        'borrowed/kustomization.yaml': object(
          'Kustomization',
          {},
          { resources: [base] },
          'kustomize.config.k8s.io/v1beta1',
        ),
      },
      refusal: /proxyconnect tcp: dial tcp 127.0.0.1:1/,
    },
    {
      what: 'a repository elsewhere as a base',
      spec: { ...own, path: './cloned' },
      files: {
        'cloned/kustomization.yaml': object(
          'Kustomization',
          {},
          { resources: [`${base.replace(/[^/]*$/, 'base.git')}//plain?ref=main`] },
          'kustomize.config.k8s.io/v1beta1',
        ),
      },
      refusal: /proxyconnect tcp: dial tcp 127.0.0.1:1/,
    },
    {
      what: 'a quota that it gives itself',
      spec: { ...own, path: './quota' },
      files: {
        'quota/quota.yaml': object(
          'ResourceQuota',
          { name: team, namespace: team },
          { spec: { hard: { pods: '9999' } } },
        ),
      },
      refusal: /forbidden/,
    },
    {
      what: 'the name of a service of the platform',
      spec: { ...own, path: './platform-name' },
      files: { 'platform-name/page.yaml': page(`nova-console.${domain}`) },
      refusal: /a team can publish only the hosts/,
    },
    {
      what: 'a name of another team, beside one of its own',
      spec: { ...own, path: './other-name' },
      files: { 'other-name/page.yaml': page(`shop--${team}.${domain}`, `shop--${other}.${domain}`) },
      refusal: /a team can publish only the hosts/,
    },
  ];
}

/** The Kustomization of an attempt. */
export function attempt(team: string, name: string, { spec }: Escape): string {
  const from = { sourceRef: { kind: 'GitRepository', name: 'apps' }, ...spec };
  return object(
    'Kustomization',
    { name, namespace: team },
    { spec: { interval: '10m', prune: true, ...from } },
    'kustomize.toolkit.fluxcd.io/v1',
  );
}

function object(kind: string, metadata: object, more: object = {}, apiVersion = 'v1'): string {
  return JSON.stringify({ apiVersion, kind, metadata, ...more });
}
