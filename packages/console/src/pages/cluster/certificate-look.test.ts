import { expect, test } from 'vitest';
import { certificateLook } from './certificate-look.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const hour = 3600_000;
const certificate = (hoursLeft: number, hoursToRenewal: number) => ({
  notAfter: new Date(now + hoursLeft * hour).toISOString(),
  overdueAt: new Date(now + hoursToRenewal * hour).toISOString(),
});

test.each([
  ['a certificate of a day that is not due', certificate(20, 14), 'good'],
  ['a certificate of a month that should have been renewed', certificate(6 * 24, -36), 'warning'],
  ['an expired certificate', certificate(-1, -7), 'bad'],
])('%s', (_, each, look) => {
  expect(certificateLook(each, now)).toBe(look);
});
