import { formatted } from '@nova-platform/api';
import { change } from '@nova-platform/change/schema';
import type { Contract } from '@nova-platform/http';
import type { ClusterPlan } from '@nova-platform/plan';
import { z } from 'zod';

/** Plans are ours on both sides: they are typed, and not checked again. */
const clusterPlan = z.unknown() as z.ZodType<ClusterPlan, ClusterPlan>;
const name = formatted('label', 63);
const role = z.enum(['viewer', 'operator', 'admin']);
const time = z.iso.datetime();
const text = z.object({ en: z.string(), ru: z.string() });
const limit = z.coerce.number().int().min(1).max(500).default(50);
/** Long enough not to be guessed; how it is made up is its owner's business. */
const password = z.string().min(12).max(256);
const userParams = z.object({ user: name });
const clusterParams = z.object({ cluster: name });
const groupCounts = z.record(name, z.int().min(0).max(1000));
const operationParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });
const maxTokenSeconds = 10 * 365 * 24 * 3600;
const none = z.object({});
/** PostgreSQL keeps no text with this character. */
const line = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[^\0]*$/, 'text without zero characters');

/** In the audit trail it is whoever is root on the host. */
const isFree = (user: string): boolean => user !== 'local';

/** Where it is in a document, and the line as it may be shown. */
const place = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  snippet: z.string(),
  caret: z.int(),
  length: z.int(),
});

/** What is wrong, with the code of the error table; its words are chosen where it is shown. */
const problem = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), text])),
  path: z.array(z.union([z.string(), z.number()])).readonly(),
});

const step = z.object({
  name: z.string(),
  title: text,
  state: z.enum(['waiting', 'running', 'done', 'failed', 'undone']),
  attempts: z.int(),
  startedAt: time.optional(),
  endedAt: time.optional(),
  result: z.unknown().optional(),
  problems: z.array(problem).optional(),
});

const operationState = z.enum(['running', 'done', 'failed', 'cancelled']);

const operation = z.object({
  id: z.int(),
  kind: z.string(),
  title: text,
  lock: z.string().optional(),
  state: operationState,
  isCancelling: z.boolean(),
  requestedBy: z.string(),
  createdAt: time,
  endedAt: time.optional(),
  failure: z.object({ step: z.string(), problems: z.array(problem) }).optional(),
  kept: z.array(z.string()).optional(),
  steps: z.array(step),
});

