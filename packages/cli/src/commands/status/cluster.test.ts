import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problem } from '@nova-platform/api';
import type { Health } from '@nova-platform/contracts/universe/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { novaCtl } from '../../testing/terminal.ts';

let folder: string;
let server: Server;
let health: Health;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-status-'));
  server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(health)),
  ).listen(join(folder, 'universe.sock'));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const status = (env: Record<string, string> = {}, ...more: string[]) =>
  novaCtl(['status', 'demo', ...more], { env: { NOVA_UNIVERSE_SOCKET: join(folder, 'universe.sock'), ...env } });

const node = (name: string, change: Partial<Health['nodes'][number]> = {}): Health['nodes'][number] => ({
  name,
  roles: ['worker'],
  address: '10.20.0.10',
  machine: 'running',
  isReady: true,
  version: 'v1.36.3',
  lastRun: { at: new Date(Date.now() - 65_000).toISOString(), status: 'unchanged' },
  pending: 0,
  endingCertificates: [],
  ...change,
});
const well: Health = {
  cluster: 'demo',
  state: 'ready',
  kubernetesVersion: '1.36.3',
  server: 'https://172.30.0.17:6443',
  cni: 'basic',
  enforcesNetworkPolicies: false,
  nodes: [node('demo-main-1', { roles: ['control-plane', 'infra'] }), node('demo-work-1')],
  hosts: [],
  findings: [],
};

test('status of a healthy cluster is short', async () => {
  health = well;
  const { exitCode, stdout } = await status();
  expect(stdout).toMatchInlineSnapshot(`
    "demo · ready · Kubernetes 1.36.3 · https://172.30.0.17:6443
    Network policies are not enforced: pod networking is basic.

      NODE         STATE  VERSION  LAST RUN   ROLES
    ✓ demo-main-1  ready  v1.36.3  1 min ago  control-plane,infra
    ✓ demo-work-1  ready  v1.36.3  1 min ago  worker

    ✓ No problems found.
    "
  `);
  expect(exitCode).toBe(0);
});

const down = { en: 'is not running', ru: 'не работает' };
const etcd = (name: string) => [
  problem('NOVA8361', { healthy: 1, total: 3, node: name, meaning: { en: 'nothing works', ru: 'ничего не работает' } }),
  problem('NOVA8356', { service: 'etcd', node: name, state: down }),
];
const ill = (): Health => ({
  ...well,
  state: 'degraded',
  nodes: [
    node('demo-main-1', { pending: 3, endingCertificates: [{ name: 'etcd-peer', notAfter: '2026-02-01T12:00:00Z' }] }),
    node('demo-work-1', { isReady: false, machine: 'stopped' }),
  ],
  findings: [
    { severity: 'error', chain: etcd('demo-main-1') },
    { severity: 'error', chain: etcd('demo-main-2') },
    {
      severity: 'error',
      chain: [
        problem('NOVA8353', { node: 'demo-work-1', reason: 'Kubelet stopped posting node status.' }),
        problem('NOVA8354', { node: 'demo-work-1' }),
      ],
    },
    {
      severity: 'warning',
      chain: [problem('NOVA8367', { object: 'Pod/a/b', reason: 'BackOff', message: '\u001b[31mx' })],
    },
  ],
});

test('status traces problems to their causes and suggests commands', async () => {
  health = ill();
  const { exitCode, stdout } = await status();
  expect(stdout).toMatchInlineSnapshot(`
    "demo · degraded · Kubernetes 1.36.3 · https://172.30.0.17:6443
    Network policies are not enforced: pod networking is basic.

      NODE         STATE    VERSION  LAST RUN   PENDING  CERTIFICATES  ROLES
    ✓ demo-main-1  ready    v1.36.3  1 min ago  3        2026-02-01    worker
    ✗ demo-work-1  stopped  v1.36.3  1 min ago  0                      worker

    ✗ NOVA8361 1 of 3 etcd members are healthy: nothing works.
      ├─ NOVA8356 etcd is not running on demo-main-1.
      │    → nova-ctl node run demo-main-1  Run the agent to start the service
      │    Log of the service:
      │    → nova-ctl machine exec demo-main-1 -- journalctl -u etcd -n 50
      └─ NOVA8356 etcd is not running on demo-main-2.
           → nova-ctl node run demo-main-2  Run the agent to start the service
           Log of the service:
           → nova-ctl machine exec demo-main-2 -- journalctl -u etcd -n 50

    ✗ NOVA8353 The node demo-work-1 is not ready: Kubelet stopped posting node
      status.
      └─ NOVA8354 The machine demo-work-1 is stopped.
           → nova-ctl machine restart demo-work-1  Start it

    ! NOVA8367 Pod/a/b: BackOff: �[31mx
      → kubectl get events -A  All events
    "
  `);
  expect(exitCode).toBe(1);
});

test('status prints the same in Russian', async () => {
  health = ill();
  const { stdout } = await status({ LANG: 'ru_RU.UTF-8' });
  expect(stdout).toMatchInlineSnapshot(`
    "demo · есть проблемы · Kubernetes 1.36.3 · https://172.30.0.17:6443
    Сетевые политики не применяются: сеть подов — basic.

      УЗЕЛ         СОСТОЯНИЕ   ВЕРСИЯ   ЗАПУСК       ОЖИДАЕТ  СЕРТИФИКАТЫ  РОЛИ
    ✓ demo-main-1  готов       v1.36.3  1 мин назад  3        2026-02-01   worker
    ✗ demo-work-1  остановлен  v1.36.3  1 мин назад  0                     worker

    ✗ NOVA8361 Исправных участников etcd: 1 из 3; ничего не работает.
      ├─ NOVA8356 etcd не работает на узле demo-main-1.
      │    → nova-ctl node run demo-main-1  Агент запустит службу
      │    Журнал службы:
      │    → nova-ctl machine exec demo-main-1 -- journalctl -u etcd -n 50
      └─ NOVA8356 etcd не работает на узле demo-main-2.
           → nova-ctl node run demo-main-2  Агент запустит службу
           Журнал службы:
           → nova-ctl machine exec demo-main-2 -- journalctl -u etcd -n 50

    ✗ NOVA8353 Узел demo-work-1 не готов: Kubelet stopped posting node status.
      └─ NOVA8354 Машина demo-work-1 остановлена.
           → nova-ctl machine restart demo-work-1  Запустите её

    ! NOVA8367 Pod/a/b: BackOff: �[31mx
      → kubectl get events -A  Все события
    "
  `);
});

