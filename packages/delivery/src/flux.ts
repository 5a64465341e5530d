import { confined, type KubernetesObject, operators } from '@nova-platform/kubernetes';
import { parseAllDocuments } from 'yaml';
import { deployer, fluxKinds, namespace } from './names.ts';
import { type PodProxy, proxyDigest, proxyObjects, proxyParts } from './proxy.ts';
import type { Release } from './release.ts';

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

interface Controller {
  name: string;
  /** Its permissions in the whole cluster. */
  rules: Rule[];
  args?: string[];
  /** Whether it stores data while it runs. */
  hasData?: boolean;
  /** Its ports other than those for health and metrics. */
  ports?: Record<string, number>;
  readiness?: { path: string; port: number };
  /** Whether it can connect only to its peers in the cluster. */
  isConfined?: boolean;
  /** Whether its pods elect a leader. */
  isElected?: boolean;
}

const toolkit = (group: string) => `${group}.toolkit.fluxcd.io`;
const owns = (group: string): Rule => ({ apiGroups: [toolkit(group)], resources: ['*'], verbs: ['*'] });
const reads = (...groups: string[]): Rule => ({
  apiGroups: groups.map(toolkit),
  resources: ['*'],
  verbs: ['get', 'list', 'watch'],
});
const readsCore = (...resources: string[]): Rule => ({ apiGroups: [''], resources, verbs: ['get', 'list', 'watch'] });

/** Teams cannot reference objects outside their own namespace. */
const noCrossing = '--no-cross-namespace-refs=true';
/** Objects without a service account use one without permissions. */
const defaultAccount = '--default-service-account=default';

const controllers: readonly Controller[] = [
  {
    name: 'source-controller',
    rules: [owns('source'), readsCore('secrets', 'serviceaccounts')],
    args: ['--storage-path=/data', `--storage-adv-addr=source-controller.${namespace}.svc.{zone}.`],
    hasData: true,
    ports: { http: 9090 },
    readiness: { path: '/', port: 9090 },
    // Only a leader serves artifacts, and on a restarted node it would wait for the lease of its previous run. Each pod
    // has a storage of its own, and `Recreate` runs one pod at a time.
    isElected: false,
  },
  {
    name: deployer,
    // It is also bound to cluster-admin.
    rules: [],
    args: [noCrossing, '--no-remote-bases=true', defaultAccount, '--requeue-dependency=5s'],
    // The option does not cover files that a kustomization references by URL: they would be fetched.
    isConfined: true,
  },
  {
    name: 'helm-controller',
    rules: [
      owns('helm'),
      { ...reads('source'), verbs: ['get', 'list', 'watch', 'create', 'patch', 'update', 'delete'] },
      readsCore('secrets', 'configmaps', 'serviceaccounts'),
      // Helm releases are applied as the service account that they name.
      { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
    ],
    args: [noCrossing, defaultAccount, '--requeue-dependency=5s'],
  },
  {
    name: 'notification-controller',
    rules: [
      owns('notification'),
      { ...reads('source', 'kustomize', 'helm', 'image'), verbs: ['get', 'list', 'watch', 'patch', 'update'] },
      readsCore('secrets'),
    ],
    args: [noCrossing],
    ports: { http: 9090, 'http-webhook': 9292 },
  },
  {
    name: 'image-reflector-controller',
    rules: [owns('image'), readsCore('secrets', 'serviceaccounts', 'namespaces')],
    // A quarter of the default: there are few image tags.
    args: [noCrossing, '--storage-path=/data', '--storage-value-log-file-size=67108864'],
    hasData: true,
  },
  {
    name: 'image-automation-controller',
    rules: [owns('image'), reads('source'), readsCore('secrets')],
    args: [noCrossing],
  },
];

const labels = { 'app.kubernetes.io/part-of': 'flux' };

interface FluxOptions {
  /** For example `hub:5000/nova`. */
  imageRepository: string;
  /** The DNS zone of the cluster's services. */
  zone: string;
  /** The address of the API for pods. */
  apiAddress: string;
  proxy?: PodProxy | undefined;
}

/** Flux as in a release: its CRDs, its six controllers in lockdown, and their permissions. */
export function fluxObjects(
  { flux, images }: Release,
  definitions: readonly string[],
  options: FluxOptions,
): KubernetesObject[] {
  const digestOf = (name: string): string => {
    const image = images.find((each) => each.name === name && flux.includes(name));
    if (!image) throw new Error(`the release has no ${name}`);
    return `${options.imageRepository}/${name}:${image.version}@${image.digest}`;
  };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    ...(options.proxy ? proxyObjects(namespace, options.proxy) : []),
    ...definitions.flatMap((text) =>
      parseAllDocuments(text).flatMap((each) => (each.toJS() as KubernetesObject) ?? []),
    ),
    ...editRoles(),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'nova:flux:operators', labels },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'nova:flux:edit' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: operators }],
    },
    ...controllers.flatMap((controller) => [
      account(controller),
      ...roles(controller),
      deployment(controller, digestOf(controller.name), options),
    ]),
    binding('nova:flux:deployer', 'cluster-admin', deployer),
    leaderElection(),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'leader-election', namespace, labels },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'leader-election' },
      subjects: controllers.map(({ name }) => ({ kind: 'ServiceAccount', name, namespace })),
    },
    service('source-controller', 'source-controller', 'http'),
    service('notification-controller', 'notification-controller', 'http'),
    service('webhook-receiver', 'notification-controller', 'http-webhook'),
    ...networkPolicies(),
  ];
}

