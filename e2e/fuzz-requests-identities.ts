import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import { SimulatedAgent } from '@nova-platform/config-manager/testing';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import {
  createIssuingAuthority,
  createKeyPair,
  createRootAuthority,
  createSealer,
  createStandaloneAuthority,
  type Issuer,
  issueCertificate,
  openAuthority,
} from '@nova-platform/pki';
import { allRoles, plan } from '@nova-platform/plan/testing';

/** Identities that the server must accept as the node of that name, and identities that it must refuse. */
export type Identity = 'main' | 'worker' | 'unplanned' | 'renewing' | 'logging' | 'fresh' | BadIdentity;
type BadIdentity = (typeof badIdentities)[number];

export const badIdentities = [
  'anonymous',
  'self-signed',
  'expired',
  'another authority',
  'authority of the same name',
  'service certificate',
  'authority of the cluster',
  'not on record',
  'revoked',
  'server certificate',
] as const;

export const nodeOf = {
  main: 'demo-main-1',
  worker: 'demo-worker-1',
  renewing: 'demo-worker-2',
  logging: 'demo-worker-3',
  revoked: 'demo-worker-4',
  unplanned: 'stranger.nova.internal',
  /** Not enrolled, but has a token. */
  target: 'demo-worker-5',
  /** Enrols at the end. */
  last: 'demo-worker-6',
} as const;

const freshNodes = Array.from({ length: 8 }, (_, index) => `demo-worker-${index + 7}`);

export interface Material {
  /** PEM, shared by all, because key generation is slow. */
  key: string;
  liveToken: string;
  /** Certificate requests (PEM) to mutate. */
  requests: { target: string; targetLive: string; main: string; service: string; rsa: string };
  /** Well-formed certificate requests that must be refused. */
  oddRequests: string[];
  /** Other PEM data. */
  certificate: string;
  clientHello: Buffer;
  checksums: string[];
  expected: { nodes: string[]; identities: Record<string, number> };
  contextOf: (identity: Identity) => SecureContext | undefined;
  nameOf: (identity: Identity) => string;
  certificateOf: (node: string) => string;
  /** The server replaced the old certificate with a new one. */
  renewed: (certificate: string) => void;
  /** A fresh node has received its catalog. */
  seen: (node: string) => void;
}

const clusterPlan = () =>
  plan({
    nodeGroups: [
      { name: 'main', roles: allRoles },
      { name: 'worker', roles: ['worker'], count: 14 },
    ],
  });

/** Enrols the nodes that send requests, and creates all kinds of wrong certificates. */
export async function prepare(folder: string, port: number): Promise<Material> {
  const client = configClient(join(folder, 'config.sock'));
  await client.approvePlan({ body: { plan: clusterPlan(), secrets: {} } });
  const { privateKey, publicKey } = await createKeyPair();
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, privateKey);
  const request = (subject: string, options: Partial<RequestOptions> = {}) =>
    createRequest(folder, { subject, key: keyFile, ...options });

  const certificates = new Map<string, string>();
  const enrol = async (node: string): Promise<SimulatedAgent> => {
    const agent = new SimulatedAgent(node, port);
    const { token } = await client.createToken({ body: { node, lifetimeSeconds: 3600 } });
    const { status, body } = await agent.enrol(token, {
      key: privateKey,
      request: request(`CN = ${node}`, { token }),
    });
    if (status !== 200) throw new Error(`${node} does not enrol: ${status} ${body}`);
    certificates.set(node, agent.identity?.certificate ?? '');
    return agent;
  };

  const enrolled = [nodeOf.worker, nodeOf.renewing, nodeOf.logging, nodeOf.revoked, nodeOf.unplanned, ...freshNodes];
  for (const node of enrolled) (await enrol(node)).close();
  await client.revokeNode({ params: { name: nodeOf.revoked } });
  const main = await enrol(nodeOf.main);
  const catalog = JSON.parse((await main.catalog({ virtual: 'kvm' })).body) as object;
  const service = request(`CN = ${nodeOf.main}`);
  const { body: serviceCertificate, status } = await main.send(
    'POST',
    `/nova/v1/nodes/${nodeOf.main}/certificates/etcd-server`,
    { body: service },
  );
  if (status !== 200) throw new Error(`no service certificate: ${serviceCertificate}`);
  main.close();

  const wrong = await wrongCertificates(folder, publicKey);
  const wrongOf: Partial<Record<Identity, string>> = {
    ...wrong,
    'self-signed': selfSigned(folder, keyFile),
    'service certificate': serviceCertificate,
  };
  const { token: liveToken } = await client.createToken({
    body: { node: nodeOf.target, lifetimeSeconds: 3600 * 24 },
  });
  const contexts = new Map<string, SecureContext>();
  const contextFor = (certificate: string): SecureContext => {
    const known = contexts.get(certificate) ?? createSecureContext({ key: privateKey, cert: certificate });
    contexts.set(certificate, known);
    return known;
  };
  const fresh = [...freshNodes];
  const nameOf = (identity: Identity): string =>
    identity === 'fresh' ? (fresh[0] ?? nodeOf.worker) : identity in nodeOf ? nodeOf[identity as 'main'] : nodeOf.main;

  return {
    key: privateKey,
    liveToken,
    requests: {
      target: request(`CN = ${nodeOf.target}`, { token: 'not-a-token-that-was-given-out' }),
      targetLive: request(`CN = ${nodeOf.target}`, { token: liveToken }),
      main: request(`CN = ${nodeOf.main}`),
      service,
      rsa: request(`CN = ${nodeOf.target}`, { token: 'not-a-token-that-was-given-out', newKey: 'rsa:2048' }),
    },
    oddRequests: oddRequests(request),
    certificate: certificates.get(nodeOf.main) ?? '',
    clientHello: await captureClientHello(),
    checksums: [...new Set(JSON.stringify(catalog).match(/\b[0-9a-f]{64}\b/g))],
    expected: {
      nodes: clusterPlan()
        .nodes.map(({ name }) => name)
        .concat(nodeOf.unplanned)
        .toSorted(),
      identities: Object.fromEntries([...enrolled, nodeOf.main].map((node) => [node, 1])),
    },
    contextOf: (identity) => {
      const certificate = wrongOf[identity] ?? certificates.get(nameOf(identity));
      return identity === 'anonymous' || certificate === undefined ? undefined : contextFor(certificate);
    },
    nameOf,
    certificateOf: (node) => certificates.get(node) ?? '',
    renewed: (certificate) => {
      contexts.delete(certificates.get(nodeOf.renewing) ?? '');
      certificates.set(nodeOf.renewing, certificate);
    },
    seen: (node) => {
      if (fresh[0] === node) fresh.shift();
    },
  };
}

