import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Authority,
  createIssuingAuthority,
  createRootAuthority,
  createStandaloneAuthority,
  type Issuer,
  issueCertificate,
  openAuthority,
} from './index.ts';
import { codes, file, openssl, order, verify } from './testing.ts';

const hour = 3_600_000;
let root: Issuer;
let issuing: Issuer;
let cluster: Issuer;

const textOf = ({ certificate }: { certificate: string }) =>
  openssl('x509', '-in', file(certificate), '-noout', '-text').replaceAll(/ +/g, ' ');

beforeAll(async () => {
  root = await openAuthority(await createRootAuthority(ordered('Nova root', 1000)));
  issuing = await openAuthority(await createIssuingAuthority(root, ordered('Nova issuing', 500)));
  cluster = await openAuthority(await createStandaloneAuthority(ordered('demo kubernetes', 500)));
});

function ordered(commonName: string, lifetimeHours: number) {
  return { subject: { commonName, organizations: ['Nova'] }, lifetimeHours };
}

describe('a CA', () => {
  test('signs with ECDSA and SHA-256, and signs only certificates and revocation lists', () => {
    for (const authority of [root, issuing, cluster]) {
      expect(textOf(authority)).toContain('Signature Algorithm: ecdsa-with-SHA256');
      expect(textOf(authority)).toContain('NIST CURVE: P-256');
      expect(textOf(authority)).toContain('X509v3 Key Usage: critical\n Certificate Sign, CRL Sign\n');
    }
  });

  test('has the path length of its kind', () => {
    expect(textOf(root)).toContain('X509v3 Basic Constraints: critical\n CA:TRUE, pathlen:1\n');
    expect(textOf(issuing)).toContain('X509v3 Basic Constraints: critical\n CA:TRUE, pathlen:0\n');
    expect(textOf(cluster)).toContain('X509v3 Basic Constraints: critical\n CA:TRUE, pathlen:0\n');
  });

  test('with path length 0 cannot sign a trusted CA', async () => {
    const below = await openAuthority(await createIssuingAuthority(issuing, ordered('too deep', 10)));
    const leaf = await issueCertificate(below, await order());
    const chain = file(issuing.certificate + below.certificate);
    expect(verify(leaf.certificate, '-CAfile', file(root.certificate), '-untrusted', chain)).toBe(
      'path length constraint exceeded',
    );
  });

  test('names the key that signed it', () => {
    const identifiers = (authority: Issuer) =>
      /Subject Key Identifier: \n (?<own>\S+)\n.*Authority Key Identifier: \n (?<issuer>\S+)\n/s.exec(textOf(authority))
        ?.groups;
    expect(identifiers(root)?.issuer).toBe(identifiers(root)?.own);
    expect(identifiers(issuing)?.issuer).toBe(identifiers(root)?.own);
  });

  test('keeps its subject exactly', async () => {
    const subject = { commonName: '#1 "Корень", \\ CN=x', organizations: ['A+B', 'C'] };
    const { certificate } = await createRootAuthority({ subject, lifetimeHours: 1 });
    expect(openssl('x509', '-in', file(certificate), '-noout', '-subject', '-nameopt', 'multiline,utf8,-esc_msb')).toBe(
      `subject=
    organizationName          = A+B
    organizationName          = C
    commonName                = #1 "Корень", \\\\ CN=x
`,
    );
    expect(verify(certificate, '-CAfile', file(certificate))).toBe('OK');
  });

  test('does not outlive its root', async () => {
    const { certificate } = await createIssuingAuthority(root, ordered('eternal', 1_000_000));
    expect(new X509Certificate(certificate).validToDate).toEqual(root.notAfter);
  });

  test('still signs after being stored and loaded', async () => {
    const stored = JSON.parse(JSON.stringify(await createRootAuthority(ordered('stored', 10)))) as Authority;
    const { certificate } = await issueCertificate(await openAuthority(stored), await order());
    expect(verify(certificate, '-CAfile', file(stored.certificate))).toBe('OK');
  });
});

