import { createPrivateKey } from 'node:crypto';
import { createKeyPair } from './keys.ts';
import { pem } from './pem.ts';
import { type Signer, signCertificate, signingAlgorithm } from './sign.ts';
import { nameOf, type Subject } from './subject.ts';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type Name,
  PublicKey,
  X509Certificate,
} from './x509.ts';

/** A CA as stored. `openAuthority` turns it into an issuer. */
export interface Authority {
  /** PEM */
  certificate: string;
  /** PKCS#8 PEM. Seal it before storing it. */
  key: string;
}

/** A CA that can sign. Open it once: parsing costs more than signing. */
export interface Issuer extends Signer {
  /** PEM */
  readonly certificate: string;
  readonly notAfter: Date;
}

export interface AuthorityOrder {
  subject: Subject;
  lifetimeHours: number;
}

export async function openAuthority({ certificate, key }: Authority): Promise<Issuer> {
  const { subjectName, publicKey, notAfter } = new X509Certificate(certificate);
  return { ...(await signerOf(subjectName, publicKey, key)), certificate, notAfter };
}

/** A self-signed CA with intermediate CAs below it. */
export function createRootAuthority(order: AuthorityOrder): Promise<Authority> {
  return createAuthority(order, 1);
}

/** A self-signed CA that issues certificates directly, for one cluster. */
export function createStandaloneAuthority(order: AuthorityOrder): Promise<Authority> {
  return createAuthority(order, 0);
}

/** A CA signed by a root. It cannot sign other CAs. */
export function createIssuingAuthority(root: Issuer, order: AuthorityOrder): Promise<Authority> {
  return createAuthority(order, 0, root);
}

async function createAuthority(
  { subject, lifetimeHours }: AuthorityOrder,
  authoritiesBelow: number,
  root?: Issuer,
): Promise<Authority> {
  const keys = await createKeyPair();
  const publicKey = new PublicKey(keys.publicKey);
  const certificate = await signCertificate(root ?? (await signerOf(nameOf(subject), publicKey, keys.privateKey)), {
    subject,
    publicKey,
    lifetimeHours,
    extensions: [
      new BasicConstraintsExtension(true, authoritiesBelow, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return { certificate: pem('CERTIFICATE', certificate), key: keys.privateKey };
}

async function signerOf(name: Name, publicKey: PublicKey, privateKey: string): Promise<Signer> {
  return {
    name,
    key: createPrivateKey(privateKey).toCryptoKey(signingAlgorithm, false, ['sign']),
    keyIdentifier: await AuthorityKeyIdentifierExtension.create(publicKey),
  };
}
