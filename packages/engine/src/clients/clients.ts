import { createPublicKey, X509Certificate } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import type { Client, ClientCertificate } from '@nova-platform/contracts/engine';
import { type Issuer, issueCertificate } from '@nova-platform/pki';
import { readRecord, writeRecord } from '../files.ts';

interface Entry extends Client {
  /** SHA-256 of the certificate. */
  fingerprint: string;
  /** SPKI in PEM format. */
  publicKey: string;
}

interface ClientList {
  /**
   * Whether the next valid certificate that is used is added to the list, because it was issued before the list
   * existed.
   */
  isAdopting: boolean;
  clients: Entry[];
}

const clientHours = 90 * 24;

/** The clients of the engine. A certificate is accepted only while it is in this list. */
export class Clients {
  readonly #issuer: Issuer;
  readonly #file: string;
  readonly #listeners = new Set<() => void>();
  #list: ClientList;
  #writing: Promise<void> = Promise.resolve();

  private constructor(issuer: Issuer, file: string, list: ClientList) {
    this.#issuer = issuer;
    this.#file = file;
    this.#list = list;
  }

  /**
   * Older engines issued certificates without a list. If there is no list, the first certificate that is used is
   * adopted.
   */
  static async open(issuer: Issuer, file: string): Promise<Clients> {
    const list = (await readRecord<ClientList>(file)) ?? { isAdopting: true, clients: [] };
    return new Clients(issuer, file, list);
  }

  static async createList(file: string): Promise<void> {
    await writeRecord(file, { isAdopting: false, clients: [] } satisfies ClientList);
  }

  list(): Client[] {
    return this.#list.clients.map(({ name, serial, issuedAt, notAfter }) => ({ name, serial, issuedAt, notAfter }));
  }

  /** Issues a certificate. It replaces all certificates of the same name with another key. */
  async issue(name: string, publicKey: string): Promise<ClientCertificate> {
    const issued = await certifyClient(this.#issuer, name, publicKey);
    const added = entryOf(issued.certificate);
    const isReplaced = (each: Entry) => each.name === name && !isSameKey(each.publicKey, publicKey);
    const written = this.#change((clients) => [...clients.filter((each) => !isReplaced(each)), added]);
    this.#notify();
    await written;
    return issued;
  }

  /** Issues a new certificate for the name and the key of the certificate that the client presents. */
  async renew(shown: X509Certificate, publicKey: string): Promise<ClientCertificate> {
    const entry = this.#find(shown);
    if (!entry) throw refusal();
    if (!isSameKey(entry.publicKey, checkedKey(publicKey)))
      throw new ProblemError(problem('NOVA7071', { name: entry.name }));
    return this.issue(entry.name, entry.publicKey);
  }

  /** Revokes all certificates of a client. Returns their number. */
  async revoke(name: string): Promise<number> {
    const { length } = this.#list.clients.filter((each) => each.name === name);
    const written = this.#change((clients) => clients.filter((each) => each.name !== name));
    this.#notify();
    await written;
    return length;
  }

  /** The name of the client that has this certificate. */
  nameOf(certificate: X509Certificate): string | undefined {
    return this.#find(certificate)?.name;
  }

  has(certificate: X509Certificate | undefined): boolean {
    return certificate !== undefined && this.#find(certificate) !== undefined;
  }

  /** Throws unless the certificate is in the list. The first use of a renewed certificate removes its predecessor. */
  async assertValid(certificate: X509Certificate | undefined): Promise<void> {
    if (!certificate) throw refusal();
    if (this.#list.isAdopting) {
      this.#list.isAdopting = false;
      await this.#change((clients) => [...clients, entryOf(certificate.toString())]);
    }
    const used = this.#find(certificate);
    if (!used) throw refusal();
    const isOlder = (each: Entry) => each.name === used.name && each.issuedAt < used.issuedAt;
    if (this.#list.clients.some(isOlder)) await this.#change((clients) => clients.filter((each) => !isOlder(each)));
  }

  /**
   * Calls the listener when certificates may have been revoked. A connection with a replaced certificate stays open,
   * but its requests are refused.
   */
  onRevoked(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #find({ fingerprint256 }: X509Certificate): Entry | undefined {
    return this.#list.clients.find(({ fingerprint }) => fingerprint === fingerprint256);
  }

  /** Takes effect at once; resolves when the list is on disk. */
  async #change(change: (clients: Entry[]) => Entry[]): Promise<void> {
    const isCurrent = ({ notAfter }: Entry) => Date.parse(notAfter) > Date.now();
    this.#list = { ...this.#list, clients: change(this.#list.clients).filter(isCurrent) };
    const write = () => writeRecord(this.#file, this.#list);
    this.#writing = this.#writing.then(write, write);
    await this.#writing;
  }
}

function entryOf(pem: string): Entry {
  const certificate = new X509Certificate(pem);
  const { CN: name = '' } = certificate.toLegacyObject().subject as { CN?: string };
  return {
    name,
    serial: certificate.serialNumber,
    fingerprint: certificate.fingerprint256,
    publicKey: certificate.publicKey.export({ type: 'spki', format: 'pem' }) as string,
    issuedAt: new Date().toISOString(),
    notAfter: certificate.validToDate.toISOString(),
  };
}

function isSameKey(one: string, other: string): boolean {
  return createPublicKey(one).equals(createPublicKey(other));
}

const refusal = () => new ProblemError(problem('NOVA7070', {}));

async function certifyClient(issuer: Issuer, name: string, publicKey: string): Promise<ClientCertificate> {
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

/** `createPublicKey` also accepts private keys and certificates; we do not. */
export function checkedKey(pem: string): string {
  try {
    if (pem.startsWith('-----BEGIN PUBLIC KEY-----') && createPublicKey(pem)) return pem;
  } catch {
    // The error is thrown below.
  }
  throw new ProblemError(problem('NOVA7043', {}));
}
