import { universeContract } from '@nova-platform/contracts/universe';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../api/client.ts';
import { foldPushes, isKnownAction, nameIn, pageOf } from './audit-actions.ts';

test('every audited request of Universe has a sentence', () => {
  const audited = Object.entries<{ method: string; isReading?: boolean }>(universeContract)
    .filter(([, { method, isReading }]) => method !== 'GET' && isReading !== true)
    .map(([name]) => name);
  expect(audited.length).toBeGreaterThan(25);
  expect(audited.filter((name) => !isKnownAction(name))).toEqual([]);
});

test('the target gives the name and the page of the object', () => {
  expect(nameIn('clusters/shop/scale')).toBe('shop');
  expect(pageOf('clusters/shop/scale')).toBe('/clusters/shop');
  expect(pageOf('users/ann')).toBeUndefined();
  expect(pageOf('v2/nova/a/manifests/1.0')).toBeUndefined();
});

let id = 0;
const entry = (who: string, action: string, target: string, outcome = 201): AuditEntry => {
  id += 1;
  return { id, at: '2026-11-15T10:00:00.000Z', who, from: '-', action, target, outcome };
};

test('the parts of images that a user pushed are one row', () => {
  const rows = foldPushes([
    entry('ann', 'createUser', 'users/ben', 200),
    entry('ci', 'PUT', 'v2/nova/web/manifests/1.0'),
    entry('ci', 'PUT', 'v2/nova/web/blobs/uploads/f3a1'),
    entry('ci', 'PUT', 'v2/nova/web/manifests/sha256:abc'),
    entry('ben', 'PUT', 'v2/nova/db/manifests/2.0'),
    entry('ben', 'PUT', 'v2/nova/db/manifests/2.0', 403),
  ]);
  expect(rows.map((row) => (row.kind === 'push' ? [row.entries.length, ...row.images] : row.entry.action))).toEqual([
    'createUser',
    [3, 'nova/web:1.0'],
    [1, 'nova/db:2.0'],
    'PUT',
  ]);
});
