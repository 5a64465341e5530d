import { type Language, ProblemError, problem } from '@nova-platform/api';
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
const shortly = (reported: Parameters<typeof moduleViews>[2], language: Language = 'en') =>
  moduleViews(released, plan, reported).map(({ name, state, reason }) =>
    [name, state, typeof reason === 'object' ? reason[language] : reason].join(' ').trim(),
  );

test('modules have the states that Flux reports', () => {
  expect(shortly({ states, hasReadyNode: true })).toEqual(['ingress ready', 'nova-dns off']);
});

test('while no node is ready or the API is unreachable, the states of modules are unknown', () => {
  expect(shortly({ states, hasReadyNode: false })).toEqual(['ingress unknown no node is ready', 'nova-dns off']);
  expect(shortly({ states, hasReadyNode: false }, 'ru')).toEqual(['ingress unknown нет готовых узлов', 'nova-dns off']);
  expect(shortly(new Error('refused'))).toEqual(['ingress unknown refused', 'nova-dns off']);
});

test('the reason why the API is unreachable is in the language of the user', () => {
  const failed = new ProblemError(problem('NOVA8343', { cluster: 'demo' }));
  expect(shortly(failed, 'ru')).toEqual(['ingress unknown API кластера demo не отвечает.', 'nova-dns off']);
});
