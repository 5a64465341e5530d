import { describe as inWords } from '@nova-platform/api';
import { describe, expect, test } from 'vitest';
import { diagnose, endingCertificates, stateOf } from './health.ts';
import type { KubernetesView, Observations, ObservedNode, Probe } from './health-observations.ts';

const now = new Date('2026-11-15T12:00:00Z');
const hour = 3600_000;
const at = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const month = at(30 * 24 * hour);
/** The remaining lifetime of a certificate that should have been renewed. */
const overdueWith = 7.5 * 24 * hour;

const names = ['cp-1', 'cp-2', 'cp-3', 'work-1'];
const certificateNames: Record<Probe['service'], string[]> = {
  kubelet: ['kubelet-server'],
  'kube-apiserver': ['kube-apiserver'],
  etcd: ['etcd-server', 'etcd-peer'],
};
const responding = (service: Probe['service']): Probe => ({
  service,
  outcome: 'responds',
  certificates: certificateNames[service].map((name) => ({ name, notAfter: month })),
});
const node = (name: string, number: number): ObservedNode => {
  const isControlPlane = name.startsWith('cp');
  const services = isControlPlane ? (['kubelet', 'kube-apiserver', 'etcd'] as const) : (['kubelet'] as const);
  return { name, address: `10.20.0.1${number}`, isControlPlane, probes: services.map(responding) };
};
const kubernetes: KubernetesView = {
  nodes: names.map((name) => ({ name, version: 'v1.36.3', ready: 'True', reason: 'posting', pressures: [] })),
  pods: [],
  warnings: [],
  names: [],
  heartbeats: [],
  leaders: [
    { service: 'kube-controller-manager', renewedAt: at(-2000) },
    { service: 'kube-scheduler', renewedAt: at(-2000) },
  ],
};

/** A healthy cluster. */
const well: Observations = {
  now,
  cluster: 'ha',
  apiAddress: '10.20.0.2:6443',
  nodes: names.map(node),
  machines: { value: names.map((name) => ({ name, state: 'running' })) },
  areHosts: false,
  agents: {
    value: names.map((each) => ({
      node: each,
      isAsking: true,
      seenAt: at(-20 * 60_000),
      lastRun: { at: at(-20 * 60_000), status: 'unchanged' },
    })),
  },
  certificates: {
    value: names.flatMap((each) =>
      ['kubelet-client', 'kubelet-server'].map((name) => ({
        node: each,
        name,
        notAfter: month,
        overdueAt: new Date(month.getTime() - overdueWith),
      })),
    ),
  },
  kubernetes: { value: kubernetes },
  tags: new Map(),
  modules: { value: [{ name: 'ingress', state: 'ready' }] },
  operation: { value: { id: 7, kind: 'cluster.apply', title: { en: 'Make', ru: 'Создать' }, state: 'done' } },
};

type Change = (seen: Observations) => void;
const changed = (...changes: Change[]): Observations => {
  const seen = structuredClone(well);
  for (const change of changes) change(seen);
  return seen;
};
function valueIn<T>(answer: { value: T } | { failure: unknown }): T {
  if ('value' in answer) return answer.value;
  throw new Error('this source did not respond');
}

const machine =
  (name: string, state: 'stopped' | 'gone'): Change =>
  (seen) => {
    const machines = valueIn(seen.machines);
    if (state === 'gone') seen.machines = { value: machines.filter((each) => each.name !== name) };
    else for (const each of machines) if (each.name === name) each.state = state;
    for (const each of seen.nodes.filter(({ name: own }) => own === name))
      each.probes = each.probes.map(({ service }) => ({ service, outcome: 'timeout', certificates: [] }));
  };
const service =
  (name: string, which: Probe['service'], change: Partial<Probe>): Change =>
  (seen) => {
    const probe = seen.nodes.find((each) => each.name === name)?.probes.find((each) => each.service === which);
    if (probe)
      Object.assign(probe, change.outcome && change.outcome !== 'responds' ? { certificates: [] } : {}, change);
  };
const nodeReports =
  (name: string, said: Partial<KubernetesView['nodes'][number]>): Change =>
  (seen) => {
    for (const each of valueIn(seen.kubernetes).nodes) if (each.name === name) Object.assign(each, said);
  };
const unreported = (name: string) =>
  nodeReports(name, { ready: 'Unknown', reason: 'Kubelet stopped posting node status.' });
const view =
  (change: Partial<KubernetesView>): Change =>
  (seen) => {
    Object.assign(valueIn(seen.kubernetes), change);
  };
