import { createServer } from 'node:https';
import { createKeyPair, type Issuer, issueCertificate } from '@nova-platform/pki';

const port = 6443;
const minute = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString();
const ready = (status: string, message: string) => [{ type: 'Ready', status, message, reason: 'KubeletReady' }];

/** A stand-in for the API of a cluster: its nodes exist, one module is waiting and one has failed. */
export async function startKubernetes(host: string, issuer: Issuer, release: { version: string; commit: string }) {
  const added: ReturnType<typeof event>[] = [];
  const { privateKey: key, publicKey } = await createKeyPair();
  const { certificate: cert } = await issueCertificate(issuer, {
    subject: { commonName: 'kube-apiserver', organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: [host],
    usages: ['server auth'],
    lifetimeHours: 1,
  });
  const server = createServer({ key, cert }, ({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, `https://${host}`);
    const type = searchParams.get('fieldSelector')?.replace('type=', '');
    const events = [...firstEvents(), ...added].filter((each) => type === undefined || each.type === type);
    const node = lists(release)['/api/v1/nodes']?.find((each) => pathname === `/api/v1/nodes/${nameOf(each)}`);
    const object = pathname === `${ingressPods}/${traefik.metadata.name}` ? traefik : node;
    const isOfNode = searchParams.get('fieldSelector') === `spec.nodeName=${traefik.spec.nodeName}`;
    const pods = isOfNode ? [traefik] : [];
    const items = { '/api/v1/events': events, '/api/v1/pods': pods }[pathname] ?? lists(release)[pathname] ?? [];
    const found = object ?? { items };
    const isMissing = pathname.startsWith('/apis/metrics.k8s.io/');
    response.statusCode = isMissing ? 404 : 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(isMissing ? {} : found));
  });
  await new Promise<void>((started, failed) => server.once('error', failed).listen(port, host, started));
  return {
    /** Adds an event. */
    addEvent: (...fields: Parameters<typeof event>) => void added.push(event(...fields)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ingressPods = '/api/v1/namespaces/nova-ingress/pods';
const traefik = {
  metadata: { name: 'traefik-infra-x2k4p', namespace: 'nova-ingress' },
  spec: { nodeName: 'demo-main-1', containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }] },
  status: {
    phase: 'Pending',
    conditions: ready('False', 'containers with unready status: [traefik]'),
    containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } }],
  },
};

const nameOf = (object: object) => (object as { metadata: { name: string } }).metadata.name;

const lists = ({ version, commit }: { version: string; commit: string }): Record<string, readonly object[]> => ({
  '/api/v1/nodes': [
    ['demo-main-1', 'True', 'kubelet is posting ready status'],
    ['demo-work-1', 'True', 'kubelet is posting ready status'],
    ['demo-work-2', 'False', 'container runtime is down'],
  ].map(([name = '', status = '', message = '']) => ({
    metadata: { name },
    status: {
      conditions: [...ready(status, message), { type: 'MemoryPressure', status: 'False', message: 'enough memory' }],
      nodeInfo: { kubeletVersion: 'v1.36.3' },
      allocatable: { cpu: '2', memory: '3Gi', pods: '110' },
    },
  })),
  '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases': ['kube-controller-manager', 'kube-scheduler'].map(
    (name) => ({ metadata: { name }, spec: { renewTime: new Date().toISOString() } }),
  ),
  '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/nova-gitops/kustomizations': [
    kustomization('local-path', ready('True', 'Applied'), `v${version}@sha1:${commit}`),
    kustomization('ingress', ready('False', 'no image for traefik in the registry')),
    kustomization('nova-dns', [
      { ...ready('False', "dependency 'nova-gitops/ingress' is not ready")[0], reason: 'DependencyNotReady' },
    ]),
  ],
  [ingressPods]: [traefik],
  '/apis/networking.k8s.io/v1/ingresses': [{ spec: { rules: [{ host: 'shop.demo.nova.local' }] } }],
});

const firstEvents = () => [
  event('Pod', 'coredns-7d9f', 'kube-system', 'Normal', 'Pulled', 'Container image is already present on machine', 9),
  event(
    'Pod',
    traefik.metadata.name,
    traefik.metadata.namespace,
    'Warning',
    'BackOff',
    'Back-off pulling image "traefik"',
    2,
    14,
  ),
  event('Node', 'demo-work-2', '', 'Warning', 'ContainerRuntimeUnhealthy', 'container runtime is down', 1),
  event('Kustomization', 'local-path', 'nova-gitops', 'Normal', 'ReconciliationSucceeded', 'Applied', 5),
];

function kustomization(name: string, conditions: readonly object[], lastAppliedRevision?: string) {
  const reconciling = { type: 'Reconciling', status: 'False', reason: 'Done', message: '' };
  return {
    metadata: { name, generation: 1 },
    status: { observedGeneration: 1, conditions: [...conditions, reconciling], lastAppliedRevision },
  };
}

function event(
  kind: string,
  name: string,
  namespace: string,
  type: string,
  reason: string,
  message: string,
  minutes: number,
  count = 1,
) {
  return { involvedObject: { kind, name, namespace }, type, reason, message, count, lastTimestamp: ago(minutes) };
}
