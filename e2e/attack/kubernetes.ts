import type { Kubectl } from '../kubectl.ts';
import type { Outcome as Finished } from '../nova-ctl.ts';
import type { Site } from './site.ts';
import type { Attempt, Outcome, Role } from './table.ts';

const image = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';

/** Teams and an operator, each with their own credentials, against the Kubernetes API. */
export async function kubernetesAttempts(site: Site): Promise<Attempt[]> {
  const { admin } = site;
  const members = as('team', await site.team('team-a'));
  const others = as('other team', await site.team('team-b'));
  const operators = as('operator', await site.operator());
  await admin(['-n', 'team-a', 'create', 'secret', 'generic', 'hidden', '--from-literal=word=swordfish']);
  await admin(['-n', 'team-a', 'apply', '-f', '-'], JSON.stringify(source));
  const ofTeam = ['-n', 'team-a'];
  return [
    members('runs a pod in its namespace', 'allowed', [...ofTeam, 'run', 'page', '--image', image]),
    members('reads a secret of its namespace', 'allowed', [...ofTeam, 'get', 'secret', 'hidden']),
    ...objects.map(([what, object]) => members(`makes ${what}`, 'denied', [...ofTeam, 'apply', '-f', '-'], object)),
    ...ofItself.map(([what, ...args]) => members(what, 'denied', [...ofTeam, ...args])),
    ...ofEverybody.map(([what, ...args]) => members(what, 'denied', args)),

    ...[
      ['reads a secret of the team', 'get', 'secret', 'hidden'],
      ['lists the pods of the team', 'get', 'pods'],
      ['runs a program in a pod of the team', 'exec', 'page', '--', 'true'],
      ['removes a pod of the team', 'delete', 'pod', 'page'],
      ['asks for a token of the team', 'create', 'token', 'team-a'],
    ].map(([what = '', ...args]) => others(what, 'denied', [...ofTeam, ...args])),

    operators('lists nodes', 'allowed', ['get', 'nodes']),
    operators('makes a namespace', 'allowed', ['create', 'namespace', 'shop']),
    operators('makes a Service that captures the address of Universe (externalIPs)', 'denied', apply, captured),
    operators('makes a privileged pod', 'denied', apply, privileged),
    ...ofPlatform.map(([what, ...args]) => operators(what, 'denied', args)),
    ...ofEverybody.slice(-2).map(([what, ...args]) => operators(what, 'denied', args)),
  ];
}

const as =
  (role: Role, kubectl: Kubectl) =>
  (what: string, expected: Outcome, args: readonly string[], object?: object): Attempt => ({
    role,
    what,
    expected,
    run: async () => outcomeOf(await kubectl(args, object && JSON.stringify(object))),
  });

/** Denied by an authorizer or by a policy. Any other failure proves nothing. */
function outcomeOf({ exitCode, stderr }: Finished): Outcome {
  if (exitCode === 0) return 'allowed';
  if (!/forbidden|denied request/i.test(stderr)) throw new Error(stderr.trim().split('\n').at(-1));
  return 'denied';
}

const source = {
  apiVersion: 'source.toolkit.fluxcd.io/v1',
  kind: 'GitRepository',
  metadata: { name: 'apps' },
  spec: { interval: '10m', url: 'https://git.example.com/apps.git' },
};

const pod = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name, image }], ...spec },
});
const service = (name: string, spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 443 }], selector: { app: 'page' }, ...spec },
});

const apply = ['-n', 'default', 'apply', '-f', '-'];
const captured = service('external', { externalIPs: ['172.30.0.10'] });
const privileged = pod('privileged', {
  containers: [{ name: 'privileged', image, securityContext: { privileged: true } }],
});

const objects: [what: string, object: object][] = [
  ['a Service that captures the address of Universe (externalIPs)', captured],
  ['a Service with a NodePort', service('node-port', { type: 'NodePort' })],
  ['a Service of type LoadBalancer', service('balancer', { type: 'LoadBalancer' })],
  ['a pod with the priority of the platform', pod('urgent', { priorityClassName: 'system-cluster-critical' })],
  ['a pod that tolerates every taint', pod('tolerant', { tolerations: [{ operator: 'Exists' }] })],
  ['a privileged pod', privileged],
  ['a pod on a node of its own choice', pod('placed', { nodeName: 'demo-main-1' })],
  ['a pod in the network of its node', pod('host-network', { hostNetwork: true })],
  ['a pod with a folder of its node', pod('host-path', { volumes: [{ name: 'node', hostPath: { path: '/' } }] })],
  [
    'an EndpointSlice that leads to Universe',
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'universe', labels: { 'kubernetes.io/service-name': 'page' } },
      addressType: 'IPv4',
      ports: [{ port: 443 }],
      endpoints: [{ addresses: ['10.255.0.10'] }],
    },
  ],
  [
    'an Ingress under a name of the platform',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'page' },
      spec: {
        rules: [
          {
            host: 'nova-console.demo.nova.local',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'page', port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
  ],
];

const ready =
  '{"status":{"conditions":[{"type":"Ready","status":"True","reason":"x","message":"x","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}';
/** Attempts of a team in its own namespace. */
const ofItself: [what: string, ...args: string[]][] = [
  [
    'writes the status of a Flux object of its own',
    'patch',
    'gitrepository',
    'apps',
    '--subresource=status',
    '--type=merge',
    '-p',
    ready,
  ],
  ['raises its own quota', 'patch', 'resourcequota', 'team-a', '-p', '{"spec":{"hard":{"pods":"999"}}}'],
];

const ofEverybody: [what: string, ...args: string[]][] = [
  ['lists nodes', 'get', 'nodes'],
  ['reads secrets of the platform', '-n', 'nova-gitops', 'get', 'secrets'],
  ['makes a namespace', 'create', 'namespace', 'team-c'],
  ['changes the labels of its namespace', 'label', 'namespace', 'team-a', 'x=y'],
  [
    'makes itself administrator of the cluster',
    'create',
    'clusterrolebinding',
    'x',
    '--clusterrole=cluster-admin',
    '--serviceaccount=team-a:team-a',
  ],
  ['acts as another user', '--as=system:admin', 'get', 'nodes'],
];

/** Attempts of an operator to become an administrator. */
const ofPlatform: [what: string, ...args: string[]][] = [
  [
    'permits itself privileged pods',
    'label',
    'namespace',
    'default',
    '--overwrite',
    'pod-security.kubernetes.io/enforce=privileged',
  ],
  ['asks for a token of the platform', '-n', 'kube-system', 'create', 'token', 'default'],
  ['runs a program in a pod of the platform', '-n', 'kube-system', 'exec', 'deploy/coredns', '--', 'true'],
  ['removes a module of the platform', '-n', 'kube-system', 'delete', 'deployment', 'coredns'],
  ['reads files of a node through its kubelet', 'get', '--raw', '/api/v1/nodes/demo-main-1/proxy/logs/'],
  ['removes a policy of the platform', 'delete', 'validatingadmissionpolicies', '--all'],
];
