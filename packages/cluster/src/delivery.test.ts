import { expect, test } from 'vitest';
import { moduleViews } from './delivery.ts';

const module = (name: string) => ({
  name,
  category: 'additional' as const,
  version: '1.0.0',
  needs: [],
  description: { en: name, ru: name },
  images: [],
});
const released = [module('ingress'), module('nova-dns')];
const plan = { modules: [{ name: 'ingress', category: 'additional' as const, needs: [], settings: {} }] };
const states = [{ name: 'ingress', state: 'ready' as const }];
const shortly = (reported: Parameters<typeof moduleViews>[2]) =>
  moduleViews(released, plan, reported).map(({ name, state, reason }) => [name, state, reason].join(' ').trim());

test('modules have the states that Flux reports', () => {
  expect(shortly({ states, hasReadyNode: true })).toEqual(['ingress ready', 'nova-dns off']);
});

test('while no node is ready or the API is unreachable, the states of modules are unknown', () => {
  expect(shortly({ states, hasReadyNode: false })).toEqual(['ingress unknown no node is ready', 'nova-dns off']);
  expect(shortly(new Error('refused'))).toEqual(['ingress unknown refused', 'nova-dns off']);
});
