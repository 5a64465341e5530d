import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codes } from '@nova-platform/pki/testing';
import type { StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRequest, refusalOf, SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

// The machine may be under load.
vi.setConfig({ testTimeout: 60_000 });

let server: TestManager;
/** Keys are slow to generate, and most of these tests do not depend on them. */
let keys: string[];
const agents: SimulatedAgent[] = [];

beforeAll(async () => {
  keys = (await Promise.all([createRequest('any'), createRequest('any')])).map(({ key }) => key);
});

async function start(location?: StoreLocation): Promise<void> {
  server = await startTestManager(location && { location });
}

async function stop(): Promise<void> {
  for (const agent of agents.splice(0)) agent.close();
  await server.remove();
}

function agentOf(name: string): SimulatedAgent {
  const agent = new SimulatedAgent(name, server.manager.port);
  agents.push(agent);
  return agent;
}

async function tokenFor(name: string, lifetimeSeconds = 60): Promise<string> {
  return (await server.client.createToken({ body: { node: name, lifetimeSeconds: lifetimeSeconds } })).token;
}

/** A certificate request for this name with one of the two keys. */
function requestOf(name: string, token: string | undefined, which = 0) {
  return createRequest(name, { key: keys[which] as string, ...(token !== undefined && { token }) });
}

/** Expects that the request is rejected and logged, and leaves no trace in the database. */
async function expectRefused(name: string, request: string, code: string, token?: string): Promise<void> {
  const agent = agentOf(name);
  const before = server.refusals().length;
  expect(refusalOf(await agent.submit(request))).toBe(`403 ${code}`);
  expect((await agent.certificate()).status).toBe(404);
  expect(server.refusals().slice(before)).toMatchObject([
    { code, path: `/puppet-ca/v1/certificate_request/${name}`, address: '127.0.0.1' },
  ]);
  if (token !== undefined) expect(server.log()).not.toContain(token);
  // The request contains the token too.
  for (const line of request.split('\n').filter((each) => each.length === 64)) expect(server.log()).not.toContain(line);
  expect((await server.nodes()).map((node) => node.name)).not.toContain(name);
}

eachStore('tokens', (locate) => {
  beforeAll(async () => start(await locate()));
  afterAll(stop);

  test('a token lets one node enrol and get a certificate', async () => {
    const agent = agentOf('one');
    const token = await tokenFor('one');
    expect((await agent.certificate()).status).toBe(404);
    expect(await agent.enrol(token)).toMatchObject({ status: 200, body: '' });
    expect((await agent.send('GET', '/puppet/v3/node/one')).status).toBe(200);
    expect(await server.nodes()).toContainEqual(expect.objectContaining({ name: 'one', identity: 'valid' }));
    expect(server.log()).not.toContain(token);
  });

  test('a token is valid only for its node name', async () => {
    const token = await tokenFor('right');
    await expectRefused('wrong', (await requestOf('wrong', token)).request, 'NOVA8022', token);
    expect((await agentOf('right').enrol(token, await requestOf('right', token))).status).toBe(200);
  });

  test('a token works once: another key is rejected, and the first keeps its certificate', async () => {
    const token = await tokenFor('once');
    const first = agentOf('once');
    await first.enrol(token, await requestOf('once', token, 0));
    const thief = agentOf('once');
    expect(refusalOf(await thief.submit((await requestOf('once', token, 1)).request))).toBe('403 NOVA8022');
    expect((await thief.certificate()).body).toBe(first.identity?.certificate);
    expect((await first.send('GET', '/puppet/v3/node/once')).status).toBe(200);
  });

  test('an agent that crashed before it got its certificate gets the same one when it retries with its key', async () => {
    const token = await tokenFor('crashed');
    const agent = agentOf('crashed');
    const prepared = await requestOf('crashed', token);
    expect((await agent.submit(prepared.request)).status).toBe(200);
    const { body: certificate } = await agent.certificate();
    expect((await agent.enrol(token, prepared)).status).toBe(200);
    expect(agent.identity?.certificate).toBe(certificate);
    expect((await agent.send('GET', '/puppet/v3/node/crashed')).status).toBe(200);
  });

  test('after revocation, neither the key nor the used token restores the certificate', async () => {
    const token = await tokenFor('revoked');
    const prepared = await requestOf('revoked', token);
    await agentOf('revoked').enrol(token, prepared);
    await server.client.revokeNode({ params: { name: 'revoked' } });
    const agent = agentOf('revoked');
    expect(refusalOf(await agent.submit(prepared.request))).toBe('403 NOVA8022');
    expect((await agent.certificate()).status).toBe(404);
  });

  test('exactly one of two keys enrols when they use one token at the same time', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const name = `race-${index}`;
        const token = await tokenFor(name);
        const rivals = await Promise.all(
          [0, 1].map(async (which) => ({ agent: agentOf(name), request: await requestOf(name, token, which) })),
        );
        // Connect first, so that the requests arrive together.
        await Promise.all(rivals.map(({ agent }) => agent.certificate()));
        const statuses = await Promise.all(
          rivals.map(async ({ agent, request }) => (await agent.submit(request.request)).status),
        );
        const winner = rivals[statuses.indexOf(200)];
        const { body: certificate } = await agentOf(name).certificate();
        winner?.agent.use({ key: winner.request.key, certificate });
        const works = await winner?.agent.send('GET', `/puppet/v3/node/${name}`);
        return { statuses: statuses.toSorted((one, other) => one - other), works: works?.status };
      }),
    );
    expect(outcomes).toEqual(Array.from({ length: 8 }, () => ({ statuses: [200, 403], works: 200 })));
  });

  test('a node that is revoked during renewal has no identity afterwards', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `renewed-${index}`);
    const { enrolment } = server.manager.services;
    for (const name of names) await server.enrolled(name, keys[0]);
    // Near the expiry of all identities.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (10 * 365 - 20) * 24 * 3600_000 });
    const left: string[] = [];
    for (const [index, name] of names.entries()) {
      const { serialNumber } = new X509Certificate((await enrolment.certificateOf(name)) ?? '');
      const renewal = enrolment.renew(name, serialNumber).catch(() => undefined);
      // Slightly later each time, to hit the worst moment.
      await sleep(index);
      await Promise.all([renewal, enrolment.revoke(name)]);
      if ((await enrolment.certificateOf(name)) !== undefined) left.push(name);
    }
    vi.useRealTimers();
    expect(left).toEqual([]);
  });

  test('a rebuilt machine enrols with a new token under its name, and the old certificate is revoked', async () => {
    const old = await server.enrolled('rebuilt', keys[0]);
    expect((await old.send('GET', '/puppet/v3/node/rebuilt')).status).toBe(200);
    const rebuilt = await server.enrolled('rebuilt', keys[1]);
    expect((await rebuilt.send('GET', '/puppet/v3/node/rebuilt')).status).toBe(200);
    expect(refusalOf(await old.send('GET', '/puppet/v3/node/rebuilt'))).toBe('403 NOVA8020');
  });
});

