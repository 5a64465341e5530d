import { join } from 'node:path';
import { configContract } from '@nova-platform/contracts/config-manager';
import { allNodes, configClient } from '@nova-platform/contracts/config-manager/client';
import { apiClient } from '@nova-platform/http/client';
import { codes } from '@nova-platform/pki/testing';
import { plan } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestManager, type TestManager } from './testing/manager.ts';

let server: TestManager;

beforeAll(async () => {
  server = await startTestManager();
  await server.approve(
    plan({ nodeGroups: [{ name: 'main', roles: ['control-plane', 'infra', 'ingress'], count: 3 }] }),
  );
});
afterAll(() => server.remove());

test('a client can prefix all paths', async () => {
  const asked: string[] = [];
  const call = async <T>(method: string, path: string): Promise<T> => {
    asked.push(`${method} ${path}`);
    return {} as T;
  };
  const client = configClient({ call, stream: async (method, path) => void (await call(method, path)) }, '/api');
  await client.listNodes({ query: { cluster: 'demo', limit: 5 } });
  await client.showFacts({ params: { name: 'demo-main-1' } });
  await client.runAgent({ params: { name: 'demo-main-1' }, body: { isNoop: true } }, () => undefined);
  expect(asked).toEqual([
    'GET /api/v1/nodes?cluster=demo&limit=5',
    'GET /api/v1/nodes/demo-main-1/facts',
    'POST /api/v1/nodes/demo-main-1/run',
  ]);
});

test('the OpenAPI description lists every call', async () => {
  const { call } = apiClient({ socketPath: join(server.folder, 'config.sock') }, (error) => error);
  const { paths } = await call<{ paths: Record<string, Record<string, { operationId?: string }>> }>(
    'GET',
    '/v1/openapi.json',
  );
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(described.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(Object.keys(configContract)));
});

test('nodes are listed in pages', async () => {
  const first = await server.client.listNodes({ query: { limit: 2 } });
  expect(first).toMatchObject({ nodes: [{ name: 'demo-main-1' }, { name: 'demo-main-2' }], next: 'demo-main-2' });
  const second = await server.client.listNodes({ query: { limit: 2, after: first.next } });
  expect(second).toEqual({ nodes: [expect.objectContaining({ name: 'demo-main-3', isAsking: false })] });
  expect(await allNodes(server.client)).toEqual([...first.nodes, ...second.nodes]);
});

test.for([{ limit: 0 }, { limit: 501 }, { search: 'a b' }, { search: '\0' }, { after: "'" }, { cluster: 'A' }])(
  'the query %o for nodes is rejected',
  async (query) => {
    expect(await codes(() => server.client.listNodes({ query }))).toEqual(['NOVA7026']);
  },
);

test('a plan that does not match its schema is neither previewed nor approved', async () => {
  const body = { plan: { ...plan(), planVersion: 2 } as never, secrets: {} };
  expect(await codes(() => server.client.previewPlan({ body }))).toEqual(['NOVA7026']);
  expect(await codes(() => server.client.approvePlan({ body }))).toEqual(['NOVA7026']);
});
