import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { summaryOf } from './plan-summary.ts';

test('infra nodes answer for the base domain of their cluster', () => {
  const demo = plan();
  const infra = demo.nodes.filter(({ roles }) => roles.includes('infra')).map(({ address }) => address);
  expect(infra).not.toEqual([]);
  expect(summaryOf(demo)).toEqual({ cluster: 'demo', zone: { name: demo.dns.baseDomain, servers: infra } });
});

test('the servers of a forwarded base domain answer for it', () => {
  const demo = plan();
  const servers = ['172.31.0.53'];
  const zones = [{ name: demo.dns.baseDomain, answeredBy: 'forward' as const, servers }];
  expect(summaryOf({ ...demo, dns: { ...demo.dns, zones } }).zone).toEqual({ name: demo.dns.baseDomain, servers });
});