describe('a certificate', () => {
  test('contains exactly what was ordered', async () => {
    const issued = await issueCertificate(
      issuing,
      await order({
        subject: { commonName: 'system:node:node-1', organizations: ['system:nodes'] },
        dnsNames: ['node-1', '*.apps.local'],
        addresses: ['10.0.0.1', 'fd00::1'],
        usages: ['server auth', 'client auth'],
      }),
    );
    const text = textOf(issued);
    expect(text).toContain('Issuer: O = Nova, CN = Nova issuing\n');
    expect(text).toContain('Subject: O = system:nodes, CN = system:node:node-1\n');
    expect(text.slice(text.indexOf('X509v3 extensions:'), text.indexOf('X509v3 Subject Key'))).toBe(
      [
        'X509v3 extensions:',
        'X509v3 Basic Constraints: critical',
        'CA:FALSE',
        'X509v3 Key Usage: critical',
        'Digital Signature',
        'X509v3 Extended Key Usage: ',
        'TLS Web Server Authentication, TLS Web Client Authentication',
        'X509v3 Subject Alternative Name: ',
        'DNS:node-1, DNS:*.apps.local, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:1',
        '',
      ].join('\n '),
    );
    expect(text).toContain('X509v3 Authority Key Identifier: ');
  });

  test('has no alternative names when none are ordered', async () => {
    expect(textOf(await issueCertificate(issuing, await order()))).not.toContain('Alternative');
  });

  test.each([2048, 4096])('can be issued for the RSA key of a Puppet agent (%i bits)', async (bits) => {
    const key = file(openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', `rsa_keygen_bits:${bits}`));
    const publicKey = openssl('pkey', '-in', key, '-pubout');
    const issued = await issueCertificate(issuing, await order({ publicKey }));
    expect(textOf(issued)).toContain('X509v3 Key Usage: critical\n Digital Signature, Key Encipherment\n');
    expect(openssl('x509', '-in', file(issued.certificate), '-noout', '-pubkey')).toBe(publicKey);
  });

  test('is never issued for invalid names or addresses', async () => {
    await expect(issueCertificate(issuing, await order({ dnsNames: ['жук.ru'] }))).rejects.toThrow('жук.ru');
    await expect(issueCertificate(issuing, await order({ addresses: ['10.0.0.0/8'] }))).rejects.toThrow('10.0.0.0/8');
  });

  test('has a unique serial in the format of node:crypto', async () => {
    const issued = await Promise.all(Array.from({ length: 50 }, async () => issueCertificate(issuing, await order())));
    for (const { certificate, serial } of issued) {
      expect(new X509Certificate(certificate).serialNumber).toBe(serial);
      expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
    }
    expect(new Set(issued.map(({ serial }) => serial)).size).toBe(50);
  });

  test('is valid at once on nodes with slow clocks, and lasts as long as ordered', async () => {
    const before = Date.now();
    const { certificate, notAfter } = await issueCertificate(issuing, await order({ lifetimeHours: 24 }));
    const { validFromDate, validToDate } = new X509Certificate(certificate);
    expect(validFromDate.getTime()).toBeLessThan(before - 4 * 60_000);
    expect(validFromDate.getTime()).toBeGreaterThan(before - 6 * 60_000);
    expect(validToDate).toEqual(notAfter);
    expect(Math.abs(notAfter.getTime() - before - 24 * hour)).toBeLessThan(5000);
  });

  test('does not outlive its CA', async () => {
    const { notAfter } = await issueCertificate(issuing, await order({ lifetimeHours: 10_000 }));
    expect(notAfter).toEqual(issuing.notAfter);
  });

  test('is not issued by an expired CA', async () => {
    const ended = { ...issuing, notAfter: new Date(Date.now() - hour) };
    const wanted = await order();
    expect(await codes(() => issueCertificate(ended, wanted))).toEqual(['NOVA8105']);
  });
});

describe('openssl verify', () => {
  test('accepts a certificate up to the root, only for the ordered usage', async () => {
    const { certificate } = await issueCertificate(issuing, await order({ usages: ['client auth'] }));
    const chain = ['-x509_strict', '-CAfile', file(root.certificate), '-untrusted', file(issuing.certificate)];
    expect(verify(certificate, ...chain, '-purpose', 'sslclient')).toBe('OK');
    expect(verify(certificate, ...chain, '-purpose', 'sslserver')).toBe('unsuitable certificate purpose');
  });

  test('rejects a cluster certificate under the platform root, and vice versa', async () => {
    const ofCluster = await issueCertificate(cluster, await order());
    const ofPlatform = await issueCertificate(issuing, await order());
    const platform = ['-CAfile', file(root.certificate), '-untrusted', file(issuing.certificate)];
    expect(verify(ofCluster.certificate, '-CAfile', file(cluster.certificate))).toBe('OK');
    expect(verify(ofCluster.certificate, ...platform)).toBe('unable to get local issuer certificate');
    expect(verify(ofPlatform.certificate, '-CAfile', file(cluster.certificate))).toBe(
      'unable to get local issuer certificate',
    );
  });

  test('rejects a certificate from a CA with the same name and another key', async () => {
    const namesake = await openAuthority(await createStandaloneAuthority(ordered('demo kubernetes', 500)));
    const { certificate } = await issueCertificate(namesake, await order());
    expect(verify(certificate, '-CAfile', file(cluster.certificate))).not.toBe('OK');
  });
});
