import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type MachineKind, problem } from '@nova-platform/api';
import { createEngineClient, type MachineStatus } from '@nova-platform/contracts/engine/client';
import { controlPlanes } from '@nova-platform/plan';
import { plan } from '@nova-platform/plan/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InfrastructureProvider } from '../provider.ts';
import { localProvider } from './provider.ts';

interface EngineMachine extends Partial<MachineStatus> {
  name: string;
  network: string;
  state: 'running' | 'stopped' | 'deleting';
}

let folder: string;
let engine: Server;
let provider: InfrastructureProvider;
let machines: EngineMachine[];
let networks: { name: string }[];
let hasKvm: boolean;
/** A machine that another request creates meanwhile. */
let isCreatedMeanwhile: boolean;
/** The requests that change something. */
const changes: { request: string; body?: unknown }[] = [];

/** An engine that stores nothing but names and states. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-infra-'));
  [machines, networks, isCreatedMeanwhile] = [[], [], false];
  changes.length = 0;
  engine = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (method === 'GET' && url === '/v1/host') return answer(200, { hasKvm });
    if (method === 'GET') return answer(200, url === '/v1/machines' ? machines : networks);
    const body = request.headers['content-type'] === undefined ? undefined : await json(request);
    changes.push({ request: `${method} ${url.replace('/v1/', '')}`, ...(body !== undefined && { body }) });
    if (url === '/v1/machines' && isCreatedMeanwhile)
      return answer(409, { problems: [problem('NOVA7021', { kind: 'machine', name: 'demo-main-1' })] });
    return answer(200, {});
  });
  const socketPath = join(folder, 'engine.sock');
  engine.listen(socketPath);
  await once(engine, 'listening');
  provider = localProvider({ isConnected: true, client: () => createEngineClient({ socketPath }) });
});
afterEach(async () => {
  vi.useRealTimers();
  engine.closeAllConnections();
  engine.close();
  await rm(folder, { recursive: true });
});

const requests = () => changes.map(({ request }) => request);

/** Ensures a machine; returns how often its first boot was configured. */
async function ensure(kind: MachineKind = 'container'): Promise<number> {
  let configured = 0;
  await provider.machines.ensure({
    name: 'demo-main-1',
    kind,
    cluster: 'demo',
    address: '10.20.0.10',
    cpu: 2,
    memory: '2Gi',
    disk: '20Gi',
    allowedNetworks: ['10.233.64.0/24'],
    cloudConfig: async () => {
      configured += 1;
      return '#cloud-config\n';
    },
  });
  return configured;
}

test('a missing machine is created in the network of its cluster', async () => {
  expect(await ensure()).toBe(1);
  expect(changes).toEqual([
    {
      request: 'POST machines',
      body: {
        name: 'demo-main-1',
        image: 'kubernetes-node',
        network: 'demo',
        address: '10.20.0.10',
        cpu: 2,
        memoryMebibytes: 2048,
        diskMebibytes: 20_480,
        allowedNetworks: ['10.233.64.0/24'],
        cloudConfig: '#cloud-config\n',
      },
    },
  ]);
});

test('a machine gets the image of its kind, and is observed with it', async () => {
  await ensure('vm');
  expect(changes).toMatchObject([{ request: 'POST machines', body: { image: 'kubernetes-vm' } }]);
  machines = [
    {
      name: 'demo-main-1',
      network: 'demo',
      state: 'running',
      kind: 'vm',
      cpu: 2,
      memoryMebibytes: 4096,
      untilRestart: { cpu: 1, memoryMebibytes: 2048 },
    },
  ];
  expect(await provider.machines.observe('demo')).toMatchObject([
    { kind: 'vm', cpu: 2, memory: '4096Mi', untilRestart: { cpu: 1, memory: '2048Mi' } },
  ]);
});

test.each<EngineMachine['state']>(['running', 'stopped'])(
  'a %s machine is started and gets no new token',
  async (state) => {
    machines = [{ name: 'demo-main-1', network: 'demo', state }];
    expect(await ensure()).toBe(0);
    expect(requests()).toEqual(['POST machines/demo-main-1/start']);
  },
);

test('a machine whose deletion was interrupted is deleted and created again', async () => {
  machines = [{ name: 'demo-main-1', network: 'demo', state: 'deleting' }];
  expect(await ensure()).toBe(1);
  expect(requests()).toEqual(['DELETE machines/demo-main-1', 'POST machines']);
});

test('a machine that a repeated request has created meanwhile is started', async () => {
  isCreatedMeanwhile = true;
  await ensure();
  expect(requests()).toEqual(['POST machines', 'POST machines/demo-main-1/start']);
});

test('only the changed sizes are sent, in the units of the engine', async () => {
  await provider.machines.resize('demo-main-1', { memory: '3Gi' });
  expect(changes).toEqual([{ request: 'PATCH machines/demo-main-1', body: { memoryMebibytes: 3072 } }]);
});

test('a machine that does not exist needs no removal', async () => {
  await provider.machines.remove('demo-main-1');
  expect(requests()).toEqual([]);
});

test('the network is created with everything in one request, and updated later', async () => {
  await provider.networks?.ensure(plan());
  await provider.networks?.balance(plan(), controlPlanes(plan().nodes));
  networks = [{ name: 'demo' }];
  await provider.networks?.ensure(plan());
  expect(requests()).toEqual(['POST networks', 'PATCH networks/demo', 'PATCH networks/demo']);
  const [created, balanced, updated] = changes.map(({ body }) => body as object);
  expect(created).toMatchObject({ ...balanced, ...updated });
});

test('the network is removed with all its machines, and those of other clusters stay', async () => {
  networks = [{ name: 'demo' }];
  machines = [
    { name: 'stray', network: 'demo', state: 'running' },
    { name: 'other', network: 'lab', state: 'running' },
  ];
  await provider.networks?.remove('demo');
  expect(requests()).toEqual(['DELETE machines/stray', 'DELETE networks/demo']);
});

test('the engine is asked once in a while whether the host has KVM', async () => {
  hasKvm = true;
  expect(await provider.hasKvm()).toBe(true);
  hasKvm = false;
  expect(await provider.hasKvm()).toBe(true);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 });
  expect(await provider.hasKvm()).toBe(false);
});
