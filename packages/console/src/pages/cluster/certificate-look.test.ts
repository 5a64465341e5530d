import { expect, test } from 'vitest';
import { certificateLook } from './certificate-look.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const hour = 3600_000;
const certificate = (hoursLeft: number, hoursToRenewal: number) => ({
  notAfter: new Date(now + hoursLeft * hour).toISOString(),
  overdueAt: new Date(now + hoursToRenewal * hour).toISOString(),
});

test.each([
  ['a one-day certificate before its renewal is good', certificate(20, 14), 'good'],
  ['a one-month certificate past its renewal is a warning', certificate(6 * 24, -36), 'warning'],
  ['an expired certificate is bad', certificate(-1, -7), 'bad'],
])('%s', (_, each, look) => {
  expect(certificateLook(each, now)).toBe(look);
});
