import { expect, test } from 'vitest';
import { hostObjectOf } from './machine-queries.ts';

test('operations on machines and templates lead to their pages, and others do not', () => {
  expect(hostObjectOf('machine.web')).toEqual({ kind: 'machine', name: 'web', path: '/machines/web' });
  expect(hostObjectOf('template.web')).toEqual({ kind: 'template', name: 'web', path: '/templates' });
  expect(hostObjectOf('shop')).toBeUndefined();
  expect(hostObjectOf('registry.images')).toBeUndefined();
  expect(hostObjectOf(undefined)).toBeUndefined();
});
