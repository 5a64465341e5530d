import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createIssuingAuthority,
  createRevocationList,
  createRootAuthority,
  type IssuedCertificate,
  type Issuer,
  issueCertificate,
  openAuthority,
} from './index.ts';
import { file, openssl, order, verify } from './testing.ts';

const nextUpdate = new Date(Date.now() + 3_600_000);
let root: Issuer;
let issuing: Issuer;
let good: IssuedCertificate;
let bad: IssuedCertificate;

beforeAll(async () => {
  const ordered = (commonName: string) => ({ subject: { commonName, organizations: [] }, lifetimeHours: 100 });
  root = await openAuthority(await createRootAuthority(ordered('root')));
  issuing = await openAuthority(await createIssuingAuthority(root, ordered('issuing')));
  good = await issueCertificate(issuing, await order());
  bad = await issueCertificate(issuing, await order());
});

const revoking = (...serials: string[]) => ({
  revoked: serials.map((serial) => ({ serial, at: new Date() })),
  number: 1,
  nextUpdate,
});

async function verifyWith(certificate: string, ofIssuing: string): Promise<string> {
  const lists = (await createRevocationList(root, revoking())) + ofIssuing;
  const chain = ['-CAfile', file(root.certificate), '-untrusted', file(issuing.certificate)];
  return verify(certificate, '-crl_check_all', '-x509_strict', ...chain, '-CRLfile', file(lists));
}

describe('a revocation list', () => {
  test('revokes the listed certificates and no others', async () => {
    const list = await createRevocationList(issuing, revoking(bad.serial));
    expect(await verifyWith(good.certificate, list)).toBe('OK');
    expect(await verifyWith(bad.certificate, list)).toBe('certificate revoked');
  });

  test('can be empty', async () => {
    expect(await verifyWith(bad.certificate, await createRevocationList(issuing, revoking()))).toBe('OK');
  });

  test('revokes an intermediate CA with all certificates that it issued', async () => {
    const { serialNumber } = new X509Certificate(issuing.certificate);
    const lists =
      (await createRevocationList(root, revoking(serialNumber))) + (await createRevocationList(issuing, revoking()));
    const chain = ['-CAfile', file(root.certificate), '-untrusted', file(issuing.certificate)];
    expect(verify(good.certificate, '-crl_check_all', ...chain, '-CRLfile', file(lists))).toBe('certificate revoked');
  });

  test('has the label that Puppet agents expect, and can be concatenated with others', async () => {
    const list = await createRevocationList(issuing, revoking());
    expect(list).toMatch(/^-----BEGIN X509 CRL-----\n[^-]+\n-----END X509 CRL-----\n$/);
  });

  test.each([0, 1, 127, 128, 255, 256, 40_000, 2 ** 40])('has the number %i', async (number) => {
    const list = await createRevocationList(issuing, { ...revoking(), number });
    const text = openssl('crl', '-in', file(list), '-noout', '-crlnumber');
    expect(Number(text.trim().replace('crlNumber=', ''))).toBe(number);
  });

  test('contains each revocation date and the date of the next list', async () => {
    const at = new Date('2026-01-02T03:04:05Z');
    const list = await createRevocationList(issuing, {
      revoked: [{ serial: bad.serial, at }],
      number: 7,
      nextUpdate: new Date('2051-01-01T00:00:00Z'),
    });
    const text = openssl('crl', '-in', file(list), '-noout', '-text');
    expect(text).toContain(`Serial Number: ${bad.serial}\n        Revocation Date: Jan  2 03:04:05 2026 GMT`);
    expect(text).toContain('Next Update: Jan  1 00:00:00 2051 GMT');
  });
});
