import type { Kubectl } from '../kubectl.ts';
import { type Site, succeeds } from './site.ts';
import type { Attempt } from './table.ts';

const image = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';

/** A team with the token of its account against Kubernetes' API. */
export async function teamAttempts({ team, admin }: Site): Promise<Attempt[]> {
  const kubectl = await team('team-a');
  await admin(['-n', 'team-b', 'create', 'secret', 'generic', 'hidden', '--from-literal=word=swordfish']);
  await admin(['-n', 'team-a', 'apply', '-f', '-'], JSON.stringify(source));
  return [
    ...own(kubectl),
    ...objects.map(([what, object]) => denied(`makes ${what}`, kubectl, ['-n', 'team-a', 'apply', '-f', '-'], object)),
    ...commands.map(([what, ...args]) => denied(what, kubectl, args)),
  ];
}

/** What a team has its namespace for. */
function own(kubectl: Kubectl): Attempt[] {
  const run = async (...args: string[]) => succeeds(await kubectl(['-n', 'team-a', ...args]));
  return [
    { role: 'team', what: 'reads the pods of its namespace', expected: 'allowed', run: () => run('get', 'pods') },
    {
      role: 'team',
      what: 'runs a pod in its namespace',
      expected: 'allowed',
      run: () => run('run', 'page', '--image', image),
    },
  ];
}

function denied(what: string, kubectl: Kubectl, args: readonly string[], object?: object): Attempt {
  return {
    role: 'team',
    what,
    expected: 'denied',
    run: async () => succeeds(await kubectl(args, object && JSON.stringify(object))),
  };
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

const objects: [what: string, object: object][] = [
  [
    'a Service that captures the address of Universe (externalIPs)',
    service('external', { externalIPs: ['172.30.0.10'] }),
  ],
  ['a Service with a NodePort', service('node-port', { type: 'NodePort' })],
  ['a Service of type LoadBalancer', service('balancer', { type: 'LoadBalancer' })],
  ['a pod with the priority of the platform', pod('urgent', { priorityClassName: 'system-cluster-critical' })],
  ['a pod that tolerates every taint', pod('tolerant', { tolerations: [{ operator: 'Exists' }] })],
  [
    'a privileged pod',
    pod('privileged', { containers: [{ name: 'privileged', image, securityContext: { privileged: true } }] }),
  ],
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
const commands: [what: string, ...args: string[]][] = [
  ['reads a secret of another team', '-n', 'team-b', 'get', 'secret', 'hidden'],
  ['lists the pods of another team', '-n', 'team-b', 'get', 'pods'],
  ['lists nodes', 'get', 'nodes'],
  ['reads secrets of the platform', '-n', 'nova-gitops', 'get', 'secrets'],
  [
    'writes the status of a Flux object of its own',
    '-n',
    'team-a',
    'patch',
    'gitrepository',
    'apps',
    '--subresource=status',
    '--type=merge',
    '-p',
    ready,
  ],
  [
    'raises its own quota',
    '-n',
    'team-a',
    'patch',
    'resourcequota',
    'team-a',
    '-p',
    '{"spec":{"hard":{"pods":"999"}}}',
  ],
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
