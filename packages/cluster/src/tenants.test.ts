import { tenantLabel } from '@nova-platform/delivery';
import type { KubernetesApi, KubernetesObject } from '@nova-platform/kubernetes';
import type { ClusterPlan } from '@nova-platform/plan';
import { expect, test } from 'vitest';
import { Delivery, type DeliveryOptions } from './delivery.ts';

const namespace = (name: string, more: object = {}) => ({
  metadata: { name, creationTimestamp: '2026-01-31T10:00:00Z', labels: { [tenantLabel]: name }, ...more },
});
const hard = { 'requests.cpu': '4', 'requests.memory': '8Gi', 'requests.storage': '20Gi', pods: '50' };

/** Delivery to a cluster with these responses of its API. */
function deliveryTo(responses: Record<string, object>) {
  const removed: KubernetesObject[] = [];
  const api = {
    get: async (path: string) => responses[path.split('?')[0] ?? ''],
    remove: async (object: KubernetesObject) => void removed.push(object),
  } as Partial<KubernetesApi> as KubernetesApi;
  const options = {
    clusters: { plan: async () => ({}) as ClusterPlan },
    config: { services: { sealer: {} } },
    connections: { withApi: (_plan: ClusterPlan, work: (api: KubernetesApi) => unknown) => work(api) },
  } as unknown as DeliveryOptions;
  return { delivery: new Delivery(options), removed };
}

test('tenants are listed by name, each with its own quota', async () => {
  const { delivery } = deliveryTo({
    '/api/v1/namespaces': { items: [namespace('b', { deletionTimestamp: '2026-01-31T11:00:00Z' }), namespace('a')] },
    '/api/v1/resourcequotas': {
      items: [
        { metadata: { name: 'objects', namespace: 'a' }, spec: { hard: { services: '50' } } },
        { metadata: { name: 'a', namespace: 'a' }, spec: { hard } },
      ],
    },
  });
  expect(await delivery.tenants('demo')).toEqual([
    {
      name: 'a',
      createdAt: '2026-01-31T10:00:00Z',
      isBeingRemoved: false,
      quota: { cpu: '4', memory: '8Gi', volumes: '20Gi', pods: 50 },
    },
    { name: 'b', createdAt: '2026-01-31T10:00:00Z', isBeingRemoved: true },
  ]);
});

test('removing a tenant removes its namespace, and other namespaces are refused', async () => {
  const { delivery, removed } = deliveryTo({
    '/api/v1/namespaces/a': namespace('a'),
    '/api/v1/namespaces/default': { metadata: { name: 'default', labels: {} } },
  });
  await delivery.removeTenant('demo', 'a');
  for (const other of ['default', 'missing'])
    await expect(delivery.removeTenant('demo', other)).rejects.toMatchObject({ problems: [{ code: 'NOVA8414' }] });
  expect(removed.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual(['Namespace/a']);
});