test.each(['en_US.UTF-8', 'ru_RU.UTF-8'])('no line is longer than 80 columns (%s)', async (LANG) => {
  health = ill();
  const { stdout } = await status({ LANG });
  expect(stdout.split('\n').filter(({ length }) => length > 80)).toEqual([]);
});

test('JSON output contains everything that the text shows', async () => {
  health = ill();
  const { exitCode, stdout } = await status({}, '--output', 'json');
  expect(exitCode).toBe(1);
  const { findings } = JSON.parse(stdout) as { findings: { chain: { code: string; message: string }[] }[] };
  expect(findings[2]?.chain.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'NOVA8353 The node demo-work-1 is not ready: Kubelet stopped posting node status.',
    'NOVA8354 The machine demo-work-1 is stopped.',
  ]);
});

test('a stopped cluster is not an error, and status shows the command to start it', async () => {
  health = { ...well, state: 'stopped', nodes: [] };
  const { exitCode, stdout } = await status();
  expect(stdout).toContain('→ nova-ctl start demo');
  expect(exitCode).toBe(0);
});

test('status shows the missing updates of nodes on outdated images', async () => {
  health = {
    ...well,
    nodes: [
      node('demo-main-1', { missingSecurityUpdates: ['curl', 'openssl'] }),
      node('demo-work-1', { missingSecurityUpdates: [] }),
    ],
    findings: [
      {
        severity: 'warning',
        chain: [problem('NOVA8371', { cluster: 'demo', nodes: 'demo-main-1', packages: 'curl, openssl' })],
      },
    ],
  };
  const { exitCode, stdout } = await status();
  expect(stdout).toMatchInlineSnapshot(`
    "demo · ready · Kubernetes 1.36.3 · https://172.30.0.17:6443
    Network policies are not enforced: pod networking is basic.

      NODE         STATE  VERSION  LAST RUN   UPDATES    ROLES
    ✓ demo-main-1  ready  v1.36.3  1 min ago  2 missing  worker
    ✓ demo-work-1  ready  v1.36.3  1 min ago  current    worker

    ! NOVA8371 Nodes of demo lack Debian security updates: demo-main-1. Packages:
      curl, openssl.
      → nova-ctl image update  Build current images on the host
      Then replace workers one by one. Drain and delete:
      → nova-ctl machine delete NODE
      → nova-ctl apply -f FILE  Create again, with the manifest of demo
      Control plane nodes cannot be replaced in place yet.
    "
  `);
  expect(exitCode).toBe(0);
});

test('status shows a running operation', async () => {
  const title = { en: 'Make it', ru: 'Создать' };
  health = { ...well, state: 'changing', operation: { id: 7, kind: 'cluster.apply', title, state: 'running' } };
  expect((await status()).stdout).toContain(
    '● Operation 7 is running: Make it\n  → nova-ctl operation show 7 --follow',
  );
});

test('status --watch shows the state again after a change, until interrupted', async () => {
  health = { ...well, state: 'changing' };
  const { promise: untilStopped, resolve: stop } = Promise.withResolvers<void>();
  let outputs = 0;
  const { exitCode, stdout } = await novaCtl(['status', 'demo', '--watch', '-o', 'json'], {
    env: { NOVA_UNIVERSE_SOCKET: join(folder, 'universe.sock') },
    untilStopped: () => untilStopped,
    onOutput: () => {
      outputs += 1;
      if (outputs > 1) stop();
      health = well;
    },
  });
  expect(exitCode).toBe(130);
  const states = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Health).state);
  expect(states).toEqual(['changing', 'ready']);
});

test('status shows the reason of a module once', async () => {
  const reason = 'Reconciliation in progress';
  const chain = [problem('NOVA8370', { module: 'ingress', reason, cluster: 'demo' })];
  const waiting = { state: 'waiting' as const, reason };
  health = {
    ...well,
    state: 'degraded',
    modules: [
      { name: 'ingress', ...waiting },
      { name: 'nova-dns', ...waiting },
    ],
    findings: [{ severity: 'warning', chain }],
  };
  const { stdout } = await status();
  expect(stdout.split('ingress')).toHaveLength(2);
  expect(stdout).toContain(`! nova-dns: ${reason}`);
});

test('status does not show a routine reconciliation as a problem', async () => {
  const reason = 'Reconciliation in progress';
  health = {
    ...well,
    modules: [
      { name: 'ingress', state: 'waiting', reason, isReconciling: true },
      { name: 'nova-dns', state: 'ready' },
    ],
  };
  const { stdout, exitCode } = await status();
  expect(stdout).toContain('\nModules: 1 of 2 ready, 1 being reconciled\n');
  expect(stdout).toContain('No problems found.');
  expect(stdout).not.toContain(reason);
  expect(stdout).not.toContain('nova-ctl module list');
  expect(exitCode).toBe(0);
});
