import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codes } from '@nova-platform/pki/testing';
import type { StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRequest, refusalOf, SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

// Others may be at work on the same machine.
vi.setConfig({ testTimeout: 60_000 });

let server: TestManager;
/** Keys take long to make, and most of these promises are not about them. */
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

/** A request for that name with one of the two keys. */
function requestOf(name: string, token: string | undefined, which = 0) {
  return createRequest(name, { key: keys[which] as string, ...(token !== undefined && { token }) });
}

/** Refused, written down, and without any trace in the store. */
async function expectRefused(name: string, request: string, code: string, token?: string): Promise<void> {
  const agent = agentOf(name);
  const before = server.refusals().length;
  expect(refusalOf(await agent.submit(request))).toBe(`403 ${code}`);
  expect((await agent.certificate()).status).toBe(404);
  expect(server.refusals().slice(before)).toMatchObject([
    { code, path: `/puppet-ca/v1/certificate_request/${name}`, address: '127.0.0.1' },
  ]);
  if (token !== undefined) expect(server.log()).not.toContain(token);
  // The token is in the request, too.
  for (const line of request.split('\n').filter((each) => each.length === 64)) expect(server.log()).not.toContain(line);
  expect((await server.nodes()).map((node) => node.name)).not.toContain(name);
}

eachStore('tokens', (locate) => {
  beforeAll(async () => start(await locate()));
  afterAll(stop);

  test('a token makes one node known, by the certificate it gets', async () => {
    const agent = agentOf('one');
    const token = await tokenFor('one');
    expect((await agent.certificate()).status).toBe(404);
    expect(await agent.enrol(token)).toMatchObject({ status: 200, body: '' });
    expect((await agent.send('GET', '/puppet/v3/node/one')).status).toBe(200);
    expect(await server.nodes()).toContainEqual(expect.objectContaining({ name: 'one', identity: 'valid' }));
    expect(server.log()).not.toContain(token);
  });

  test('a token is good for the name it was made for only', async () => {
    const token = await tokenFor('right');
    await expectRefused('wrong', (await requestOf('wrong', token)).request, 'NOVA8022', token);
    expect((await agentOf('right').enrol(token, await requestOf('right', token))).status).toBe(200);
  });

  test('a token is good once: another key gets nothing for it, and the first keeps its certificate', async () => {
    const token = await tokenFor('once');
    const first = agentOf('once');
    await first.enrol(token, await requestOf('once', token, 0));
    const thief = agentOf('once');
    expect(refusalOf(await thief.submit((await requestOf('once', token, 1)).request))).toBe('403 NOVA8022');
    expect((await thief.certificate()).body).toBe(first.identity?.certificate);
    expect((await first.send('GET', '/puppet/v3/node/once')).status).toBe(200);
  });

  test('an agent that crashed before it had its certificate asks again with its key and gets the same one', async () => {
    const token = await tokenFor('crashed');
    const agent = agentOf('crashed');
    const prepared = await requestOf('crashed', token);
    expect((await agent.submit(prepared.request)).status).toBe(200);
    const { body: certificate } = await agent.certificate();
    expect((await agent.enrol(token, prepared)).status).toBe(200);
    expect(agent.identity?.certificate).toBe(certificate);
    expect((await agent.send('GET', '/puppet/v3/node/crashed')).status).toBe(200);
  });

  test('once revoked, neither the key nor the used token bring the certificate back', async () => {
    const token = await tokenFor('revoked');
    const prepared = await requestOf('revoked', token);
    await agentOf('revoked').enrol(token, prepared);
    await server.client.revokeNode({ params: { name: 'revoked' } });
    const agent = agentOf('revoked');
    expect(refusalOf(await agent.submit(prepared.request))).toBe('403 NOVA8022');
    expect((await agent.certificate()).status).toBe(404);
  });

  test('of two keys that come with one token at the same time, exactly one wins', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const name = `race-${index}`;
        const token = await tokenFor(name);
        const rivals = await Promise.all(
          [0, 1].map(async (which) => ({ agent: agentOf(name), request: await requestOf(name, token, which) })),
        );
        // Connections first, so that the requests arrive together.
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

  test('who is revoked while his identity is renewed has none afterwards', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `renewed-${index}`);
    const { enrolment } = server.manager.services;
    for (const name of names) await server.enrolled(name, keys[0]);
    // Near the end of them all.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (10 * 365 - 20) * 24 * 3600_000 });
    const left: string[] = [];
    for (const [index, name] of names.entries()) {
      const { serialNumber } = new X509Certificate((await enrolment.certificateOf(name)) ?? '');
      const renewal = enrolment.renew(name, serialNumber).catch(() => undefined);
      // A little later each time: one of them comes at the worst moment.
      await sleep(index);
      await Promise.all([renewal, enrolment.revoke(name)]);
      if ((await enrolment.certificateOf(name)) !== undefined) left.push(name);
    }
    vi.useRealTimers();
    expect(left).toEqual([]);
  });

  test('a rebuilt machine enrols with a new token under its name, and the old certificate ends', async () => {
    const old = await server.enrolled('rebuilt', keys[0]);
    expect((await old.send('GET', '/puppet/v3/node/rebuilt')).status).toBe(200);
    const rebuilt = await server.enrolled('rebuilt', keys[1]);
    expect((await rebuilt.send('GET', '/puppet/v3/node/rebuilt')).status).toBe(200);
    expect(refusalOf(await old.send('GET', '/puppet/v3/node/rebuilt'))).toBe('403 NOVA8020');
  });
});

