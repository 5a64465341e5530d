import { join } from 'node:path';
import { engineServerName } from '@nova-platform/contracts/engine';
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
import { Clients } from './clients.ts';

const day = 24;
const authorityHours = 10 * 365 * day;
const serverHours = 30 * day;

/**
 * Opens the engine's own CA and the list of accepted clients, which can call the engine over the network. Creates both
 * at the first start.
 */
export async function openEngineAuthority(
  folder: string = join(paths.state, 'engine'),
): Promise<{ issuer: Issuer; clients: Clients }> {
  const file = join(folder, 'authority.json');
  const list = join(folder, 'clients.json');
  const known = await readRecord<Authority>(file);
  if (known) {
    const issuer = await openAuthority(known);
    return { issuer, clients: await Clients.open(issuer, list) };
  }
  const made = await createStandaloneAuthority({
    subject: { commonName: 'Nova engine', organizations: [] },
    lifetimeHours: authorityHours,
  });
  // Before the CA: a CA without a list is one whose certificates were issued before lists existed.
  await Clients.createList(list);
  await writeRecord(file, made);
  const issuer = await openAuthority(made);
  return { issuer, clients: await Clients.open(issuer, list) };
}

/** The key is never stored: it is new at every start of the engine. */
export async function certifyEngine(issuer: Issuer, address: string): Promise<{ key: string; cert: string }> {
  const { privateKey, publicKey } = await createKeyPair();
  return { key: privateKey, cert: await certifyServer(issuer, engineServerName, address, publicKey) };
}

/** Clients tell servers at the same address apart by their names. */
export async function certifyServer(issuer: Issuer, name: string, address: string, publicKey: string): Promise<string> {
  const { certificate } = await issueCertificate(issuer, {
    subject: { commonName: name, organizations: [] },
    publicKey,
    dnsNames: [],
    addresses: [address],
    usages: ['server auth'],
    lifetimeHours: serverHours,
  });
  return certificate;
}
