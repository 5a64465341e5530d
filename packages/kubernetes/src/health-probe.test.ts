import { createServer, type Server as HttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probe } from './health-probe.ts';

// The ports of the services are fixed, so every node of these tests has its own address.
const [well, ill, mute, gone] = ['127.0.77.1', '127.0.77.2', '127.0.77.3', '127.0.77.4'];
const servers: (HttpsServer | Server)[] = [];

async function serve(host: string, port: number, status: number, body: string, lifetimeHours = 1): Promise<void> {
  const order = { subject: { commonName: 'test', organizations: [] }, lifetimeHours: 1000 };
  const issuer = openAuthority(await createStandaloneAuthority(order));
  const { privateKey, publicKey } = await createKeyPair();
  const names = { dnsNames: [], addresses: [host] };
  const asked = { ...order, ...names, publicKey, usages: ['server auth' as const], lifetimeHours };
  const { certificate } = await issueCertificate(await issuer, asked);
  const server = createServer({ key: privateKey, cert: certificate }, (_request, response) =>
    response.writeHead(status).end(body),
  );
  servers.push(server);
  await new Promise<void>((ready) => server.listen(port, host, ready));
}

beforeAll(async () => {
  await serve(well, 10250, 401, 'Unauthorized', -1);
  await serve(well, 6443, 200, '[+]etcd ok\nreadyz check passed\n');
  await serve(well, 2379, 200, '{"health":"true","reason":""}');
  await serve(well, 2380, 404, '', -1);
  await serve(ill, 6443, 500, '[+]ping ok\n[-]etcd failed: reason withheld\n[-]informer-sync failed: x\n');
  await serve(ill, 2379, 503, '{"health":"false","reason":"RAFT NO LEADER"}');
  const silent = createTcpServer(() => undefined);
  servers.push(silent);
  await new Promise<void>((ready) => silent.listen(10250, mute, ready));
});
afterAll(() => {
  for (const server of servers) server.close();
});

test('a probe reports the certificate of the service on every connection', async () => {
  for (let time = 0; time < 3; time += 1) {
    const { outcome, certificates, complaint } = await probe('kubelet', well);
    expect([outcome, complaint]).toEqual(['responds', undefined]);
    expect(certificates.map(({ name }) => name)).toEqual(['kubelet-server']);
    expect(certificates[0]?.notAfter.getTime()).toBeLessThan(Date.now());
  }
});

test('healthy services have no complaint', async () => {
  expect(await probe('kube-apiserver', well)).toMatchObject({ outcome: 'responds' });
  const { complaint, certificates } = await probe('etcd', well);
  expect(complaint).toBeUndefined();
  expect(certificates.map(({ name, notAfter }) => [name, notAfter.getTime() > Date.now()])).toEqual([
    ['etcd-server', true],
    ['etcd-peer', false],
  ]);
});

test('a service is probed at its own address, not at the address in the credentials', async () => {
  const { privateKey: key, publicKey } = await createKeyPair();
  const order = { subject: { commonName: 'nova-universe', organizations: [] }, lifetimeHours: 1 };
  const issuer = await openAuthority(await createStandaloneAuthority(order));
  const asked = { ...order, publicKey, dnsNames: [], addresses: [], usages: ['client auth' as const] };
  const { certificate: cert } = await issueCertificate(issuer, asked);
  const access = { host: ill, port: 6443, cert, key };
  expect((await probe('etcd', well, access)).complaint).toBeUndefined();
});

test('unhealthy services report the reason', async () => {
  expect((await probe('kube-apiserver', ill)).complaint).toBe('etcd, informer-sync');
  expect((await probe('etcd', ill)).complaint).toBe('RAFT NO LEADER');
});

test('refused connections are distinguished from missing responses', async () => {
  expect(await probe('kubelet', gone)).toEqual({ service: 'kubelet', outcome: 'refused', certificates: [] });
  expect(await probe('kubelet', mute)).toEqual({ service: 'kubelet', outcome: 'timeout', certificates: [] });
});