describe('requests', () => {
  beforeAll(() => start());
  afterAll(stop);

  test('who has neither a certificate nor a token that is still good is too late', async () => {
    const { enrolment } = server.manager.services;
    expect(await enrolment.isTooLate('tardy')).toBe(true);
    await tokenFor('tardy', 1);
    expect(await enrolment.isTooLate('tardy')).toBe(false);
    await expect.poll(() => enrolment.isTooLate('tardy')).toBe(true);
    const { request } = await requestOf('tardy', await tokenFor('tardy'));
    await agentOf('tardy').submit(request);
    // Also when it is revoked: then it is kept from coming, not too late.
    for (const change of [async () => undefined, () => enrolment.revoke('tardy')]) {
      await change();
      expect(await enrolment.isTooLate('tardy')).toBe(false);
    }
  });

  test('a token ends', async () => {
    const late = await tokenFor('late', 1);
    const { request } = await requestOf('late', late);
    await sleep(1100);
    await expectRefused('late', request, 'NOVA8022', late);
    // Its end is what kept it out.
    const token = await tokenFor('late', 60);
    expect((await agentOf('late').enrol(token, await requestOf('late', token))).status).toBe(200);
  });

  test('without a token, or with one that nobody gave out, there is no certificate', async () => {
    await tokenFor('stranger');
    await expectRefused('stranger', (await requestOf('stranger', undefined)).request, 'NOVA8022');
    const invented = 'c29tZWJvZHkgZWxzZSBpbnZlbnRlZA';
    await expectRefused('stranger', (await requestOf('stranger', invented)).request, 'NOVA8022', invented);
  });

  const forgeries = {
    'another name than the path’s': () => ({ subject: 'CN = somebody-else' }),
    'an organization': (name: string) => ({ subject: `CN = ${name}\nO = system:masters` }),
    'alternative names': () => ({ extensions: ['subjectAltName = DNS:config.universe.nova.internal'] }),
    'its own name as an alternative name': (name: string) => ({ extensions: [`subjectAltName = DNS:${name}`] }),
    'a role (pp_role)': () => ({ extensions: ['1.3.6.1.4.1.34380.1.1.13 = ASN1:UTF8String:control-plane'] }),
    'rights (pp_authorization)': () => ({ extensions: ['1.3.6.1.4.1.34380.1.3.1 = ASN1:UTF8String:true'] }),
    'an authority’s place': () => ({ extensions: ['basicConstraints = critical,CA:TRUE'] }),
    'other uses': () => ({ extensions: ['extendedKeyUsage = serverAuth'] }),
  };

  test.for(Object.keys(forgeries))('a right token does not excuse a request for %s', async (kind) => {
    const name = `forger-${Object.keys(forgeries).indexOf(kind)}`;
    const token = await tokenFor(name);
    const forgery = forgeries[kind as keyof typeof forgeries](name);
    const { request } = await createRequest(name, { token, key: keys[0] as string, ...forgery });
    await expectRefused(name, request, 'NOVA8023', token);
    // The token was right and stays unused: whoever it was meant for can still come.
    expect((await agentOf(name).enrol(token, await requestOf(name, token))).status).toBe(200);
  });

  test('a weak key is refused, and the token stays good', async () => {
    const token = await tokenFor('weak');
    await expectRefused('weak', (await createRequest('weak', { token, bits: 1024 })).request, 'NOVA8103', token);
    expect((await agentOf('weak').enrol(token, await requestOf('weak', token))).status).toBe(200);
  });

  test.for([
    ['text', 'hello'],
    ['nothing', ''],
    ['a damaged request', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n'],
  ])('%s is no request', async ([, body]) => {
    await expectRefused('nonsense', body as string, 'NOVA8101');
  });

  test('a request that was changed on its way is refused', async () => {
    const token = await tokenFor('changed');
    const { request } = await requestOf('changed', token);
    const other = (await requestOf('changed', token, 1)).request;
    // The signature stands at the end: one request under another's.
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
  ])('no machine can be called %s', async (name) => {
    const { request } = await createRequest('any', { key: keys[0] as string, token: await tokenFor('any') });
    const answer = await agentOf('any').send('PUT', `/puppet-ca/v1/certificate_request/${name}`, { body: request });
    expect(refusalOf(answer)).toBe('404 NOVA8010');
    expect(
      await codes(() => server.client.createToken({ body: { node: decodeURIComponent(name), lifetimeSeconds: 60 } })),
    ).toContain('NOVA7026');
  });

  test('the certificate of the authority is not for anybody to replace', async () => {
    const { body: before } = await agentOf('ca').certificate();
    await agentOf('any').send('PUT', '/puppet-ca/v1/certificate_request/ca', {
      body: (await createRequest('ca', { key: keys[0] as string })).request,
    });
    expect((await agentOf('ca').certificate()).body).toBe(before);
  });
});
