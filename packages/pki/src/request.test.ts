import { createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { describe as inWords, ProblemError } from '@nova-platform/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRootAuthority, issueCertificate, openAuthority, readRequest } from './index.ts';
import { codes, file, openssl, order, request } from './testing.ts';

const token = 'nova-Token_0123456789';
const withEverything = request({
  key: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  subject: '0.O = Nova\n1.O = Other\nCN = node-1.demo',
  attributes: `challengePassword = ${token}`,
  extensions: `subjectAltName = DNS:node-1, DNS:puppet, IP:10.0.0.1, IP:fd00::1
keyUsage = digitalSignature
1.3.6.1.4.1.34380.1.1.13 = ASN1:UTF8String:worker`,
});

const derOf = (pem: string) => Buffer.from(pem.replaceAll(/-----.*-----|\s/g, ''), 'base64');
const pemOf = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

const agent = generateKeyPairSync('rsa', { modulusLength: 2048 });
const oid = { commonName: '550403', sha256WithRsa: '2a864886f70d01010b', challengePassword: '2a864886f70d010907' };

/** A request that openssl would not create. */
function forged({ spki = agent.publicKey, attributes = [] as Buffer[] }): string {
  const body = sequence(
    tlv(2, Buffer.from([0])),
    sequence(tlv(0x31, sequence(identifier(oid.commonName), tlv(12, Buffer.from('node-1'))))),
    spki.export({ type: 'spki', format: 'der' }),
    tlv(0xa0, Buffer.concat(attributes)),
  );
  const signature = sign('sha256', body, agent.privateKey);
  return pemOf(
    sequence(
      body,
      sequence(identifier(oid.sha256WithRsa), tlv(5, Buffer.alloc(0))),
      tlv(3, Buffer.concat([Buffer.alloc(1), signature])),
    ),
  );
}

/** As Puppet encodes it: always a PrintableString, whatever its characters. */
function password(...values: string[]): Buffer {
  const written = values.map((value) => tlv(19, Buffer.from(value)));
  return sequence(identifier(oid.challengePassword), tlv(0x31, Buffer.concat(written)));
}

function identifier(hex: string): Buffer {
  return tlv(6, Buffer.from(hex, 'hex'));
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const header = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), value]);
}

async function refusal(pem: string): Promise<string> {
  const error: unknown = await readRequest(pem).catch((thrown: unknown) => thrown);
  if (!(error instanceof ProblemError)) throw new Error('It was not refused with a problem', { cause: error });
  return error.problems.map((each) => `${each.code} ${inWords(each, 'en').message}`).join('\n');
}