const event = z.object({
  id: z.int(),
  at: time,
  kind: z.enum(['operation', 'step', 'log', 'cluster']),
  cluster: z.string().optional(),
  operation: z.int().optional(),
  step: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

const user = z.object({ name: z.string(), role, hasPassword: z.boolean(), createdAt: time });

const token = z.object({
  id: z.string(),
  user: z.string(),
  name: z.string(),
  role,
  createdAt: time,
  expiresAt: time,
  usedAt: time.optional(),
});

const cluster = z.object({
  name: z.string(),
  revision: z.int(),
  provider: z.string(),
  kubernetesVersion: z.string(),
  nodeCount: z.int(),
  changedAt: time,
  changedBy: z.string(),
});

const moduleView = z.object({
  name: z.string(),
  category: z.enum(['base', 'additional']),
  version: z.string(),
  needs: z.array(z.string()),
  description: text,
  /** `off` where the cluster should not have it, `unknown` while its API does not answer. */
  state: z.enum(['ready', 'waiting', 'failed', 'leaving', 'off', 'unknown']),
  /** What it waits for, or why it failed. */
  reason: z.string().exactOptional(),
  /** What others had changed, and Flux put right again. */
  repaired: z.object({ at: time, objects: z.array(z.string()) }).exactOptional(),
});

const finding = z.object({ severity: z.enum(['error', 'warning']), chain: z.array(problem) });

const health = z.object({
  cluster: z.string(),
  state: z.enum(['ready', 'changing', 'stopped', 'degraded', 'failed']),
  kubernetesVersion: z.string(),
  /** Where people reach its API. */
  server: z.string(),
  cni: z.string(),
  enforcesNetworkPolicies: z.boolean(),
  /** The newest one. */
  operation: z
    .object({
      id: z.int(),
      kind: z.string(),
      title: text,
      state: operationState,
      failedStep: z.string().exactOptional(),
    })
    .exactOptional(),
  nodes: z.array(
    z.object({
      name: z.string(),
      roles: z.array(z.string()),
      address: z.string(),
      machine: z.enum(['running', 'stopped', 'deleting']).exactOptional(),
      /** Known only where the API answers. */
      isReady: z.boolean().exactOptional(),
      version: z.string().exactOptional(),
      lastRun: z.object({ at: time, status: z.enum(['unchanged', 'changed', 'failed']) }).exactOptional(),
      /** What its next run would change, and what nobody has approved yet. */
      pending: z.int().exactOptional(),
      endingCertificates: z.array(z.object({ name: z.string(), notAfter: time })),
      /** Packages of its image that lack a security update; known only after a check. */
      missingSecurityUpdates: z.array(z.string()).exactOptional(),
    }),
  ),
  /** Known only where the API answers. */
  modules: z.array(moduleView.pick({ name: true, state: true, reason: true })).exactOptional(),
  /** For the hosts file of whoever has no DNS server that knows the base domain; none where the company's servers do. */
  hosts: z.array(z.string()),
  /** Each from what is noticed to what it comes from; the remedy of the last one helps. */
  findings: z.array(finding),
});

/** What Kubernetes tells of one of its objects. */
const kubernetesEvent = z.object({
  at: time,
  severity: z.enum(['normal', 'warning']),
  /** `Pod/kube-system/coredns-1` */
  object: z.string(),
  reason: z.string(),
  message: z.string(),
  /** How often it happened. */
  count: z.int(),
});

/** A cluster's network as it is, beside which its plan says how it should be. */
const network = z.object({
  name: z.string(),
  network: z.string(),
  router: z.object({
    name: z.string(),
    ports: z.array(z.object({ network: z.string(), address: z.string() })),
    routes: z.array(z.object({ network: z.string(), via: z.string() })),
    nat: z.array(
      z.object({
        type: z.string(),
        externalAddress: z.string(),
        address: z.string(),
        /** Those that are reachable at the external address: `80/tcp`. */
        ports: z.array(z.string()),
      }),
    ),
  }),
  /** Of machines; `up` once the machine's link is plugged in. */
  ports: z.array(z.object({ name: z.string(), address: z.string(), up: z.boolean() })),
  loadBalancers: z.array(z.object({ name: z.string(), address: z.string(), backends: z.array(z.string()) })),
  machines: z.array(
    z.object({ name: z.string(), address: z.string(), state: z.enum(['running', 'stopped', 'deleting']) }),
  ),
});

/** What a declaration would change. The digest stands for all of it. */
const preview = z.object({ plan: clusterPlan, change, digest: z.string() });
/** No operation where nothing was to be done. */
const declared = z.object({ cluster, operation: operation.exactOptional() });
const digest = z.string().max(128).optional();
const moduleChanges = z.record(name, z.boolean());
const release = formatted('release');
const quantity = formatted('quantity');

const service = z.object({
  name: z.string(),
  isReady: z.boolean(),
  version: z.string().optional(),
  /** What is wrong with it, and the same in words of the error table where there are some. */
  reason: z.string().optional(),
  problems: z.array(problem).optional(),
});

/** Universe's API: what people, the command line and the console ask for. */
export const universeContract = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'Whether the server runs',
    access: 'anyone',
    answer: z.object({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    path: '/v1/ready',
    summary: 'Whether it can work: the store answers; with a token also how its services are',
    access: 'anyone',
    hasDetails: true,
    answer: z.object({ status: z.literal('ok'), services: z.array(service).exactOptional() }),
  },
  authority: {
    method: 'GET',
    path: '/v1/authority',
    summary:
      'The authority that certificates of the platform come from; compare its fingerprint with what you were told',
    access: 'anyone',
    answer: z.object({ certificate: z.string(), fingerprint: z.string() }),
  },

  login: {
    method: 'POST',
    path: '/v1/login',
    summary: 'A token for a name and a password',
    access: 'anyone',
    body: z.strictObject({
      user: line(63),
      password: z.string().max(256),
      seconds: z
        .int()
        .min(60)
        .max(30 * 24 * 3600)
        .default(12 * 3600),
    }),
    target: 'users/{user}',
    answer: z.object({ token: z.string(), user: z.string(), role, expiresAt: time }),
  },
  startSession: {
    method: 'POST',
    path: '/v1/session',
    summary: 'A session for a browser, in a cookie',
    access: 'anyone',
    body: z.union([
      z.strictObject({ user: line(63), password: z.string().max(256) }),
      z.strictObject({ code: z.string().max(64) }),
    ]),
    target: 'users/{user}',
    answer: z.object({ user: z.string(), role }),
  },
  createLoginLink: {
    method: 'POST',
    path: '/v1/login-links',
    summary:
      'A code that lets a browser in once, without a password and with this role; for others only as administrator',
    access: 'viewer',
    body: z.strictObject({ user: name.optional() }),
    target: 'users/{user}',
    answer: z.object({ code: z.string(), user: z.string(), role, expiresAt: time }),
  },
  endSession: {
    method: 'DELETE',
    path: '/v1/session',
    summary: 'Ends the session of this browser',
    access: 'viewer',
    answer: none,
  },
  whoami: {
    method: 'GET',
    path: '/v1/whoami',
    summary: 'Who asks, and with which role',
    access: 'viewer',
    answer: z.object({ user: z.string(), role }),
  },

  status: {
    method: 'GET',
    path: '/v1/status',
    summary: 'Services, versions, disk, certificates that were not renewed in time',
    access: 'viewer',
    answer: z.object({
      version: z.string(),
      startedAt: time,
      services: z.array(service),
      disk: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
      memoryBytes: z.number(),
      counts: z.object({ clusters: z.int(), nodes: z.int(), runningOperations: z.int(), failedOperations: z.int() }),
      endingCertificates: z.array(z.object({ name: z.string(), node: z.string().optional(), notAfter: time })),
      /** Without a time where images were not compared with Debian's package lists yet. */
      updates: z.object({
        checkedAt: time.exactOptional(),
        /** Those that lack security updates, with the names of the packages. */
        machines: z.array(z.object({ name: z.string(), security: z.array(z.string()) })),
      }),
      /** Of Universe itself; those of clusters are in their health. */
      findings: z.array(finding),
    }),
  },

  capacity: {
    method: 'GET',
    path: '/v1/capacity',
    summary: 'What the box of the engine has, and what its machines were given of it',
    access: 'viewer',
    answer: z.object({
      memory: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
      disk: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
      machines: z.object({ count: z.int(), running: z.int(), cpu: z.number(), memoryBytes: z.number() }),
    }),
  },

  listOperations: {
    method: 'GET',
    path: '/v1/operations',
    summary: 'Operations, the newest first',
    access: 'viewer',
    query: z.strictObject({
      /** Or what else operations work on: `registry.images`. */
      cluster: formatted('domain', 63).optional(),
      state: operationState.optional(),
      before: z.coerce.number().int().optional(),
      limit,
    }),
    answer: z.object({ operations: z.array(operation), next: z.int().optional() }),
  },
  showOperation: {
    method: 'GET',
    path: '/v1/operations/:id',
    summary: 'An operation with its steps',
    access: 'viewer',
    params: operationParams,
    answer: operation,
  },
  resumeOperation: {
    method: 'POST',
    path: '/v1/operations/:id/resume',
    summary: 'Goes on with an operation that failed',
    access: 'operator',
    params: operationParams,
    answer: operation,
  },
  cancelOperation: {
    method: 'POST',
    path: '/v1/operations/:id/cancel',
    summary: 'Ends an operation and takes back what it began',
    access: 'operator',
    params: operationParams,
    answer: operation,
  },
  listEvents: {
    method: 'GET',
    path: '/v1/events/history',
    summary: 'What happened after an event, in its order: the log of operations to read again',
    access: 'viewer',
    query: z.strictObject({
      cluster: name.optional(),
      operation: z.coerce.number().int().optional(),
      after: z.coerce.number().int().min(0).default(0),
      limit,
    }),
    answer: z.object({ events: z.array(event) }),
  },

  listClusters: {
    method: 'GET',
    path: '/v1/clusters',
    summary: 'Clusters, by name',
    access: 'viewer',
    query: z.strictObject({ search: line(63).optional(), after: name.optional(), limit }),
    answer: z.object({
      clusters: z.array(cluster.extend({ failedNodes: z.int(), unseenNodes: z.int() })),
      next: z.string().optional(),
    }),
  },
  showCluster: {
    method: 'GET',
    path: '/v1/clusters/:cluster',
    summary: 'A cluster: its documents with secrets masked, and its plan',
    access: 'node',
    params: clusterParams,
    answer: cluster.extend({ documents: z.string(), plan: clusterPlan }),
  },
  clusterHealth: {
    method: 'GET',
    path: '/v1/clusters/:cluster/health',
    summary: 'How a cluster is, and what is wrong with it, followed to its causes',
    access: 'viewer',
    params: clusterParams,
    answer: health,
  },
  clusterCertificates: {
    method: 'GET',
    path: '/v1/clusters/:cluster/certificates',
    summary: 'Certificates that the nodes of a cluster have, the first to end first',
    access: 'viewer',
    params: clusterParams,
    answer: z.object({
      certificates: z.array(
        /** `overdueAt`: when the node should have renewed it. */
        z.object({ node: z.string(), name: z.string(), notAfter: time, overdueAt: time }),
      ),
    }),
  },
  clusterEvents: {
    method: 'GET',
    path: '/v1/clusters/:cluster/events',
    summary: 'What Kubernetes tells of a cluster, the newest first',
    access: 'viewer',
    params: clusterParams,
    answer: z.object({ events: z.array(kubernetesEvent) }),
  },
  clusterNetwork: {
    method: 'GET',
    path: '/v1/clusters/:cluster/network',
    summary: 'The network of a cluster and the machines in it as they are; nothing where the engine has none',
    access: 'viewer',
    params: clusterParams,
    answer: z.object({ network: network.optional() }),
  },
  checkDocuments: {
    method: 'POST',
    path: '/v1/documents/check',
    summary: 'What documents declare beside everything that is declared already, and what is wrong with them',
    access: 'operator',
    body: z.strictObject({ documents: z.string().max(1024 * 1024) }),
    // An editor asks after every change.
    isReading: true,
    answer: z.object({
      problems: z.array(problem.extend({ place: place.optional() })),
      /** Where nothing is wrong. */
      plan: clusterPlan.optional(),
    }),
  },
  previewCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/preview',
    summary: 'What a declaration would change; nothing is done',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ documents: z.string().max(1024 * 1024) }),
    answer: preview,
  },
  declareCluster: {
    method: 'PUT',
    path: '/v1/clusters/:cluster',
    summary: 'Declares a cluster and starts the operation that makes it so; If-Match guards against lost changes',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ documents: z.string().max(1024 * 1024), digest }),
    answer: declared,
  },
  previewScale: {
    method: 'POST',
    path: '/v1/clusters/:cluster/scale/preview',
    summary: 'What other sizes of node groups would change; nothing is done',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ groups: groupCounts }),
    answer: preview,
  },
  scaleCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/scale',
    summary: 'Declares other sizes of node groups, by name or role, and starts the operation that makes it so',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ groups: groupCounts, digest }),
    answer: declared,
  },
  listModules: {
    method: 'GET',
    path: '/v1/clusters/:cluster/modules',
    summary: 'The modules of the release that a cluster has, and how each is',
    access: 'viewer',
    params: clusterParams,
    answer: z.object({ release: z.string(), modules: z.array(moduleView) }),
  },
  previewModules: {
    method: 'POST',
    path: '/v1/clusters/:cluster/modules/preview',
    summary: 'What enabling and disabling modules would change; nothing is done',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ modules: moduleChanges }),
    answer: preview,
  },
  changeModules: {
    method: 'POST',
    path: '/v1/clusters/:cluster/modules',
    summary: 'Enables and disables modules, and starts the operation that makes it so',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ modules: moduleChanges, digest }),
    answer: declared,
  },
  createTenant: {
    method: 'PUT',
    path: '/v1/clusters/:cluster/tenants/:tenant',
    summary: 'A namespace in which a team delivers by itself: account, rights, quota',
    access: 'operator',
    params: clusterParams.extend({ tenant: name }),
    body: z.strictObject({
      cpu: quantity.default('4'),
      memory: quantity.default('8Gi'),
      volumes: quantity.default('20Gi'),
      pods: z.int().min(1).max(10_000).default(50),
    }),
    audited: ['cpu', 'memory', 'volumes', 'pods'],
    answer: z.object({ tenant: z.string(), objects: z.array(z.string()), example: z.string() }),
  },
  listReleases: {
    method: 'GET',
    path: '/v1/releases',
    summary: 'Releases of the platform, the oldest first; new clusters get the newest',
    access: 'viewer',
    answer: z.object({
      releases: z.array(z.string()),
      newest: z.string().exactOptional(),
      /** Which clusters have which. */
      clusters: z.array(z.object({ name: z.string(), release: z.string() })),
    }),
  },
  showRelease: {
    method: 'GET',
    path: '/v1/releases/:release',
    summary: 'What a release contains: modules and images',
    access: 'viewer',
    params: z.object({ release }),
    answer: z.object({
      version: z.string(),
      commit: z.string(),
      modules: z.array(
        moduleView.omit({ state: true, reason: true, repaired: true }).extend({ images: z.array(z.string()) }),
      ),
      images: z.array(z.object({ name: z.string(), component: z.string(), version: z.string(), digest: z.string() })),
      flux: z.array(z.string()),
    }),
  },
  importRelease: {
    method: 'PUT',
    path: '/v1/releases/:release',
    summary: 'Brings a release in; other content under a version that is there is refused',
    // Flux runs what a release holds as an administrator of clusters.
    access: 'admin',
    params: z.object({ release }),
    body: z.strictObject({ files: z.record(z.string().max(200), z.string().max(1024 * 1024)) }),
    answer: z.object({ version: z.string(), commit: z.string() }),
  },
  stopCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/stop',
    summary: 'Stops the machines of a cluster, as an operation; they keep everything',
    access: 'operator',
    params: clusterParams,
    answer: operation,
  },
  startCluster: {
    method: 'POST',
    path: '/v1/clusters/:cluster/start',
    summary: 'Starts the machines of a cluster and waits until it works, as an operation',
    access: 'operator',
    params: clusterParams,
    answer: operation,
  },
  destroyCluster: {
    method: 'DELETE',
    path: '/v1/clusters/:cluster',
    summary: 'Removes a cluster with its machines, network, identities and documents, as an operation',
    access: 'operator',
    params: clusterParams,
    answer: operation,
  },
  kubeconfig: {
    method: 'POST',
    path: '/v1/clusters/:cluster/kubeconfig',
    summary: 'A way into the cluster for whoever asks, for an hour',
    access: 'operator',
    params: clusterParams,
    answer: z.object({
      server: z.string(),
      authority: z.string(),
      certificate: z.string(),
      key: z.string(),
      user: z.string(),
    }),
  },
  runAgents: {
    method: 'POST',
    path: '/v1/clusters/:cluster/runs',
    summary: 'Runs the agents of a cluster now, all at once, as an operation',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ isNoop: z.boolean().default(false) }),
    audited: ['isNoop'],
    answer: operation,
  },

  listUsers: {
    method: 'GET',
    path: '/v1/users',
    summary: 'People who may come in',
    access: 'admin',
    answer: z.object({ users: z.array(user) }),
  },
  createUser: {
    method: 'POST',
    path: '/v1/users',
    summary: 'Lets a person in',
    access: 'admin',
    body: z.strictObject({ name: name.refine(isFree, 'another name'), role, password: password.optional() }),
    target: 'users/{name}',
    answer: none,
  },
  changeUser: {
    method: 'PATCH',
    path: '/v1/users/:user',
    summary: 'Gives a person another role or password',
    access: 'admin',
    params: userParams,
    body: z.strictObject({ role: role.optional(), password: password.optional() }),
    answer: none,
  },
  removeUser: {
    method: 'DELETE',
    path: '/v1/users/:user',
    summary: 'Removes a person, with all tokens and sessions',
    access: 'admin',
    params: userParams,
    answer: none,
  },
  changePassword: {
    method: 'POST',
    path: '/v1/password',
    summary: 'Changes one’s own password',
    access: 'viewer',
    body: z.strictObject({ old: z.string().max(256), password }),
    answer: none,
  },
  listTokens: {
    method: 'GET',
    path: '/v1/access-tokens',
    summary: 'One’s own tokens; for administrators everybody’s',
    access: 'viewer',
    answer: z.object({ tokens: z.array(token) }),
  },
  createAccessToken: {
    method: 'POST',
    path: '/v1/access-tokens',
    summary:
      'A token for a program, no greater and no longer-lived than the token it is made with; it is shown only now',
    access: 'viewer',
    body: z.strictObject({
      name: line(63).min(1),
      role,
      /** Without it 30 days, or less where the token it is made with expires earlier. */
      seconds: z.int().min(60).max(maxTokenSeconds).optional(),
      user: name.optional(),
    }),
    answer: z.object({ token: z.string(), created: token }),
  },
  removeToken: {
    method: 'DELETE',
    path: '/v1/access-tokens/:id',
    summary: 'Revokes a token, and all that was made with it',
    access: 'viewer',
    params: z.object({ id: line(12) }),
    answer: none,
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    summary: 'Who did what with which outcome, the newest first',
    access: 'admin',
    query: z.strictObject({ who: line(260).optional(), before: z.coerce.number().int().optional(), limit }),
    answer: z.object({
      entries: z.array(
        z.object({
          id: z.int(),
          at: time,
          who: z.string(),
          from: z.string(),
          action: z.string(),
          target: z.string(),
          outcome: z.int(),
          /** What who did it was known by; entries of older releases do not say. */
          credential: z.string().exactOptional(),
          changes: z
            .array(
              z.object({ field: z.string(), before: z.string().exactOptional(), after: z.string().exactOptional() }),
            )
            .exactOptional(),
        }),
      ),
      next: z.int().optional(),
    }),
  },

  engineIdentity: {
    method: 'GET',
    path: '/v1/engine/identity',
    summary: 'The public key by which the engine knows Universe, and until when it does',
    access: 'admin',
    answer: z.object({ publicKey: z.string(), notAfter: time.optional() }),
  },
  acceptEngineIdentity: {
    method: 'PUT',
    path: '/v1/engine/identity',
    summary: 'Where the engine is, and the certificate by which it knows Universe',
    access: 'admin',
    body: z.strictObject({
      certificate: z.string().max(16 * 1024),
      authority: z.string().max(16 * 1024),
      host: formatted('address'),
      port: z.int().min(1).max(65535),
    }),
    audited: ['host', 'port'],
    answer: none,
  },

  nodeConsole: {
    method: 'GET',
    path: '/v1/nodes/:name/console',
    summary: 'What the machine of a node wrote to its console, the end of it',
    access: 'operator',
    params: z.object({ name: formatted('domain', 253) }),
    answer: z.object({ text: z.string() }),
  },

  listImages: {
    method: 'GET',
    path: '/v1/registry/images',
    summary: 'Images of the registry with their tags',
    access: 'viewer',
    answer: z.object({
      images: z.array(z.object({ repository: z.string(), tag: z.string(), digest: z.string() })),
    }),
  },
  collectImages: {
    method: 'POST',
    path: '/v1/registry/collect',
    summary: 'Removes blobs that no image needs, as an operation',
    access: 'operator',
    answer: operation,
  },
} as const satisfies Contract;

export type Operation = z.output<typeof operation>;
export type OperationStep = z.output<typeof step>;
export type UniverseEvent = z.output<typeof event>;
export type Status = z.output<(typeof universeContract)['status']['answer']>;
export type Modules = z.output<(typeof universeContract)['listModules']['answer']>;
export type Preview = z.output<typeof preview>;
export type Health = z.output<typeof health>;
export type ClusterNetwork = z.output<typeof network>;
