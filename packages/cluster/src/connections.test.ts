import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  createKeyPair,
  createStandaloneAuthority,
  type Issuer,
  issueCertificate,
  openAuthority,
} from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';
import { plan as planned } from '@nova-platform/plan/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClusterConnections } from './connections.ts';

const host = '127.0.0.1';
let issuer: Issuer;
let server: Server;
let plan: ClusterPlan;
let connections: ClusterConnections;
/** The client certificate of every request. */
const clients: string[] = [];
const sockets = new Set<TLSSocket>();

async function createIssuer(): Promise<Issuer> {
  const order = { subject: { commonName: 'kubernetes', organizations: [] }, lifetimeHours: 24 };
  return openAuthority(await createStandaloneAuthority(order));
}

/** An API server with a certificate of the authority. */
async function serve(): Promise<void> {
  const { privateKey: key, publicKey } = await createKeyPair();
  const { certificate: cert } = await issueCertificate(issuer, {
    subject: { commonName: 'kube-apiserver', organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: [host],
    usages: ['server auth'],
    lifetimeHours: 1,
  });
  server = createServer({ key, cert, ca: issuer.certificate, requestCert: true }, (request, response) => {
    clients.push((request.socket as TLSSocket).getPeerCertificate().fingerprint256);
    response.end('{}');
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  plan = { ...planned(), api: { ...planned().api, address: host, port } };
}

beforeEach(async () => {
  clients.length = 0;
  issuer = await createIssuer();
  await serve();
  connections = new ClusterConnections({ issuerOf: async () => issuer });
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

const request = () => connections.withApi(plan, (api) => api.get('/api'));

test('connections of one cluster share one certificate during the first half of its lifetime', async () => {
  await request();
  await request();
  expect(new Set(clients).size).toBe(1);
  const certificate = async () => (await connections.access(plan, 'kubernetes')).cert;
  const first = await certificate();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29 * 60_000 });
  expect(await certificate()).toBe(first);
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect(await certificate()).not.toBe(first);
});

test('a cluster that is created again with another authority gets a new certificate', async () => {
  await request();
  server.close();
  issuer = await createIssuer();
  await serve();
  await request();
  expect(new Set(clients).size).toBe(2);
});

test('concurrent users share connections, and the last one closes them', async () => {
  await connections.withApi(plan, async (outer) => {
    await outer.get('/api');
    await request();
    expect(sockets.size).toBe(1);
    // Another user has closed its connection; this one continues.
    await outer.get('/api');
  });
  await vi.waitFor(() => expect(sockets.size).toBe(0));
  await expect(connections.withApi(plan, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await request();
});

test('requests to a slow cluster can take longer', async () => {
  // No response at all within a hundredth of the usual time.
  server.removeAllListeners('request').on('request', () => undefined);
  const hurried = new ClusterConnections({ issuerOf: async () => issuer }, async ({ cluster }) =>
    cluster.name === plan.cluster.name ? 0.01 : 1,
  );
  await expect(hurried.withApi(plan, (api) => api.get('/api'))).rejects.toThrow('the API does not respond');
  const slow = new ClusterConnections({ issuerOf: async () => issuer }, async () => 20);
  expect(await slow.access(plan, 'etcd')).toMatchObject({ slowdown: 20 });
  expect(await connections.access(plan, 'etcd')).toMatchObject({ slowdown: 1 });
});
