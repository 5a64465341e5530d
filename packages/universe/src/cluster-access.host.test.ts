import { fluxObjects, tenantObjects, tenantPolicies } from '@nova-platform/delivery';
import { clusterObjects, type KubernetesObject } from '@nova-platform/kubernetes';
import { plan } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fluxControllers } from '../../delivery/src/flux.ts';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';

// A real API server with the settings and objects of every cluster. It has no nodes and no Flux.

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const team = 'team-a';
const quota = { cpu: '2', memory: '1Gi', volumes: '5Gi', pods: 5 };
let kubernetes: ControlPlane;

type Role = 'administrator' | 'operator' | 'viewer' | 'team';
const users: Record<Role, { user: string; groups: string[] }> = {
  administrator: { user: 'ann', groups: ['nova:administrators', 'system:authenticated'] },
  operator: { user: 'oleg', groups: ['nova:operators', 'system:authenticated'] },
  viewer: { user: 'vera', groups: ['nova:viewers', 'system:authenticated'] },
  team: {
    user: `system:serviceaccount:${team}:${team}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${team}`, 'system:authenticated'],
  },
};

function as(role: Role): string[] {
  const { user, groups } = users[role];
  return [`--as=${user}`, ...groups.map((group) => `--as-group=${group}`)];
}

/** The API server's reason to refuse an object; empty if it is accepted. Nothing is stored. */
async function refusal(role: Role, object: KubernetesObject): Promise<string> {
  const args = [...as(role), 'create', '--dry-run=server', '-f', '-'];
  return (await kubernetes.kubectl(args, JSON.stringify(object))).stderr.replaceAll(/^Warning:.*\n/gm, '');
}

/** `resource` is `plural.group/subresource`. */
async function can(role: Role, verb: string, resource: string): Promise<boolean> {
  const [kind = '', subresource = ''] = resource.split('/');
  const [plural = '', ...group] = kind.split('.');
  const { status } = await kubernetes.api.create<{ status: { allowed: boolean } }>(
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        ...users[role],
        resourceAttributes: { namespace: team, verb, group: group.join('.'), resource: plural, subresource },
      },
    },
  );
  return status.allowed;
}

const pod = (spec: object = {}, namespace = team, name = 'web'): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: { containers: [{ name: 'web', image: 'web' }], ...spec },
});
const service = (spec: object, name = 'web'): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: team },
  spec: { ports: [{ port: 80 }], ...spec },
});

/** The roles of Flux for teams and operators. */
function fluxRoles(): KubernetesObject[] {
  const images = fluxControllers.map((name) => ({ name, component: name, version: '1', digest: 'sha256:0' }));
  const release = { version: '1', modules: [], images, flux: [...fluxControllers] };
  const options = { imageRepository: 'hub:5000/nova', zone: 'cluster.local', apiAddress: '10.233.0.1' };
  return fluxObjects(release, [], options).filter(({ kind }) => kind.startsWith('ClusterRole'));
}

beforeAll(async () => {
  kubernetes = await startControlPlane();
  const objects = [
    ...clusterObjects(plan(), 'hub:5000'),
    ...fluxRoles(),
    ...tenantPolicies(),
    ...tenantObjects({ name: team, quota }),
  ];
  for (const object of objects) await kubernetes.api.apply(object);
  await kubernetes.api.apply(pod({}, 'kube-system', 'kept'));
  // The API server loads policies, roles and quotas asynchronously.
  const isLoaded = async () =>
    (await refusal('team', pod())) === '' && (await can('team', 'create', 'gitrepositories.source.toolkit.fluxcd.io'));
  await vi.waitUntil(isLoaded, { timeout: 60_000, interval: 500 });
});
afterAll(() => kubernetes[Symbol.asyncDispose]());

