import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '@nova-platform/api';
import { clusterContract, hostContract, storageContract } from '@nova-platform/contracts/engine';
import { createEngineClient, type EngineClient } from '@nova-platform/contracts/engine/client';
import type { HttpApi } from '@nova-platform/http';
import { defaultSite } from '@nova-platform/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalApi } from './api.ts';
import { openEngineAuthority } from './clients/authority.ts';
import { Engine } from './engine.ts';
import type { MachineDriver } from './machines/driver.ts';

let folder: string;
let api: HttpApi;
let client: EngineClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-engine-'));
  // No request of these tests reaches a machine or OVN.
  const engine = new Engine(
    {} as ConstructorParameters<typeof Engine>[0],
    { container: {} as MachineDriver, vm: {} as MachineDriver },
    defaultSite,
  );
  api = await createLocalApi({ engine, version: 'test', ...(await openEngineAuthority(folder)) });
  const socketPath = join(folder, 'engine.sock');
  await api.listen({ path: socketPath });
  client = createEngineClient({ socketPath });
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

async function codesOf(work: Promise<unknown>): Promise<string[]> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (error instanceof ProblemError) return error.problems.map(({ code }) => code);
  throw error;
}

test('the OpenAPI document describes every call under its name', async () => {
  const { paths } = (await api.inject('/v1/openapi.json')).json<{
    paths: Record<string, Record<string, { operationId: string; summary: string }>>;
  }>();
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  const calls = Object.entries({ ...clusterContract, ...storageContract, ...hostContract });
  expect(Object.fromEntries(described.map(({ operationId, summary }) => [operationId, summary]))).toEqual(
    Object.fromEntries(calls.map(([name, { summary }]) => [name, summary])),
  );
});

test('the client returns networks and images completely', async () => {
  expect((await client.networks())[0]).toMatchObject({
    name: 'integration',
    router: { name: 'integration', externalAddress: defaultSite.integration.externalAddress },
    published: [{ ports: ['443/tcp', '8140/tcp', '5000/tcp'] }],
    wanted: 'present',
  });
  expect((await client.images()).map(({ name }) => name)).toContain('kubernetes-node');
});

test.for<[string, (client: EngineClient) => Promise<unknown>, string]>([
  ['a name that is not a DNS label', ({ stopMachine }) => stopMachine('No Name'), 'NOVA7026'],
  ['an unknown machine', ({ stopMachine }) => stopMachine('missing'), 'NOVA7010'],
  ['a network with an invalid address', ({ createNetwork }) => createNetwork('lab', 'nowhere'), 'NOVA7026'],
  ['an invalid port', ({ changeOpenPorts }) => changeOpenPorts(['all']), 'NOVA7026'],
  ["a change of Universe's network", ({ changeNetwork }) => changeNetwork('integration', {}), 'NOVA7027'],
  ['an unknown client', ({ revokeClient }) => revokeClient('missing'), 'NOVA7072'],
  ['an unknown image, in the last line of a stream', (own) => own.buildImage('missing', () => undefined), 'NOVA7001'],
])('the API rejects %s', async ([, call, code]) => {
  expect(await codesOf(call(client))).toEqual([code]);
});