/** Certificates for the main node's name that are not its identity. */
async function wrongCertificates(folder: string, publicKey: string): Promise<Partial<Record<Identity, string>>> {
  const master = Buffer.from(readFileSync(join(folder, 'data/master.key'), 'utf8'), 'base64');
  const sealer = createSealer(master);
  const db = new DatabaseSync(join(folder, 'data/config.db'), { readOnly: true });
  const stored = async (name: string): Promise<Issuer> => {
    const row = db.prepare('select certificate, sealed_key from authorities where name = ?').get(name);
    const { certificate, sealed_key } = row as { certificate: string; sealed_key: string };
    return openAuthority({ certificate, key: sealer.open(sealed_key, `authority/${name}`) });
  };
  const ours = await stored('universe');
  const cluster = await stored('demo/kubernetes');
  db.close();
  const subject = (commonName: string) => ({ commonName, organizations: ['Nova'] });
  const other = await openAuthority(await createStandaloneAuthority({ subject: subject('Other'), lifetimeHours: 24 }));
  const root = await openAuthority(await createRootAuthority({ subject: subject('Nova root'), lifetimeHours: 24 }));
  const namesake = await openAuthority(
    await createIssuingAuthority(root, { subject: subject('Nova issuing'), lifetimeHours: 24 }),
  );
  const issue = async (issuer: Issuer, lifetimeHours = 24, usage: 'client auth' | 'server auth' = 'client auth') => {
    const { certificate } = await issueCertificate(issuer, {
      subject: { commonName: nodeOf.main, organizations: [] },
      publicKey,
      dnsNames: [],
      addresses: [],
      usages: [usage],
      lifetimeHours,
    });
    return certificate.trimEnd().concat('\n', issuer.certificate);
  };
  return {
    expired: await issue(ours, -0.05),
    'another authority': await issue(other),
    'authority of the same name': await issue(namesake),
    'authority of the cluster': await issue(cluster),
    'not on record': await issue(ours),
    'server certificate': await issue(ours, 24, 'server auth'),
  };
}

interface RequestOptions {
  subject: string;
  key: string;
  newKey?: string;
  token?: string;
  extensions?: string;
  attributes?: string;
}

function createRequest(
  folder: string,
  { subject, key, newKey, token, extensions, attributes }: RequestOptions,
): string {
  const asked = attributes ?? (token === undefined ? '' : `challengePassword = ${token}`);
  const config = join(folder, 'request.cnf');
  writeFileSync(
    config,
    `[req]
prompt = no
utf8 = yes
distinguished_name = name
${asked && 'attributes = attributes'}
${extensions ? 'req_extensions = extensions' : ''}
[name]
${subject}
[attributes]
${asked}
[extensions]
${extensions ?? ''}
`,
  );
  const keys = newKey === undefined ? ['-key', key] : ['-newkey', newKey, '-nodes', '-keyout', '/dev/null'];
  return openssl('req', '-new', ...keys, '-config', config);
}

/** Honest requests for certificates that no node may have. */
function oddRequests(request: (subject: string, options?: Partial<RequestOptions>) => string): string[] {
  const { target } = nodeOf;
  const own = `CN = ${target}`;
  return [
    request(own, { newKey: 'rsa:1024' }),
    request(own, { newKey: 'rsa:4096' }),
    request(own, { newKey: 'ed25519' }),
    request(`${own}\nO = system:masters`),
    request(`0.CN = ${target}\n1.CN = ${nodeOf.main}`),
    request('CN = ca'),
    request('O = nobody'),
    request('CN = ..'),
    request(`CN = ${'x'.repeat(60)}`),
    request('CN = узел'),
    request(own, { extensions: 'subjectAltName = DNS:*.nova.internal, IP:0.0.0.0, email:a@b, URI:file:///etc/passwd' }),
    request(own, { extensions: 'basicConstraints = critical, CA:true\nkeyUsage = keyCertSign' }),
    request(own, { extensions: '1.3.6.1.4.1.34380.1.3.1 = ASN1:UTF8String:true' }),
    request(own, { attributes: 'unstructuredName = x' }),
    request(own, { token: 'x'.repeat(200) }),
  ];
}

function selfSigned(folder: string, key: string): string {
  const config = join(folder, 'request.cnf');
  writeFileSync(config, `[req]\nprompt = no\ndistinguished_name = name\n[name]\nCN = ${nodeOf.main}\n`);
  return openssl('req', '-x509', '-new', '-key', key, '-days', '2', '-config', config);
}

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The first message of a TLS client, to mutate. */
export function captureClientHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (hello) => {
        socket.destroy();
        server.close();
        resolve(hello);
      });
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      connect({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {});
    });
  });
}
