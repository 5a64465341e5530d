import { expect, test } from 'vitest';
import { updatesOf } from './status.ts';

const checkedAt = '2026-11-16T12:00:00.000Z';

test("machines with missing security updates are listed, and Universe's own is a finding", () => {
  const machines = [
    { name: 'universe', updates: { checkedAt, security: ['openssl'] } },
    { name: 'demo-work-1', updates: { checkedAt, security: [] } },
    { name: 'demo-work-2' },
  ];
  expect(updatesOf(machines)).toEqual({
    updates: { checkedAt, machines: [{ name: 'universe', security: ['openssl'] }] },
    findings: [
      {
        severity: 'warning',
        chain: [expect.objectContaining({ code: 'NOVA8372', params: { packages: { en: 'openssl', ru: 'openssl' } } })],
      },
    ],
  });
});

test('without a check no machine counts as up to date', () => {
  expect(updatesOf([{ name: 'universe' }])).toEqual({ updates: { machines: [] }, findings: [] });
});
