import { randomBytes, type webcrypto } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { nameOf, type Subject } from './subject.ts';
import {
  type AuthorityKeyIdentifierExtension,
  type Extension,
  type Name,
  type PublicKey,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from './x509.ts';

/** A signing key with everything that a signature needs, parsed once. */
export interface Signer {
  readonly name: Name;
  readonly key: webcrypto.CryptoKey;
  readonly keyIdentifier: AuthorityKeyIdentifierExtension;
  /** Certificates that it signs never outlive this date. */
  readonly notAfter?: Date;
}

interface Content {
  subject: Subject;
  publicKey: PublicKey;
  lifetimeHours: number;
  extensions: Extension[];
}

export const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const minute = 60_000;
const hour = 60 * minute;

/** Clocks of nodes may be behind: a new certificate must already be valid there. */
export function validFrom(): Date {
  return new Date(Date.now() - 5 * minute);
}

/** Adds the key identifiers and the validity, which every certificate has; `content` is the rest. */
export async function signCertificate(
  signer: Signer,
  { subject, publicKey, lifetimeHours, extensions }: Content,
): Promise<X509Certificate> {
  return await X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    issuer: signer.name,
    subject: nameOf(subject),
    notBefore: validFrom(),
    notAfter: endOf(lifetimeHours, signer),
    publicKey,
    extensions: [...extensions, await SubjectKeyIdentifierExtension.create(publicKey), signer.keyIdentifier],
    signingKey: signer.key,
    signingAlgorithm,
  });
}

function endOf(lifetimeHours: number, signer: Signer): Date {
  const end = new Date(Date.now() + lifetimeHours * hour);
  if (!signer.notAfter || end <= signer.notAfter) return end;
  if (signer.notAfter.getTime() <= Date.now()) {
    throw new ProblemError(
      problem('NOVA8105', { name: signer.name.toString(), date: signer.notAfter.toISOString().slice(0, 10) }),
    );
  }
  return signer.notAfter;
}

/**
 * The first bits are fixed: the serial is positive and its hexadecimal form has no leading zeros, which tools print
 * differently.
 */
function randomSerial(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return bytes.toString('hex');
}
