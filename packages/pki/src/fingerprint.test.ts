import { expect, test } from 'vitest';
import { createRootAuthority, fingerprintOf } from './index.ts';
import { file, openssl } from './testing.ts';

test('the fingerprint equals the sha256sum of the PEM text', async () => {
  const subject = { commonName: 'root', organizations: [] };
  const { certificate } = await createRootAuthority({ subject, lifetimeHours: 1 });
  const bundle = certificate + certificate;
  expect(fingerprintOf(bundle)).toBe(openssl('dgst', '-sha256', '-r', file(bundle)).slice(0, 64));
  expect(fingerprintOf(bundle)).not.toBe(fingerprintOf(certificate));
});