describe('the audit log', () => {
  beforeAll(async () => {
    await kubernetes.api.apply(pod({}, team, 'kept'));
    const run = (...args: string[]) => kubernetes.kubectl(['-n', team, ...args]);
    await run('create', 'secret', 'generic', 'hidden', '--from-literal=word=swordfish');
    // Without a node the requests fail after authorization.
    await run('exec', 'kept', '--', '/bin/true');
    await run('attach', 'kept');
    await kubernetes.api.create(`/api/v1/namespaces/${team}/pods/kept/portforward?ports=80`, {}).catch(() => undefined);
    await run('get', 'secret', 'hidden', '-o', 'yaml');
    await run('get', 'secrets', '-o', 'yaml');
    await run('create', 'token', team);
  });

  test.for([
    ['exec', { resource: 'pods', subresource: 'exec', name: 'kept' }],
    ['attach', { resource: 'pods', subresource: 'attach', name: 'kept' }],
    ['port-forward', { resource: 'pods', subresource: 'portforward', name: 'kept' }],
    ['the read of a secret', { resource: 'secrets', name: 'hidden' }],
    ['the list of secrets', { resource: 'secrets' }],
    ['a token request', { resource: 'serviceaccounts', subresource: 'token', name: team }],
  ] as const)('names user and object of %s', async ([, object]) => {
    const lines = (await kubernetes.audit()).filter(({ verb }) => verb !== 'patch');
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'Metadata',
        user: expect.objectContaining({ username: 'admin' }),
        objectRef: expect.objectContaining({ namespace: team, ...object }),
      }),
    );
  });

  test('has the read of a single secret and of all', async () => {
    const verbs = (await kubernetes.audit())
      .filter(({ objectRef, user }) => objectRef?.resource === 'secrets' && user.username === 'admin')
      .map(({ verb }) => verb);
    expect(verbs).toEqual(expect.arrayContaining(['get', 'list']));
  });

  test('has no content of secrets and tokens', async () => {
    const text = JSON.stringify(await kubernetes.audit());
    expect(text).not.toContain('swordfish');
    expect(text).not.toContain(Buffer.from('swordfish').toString('base64'));
    expect(text).not.toMatch(/"token":|"requestObject":[^}]*"data"/);
  });
});

describe('addresses', () => {
  test('only administrators can set external IPs of a Service', async () => {
    const captured = service({ externalIPs: ['172.30.0.10'] });
    expect(await refusal('team', captured)).toContain('only administrators');
    expect(await refusal('operator', captured)).toContain('only administrators');
    expect(await refusal('administrator', captured)).toBe('');
  });

  test('a team keeps external IPs that an administrator set, and cannot add any', async () => {
    await kubernetes.kubectl(['create', '-f', '-'], JSON.stringify(service({ externalIPs: ['172.31.0.9'] }, 'kept')));
    const patch = (change: object) =>
      kubernetes.kubectl([...as('team'), '-n', team, 'patch', 'service', 'kept', '-p', JSON.stringify(change)]);
    expect(await patch({ metadata: { labels: { app: 'web' } } })).toMatchObject({ exitCode: 0 });
    expect((await patch({ spec: { externalIPs: ['172.31.0.9', '172.30.0.10'] } })).stderr).toContain(
      'only administrators',
    );
  });

  test.for(['services/status', 'endpoints', 'endpointslices.discovery.k8s.io', 'ingresses.networking.k8s.io/status'])(
    'neither teams nor operators write %s',
    async (resource) => {
      for (const role of ['team', 'operator'] as const)
        for (const verb of ['create', 'update', 'patch']) expect(await can(role, verb, resource), role).toBe(false);
    },
  );
});