const agent =
  (name: string, change: object): Change =>
  (seen) => {
    for (const each of valueIn(seen.agents)) if (each.node === name) Object.assign(each, change);
  };
const signed =
  (name: string, certificate: string, notAfter: Date): Change =>
  (seen) => {
    for (const each of valueIn(seen.certificates))
      if (each.node === name && each.name === certificate)
        Object.assign(each, { notAfter, overdueAt: new Date(notAfter.getTime() - overdueWith) });
  };
const apiUnreachable: Change = (seen) => {
  seen.kubernetes = { failure: 'connect ECONNREFUSED' };
};
const refused = { outcome: 'refused' } as const;
const silentAgent = { isAsking: false, seenAt: at(-hour) };

/** The messages of each chain, and the commands in the remedy of its last problem. */
const reported = (seen: Observations) =>
  diagnose(seen).map(({ severity, chain }) => ({
    ...(severity === 'warning' && { severity }),
    chain: chain.map((each) => `${each.code} ${inWords(each, 'en').message}`),
    commands: chain
      .slice(-1)
      .flatMap((each) => [...inWords(each, 'en').remedy.matchAll(/`([^`]+)`/g)].map(([, command]) => command)),
  }));

test('a healthy cluster has no findings', () => {
  expect(diagnose(well)).toEqual([]);
  expect(stateOf(well, [])).toBe('ready');
});

const log = (of: string, unit: string) => `nova-ctl machine exec ${of} -- journalctl -u ${unit} -n 50`;
const notReady = 'NOVA8353 The node work-1 is not ready: Kubelet stopped posting node status.';
const oneMore = 'one more failure may stop the cluster';

test.each<[symptom: string, changes: Change[], chains: string[][], commands: string[]]>([
  [
    'a machine is stopped',
    [machine('work-1', 'stopped'), unreported('work-1'), agent('work-1', silentAgent)],
    [[notReady, 'NOVA8354 The machine work-1 is stopped.']],
    ['nova-ctl machine restart work-1'],
  ],
  [
    'a machine is missing',
    [machine('work-1', 'gone'), unreported('work-1')],
    [[notReady, 'NOVA8355 There is no machine work-1.']],
    ['nova-ctl apply -f FILE'],
  ],
  [
    'an existing host has not joined',
    [
      machine('work-1', 'gone'),
      unreported('work-1'),
      (seen) => {
        seen.areHosts = true;
      },
    ],
    [[notReady, 'NOVA8501 The host work-1 has not joined.']],
    ['nova-ctl node join-command work-1'],
  ],
  [
    'a machine has lost its network',
    [service('work-1', 'kubelet', { outcome: 'timeout' }), unreported('work-1')],
    [[notReady, 'NOVA8368 The machine work-1 runs, but nothing responds at 10.20.0.13.']],
    ['nova-ctl network show ha', 'nova-ctl machine restart work-1'],
  ],
  [
    'a kubelet does not run',
    [service('work-1', 'kubelet', refused), unreported('work-1')],
    [[notReady, 'NOVA8356 kubelet is not running on work-1.']],
    ['nova-ctl node run work-1', log('work-1', 'kubelet')],
  ],
  [
    'a kubelet does not run, and the API has not noticed yet',
    [service('work-1', 'kubelet', refused)],
    [['NOVA8356 kubelet is not running on work-1.']],
    ['nova-ctl node run work-1', log('work-1', 'kubelet')],
  ],
  [
    'a kubelet does not run because the agent, which would start it, is silent',
    [service('work-1', 'kubelet', refused), unreported('work-1'), agent('work-1', silentAgent)],
    [
      [
        notReady,
        'NOVA8356 kubelet is not running on work-1.',
        'NOVA8362 The agent of work-1 does not poll for runs; its last request was at 2026-11-15 11:00 UTC.',
      ],
    ],
    ['nova-ctl machine exec work-1 -- systemctl restart nova-agent', log('work-1', 'nova-agent')],
  ],
  [
    'a kubelet does not run because the agent could not set it up',
    [
      service('work-1', 'kubelet', refused),
      unreported('work-1'),
      agent('work-1', { lastRun: { at: now, status: 'failed' } }),
    ],
    [[notReady, 'NOVA8356 kubelet is not running on work-1.', 'NOVA8363 The last run of the agent on work-1 failed.']],
    ['nova-ctl node reports work-1 --last', 'nova-ctl node run work-1'],
  ],
  [
    'containerd does not run',
    [nodeReports('work-1', { ready: 'False', reason: '[container runtime is down, PLEG is not healthy]' })],
    [
      [
        'NOVA8353 The node work-1 is not ready: [container runtime is down, PLEG is not healthy]',
        'NOVA8356 containerd is stopped or unhealthy on work-1.',
      ],
    ],
    ['nova-ctl node run work-1', log('work-1', 'containerd')],
  ],
  [
    'a node is not ready for an unknown reason',
    [nodeReports('work-1', { ready: 'False', reason: 'something new' })],
    [['NOVA8353 The node work-1 is not ready: something new']],
    [log('work-1', 'kubelet')],
  ],
  [
    'a node is not ready, and an event has the reason',
    [
      nodeReports('work-1', { ready: 'False', reason: 'something new' }),
      view({ warnings: [{ object: 'Node/work-1', reason: 'Broken', message: 'by that' }] }),
    ],
    [['NOVA8353 The node work-1 is not ready: something new', 'NOVA8367 Node/work-1: Broken: by that']],
    ['kubectl get events -A'],
  ],
  [
    'the client certificate of a kubelet has expired',
    [unreported('work-1'), signed('work-1', 'kubelet-client', at(-hour))],
    [[notReady, 'NOVA8357 The certificate kubelet-client of work-1 expired at 2026-11-15 11:00 UTC.']],
    ['nova-ctl node run work-1', log('work-1', 'nova-certificates')],
  ],
  [
    'a kubelet cannot reach the API, or the API refuses it',
    [unreported('work-1')],
    [
      [
        notReady,
        'NOVA8359 The kubelet of work-1 runs, but the API server does not receive its status: the kubelet cannot connect, or the API server rejects it.',
      ],
    ],
    ['nova-ctl node run work-1', log('work-1', 'kubelet')],
  ],
  [
    'a kubelet reports again, and its condition has not changed yet',
    [unreported('work-1'), nodeReports('work-1', { lastHeartbeatAt: at(-4000) })],
    [[notReady]],
    [log('work-1', 'kubelet')],
  ],
  [
    'a control plane node does not report because its own API server does not run',
    [unreported('cp-2'), service('cp-2', 'kube-apiserver', refused)],
    [
      [
        'NOVA8353 The node cp-2 is not ready: Kubelet stopped posting node status.',
        'NOVA8359 The kubelet of cp-2 runs, but the API server does not receive its status: the kubelet cannot connect, or the API server rejects it.',
        'NOVA8356 kube-apiserver is not running on cp-2.',
      ],
    ],
    ['nova-ctl node run cp-2', log('cp-2', 'kube-apiserver')],
  ],
  [
    'a node has not joined',
    [view({ nodes: kubernetes.nodes.slice(0, 3) }), service('work-1', 'kubelet', refused)],
    [
      [
        'NOVA8353 The node work-1 is not ready: it has not joined the cluster.',
        'NOVA8356 kubelet is not running on work-1.',
      ],
    ],
    ['nova-ctl node run work-1', log('work-1', 'kubelet')],
  ],
  [
    'a node is short of disk',
    [nodeReports('work-1', { pressures: [{ type: 'DiskPressure', message: 'kubelet has disk pressure' }] })],
    [['NOVA8367 work-1: DiskPressure: kubelet has disk pressure']],
    ['kubectl get events -A'],
  ],
  [
    'a certificate in use has expired, although a newer one was signed',
    [service('work-1', 'kubelet', { certificates: [{ name: 'kubelet-server', notAfter: at(-hour) }] })],
    [['NOVA8357 The certificate kubelet-server of work-1 expired at 2026-11-15 11:00 UTC.']],
    ['nova-ctl node run work-1', log('work-1', 'nova-certificates')],
  ],
  [
    'a certificate should have been renewed, but the agent is silent',
    [signed('work-1', 'kubelet-client', at(100 * hour)), agent('work-1', silentAgent)],
    [
      [
        'NOVA8357 The certificate kubelet-client of work-1 expires at 2026-11-19 16:00 UTC and has not been renewed.',
        'NOVA8362 The agent of work-1 does not poll for runs; its last request was at 2026-11-15 11:00 UTC.',
      ],
    ],
    ['nova-ctl machine exec work-1 -- systemctl restart nova-agent', log('work-1', 'nova-agent')],
  ],
  [
    'one member of etcd does not run',
    [service('cp-3', 'etcd', refused)],
    [[`NOVA8361 2 of 3 etcd members are healthy: ${oneMore}.`, 'NOVA8356 etcd is not running on cp-3.']],
    ['nova-ctl node run cp-3', log('cp-3', 'etcd')],
  ],
  [
    'one member of etcd reports itself unhealthy',
    [service('cp-3', 'etcd', { complaint: 'no leader' })],
    [[`NOVA8361 2 of 3 etcd members are healthy: ${oneMore}.`]],
    [log('cp-3', 'etcd')],
  ],
  [
    'the machine of a control plane node is stopped',
    [machine('cp-2', 'stopped'), unreported('cp-2')],
    [
      [`NOVA8361 2 of 3 etcd members are healthy: ${oneMore}.`, 'NOVA8354 The machine cp-2 is stopped.'],
      [
        'NOVA8353 The node cp-2 is not ready: Kubelet stopped posting node status.',
        'NOVA8354 The machine cp-2 is stopped.',
      ],
    ],
    ['nova-ctl machine restart cp-2', 'nova-ctl machine restart cp-2'],
  ],
  [
    'etcd has lost its quorum: two machines are stopped, and the third member has no leader',
    [
      apiUnreachable,
      machine('cp-1', 'stopped'),
      machine('cp-2', 'stopped'),
      service('cp-3', 'etcd', { complaint: 'no leader' }),
      service('cp-3', 'kube-apiserver', { complaint: 'etcd' }),
    ],
    ['cp-1', 'cp-2'].map((stopped) => [
      'NOVA8360 The API of ha does not respond at 10.20.0.2:6443: connect ECONNREFUSED',
      'NOVA8361 0 of 3 etcd members are healthy: nothing can be read or changed.',
      `NOVA8354 The machine ${stopped} is stopped.`,
    ]),
    ['nova-ctl machine restart cp-1', 'nova-ctl machine restart cp-2'],
  ],
  [
    'no API server runs',
    [apiUnreachable, ...['cp-1', 'cp-2', 'cp-3'].map((name) => service(name, 'kube-apiserver', refused))],
    ['cp-1', 'cp-2', 'cp-3'].map((name) => [
      'NOVA8360 The API of ha does not respond at 10.20.0.2:6443: connect ECONNREFUSED',
      `NOVA8356 kube-apiserver is not running on ${name}.`,
    ]),
    ['cp-1', 'cp-2', 'cp-3'].flatMap((name) => [`nova-ctl node run ${name}`, log(name, 'kube-apiserver')]),
  ],
  [
    'the API servers respond, but not at their common address',
    [apiUnreachable],
    [['NOVA8360 The API of ha does not respond at 10.20.0.2:6443: connect ECONNREFUSED']],
    ['nova-ctl network show ha'],
  ],
  [
    'an API server reports itself not ready',
    [service('cp-1', 'kube-apiserver', { complaint: 'etcd, informer-sync' })],
    [['NOVA8367 kube-apiserver (cp-1): readyz: etcd, informer-sync']],
    ['kubectl get events -A'],
  ],
  [
    'a failed module is an error, a waiting one is a warning',
    [
      (seen) => {
        seen.modules = {
          value: [
            { name: 'ingress', state: 'waiting', reason: 'dependency is not ready' },
            { name: 'local-path', state: 'failed', reason: 'no such image' },
          ],
        };
      },
    ],
    [
      ['NOVA8370 The module local-path is not ready: no such image'],
      ['NOVA8370 The module ingress is not ready: dependency is not ready'],
    ],
    ['nova-ctl module list ha', 'nova-ctl module list ha'],
  ],
  [
    'the scheduler has never had a leader',
    [view({ leaders: [{ service: 'kube-scheduler' }] })],
    [['NOVA8358 kube-scheduler has had no leader since the cluster was created.']],
    ['nova-ctl node run cp-1', log('cp-1', 'kube-scheduler')],
  ],
  [
    'the scheduler has lost its leader',
    [view({ leaders: [{ service: 'kube-scheduler', renewedAt: at(-hour) }] })],
    [['NOVA8358 kube-scheduler has had no leader since 2026-11-15 11:00 UTC.']],
    ['nova-ctl node run cp-1', log('cp-1', 'kube-scheduler')],
  ],
  [
    'the image of a platform pod is missing',
    [
      view({
        pods: [{ namespace: 'nova-ingress', name: 'traefik-1', node: 'work-1', reason: 'ImagePullBackOff' }],
        warnings: [{ object: 'Pod/nova-ingress/traefik-1', reason: 'Failed', message: 'not found' }],
      }),
    ],
    [
      [
        'NOVA8366 The pod nova-ingress/traefik-1 is not ready: ImagePullBackOff',
        'NOVA8367 Pod/nova-ingress/traefik-1: Failed: not found',
      ],
    ],
    ['kubectl get events -A'],
  ],
  [
    'a pod on a node that is not ready has no finding of its own',
    [
      machine('work-1', 'stopped'),
      unreported('work-1'),
      view({
        pods: [{ namespace: 'kube-system', name: 'coredns-1', node: 'work-1', reason: 'Running' }],
        warnings: [{ object: 'Pod/shop/cart', reason: 'Unhealthy', message: 'no response', node: 'work-1' }],
      }),
    ],
    [[notReady, 'NOVA8354 The machine work-1 is stopped.']],
    ['nova-ctl machine restart work-1'],
  ],
  [
    'an agent is silent on an otherwise healthy node',
    [agent('work-1', silentAgent)],
    [['NOVA8362 The agent of work-1 does not poll for runs; its last request was at 2026-11-15 11:00 UTC.']],
    ['nova-ctl machine exec work-1 -- systemctl restart nova-agent', log('work-1', 'nova-agent')],
  ],
  [
    'an agent has never been seen',
    [agent('work-1', { isAsking: false, seenAt: undefined })],
    [['NOVA8362 The agent of work-1 does not poll for runs; it has never connected.']],
    ['nova-ctl machine exec work-1 -- systemctl restart nova-agent', log('work-1', 'nova-agent')],
  ],
  [
    'the newest operation failed',
    [
      (seen) => {
        Object.assign(valueIn(seen.operation) ?? {}, { state: 'failed', failedStep: 'machine/cp-1' });
      },
    ],
    [['NOVA8364 Operation 7 (Make) failed at machine/cp-1.']],
    ['nova-ctl operation show 7', 'nova-ctl operation resume 7 --follow'],
  ],
  [
    'the engine does not respond, and data of other sources is still used',
    [
      (seen) => {
        seen.machines = { failure: 'no response' };
      },
      service('work-1', 'kubelet', refused),
    ],
    [
      ['NOVA8365 The engine is unavailable, so its data is missing here: no response'],
      ['NOVA8356 kubelet is not running on work-1.'],
    ],
    ['nova-ctl status', 'nova-ctl up', 'nova-ctl node run work-1', log('work-1', 'kubelet')],
  ],
])('%s', (_symptom, changes, chains, commands) => {
  const found = reported(changed(...changes));
  expect(found.map(({ chain }) => chain)).toEqual(chains);
  expect(found.flatMap((each) => each.commands)).toEqual(commands);
});

describe('severity', () => {
  test('warnings about other objects are shown, and the cluster stays ready', () => {
    const warnings = Array.from({ length: 9 }, (_, n) =>
      ['BackOff', 'Failed'].map((reason) => ({ object: `Pod/a/${n}`, reason, message: 'x' })),
    ).flat();
    const seen = changed(view({ warnings }));
    const found = diagnose(seen);
    expect(found.map(({ severity }) => severity)).toEqual(Array(5).fill('warning'));
    // Five objects, each with its newest warning.
    expect(found.map(({ chain }) => chain[0]?.params)).toMatchObject(
      [0, 1, 2, 3, 4].map((n) => ({ object: `Pod/a/${n}`, reason: 'BackOff' })),
    );
    expect(stateOf(seen, found)).toBe('ready');
  });

  test('nodes on images without security updates give one warning with the commands to replace them', () => {
    const lack =
      (name: string, ...security: string[]) =>
      (seen: Observations) => {
        for (const each of valueIn(seen.machines)) if (each.name === name) each.updates = { security };
      };
    const seen = changed(lack('cp-1', 'openssl', 'curl'), lack('cp-2'), lack('work-1', 'curl', 'a', 'b', 'c', 'd'));
    const [found] = reported(seen);
    expect(found).toMatchObject({
      severity: 'warning',
      chain: [
        'NOVA8371 Nodes of ha lack Debian security updates: cp-1, work-1. Packages: a, b, c, curl, d and 1 more.',
      ],
      commands: ['nova-ctl image update', 'nova-ctl machine delete NODE', 'nova-ctl apply -f FILE'],
    });
    expect(stateOf(seen, diagnose(seen))).toBe('ready');
    expect(reported(changed(lack('cp-1')))).toEqual([]);
  });

  test('findings are warnings while an operation runs', () => {
    const seen = changed(service('work-1', 'kubelet', refused), (each) => {
      Object.assign(valueIn(each.operation) ?? {}, { state: 'running' });
    });
    const found = diagnose(seen);
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
    expect(stateOf(seen, found)).toBe('changing');
  });

  test('a cluster that was stopped on purpose has no findings', () => {
    const seen = changed(apiUnreachable, ...names.map((name) => machine(name, 'stopped')), (each) => {
      Object.assign(valueIn(each.operation) ?? {}, { kind: 'cluster.stop' });
    });
    expect(diagnose(seen)).toEqual([]);
    expect(stateOf(seen, [])).toBe('stopped');
  });

  test('a cluster without a ready node has failed', () => {
    const down = changed(...names.map((name) => unreported(name)));
    expect(stateOf(down, diagnose(down))).toBe('failed');
    const degraded = changed(...names.slice(1).map((name) => unreported(name)));
    expect(stateOf(degraded, diagnose(degraded))).toBe('degraded');
  });

  test('a module that Flux has just started to reconcile has no finding', () => {
    const reconciling = (milliseconds: number) =>
      changed((seen) => {
        const reconcilingSince = at(milliseconds);
        seen.modules = {
          value: [{ name: 'ingress', state: 'waiting', reason: 'Reconciliation in progress', reconcilingSince }],
        };
      });
    expect(diagnose(reconciling(-22_000))).toEqual([]);
    expect(reported(reconciling(-61_000))).toMatchObject([
      { severity: 'warning', chain: ['NOVA8370 The module ingress is not ready: Reconciliation in progress'] },
    ]);
  });

  test('a cluster without its API has failed, and with one node less it is degraded', () => {
    const silent = changed(apiUnreachable);
    expect(stateOf(silent, diagnose(silent))).toBe('failed');
    const degraded = changed(service('work-1', 'kubelet', refused));
    expect(stateOf(degraded, diagnose(degraded))).toBe('degraded');
  });
});

test('certificates are listed once they should have been renewed', () => {
  const seen = changed(signed('work-1', 'kubelet-client', at(30 * 24 * 0.26 * hour)));
  expect(endingCertificates(seen, 'work-1')).toEqual([]);
  seen.now = at(24 * hour);
  expect(endingCertificates(seen, 'work-1').map(({ name }) => name)).toEqual(['kubelet-client']);
});

test('frequent reasons are translated to Russian, and others stay as Kubernetes reports them', () => {
  const inRussian = (reason: string) => {
    const [finding] = diagnose(changed(nodeReports('work-1', { ready: 'False', reason })));
    const [symptom] = finding?.chain ?? [];
    return symptom && inWords(symptom, 'ru').message;
  };
  expect(inRussian('Kubelet stopped posting node status.')).toBe(
    'Узел work-1 не готов: kubelet перестал сообщать о состоянии узла.',
  );
  expect(inRussian('PLEG is not healthy')).toBe('Узел work-1 не готов: PLEG is not healthy');
});

test('the text of a finding stays the same while a timer in it runs', () => {
  const pleg = (age: string) => `PLEG is not healthy: pleg was last seen active ${age} ago; threshold is 3m0s`;
  const findings = (age: string, seconds: string) =>
    diagnose(
      changed(
        nodeReports('work-1', { ready: 'False', reason: pleg(age) }),
        view({
          pods: [{ namespace: 'kube-system', name: 'coredns-1', node: 'cp-1', reason: `back-off ${age} restarting` }],
          warnings: [{ object: 'Kustomization/a/b', reason: 'Failed', message: `failed after ${seconds}: timeout` }],
        }),
      ),
    );
  expect(findings('3m12.586s', '30.04s')).toEqual(findings('1h4m7s', '30.19s'));
  expect(findings('3m1s', '30s')[0]?.chain[0]?.params.reason).toBe(
    'PLEG is not healthy: pleg was last seen active some time ago; threshold is 3m0s',
  );
});

test('a pull that fails because the image is missing names the image and the existing tags', () => {
  const image = 'hub:5000/team/app:1.0';
  const message = `Failed to pull image "${image}": rpc error: code = NotFound desc = x: not found`;
  const seen = changed(view({ warnings: [{ object: 'Pod/shop/cart', reason: 'Failed', message }] }), (each) => {
    each.tags = new Map([[image, ['1.1']]]);
  });
  expect(reported(seen).map(({ chain }) => chain)).toEqual([
    ['NOVA8374 Pod/shop/cart: the image hub:5000/team/app:1.0 is not in the registry; tags: 1.1.'],
  ]);
});
