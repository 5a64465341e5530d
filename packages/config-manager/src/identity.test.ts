import { createHash, X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { file, openssl, verify } from '@nova-platform/pki/testing';
import { defaultSite } from '@nova-platform/plan';
import { allRoles, plan } from '@nova-platform/plan/testing';
import type { StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { catalogBody, createRequest, type Identity, refusalOf, reportOf, SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

/** The node under test, and another node with the same rights for itself. */
const node = 'demo-main-1';
const neighbour = 'demo-more-1';

let server: TestManager;
let agent: SimulatedAgent;
let other: SimulatedAgent;

async function start(location?: StoreLocation): Promise<void> {
  server = await startTestManager(location && { location });
  await server.approve(clusterPlan());
  [agent, other] = await Promise.all([server.enrolled(node), server.enrolled(neighbour)]);
}

/** Two nodes. The first also has a certificate from the platform CA that is not an identity. */
function clusterPlan() {
  const planned = plan({
    nodeGroups: [
      { name: 'main', roles: allRoles },
      { name: 'more', roles: ['worker'] },
    ],
  });
  const impostors = planned.certificates
    .filter((each) => each.name === 'kubelet-client' && each.node === node)
    .map((each) => ({
      ...each,
      name: 'impostor',
      issuer: 'universe',
      subject: { commonName: node, organizations: [] },
    }));
  return { ...planned, certificates: [...planned.certificates, ...impostors] };
}

type Endpoint = readonly [method: string, path: string, body?: string];

/** Endpoints that only the node itself can use. */
function ownEndpoints(name: string): Endpoint[] {
  return [
    ['GET', `/puppet/v3/node/${name}`],
    ['POST', `/puppet/v3/catalog/${name}?environment=production`, catalogBody(name, {})],
    ['PUT', `/puppet/v3/report/${name}?environment=production`, JSON.stringify(reportOf(name))],
    ['GET', `/nova/v1/nodes/${name}/order`],
    ['PUT', `/nova/v1/nodes/${name}/orders/1b4e28ba/log`, 'a line\n'],
    ['POST', `/nova/v1/nodes/${name}/certificates/kube-proxy`, 'a request'],
    ['GET', `/nova/v1/nodes/${name}/keys/service-account`],
  ];
}

/** Endpoints that every node can use. */
const commonEndpoints: Endpoint[] = [
  ['GET', '/puppet/v3/file_metadatas/plugins'],
  ['GET', '/puppet/v3/file_metadatas/pluginfacts'],
  ['GET', '/puppet/v3/file_metadatas/locales'],
  ['GET', `/puppet/v3/static_file_content/nova/${'0'.repeat(64)}`],
  ['GET', `/puppet/v3/file_content/nova/${'0'.repeat(64)}`],
];

const endpoints: Endpoint[] = [
  ...ownEndpoints(node),
  ...commonEndpoints,
  ['POST', '/puppet-ca/v1/certificate_renewal'],
];

async function ask(who: SimulatedAgent, asked: readonly Endpoint[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [method, path, body] of asked) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await who.send(method, path, body === undefined ? {} : { body, headers });
    answers[`${method} ${path.split('?')[0]}`] = refusalOf(answer);
  }
  return answers;
}

const all = (asked: readonly Endpoint[], answer: string) =>
  Object.fromEntries(asked.map(([method, path]) => [`${method} ${path.split('?')[0]}`, answer]));

/** A certificate made with OpenSSL for our key, our name and even our serial number, but not by our CA. */
async function forged(by: 'itself' | 'an authority of the same name'): Promise<Identity> {
  const { key, certificate } = agent.identity as Identity;
  const serial = `0x${new X509Certificate(certificate).serialNumber}`;
  const keyFile = file(key);
  const own = ['-key', keyFile, '-set_serial', serial, '-days', '30'];
  if (by === 'itself') return { key, certificate: openssl('req', '-x509', '-subj', `/CN=${node}`, ...own) };
  const { key: authorityKey } = await createRequest('any');
  const authority = openssl('req', '-x509', '-key', file(authorityKey), '-subj', '/O=Nova/CN=Nova issuing');
  const request = openssl('req', '-new', '-key', keyFile, '-subj', `/CN=${node}`);
  const signing = ['-CA', file(authority), '-CAkey', file(authorityKey), '-set_serial', serial, '-days', '30'];
  return { key, certificate: openssl('x509', '-req', '-in', file(request), ...signing) };
}

async function serviceCertificate(name: string, subject: string): Promise<Identity> {
  const { key } = agent.identity as Identity;
  const { request } = await createRequest('any', { key, subject });
  const { status, body } = await agent.send('POST', `/nova/v1/nodes/${node}/certificates/${name}`, { body: request });
  if (status !== 200) throw new Error(body);
  return { key, certificate: body };
}

async function fetched(path: string): Promise<string> {
  const anonymous = new SimulatedAgent('anonymous', server.manager.port);
  const { status, body } = await anonymous.send('GET', path);
  anonymous.close();
  expect(status).toBe(200);
  return body;
}

eachStore('identities', (locate) => {
  beforeAll(async () => start(await locate()));
  afterAll(() => server.remove());

  test('revocation takes effect at the next request of an open connection', async () => {
    const revoked = await server.enrolled('revoked');
    expect((await revoked.send('GET', '/puppet/v3/node/revoked')).status).toBe(200);
    expect(await revoked.send('GET', '/puppet/v3/node/revoked')).toMatchObject({ status: 200, isReused: true });
    await server.client.revokeNode({ params: { name: 'revoked' } });
    const after = await revoked.send('GET', '/puppet/v3/node/revoked');
    expect({ refusal: refusalOf(after), isReused: after.isReused }).toEqual({
      refusal: '403 NOVA8020',
      isReused: true,
    });
    expect(await server.nodes()).toContainEqual(expect.objectContaining({ name: 'revoked', identity: 'revoked' }));
  });

  test('an identity is renewed for the same key when it expires soon, and both certificates work; before that it stays the same', async () => {
    const renewing = await server.enrolled('renewing');
    const { key, certificate: old } = renewing.identity as Identity;
    const renew = () => renewing.send('POST', '/puppet-ca/v1/certificate_renewal');
    expect(await renew()).toMatchObject({ status: 200, body: old });

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (10 * 365 - 20) * 24 * 3600_000 });
    const { status, body: renewed } = await renew();
    vi.useRealTimers();
    expect(status).toBe(200);
    const [before, after] = [new X509Certificate(old), new X509Certificate(renewed)];
    expect(after.publicKey.equals(before.publicKey)).toBe(true);
    expect(after.subject).toBe('CN=renewing');
    expect(after.validToDate.getTime()).toBeGreaterThan(before.validToDate.getTime() + 5 * 365 * 24 * 3600_000);
    // The response may have been lost.
    renewing.use({ key, certificate: old });
    expect((await renewing.send('GET', '/puppet/v3/node/renewing')).status).toBe(200);
    await server.client.revokeNode({ params: { name: 'renewing' } });
    expect(refusalOf(await renewing.send('GET', '/puppet/v3/node/renewing'))).toBe('403 NOVA8020');
  });

  describe('an identity that expired while its node was off', () => {
    const seconds = 5;
    const name = 'brief-main-1';
    let brief: SimulatedAgent;
    beforeAll(async () => {
      const site = { ...defaultSite, identityHours: seconds / 3600 };
      await server.approve(plan({ config: { dnsBaseDomain: 'brief.nova.local' } }, { site }));
      brief = await server.enrolled(name);
    });

    const renew = (who = brief) => who.send('POST', '/puppet-ca/v1/certificate_renewal');
    const untilEnded = () => sleep(seconds * 1000 + 100);
    const identities = async () =>
      (await server.rows('certificates')).filter((each) => each.node === name && each.purpose === 'identity');

    test('can only be renewed, over old and new connections', async () => {
      expect((await brief.send('GET', `/puppet/v3/node/${name}`)).status).toBe(200);
      await untilEnded();
      expect(await brief.send('GET', `/puppet/v3/node/${name}`)).toMatchObject({ status: 403, isReused: true });
      brief.reconnect();
      const others = [...commonEndpoints, ...ownEndpoints(name)];
      expect(await ask(brief, others)).toEqual(all(others, '403 NOVA8020'));

      const { status, body: certificate } = await renew();
      expect(status).toBe(200);
      brief.use({ key: brief.identity?.key ?? '', certificate });
      expect((await brief.send('GET', `/puppet/v3/node/${name}`)).status).toBe(200);
    });

    test('can be renewed repeatedly without leaving old rows', async () => {
      for (let times = 0; times < 2; times += 1) {
        await untilEnded();
        const { body: certificate } = await renew();
        brief.use({ key: brief.identity?.key ?? '', certificate });
      }
      expect((await identities()).length).toBeLessThanOrEqual(2);
    });

    test('cannot be renewed with another certificate of the same name and serial, even with the same key', async () => {
      await untilEnded();
      const { key, certificate } = brief.identity as Identity;
      const serial = `0x${new X509Certificate(certificate).serialNumber}`;
      for (const used of [key, agent.identity?.key ?? '']) {
        const own = openssl('req', '-x509', '-key', file(used), '-subj', `/CN=${name}`, '-set_serial', serial);
        const thief = new SimulatedAgent(name, server.manager.port, { key: used, certificate: own });
        expect(refusalOf(await renew(thief))).toBe('403 NOVA8020');
        thief.close();
      }
    });

    test('is invalid if it is revoked during renewal', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { key } = brief.identity as Identity;
        const rival = await server.enrolled(name, key);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * seconds * 1000 });
        const [{ status, body }] = await Promise.all([
          renew(rival),
          server.client.revokeNode({ params: { name } }).catch(() => undefined),
        ]);
        if (status === 200) rival.use({ key, certificate: body });
        expect(refusalOf(await rival.send('GET', `/puppet/v3/node/${name}`))).toBe('403 NOVA8020');
        vi.useRealTimers();
      }
      brief = await server.enrolled(name);
    });

    test('cannot be renewed after a year or once revoked', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 366 * 24 * 3600_000 });
      expect(refusalOf(await renew())).toBe('403 NOVA8020');
      vi.useRealTimers();
      expect((await renew()).status).toBe(200);
      await server.client.revokeNode({ params: { name } });
      expect(refusalOf(await renew())).toBe('403 NOVA8020');
    });
  });

  test('revocation lists of both CAs contain the revoked certificates and do not expire within a decade', async () => {
    const gone = await server.enrolled('gone');
    await server.client.revokeNode({ params: { name: 'gone' } });
    const bundle = await fetched('/puppet-ca/v1/certificate/ca');
    const lists = await fetched('/puppet-ca/v1/certificate_revocation_list/ca');
    expect(lists.match(/-----BEGIN .*-----/g)).toEqual(['-----BEGIN X509 CRL-----', '-----BEGIN X509 CRL-----']);

    const trust = ['-CAfile', file(bundle), '-CRLfile', file(lists), '-crl_check_all'];
    expect(verify(agent.identity?.certificate ?? '', ...trust)).toBe('OK');
    expect(verify(gone.identity?.certificate ?? '', ...trust)).toBe('certificate revoked');
    for (const list of lists.split(/(?<=-----END X509 CRL-----\n)/)) {
      const [, end = ''] = openssl('crl', '-in', file(list), '-noout', '-nextupdate').split('=');
      expect(new Date(end).getTime()).toBeGreaterThan(Date.now() + 10 * 365 * 24 * 3600_000);
    }
  });

  test('the CA fingerprint stays valid after a restart', async () => {
    const before = await fetched('/puppet-ca/v1/certificate/ca');
    await server.restart();
    const after = await fetched('/puppet-ca/v1/certificate/ca');
    expect(after).toBe(before);
    const fingerprint = createHash('sha256').update(after).digest('hex');
    expect(fingerprint).toBe(server.manager.fingerprint);
    expect((await server.client.health({})).fingerprint).toBe(fingerprint);
    expect((await server.client.createToken({ body: { node: 'new', lifetimeSeconds: 60 } })).fingerprint).toBe(
      fingerprint,
    );
    // The earlier identity is still valid.
    expect((await agent.send('GET', `/puppet/v3/node/${node}`)).status).toBe(200);
  });
});