describe('a team', () => {
  test('runs pods without a priority class, toleration or node name', async () => {
    expect(await refusal('team', pod())).toBe('');
    const gpu = { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' };
    expect(await refusal('team', pod({ tolerations: [gpu] }))).toBe('');
  });

  test.for(['system-node-critical', 'system-cluster-critical', 'urgent'])(
    'cannot use the priority class %s',
    async (priorityClassName) => {
      await kubernetes.kubectl(['create', 'priorityclass', 'urgent', '--value=1000']);
      expect(await refusal('team', pod({ priorityClassName }))).toContain('priority class');
    },
  );

  test('uses the priority classes that an administrator allowed in its namespace', async () => {
    const give = ['annotate', 'namespace', team, 'nova-platform.io/priority-classes=urgent,other'];
    expect((await kubernetes.kubectl([...as('team'), ...give])).stderr).toContain('orbidden');
    await kubernetes.kubectl(give);
    await expect.poll(() => refusal('team', pod({ priorityClassName: 'urgent' }))).toBe('');
    expect(await refusal('team', pod({ priorityClassName: 'system-node-critical' }))).toContain('priority class');
  });

  test('cannot tolerate the taints of control planes and infra nodes', async () => {
    for (const toleration of [
      { operator: 'Exists' },
      { operator: 'Exists', effect: 'NoSchedule' },
      { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' },
      { key: 'node-role.kubernetes.io/infra', operator: 'Equal', value: '', effect: 'NoSchedule' },
    ])
      expect(await refusal('team', pod({ tolerations: [toleration] }))).toContain('taints');
  });

  test('cannot add such a toleration to a running pod', async () => {
    await kubernetes.api.apply(pod({}, team, 'kept'));
    const patch = (tolerations: object[]) =>
      kubernetes.kubectl([
        ...as('team'),
        '-n',
        team,
        'patch',
        'pod',
        'kept',
        '--type=json',
        '-p',
        JSON.stringify(tolerations.map((value) => ({ op: 'add', path: '/spec/tolerations/-', value }))),
      ]);
    expect((await patch([{ operator: 'Exists' }])).stderr).toContain('taints');
    expect(await patch([{ key: 'gpu', operator: 'Exists' }])).toMatchObject({ exitCode: 0 });
  });

  test('cannot bind a pod to a node without the scheduler', async () => {
    expect(await refusal('team', pod({ nodeName: 'demo-main-1' }))).toContain('scheduler');
    for (const resource of ['pods/binding', 'bindings', 'pods/status', 'pods/ephemeralcontainers'])
      expect(await can('team', 'create', resource), resource).toBe(false);
  });

  test.for(['NodePort', 'LoadBalancer'])('cannot open a port on every node by a Service of type %s', async (type) => {
    expect(await refusal('team', service({ type }))).toContain('exceeded quota');
  });

  test('has a quota for every kind of object that it can create', async () => {
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: team } };
    const args = [...as('team'), 'create', '--raw', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', '-f', '-'];
    const { stdout } = await kubernetes.kubectl(args, JSON.stringify(review));
    const { status } = JSON.parse(stdout) as {
      status: { resourceRules: { verbs: string[]; apiGroups: string[]; resources: string[] }[] };
    };
    const created = status.resourceRules
      .filter(({ verbs }) => verbs.includes('create') || verbs.includes('*'))
      .flatMap(({ apiGroups, resources }) =>
        apiGroups.flatMap((group) => resources.map((each) => (group === '' ? each : `${each}.${group}`))),
      )
      // Reviews are not stored. `extensions` is no longer served. EventRateLimit limits events.
      .filter((each) => !/\/|reviews\.|\.extensions$|^events/.test(each));
    const bounds = tenantObjects({ name: team, quota })
      .filter(({ kind }) => kind === 'ResourceQuota')
      .flatMap(({ spec }) => Object.keys((spec as { hard: object }).hard));
    expect(
      [...new Set(created)].filter((each) => ![each, `count/${each}`].some((key) => bounds.includes(key))),
    ).toEqual([]);
    expect(created.length).toBeGreaterThan(30);
  });

  test('has no quota that Kubernetes does not count', async () => {
    const path = `/api/v1/namespaces/${team}/resourcequotas/objects`;
    const uncounted = async () => {
      const { spec, status } = await kubernetes.api.get<{ spec: { hard: object }; status: { used?: object } }>(path);
      // Without Flux its kinds are not served.
      return Object.keys(spec.hard).filter(
        (kind) => !kind.includes('fluxcd') && !Object.hasOwn(status.used ?? {}, kind),
      );
    };
    await expect.poll(uncounted, { timeout: 60_000 }).toEqual([]);
  });

  test('cannot create more objects than its quota allows', async () => {
    const items = Array.from({ length: 21 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: `many-${index}`, namespace: team },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    }));
    const list = { apiVersion: 'v1', kind: 'List', items };
    const { stderr } = await kubernetes.kubectl([...as('team'), 'create', '-f', '-'], JSON.stringify(list));
    expect(stderr).toContain('exceeded quota');
  });

  test('cannot write status and finalizers of Flux objects', async () => {
    for (const kind of ['kustomizations.kustomize.toolkit.fluxcd.io', 'gitrepositories.source.toolkit.fluxcd.io'])
      for (const part of ['status', 'finalizers'])
        for (const verb of ['update', 'patch', 'create'])
          expect(await can('team', verb, `${kind}/${part}`), `${kind}/${part}`).toBe(false);
  });
});

