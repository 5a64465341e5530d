import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { Issuer } from './authority.ts';
import { isDnsText } from './dns-text.ts';
import { pem } from './pem.ts';
import { signCertificate } from './sign.ts';
import type { Subject } from './subject.ts';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PublicKey,
  SubjectAlternativeNameExtension,
} from './x509.ts';

export type CertificateUsage = 'server auth' | 'client auth';

export interface CertificateOrder {
  subject: Subject;
  /** SPKI PEM */
  publicKey: string;
  dnsNames: readonly string[];
  addresses: readonly string[];
  usages: readonly CertificateUsage[];
  lifetimeHours: number;
}

export interface IssuedCertificate {
  /** PEM */
  certificate: string;
  /** In the format of `X509Certificate.serialNumber` of node:crypto. */
  serial: string;
  notAfter: Date;
}

const extendedUsages = {
  'server auth': ExtendedKeyUsage.serverAuth,
  'client auth': ExtendedKeyUsage.clientAuth,
} as const satisfies Record<CertificateUsage, ExtendedKeyUsage>;

/** Signs exactly what is ordered. The certificate never outlives the CA. */
export async function issueCertificate(issuer: Issuer, order: CertificateOrder): Promise<IssuedCertificate> {
  const key = createPublicKey(order.publicKey);
  const certificate = await signCertificate(issuer, {
    subject: order.subject,
    publicKey: new PublicKey(key.export({ type: 'spki', format: 'der' })),
    lifetimeHours: order.lifetimeHours,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(keyUsages(key.asymmetricKeyType), true),
      new ExtendedKeyUsageExtension(order.usages.map((usage) => extendedUsages[usage])),
      ...alternativeNames(order),
    ],
  });
  return {
    certificate: pem('CERTIFICATE', certificate),
    serial: certificate.serialNumber.toUpperCase(),
    notAfter: certificate.notAfter,
  };
}

/** Older cipher suites encrypt the premaster secret with an RSA key; other keys only sign. */
function keyUsages(keyType: string | undefined): KeyUsageFlags {
  return keyType === 'rsa'
    ? KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment
    : KeyUsageFlags.digitalSignature;
}

function alternativeNames({ dnsNames, addresses }: CertificateOrder): Extension[] {
  // The library would write different names: it truncates characters to one byte and accepts networks as addresses.
  const wrong = [...dnsNames.filter((name) => !isDnsText(name)), ...addresses.filter((address) => !isIP(address))];
  if (wrong.length > 0) throw new RangeError(`Not names for a certificate: ${wrong.join(', ')}`);
  const names = [
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ];
  return names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : [];
}