describe('certificate requests', () => {
  beforeAll(() => start());
  afterAll(stop);

  test('a node without a certificate and without a valid token is too late', async () => {
    const { enrolment } = server.manager.services;
    expect(await enrolment.isTooLate('tardy')).toBe(true);
    await tokenFor('tardy', 1);
    expect(await enrolment.isTooLate('tardy')).toBe(false);
    await expect.poll(() => enrolment.isTooLate('tardy')).toBe(true);
    const { request } = await requestOf('tardy', await tokenFor('tardy'));
    await agentOf('tardy').submit(request);
    // A revoked node is blocked, not too late.
    for (const change of [async () => undefined, () => enrolment.revoke('tardy')]) {
      await change();
      expect(await enrolment.isTooLate('tardy')).toBe(false);
    }
  });

  test('a token expires', async () => {
    const late = await tokenFor('late', 1);
    const { request } = await requestOf('late', late);
    await sleep(1100);
    await expectRefused('late', request, 'NOVA8022', late);
    // Only the expiry caused the rejection.
    const token = await tokenFor('late', 60);
    expect((await agentOf('late').enrol(token, await requestOf('late', token))).status).toBe(200);
  });

  test('a missing or made-up token gets no certificate', async () => {
    await tokenFor('stranger');
    await expectRefused('stranger', (await requestOf('stranger', undefined)).request, 'NOVA8022');
    const invented = 'c29tZWJvZHkgZWxzZSBpbnZlbnRlZA';
    await expectRefused('stranger', (await requestOf('stranger', invented)).request, 'NOVA8022', invented);
  });

  const forgeries = {
    'a name other than the one in the path': () => ({ subject: 'CN = somebody-else' }),
    'an organization': (name: string) => ({ subject: `CN = ${name}\nO = system:masters` }),
    'alternative names': () => ({ extensions: ['subjectAltName = DNS:config.universe.nova.internal'] }),
    'its own name as an alternative name': (name: string) => ({ extensions: [`subjectAltName = DNS:${name}`] }),
    'a role (pp_role)': () => ({ extensions: ['1.3.6.1.4.1.34380.1.1.13 = ASN1:UTF8String:control-plane'] }),
    'permissions (pp_authorization)': () => ({ extensions: ['1.3.6.1.4.1.34380.1.3.1 = ASN1:UTF8String:true'] }),
    'a CA certificate': () => ({ extensions: ['basicConstraints = critical,CA:TRUE'] }),
    'other key usages': () => ({ extensions: ['extendedKeyUsage = serverAuth'] }),
  };

  test.for(Object.keys(forgeries))('a request for %s is rejected even with a valid token', async (kind) => {
    const name = `forger-${Object.keys(forgeries).indexOf(kind)}`;
    const token = await tokenFor(name);
    const forgery = forgeries[kind as keyof typeof forgeries](name);
    const { request } = await createRequest(name, { token, key: keys[0] as string, ...forgery });
    await expectRefused(name, request, 'NOVA8023', token);
    // The valid token stays unused: its node can still enrol.
    expect((await agentOf(name).enrol(token, await requestOf(name, token))).status).toBe(200);
  });

  test('a weak key is rejected, and the token stays valid', async () => {
    const token = await tokenFor('weak');
    await expectRefused('weak', (await createRequest('weak', { token, bits: 1024 })).request, 'NOVA8103', token);
    expect((await agentOf('weak').enrol(token, await requestOf('weak', token))).status).toBe(200);
  });

  test.for([
    ['plain text', 'hello'],
    ['an empty body', ''],
    ['a damaged request', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n'],
  ])('%s is rejected as a certificate request', async ([, body]) => {
    await expectRefused('nonsense', body as string, 'NOVA8101');
  });

  test('a modified request is rejected', async () => {
    const token = await tokenFor('changed');
    const { request } = await requestOf('changed', token);
    const other = (await requestOf('changed', token, 1)).request;
    // The signature is at the end: combine one request with the signature of another.
    const mixed = Buffer.concat([bytesOf(request).subarray(0, -256), bytesOf(other).subarray(-256)]);
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${mixed.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    await expectRefused('changed', pem, 'NOVA8102', token);
  });

  const bytesOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----.*-----|\s/g, ''), 'base64');

  test.for([
    'ca',
    'Upper',
    '..',
    '%2e%2e',
    'a%2Fb',
    '..%2Fca',
    '-a',
    'a_b',
    'a%00b',
    '%D0%B6',
    'x'.repeat(254),
    'x'.repeat(300),
  ])('the node name %s is rejected', async (name) => {
    const { request } = await createRequest('any', { key: keys[0] as string, token: await tokenFor('any') });
    const answer = await agentOf('any').send('PUT', `/puppet-ca/v1/certificate_request/${name}`, { body: request });
    expect(refusalOf(answer)).toBe('404 NOVA8010');
    expect(
      await codes(() => server.client.createToken({ body: { node: decodeURIComponent(name), lifetimeSeconds: 60 } })),
    ).toContain('NOVA7026');
  });

  test('the CA certificate cannot be replaced', async () => {
    const { body: before } = await agentOf('ca').certificate();
    await agentOf('any').send('PUT', '/puppet-ca/v1/certificate_request/ca', {
      body: (await createRequest('ca', { key: keys[0] as string })).request,
    });
    expect((await agentOf('ca').certificate()).body).toBe(before);
  });
});