describe('an operator', () => {
  const privileged = { containers: [{ name: 'web', image: 'web', securityContext: { privileged: true } }] };
  const namespace = (name: string, labels = {}): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });

  test('runs applications in namespaces of its own and of teams', async () => {
    expect(await refusal('operator', namespace('shop'))).toBe('');
    for (const place of ['default', team]) expect(await refusal('operator', pod({}, place)), place).toBe('');
    for (const [verb, resource] of [
      ['create', 'pods/exec'],
      ['delete', 'deployments.apps'],
      ['get', 'secrets'],
      ['create', 'serviceaccounts/token'],
      ['list', 'nodes'],
    ] as const)
      expect(await can('operator', verb, resource), resource).toBe(true);
  });

  test('cannot run a privileged pod anywhere', async () => {
    expect(await refusal('operator', pod(privileged, 'default'))).toContain('violates PodSecurity');
    expect(await refusal('operator', pod(privileged, 'kube-system'))).toContain('only administrators');
    expect(await refusal('operator', namespace('nova-monitoring'))).toContain('only administrators');
    const lifted = namespace('shop', { 'pod-security.kubernetes.io/enforce': 'privileged' });
    expect(await refusal('operator', lifted)).toContain('only administrators');
    expect(await refusal('administrator', lifted)).toBe('');
    const label = ['label', 'namespace', 'default', 'pod-security.kubernetes.io/enforce=privileged'];
    expect((await kubernetes.kubectl([...as('operator'), ...label])).stderr).toContain('only administrators');
  });

  test('cannot act in namespaces of the platform', async () => {
    for (const args of [
      ['-n', 'kube-system', 'exec', 'kept', '--', '/bin/true'],
      ['-n', 'kube-system', 'create', 'token', 'default'],
      ['-n', 'kube-system', 'create', 'configmap', 'note'],
      ['-n', 'kube-system', 'delete', 'deployment', 'coredns'],
      ['delete', 'namespace', 'kube-node-lease'],
    ])
      expect((await kubernetes.kubectl([...as('operator'), ...args])).stderr, args.join(' ')).toContain(
        'only administrators',
      );
  });

  test('cannot gain permissions of others', async () => {
    for (const [verb, resource] of [
      ['impersonate', 'serviceaccounts'],
      ['impersonate', 'groups'],
      ['create', 'clusterrolebindings.rbac.authorization.k8s.io'],
      ['escalate', 'roles.rbac.authorization.k8s.io'],
      ['bind', 'clusterroles.rbac.authorization.k8s.io'],
      ['create', 'persistentvolumes'],
      ['create', 'validatingadmissionpolicies.admissionregistration.k8s.io'],
      ['delete', 'validatingadmissionpolicybindings.admissionregistration.k8s.io'],
      ['create', 'mutatingwebhookconfigurations.admissionregistration.k8s.io'],
      ['create', 'nodes/proxy'],
      ['get', 'nodes/proxy'],
      ['patch', 'nodes'],
      ['create', 'certificatesigningrequests.certificates.k8s.io'],
      ['create', 'customresourcedefinitions.apiextensions.k8s.io'],
      ['create', 'apiservices.apiregistration.k8s.io'],
    ] as const)
      expect(await can('operator', verb, resource), `${verb} ${resource}`).toBe(false);
    const everything = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'all', namespace: 'default' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
    };
    expect(await refusal('operator', everything)).toContain('attempting to grant RBAC permissions');
  });
});

test('a viewer can read everything except secrets, and changes nothing', async () => {
  for (const resource of [
    'pods',
    'pods/log',
    'events',
    'services',
    'namespaces',
    'nodes',
    'deployments.apps',
    'kustomizations.kustomize.toolkit.fluxcd.io',
  ])
    expect(await can('viewer', 'get', resource), resource).toBe(true);
  for (const [verb, resource] of [
    ['get', 'secrets'],
    ['list', 'secrets'],
    ['create', 'pods'],
    ['delete', 'pods'],
    ['create', 'pods/exec'],
    ['create', 'pods/portforward'],
    ['create', 'serviceaccounts/token'],
    ['patch', 'deployments.apps'],
    ['get', 'nodes/proxy'],
    ['impersonate', 'users'],
    ['create', 'rolebindings.rbac.authorization.k8s.io'],
  ] as const)
    expect(await can('viewer', verb, resource), `${verb} ${resource}`).toBe(false);
  expect(await refusal('viewer', pod())).toContain('forbidden');
});
