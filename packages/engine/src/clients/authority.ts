import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import {
  type Authority,
  createKeyPair,
  createStandaloneAuthority,
  type Issuer,
  issueCertificate,
  openAuthority,
} from '@nova-platform/pki';
import { readRecord, writeRecord } from '../files.ts';
import { paths } from '../paths.ts';

export interface ClientCertificate {
  /** PEM */
  certificate: string;
  /** PEM: by this the client knows the engine. */
  authority: string;
}

const file = join(paths.state, 'engine', 'authority.json');
const day = 24;
const authorityHours = 10 * 365 * day;
const serverHours = 30 * day;
const clientHours = 90 * day;

/** The engine's own authority: it vouches for the engine and for those who may call it over the network. */
export async function openEngineAuthority(): Promise<Issuer> {
  const known = await readRecord<Authority>(file);
  if (known) return openAuthority(known);
  const made = await createStandaloneAuthority({
    subject: { commonName: 'Nova engine', organizations: [] },
    lifetimeHours: authorityHours,
  });
  await writeRecord(file, made);
  return openAuthority(made);
}

/** Its key is never written anywhere: every start of the engine has another. */
export async function certifyServer(issuer: Issuer, address: string): Promise<{ key: string; cert: string }> {
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate } = await issueCertificate(issuer, {
    subject: { commonName: 'nova-engine', organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: [address],
    usages: ['server auth'],
    lifetimeHours: serverHours,
  });
  return { key: privateKey, cert: certificate };
}

export async function certifyClient(issuer: Issuer, name: string, publicKey: string): Promise<ClientCertificate> {
  const { certificate } = await issueCertificate(issuer, {
    subject: { commonName: name, organizations: [] },
    publicKey: checkedKey(publicKey),
    dnsNames: [],
    addresses: [],
    usages: ['client auth'],
    lifetimeHours: clientHours,
  });
  return { certificate, authority: issuer.certificate };
}

/** What is read as a public key may be a private one, or a certificate; those are not for us. */
function checkedKey(pem: string): string {
  try {
    if (pem.startsWith('-----BEGIN PUBLIC KEY-----') && createPublicKey(pem)) return pem;
  } catch {
    // Said below.
  }
  throw new ProblemError(problem('NOVA7043', {}));
}