describe('a certificate request', () => {
  test('is parsed with all its fields', async () => {
    expect(await readRequest(withEverything)).toEqual({
      subject: { commonName: 'node-1.demo', organizations: ['Nova', 'Other'] },
      publicKey: openssl('req', '-in', file(withEverything), '-noout', '-pubkey'),
      dnsNames: ['node-1', 'puppet'],
      addresses: ['10.0.0.1', 'fd00::1'],
      extensions: ['2.5.29.17', '2.5.29.15', '1.3.6.1.4.1.34380.1.1.13'],
      challengePassword: token,
    });
  });

  test('with only a name is parsed', async () => {
    const pem = request();
    expect(await readRequest(pem)).toEqual({
      subject: { commonName: 'node-1', organizations: [] },
      publicKey: openssl('req', '-in', file(pem), '-noout', '-pubkey'),
      dnsNames: [],
      addresses: [],
      extensions: [],
    });
  });

  test('carries the token as a Puppet agent writes it', async () => {
    expect(await readRequest(forged({ attributes: [password(token)] }))).toMatchObject({ challengePassword: token });
  });

  test('can have CRLF line endings', async () => {
    const { subject } = await readRequest(withEverything.replaceAll('\n', '\r\n'));
    expect(subject.commonName).toBe('node-1.demo');
  });

  test.each([
    [['-newkey', 'rsa:2048']],
    [['-newkey', 'rsa:4096']],
    [['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
    [['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
    [['-newkey', 'rsa:2048', '-sha512']],
  ])('can have the key %j, and a certificate can be issued for it', async (key) => {
    const { subject, publicKey } = await readRequest(request({ key }));
    const subjectOfRoot = { commonName: 'root', organizations: [] };
    const root = await openAuthority(await createRootAuthority({ subject: subjectOfRoot, lifetimeHours: 10 }));
    const { certificate } = await issueCertificate(root, await order({ subject, publicKey }));
    expect(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' })).toBe(publicKey);
  });
});

describe('a key is rejected', () => {
  test.each([
    ['RSA 1024', ['-newkey', 'rsa:1024']],
    ['EC secp521r1', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521']],
    ['EC secp256k1', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']],
    ['ED25519', ['-newkey', 'ed25519']],
    ['RSA-PSS 2048', ['-newkey', 'rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048']],
    ['RSA 2048', ['-newkey', 'rsa:2048', '-pkeyopt', 'rsa_keygen_pubexp:3']],
  ])('if it is %s', async (kind, key) => {
    expect(await refusal(request({ key }))).toBe(
      `NOVA8103 The key of the certificate request is not supported: ${kind}.`,
    );
  });

  test('if it is too large', async () => {
    // Only the size matters, so lengthen the modulus of a valid key instead of generating a key of that size.
    const { n = '', e = '' } = agent.publicKey.export({ format: 'jwk' });
    const modulus = Buffer.concat([Buffer.alloc(1024 + 8, 0xff), Buffer.from(n, 'base64url')]);
    const spki = createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e }, format: 'jwk' });
    expect(await codes(() => readRequest(forged({ spki })))).toEqual(['NOVA8103']);
  });
});

describe('a certificate request is rejected', () => {
  test('if it was changed after signing', async () => {
    const changed = derOf(withEverything);
    changed.write('node-2', changed.indexOf('node-1'));
    expect(await refusal(pemOf(changed))).toMatch(/^NOVA8102 /);
  });

  test.each([
    ['is empty', ''],
    ['is plain text', 'hello'],
    ['is a PEM block of another type', withEverything.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')],
    ['contains two requests', withEverything + withEverything],
    ['is an empty PEM block', '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'],
    ['is not a sequence', pemOf(Buffer.from('-----BEGIN CERTIFICATE REQUEST-----'))],
    ['is an empty sequence', pemOf(Buffer.from([0x30, 0]))],
    ['is nested deeply', pemOf(Buffer.alloc(11_000, Buffer.from([0x30, 0x80])))],
    ['is truncated', pemOf(derOf(withEverything).subarray(0, 200))],
    ['has no common name', request({ subject: 'O = Nova' })],
    ['has two common names', request({ subject: '0.CN = node-1\n1.CN = node-2' })],
    ['has control characters', request({ subject: 'CN = node-1\u001b[2J' })],
    ['has an alternative name of another type', request({ extensions: 'subjectAltName = email:root@node-1' })],
    ['has a non-ASCII DNS name', request({ extensions: 'subjectAltName = DNS:узел' })],
    ['has two challenge passwords', forged({ attributes: [password('first'), password('second')] })],
    ['has a challenge password with two values', forged({ attributes: [password('first', 'second')] })],
    ['has a challenge password without a value', forged({ attributes: [password()] })],
  ])('if it %s', async (_, pem) => {
    expect(await refusal(pem)).toMatch(/^NOVA8101 /);
  });

  test('if it is too large', async () => {
    expect(await refusal(withEverything + '\n'.repeat(16 * 1024))).toContain('larger than 16 KiB');
  });

  test('quickly, even if it is built to be slow to parse', async () => {
    const start = performance.now();
    const hostile = [
      ' '.repeat(16_000),
      `-----BEGIN CERTIFICATE REQUEST-----${' \n'.repeat(8000)}`,
      '-----BEGIN CERTIFICATE REQUEST-----'.repeat(400),
      pemOf(Buffer.alloc(11_000, Buffer.from([0x30, 0x00]))),
      pemOf(sequence(tlv(6, Buffer.alloc(11_000, 0xff)))),
      pemOf(sequence(sequence(tlv(2, Buffer.alloc(11_000, 0x7f))))),
    ];
    for (const pem of hostile) expect(await codes(() => readRequest(pem))).toEqual(['NOVA8101']);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('untrusted input', () => {
  const good = derOf(withEverything);
  const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });

  /** Passes if the request is parsed, or rejected with a ProblemError that does not contain the token. */
  async function isHandled(pem: string): Promise<void> {
    const error: unknown = await readRequest(pem).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error === undefined) return;
    expect(error).toBeInstanceOf(ProblemError);
    expect(inspect(error, { depth: null })).not.toContain(token.slice(0, 10));
  }

  test('a modified request is parsed or rejected with a problem', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (each) => {
        const der = Buffer.from(good);
        for (const [at, byte] of each) der[at] = byte;
        await isHandled(pemOf(der));
      }),
      { numRuns: 1000 },
    );
  });

  test('a change to the signed part is always rejected', async () => {
    await fc.assert(
      // The signed body starts after the outer header.
      fc.asyncProperty(
        fc.integer({ min: 4, max: good.length - 90 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const der = Buffer.from(good);
          der[at] = (der[at] ?? 0) ^ by;
          expect(await codes(() => readRequest(pemOf(der)))).toHaveLength(1);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('arbitrary bytes and text are rejected with a problem', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 500 }).map(pemOf)), async (pem) => {
        expect(await codes(() => readRequest(pem))).toEqual(['NOVA8101']);
      }),
    );
  });
});
