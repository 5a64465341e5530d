import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isTransient } from '@nova-platform/api';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { afterEach, expect, test } from 'vitest';
import { KubernetesApi, KubernetesError } from './kubernetes-api.ts';

const host = '127.0.0.1';
const opened: { close: () => void }[] = [];

/** A server that gives these responses in order. */
async function serving(...answers: { status: number; headers?: Record<string, string>; breaksOff?: true }[]) {
  const order = { subject: { commonName: 'test', organizations: [] }, lifetimeHours: 1 };
  const { certificate: ca, key: authorityKey } = await createStandaloneAuthority(order);
  const { privateKey: key, publicKey } = await createKeyPair();
  const { certificate: cert } = await issueCertificate(await openAuthority({ certificate: ca, key: authorityKey }), {
    ...order,
    publicKey,
    dnsNames: [],
    addresses: [host],
    usages: ['server auth', 'client auth'],
  });
  const asked: string[] = [];
  const server = createServer({ key, cert }, ({ method, url }, response) => {
    const { status, headers = {}, breaksOff } = answers[Math.min(asked.length, answers.length - 1)] ?? { status: 500 };
    asked.push(`${method} ${url}`);
    response.writeHead(status, headers);
    if (breaksOff) response.write('{', () => response.destroy());
    else response.end(JSON.stringify({ message: `says ${status}` }));
  });
  await new Promise<void>((ready) => server.listen(0, host, ready));
  const api = new KubernetesApi({ host, port: (server.address() as AddressInfo).port, ca, cert, key });
  opened.push(api, server);
  return { api, server, asked };
}

afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

test('a request is retried after the time in Retry-After', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0' } };
  const { api, asked } = await serving(busy, busy, { status: 200 });
  expect(await api.get('/api/v1/nodes')).toEqual({ message: 'says 200' });
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'GET /api/v1/nodes'));
});

test('retries are limited, and a response without Retry-After is not retried', async () => {
  const { api, asked } = await serving({ status: 429, headers: { 'retry-after': '0' } });
  expect(await failure(api.get('/x'))).toMatchObject({ status: 429, message: 'says 429' });
  expect(asked).toHaveLength(10);
  const { api: other, asked: once } = await serving({ status: 429 });
  expect(await failure(other.get('/x'))).toBeInstanceOf(KubernetesError);
  expect(once).toHaveLength(1);
});

test('readiness checks are not retried', async () => {
  const { api, asked } = await serving({ status: 503, headers: { 'retry-after': '30' } }, { status: 200 });
  expect([await api.isReady(), await api.isReady()]).toEqual([false, true]);
  expect(asked).toHaveLength(2);
});

test('unreachable, interrupted and unready servers are transient errors; refusals are not', async () => {
  const isTransientWith = async (...answers: Parameters<typeof serving>) => {
    const { api } = await serving(...answers);
    return isTransient(await failure(api.get('/x')));
  };
  expect(await isTransientWith({ status: 200, breaksOff: true })).toBe(true);
  expect(await isTransientWith({ status: 503 })).toBe(true);
  expect(await isTransientWith({ status: 403 })).toBe(false);
  expect(await isTransientWith({ status: 409 })).toBe(false);
  const { api, server } = await serving({ status: 200 });
  await new Promise((closed) => server.close(closed));
  expect(isTransient(await failure(api.get('/x')))).toBe(true);
  expect(await api.isReady()).toBe(false);
});