export const fluxControllers: readonly string[] = controllers.map(({ name }) => name);

function account({ name }: Controller): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } };
}

function roles({ name, rules }: Controller): KubernetesObject[] {
  const role = `nova:flux:${name}`;
  const events: Rule = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] };
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: role, labels },
      rules: [...rules, events],
    },
    binding(role, role, name),
  ];
}

function binding(name: string, role: string, subject: string): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: subject, namespace }],
  };
}

/** Roles that edit or view a namespace also cover its Flux objects. Only the controllers write the status. */
function editRoles(): KubernetesObject[] {
  const role = (name: string, verbs: string[], ...aggregated: string[]): KubernetesObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name,
      labels: {
        ...labels,
        ...Object.fromEntries(aggregated.map((each) => [`rbac.authorization.k8s.io/aggregate-to-${each}`, 'true'])),
      },
    },
    rules: fluxKinds.map((each) => {
      const [kind = '', ...group] = each.split('.');
      return { apiGroups: [group.join('.')], resources: [kind], verbs };
    }),
  });
  return [
    role('nova:flux:edit', ['create', 'delete', 'deletecollection', 'patch', 'update'], 'edit', 'admin'),
    role('nova:flux:view', ['get', 'list', 'watch'], 'view', 'edit', 'admin'),
  ];
}

function leaderElection(): KubernetesObject {
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'leader-election', namespace, labels },
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs },
    ],
  };
}

function deployment(
  {
    name,
    args = [],
    hasData = false,
    ports = {},
    readiness = { path: '/readyz', port: 9440 },
    isConfined = false,
    isElected = true,
  }: Controller,
  image: string,
  { zone, apiAddress, proxy: declaredProxy }: FluxOptions,
): KubernetesObject {
  // The proxy of a confined controller is a dead end.
  const proxy = isConfined ? undefined : declaredProxy;
  const partners = ['source-controller', 'notification-controller'].map((each) => `${each}.${namespace}.svc.${zone}.`);
  const confinement = isConfined ? unusableProxy([apiAddress, ...partners]) : [];
  const events =
    name === 'notification-controller'
      ? []
      : [`--events-addr=http://notification-controller.${namespace}.svc.${zone}./`];
  const folders = ['tmp', ...(hasData ? ['data'] : [])];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: { ...labels, app: name } },
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: { app: name } },
      template: {
        metadata: {
          labels: { ...labels, app: name },
          ...(proxy && { annotations: { 'nova-platform.io/proxy': proxyDigest(proxy) } }),
        },
        spec: {
          serviceAccountName: name,
          priorityClassName: 'system-cluster-critical',
          securityContext: { fsGroup: 65532 },
          nodeSelector: { 'node-role.kubernetes.io/infra': '' },
          tolerations: ['infra', 'ingress', 'control-plane'].map((role) => ({
            key: `node-role.kubernetes.io/${role}`,
            operator: 'Exists',
            effect: 'NoSchedule',
          })),
          containers: [
            {
              name: 'manager',
              image,
              args: [
                '--watch-all-namespaces',
                '--log-level=info',
                '--log-encoding=json',
                ...(isElected ? ['--enable-leader-election'] : []),
                ...events,
                ...args.map((arg) => arg.replace('{zone}', zone)),
              ],
              env: [
                { name: 'RUNTIME_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
                ...confinement,
              ],
              ...(proxy && { envFrom: proxyParts.envFrom }),
              ports: Object.entries({ ...ports, 'http-prom': 8080, healthz: 9440 }).map(([port, containerPort]) => ({
                name: port,
                containerPort,
              })),
              readinessProbe: { httpGet: readiness, periodSeconds: 2 },
              livenessProbe: { httpGet: { path: '/healthz', port: 9440 }, initialDelaySeconds: 30 },
              resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '512Mi' } },
              securityContext: confined,
              volumeMounts: [
                ...folders.map((folder) => ({ name: folder, mountPath: `/${folder}` })),
                ...(proxy ? [proxyParts.volumeMount] : []),
              ],
            },
          ],
          volumes: [
            ...folders.map((folder) => ({ name: folder, emptyDir: {} })),
            ...(proxy ? [proxyParts.volume] : []),
          ],
        },
      },
    },
  };
}

/** Connections to other hosts go to a proxy that does not exist. */
function unusableProxy(others: readonly string[]): { name: string; value: string }[] {
  const proxy = 'http://127.0.0.1:1';
  return [
    { name: 'HTTP_PROXY', value: proxy },
    { name: 'HTTPS_PROXY', value: proxy },
    { name: 'NO_PROXY', value: others.join(',') },
  ];
}

function service(name: string, app: string, targetPort: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort }] },
  };
}

/** Only the controllers can fetch artifacts. A CNI without network policies does not enforce it. */
function networkPolicies(): KubernetesObject[] {
  const policy = (name: string, podSelector: object, ingress: object[]): KubernetesObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace, labels },
    spec: { podSelector, policyTypes: ['Ingress'], ingress },
  });
  return [
    policy('among-controllers', {}, [{ from: [{ podSelector: {} }] }]),
    policy('metrics', {}, [{ from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 8080 }] }]),
    policy('webhooks', { matchLabels: { app: 'notification-controller' } }, [
      { from: [{ namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 9292 }] },
    ]),
  ];
}
