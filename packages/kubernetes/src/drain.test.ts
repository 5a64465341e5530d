import { expect, test } from 'vitest';
import { cordon, drain, mustEvict, uncordon } from './drain.ts';
import { type KubernetesApi, KubernetesError } from './kubernetes-api.ts';

const named = (name: string, more: object = {}) => ({ metadata: { name, namespace: 'default', ...more } });
const ofDaemonSet = named('agent', { ownerReferences: [{ kind: 'DaemonSet' }] });
const mirror = named('static', { annotations: { 'kubernetes.io/config.mirror': 'x' } });
const ended = { ...named('job'), status: { phase: 'Succeeded' } };

test('pods of DaemonSets, static pods and finished pods are not evicted', () => {
  expect([named('web'), ofDaemonSet, mirror, ended].filter(mustEvict)).toEqual([named('web')]);
});

/** An API with these pods on a node. An eviction deletes the pod or is refused, as given. */
function apiWith(pods: Record<string, 'goes' | 'is kept'>) {
  const evicted: string[] = [];
  const there = new Map(Object.entries(pods));
  const api = {
    get: async () => ({ items: [...[...there.keys()].map((name) => named(name)), ofDaemonSet] }),
    create: async (path: string) => {
      const name = path.split('/').at(-2) ?? '';
      evicted.push(name);
      if (there.get(name) === 'is kept') throw new KubernetesError(429, 'budget');
      there.delete(name);
    },
  } as unknown as KubernetesApi;
  return { api, evicted };
}

test('drain evicts all other pods', async () => {
  const { api, evicted } = apiWith({ one: 'goes', two: 'goes' });
  const signal = new AbortController().signal;
  expect(await drain(api, 'node', { signal, timeout: 5000 })).toEqual([]);
  expect(evicted).toEqual(['one', 'two']);
});

test('the eviction of a pod that its budget protects is retried until the timeout', async () => {
  const { api, evicted } = apiWith({ one: 'goes', two: 'is kept' });
  const signal = new AbortController().signal;
  expect(await drain(api, 'node', { signal, timeout: 2500 })).toEqual(['default/two']);
  expect(evicted.slice(0, 3)).toEqual(['one', 'two', 'two']);
  expect(evicted.filter((name) => name === 'one')).toHaveLength(1);
});

/** An API with one node that users and operations change. */
function apiWithNode() {
  const node = {
    metadata: { annotations: {} as Record<string, unknown> },
    spec: { unschedulable: false },
  };
  const api = {
    get: async () => structuredClone(node),
    merge: async ({ metadata, spec }: typeof node) => {
      Object.assign(node.metadata.annotations, metadata.annotations);
      for (const [name, value] of Object.entries(node.metadata.annotations))
        if (value === null) delete node.metadata.annotations[name];
      Object.assign(node.spec, spec);
    },
  } as unknown as KubernetesApi;
  return { api, node };
}

test('a cordoned node is uncordoned', async () => {
  const { api, node } = apiWithNode();
  await cordon(api, 'node');
  await cordon(api, 'node');
  expect(node.spec.unschedulable).toBe(true);
  await uncordon(api, 'node');
  expect(node).toEqual({ metadata: { annotations: {} }, spec: { unschedulable: false } });
});

test('a node that a user cordoned stays cordoned', async () => {
  const { api, node } = apiWithNode();
  node.spec.unschedulable = true;
  await uncordon(api, 'node');
  await cordon(api, 'node');
  await uncordon(api, 'node');
  expect(node.spec.unschedulable).toBe(true);
});

test('a missing node is ignored', async () => {
  const api = {
    get: () => Promise.reject(new KubernetesError(404, 'not found')),
  } as unknown as KubernetesApi;
  await cordon(api, 'node');
  await uncordon(api, 'node');
});
