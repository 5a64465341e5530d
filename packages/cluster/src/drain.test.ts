import { expect, test } from 'vitest';
import { drain, mustLeave } from './drain.ts';
import { type KubernetesApi, KubernetesError } from './kubernetes-api.ts';

const named = (name: string, more: object = {}) => ({ metadata: { name, namespace: 'default', ...more } });
const ofDaemonSet = named('agent', { ownerReferences: [{ kind: 'DaemonSet' }] });
const mirror = named('static', { annotations: { 'kubernetes.io/config.mirror': 'x' } });
const ended = { ...named('job'), status: { phase: 'Succeeded' } };

test('pods of DaemonSets, mirrors and those that ended stay', () => {
  expect([named('web'), ofDaemonSet, mirror, ended].filter(mustLeave)).toEqual([named('web')]);
});

/** An API with these pods on a node; each eviction does what is given for its pod. */
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

test('everything that can be evicted is', async () => {
  const { api, evicted } = apiWith({ one: 'goes', two: 'goes' });
  const signal = new AbortController().signal;
  expect(await drain(api, 'node', { signal, timeout: 5000 })).toEqual([]);
  expect(evicted).toEqual(['one', 'two']);
});

test('what its budget keeps is asked again, until it takes too long', async () => {
  const { api, evicted } = apiWith({ one: 'goes', two: 'is kept' });
  const signal = new AbortController().signal;
  expect(await drain(api, 'node', { signal, timeout: 1500 })).toEqual(['default/two']);
  expect(evicted).toEqual(['one', 'two', 'two']);
});
