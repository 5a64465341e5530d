import { expect, test } from 'vitest';
import { type Format, formats, string } from './formats.ts';

const pem = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64');

const samples: Record<Format, { right: string[]; wrong: string[] }> = {
  address: {
    right: ['0.0.0.0', '255.255.255.255'],
    wrong: ['1.2.3', '256.0.0.1', '01.2.3.4', '1.2.3.4/24', '::1', '1.2.3.4\n'],
  },
  network: {
    right: ['10.0.0.0/8', '0.0.0.0/0', '1.2.3.4/32'],
    wrong: ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', 'fd00::/8'],
  },
  addressRange: {
    right: ['10.0.0.1', '10.0.0.1-10.0.0.9'],
    wrong: ['10.0.0.1-9', '10.0.0.1 - 10.0.0.9', '10.0.0.0/8'],
  },
  port: {
    right: ['1/tcp', '53/udp', '65535/tcp', '30000-32767/tcp'],
    wrong: ['80', '0/tcp', '65536/tcp', '080/tcp', '80/sctp', '80/TCP', '1-2-3/tcp', '80/tcp || 1'],
  },
  label: { right: ['a', 'a-b', '1a', 'a'.repeat(63)], wrong: ['', '-a', 'a-', 'A', 'a.b', 'a_b', 'a'.repeat(64)] },
  domain: { right: ['a', 'a.b-c.d'], wrong: ['a..b', '.a', 'a.', 'A.b', `${'a'.repeat(64)}.b`, 'a.'.repeat(130)] },
  subjectName: { right: ['a.b', '*.a.b', '10.0.0.1'], wrong: ['*', 'a.*.b', '**.a'] },
  release: {
    right: ['0.1.0', '0.1.0-3f1c2a9b'],
    wrong: ['0.1', 'v0.1.0', '0.1.0-', '0.1.0+1', '0.1.0-A', '0.1.0-a-b'],
  },
  version: { right: ['1.36.3'], wrong: ['1.36', 'v1.36.3', '1.36.3-rc1'] },
  quantity: {
    right: ['8', '500m', '512Mi', '1.5Gi', '8G', '16384256Ki', '1Ti', '2Pi', '1E', '1Ei', '8e9', '8E9', '1.5e-3'],
    wrong: ['', 'Gi', '8GB', '8gi', '-1Gi', '+1Gi', '.5Gi', '1.Gi', '1e', '1e100', '1mi', '8 Gi', '8Gi\n'],
  },
  labelKey: { right: ['zone', 'example.com/zone', 'a_b.C'], wrong: ['', '/a', 'a/', 'a/b/c', '-a', 'A.com/a'] },
  labelValue: { right: ['', 'a', 'A_b.c-1'], wrong: ['-a', 'a ', 'a'.repeat(64)] },
  url: {
    right: ['https://a', 'http://a.b:8443/c?d'],
    wrong: ['a', 'ftp://a', 'https://', 'https://user:pass@a', 'https://a/b c'],
  },
  proxyServer: { right: ['http://10.0.0.1', 'https://proxy'], wrong: ['http://a:3128', 'http://a/', 'http://u:p@a'] },
  noProxy: { right: ['a', '10.0.0.0/8, .local,*.b'], wrong: ['', ',', 'a,', 'a b'] },
  certificates: { right: [pem, `${pem}\n`], wrong: ['', '-----BEGIN CERTIFICATE-----', 'TUlJQg=='] },
  timestamp: {
    right: ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.5+03:00'],
    wrong: ['2026-11-15', '2026-11-15 10:00:00Z'],
  },
  ovirtUser: {
    right: ['admin@internal', 'a.b-c_1@ad.example.com'],
    wrong: ['admin', 'Admin@internal', 'a@', '@b', 'a b@c'],
  },
  path: { right: ['/', '/var/lib/nova'], wrong: ['', 'var', '/a b'] },
};

test.each(Object.entries(samples))(
  'the format %s accepts valid and refuses invalid texts',
  (format, { right, wrong }) => {
    const accepted = (text: string) => string(format as Format).safeParse(text).success;
    expect(right.filter((text) => !accepted(text))).toEqual([]);
    expect(wrong.filter(accepted)).toEqual([]);
  },
);

test('the example in the description of a format matches its pattern', () => {
  for (const { pattern, expected } of Object.values(formats)) {
    const [example] = expected.en.match(/(?<=such as )[^ ]+/) ?? [];
    if (example) expect(example).toMatch(new RegExp(pattern));
    expect(expected.ru).toMatch(/[а-яё]/);
  }
});