describe('access control', () => {
  beforeAll(() => start());
  afterAll(() => server.remove());

  test('a node can use all its endpoints with its certificate', async () => {
    const answers = Object.values(await ask(agent, [...commonEndpoints, ...ownEndpoints(node)]));
    // Only the body that is not a certificate request is rejected, as invalid.
    expect(answers.filter((each) => each.startsWith('403'))).toEqual(['403 NOVA8101']);
  });

  const strangers: Record<string, () => Promise<Identity | undefined>> = {
    'no certificate': async () => undefined,
    'a self-signed certificate': () => forged('itself'),
    'a certificate from another CA with the same name': () => forged('an authority of the same name'),
    'a service certificate from the cluster CA': () =>
      serviceCertificate('kubelet-client', `O = system:nodes\nCN = system:node:${node}`),
    'a service certificate from the platform CA': () => serviceCertificate('impostor', `CN = ${node}`),
  };

  test.for(Object.keys(strangers))('a client with %s is rejected everywhere', async (kind) => {
    const stranger = new SimulatedAgent(node, server.manager.port, await strangers[kind]?.());
    expect(await ask(stranger, endpoints)).toEqual(all(endpoints, '403 NOVA8020'));
    stranger.close();
  });

  test('a node is rejected for everything that belongs to another node', async () => {
    expect(await ask(other, ownEndpoints(node))).toEqual(all(ownEndpoints(node), '403 NOVA8021'));
    expect(await server.reports(neighbour, 10)).toEqual([]);
  });

  test('unknown paths return 404', async () => {
    for (const path of ['/', '/puppet/v3/environments', '/v1/nodes', '/v1/tokens', '/metrics']) {
      expect((await agent.send('GET', path)).status).toBe(404);
    }
  });

  test('an identity contains the node name, is only for clients and lasts ten years', () => {
    const certificate = new X509Certificate(agent.identity?.certificate ?? '');
    expect(certificate.subject).toBe(`CN=${node}`);
    expect({ names: certificate.subjectAltName, isAuthority: certificate.ca, usage: certificate.keyUsage }).toEqual({
      names: undefined,
      isAuthority: false,
      usage: ['1.3.6.1.5.5.7.3.2'],
    });
    const years = (certificate.validToDate.getTime() - Date.now()) / (365 * 24 * 3600_000);
    expect(Math.round(years)).toBe(10);
  });

  test('the server authenticates with a certificate from the CA that agents trust', async () => {
    const ca = await fetched('/puppet-ca/v1/certificate/ca');
    const lists = await fetched('/puppet-ca/v1/certificate_revocation_list/ca');
    const { port } = server.manager;
    const connected = (servername: string) =>
      new Promise((resolve) => {
        const crl = lists.split(/(?<=-----END X509 CRL-----\n)/);
        const socket = connect({ host: '127.0.0.1', port, ca, crl, servername }, () => resolve('connected'));
        socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
        socket.once('secureConnect', () => socket.destroy());
      });
    expect(await connected('config.universe.nova.internal')).toBe('connected');
    expect(await connected('other.universe.nova.internal')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });
});
