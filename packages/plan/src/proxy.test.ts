import { expect, test } from 'vitest';
import { plan, vsphere } from './testing.ts';

const server = { server: 'http://proxy.local', port: 3128, username: 'proxy-user', password: 'proxy-password' };

test('a cluster without a Proxy document has no proxy', () => {
  expect(plan()).not.toHaveProperty('proxy');
});

test('the plan contains no credentials of the proxy', () => {
  const { proxy } = plan({ proxy: { httpProxy: server, httpsProxy: { ...server, server: 'https://secure.local' } } });
  expect(proxy).toMatchObject({ http: 'http://proxy.local:3128', https: 'https://secure.local:3128' });
  expect(JSON.stringify(proxy)).not.toMatch(/proxy-user|proxy-password/);
});

test('a server without a port is kept as it is, and a server that is not declared is omitted', () => {
  const { proxy } = plan({ proxy: { httpsProxy: { server: 'http://proxy.local' } } });
  expect(proxy).toMatchObject({ https: 'http://proxy.local' });
  expect(proxy).not.toHaveProperty('http');
});

test('noProxy has the networks, names and zones of the cluster, then the declared entries, without duplicates', () => {
  const { proxy } = plan({ proxy: { httpProxy: server, noProxy: '10.0.0.0/8, .mycompany.local,localhost' } });
  expect(proxy?.noProxy).toEqual([
    'localhost',
    '127.0.0.0/8',
    '10.20.0.0/24',
    '10.233.64.0/18',
    '10.233.0.0/18',
    '10.255.0.0/24',
    'universe.nova.internal',
    'config.universe.nova.internal',
    'git.universe.nova.internal',
    'hub.universe.nova.internal',
    '172.30.0.17',
    'api.demo.nova.internal',
    '.svc',
    '.demo.nova.local',
    '.cluster.local',
    '10.0.0.0/8',
    '.mycompany.local',
  ]);
});

test('noProxy has an existing node network', () => {
  expect(plan({ ...vsphere, proxy: { httpProxy: server } }).proxy?.noProxy).toContain('10.120.0.0/24');
});

test('noProxy has the names of the API', () => {
  const { proxy } = plan({ proxy: { httpProxy: server }, config: { k8sAPIDefaultFqdn: 'k8s.mycompany.local' } });
  expect(proxy?.noProxy).toEqual(expect.arrayContaining(['api.demo.nova.internal', 'k8s.mycompany.local']));
});

test("noProxy has the base domain, even if the company's DNS servers resolve it", () => {
  const customerDns = { enable: true, forwardZones: [{ name: 'demo.nova.local', server: '10.0.0.1' }] };
  const { proxy } = plan({ proxy: { httpProxy: server }, config: { extraOptions: { dns: { customerDns } } } });
  expect(proxy?.noProxy).toContain('.demo.nova.local');
});
