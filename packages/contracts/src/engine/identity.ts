import { createPublicKey, randomUUID, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import type { Connection } from '@nova-platform/http/client';
import { createKeyPair } from '@nova-platform/pki';
import { createEngineClient, type EngineClient } from './client.ts';
import { engineServerName } from './contract.ts';

interface Identity {
  certificate: string;
  authority: string;
  host: string;
  port: number;
}

const day = 24 * 3600_000;
/** Renewal is attempted every hour, so it is overdue after some days of failures. */
const renewBefore = 30 * day;
const overdueBefore = 25 * day;

/**
 * The identity of a service toward the engine. The key is generated here and never leaves. Root on the engine's host has
 * the public key signed; after that, the certificate is renewed with itself.
 */
export class EngineIdentity {
  /** The service, for messages. */
  readonly #name: string;
  readonly #folder: string;
  readonly #privateKey: string;
  readonly publicKey: string;
  #identity: Identity | undefined;

  private constructor(
    name: string,
    folder: string,
    keys: { privateKey: string; publicKey: string },
    identity: Identity | undefined,
  ) {
    this.#name = name;
    this.#folder = folder;
    this.#privateKey = keys.privateKey;
    this.publicKey = keys.publicKey;
    this.#identity = identity;
  }

  static async open(name: string, folder: string): Promise<EngineIdentity> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const keys =
      (await readJson<{ privateKey: string; publicKey: string }>(join(folder, 'keys.json'))) ?? (await createKeyPair());
    await writeJson(join(folder, 'keys.json'), keys);
    return new EngineIdentity(name, folder, keys, await readJson<Identity>(join(folder, 'identity.json')));
  }

  get notAfter(): Date | undefined {
    return this.#identity && new Date(new X509Certificate(this.#identity.certificate).validTo);
  }

  get isConnected(): boolean {
    return this.#identity !== undefined;
  }

  /** Whether the renewal is overdue. */
  get isOverdue(): boolean {
    return this.notAfter !== undefined && this.notAfter.getTime() - Date.now() < overdueBefore;
  }

  async accept(identity: Identity): Promise<void> {
    this.#assertOwn(identity);
    await writeJson(join(this.#folder, 'identity.json'), identity);
    this.#identity = identity;
  }

  client(): EngineClient {
    return createEngineClient(() => this.#connection());
  }

  /** Renews the certificate before it expires. */
  async renew(): Promise<void> {
    const { notAfter } = this;
    if (!this.#identity || !notAfter || notAfter.getTime() - Date.now() > renewBefore) return;
    const { certificate } = await this.client().renewCertificate(this.publicKey);
    await this.accept({ ...this.#identity, certificate });
  }

  #assertOwn({ certificate, authority }: Identity): void {
    const own = createPublicKey(this.publicKey);
    if (!certificateIn(certificate)?.publicKey.equals(own)) {
      const expected = { en: `a certificate for the key of ${this.#name}`, ru: `сертификат для ключа ${this.#name}` };
      throw new ProblemError(problem('NOVA7026', { field: 'certificate', expected }));
    }
    if (!certificateIn(authority)) {
      const expected = { en: 'a certificate (PEM)', ru: 'сертификат (PEM)' };
      throw new ProblemError(problem('NOVA7026', { field: 'authority', expected }));
    }
  }

  #connection(): Connection {
    if (!this.#identity) {
      const reason = {
        en: `${this.#name} has no certificate for it yet`,
        ru: `у ${this.#name} ещё нет сертификата для него`,
      };
      throw new ProblemError(problem('NOVA8340', { reason }));
    }
    const { host, port, authority, certificate } = this.#identity;
    return { host, port, ca: authority, cert: certificate, key: this.#privateKey, checkServerIdentity: checkEngine };
  }
}

/** Other services at the address of the engine have certificates of its CA too. */
function checkEngine(host: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subject.CN === engineServerName) return checkServerIdentity(host, certificate);
  return new Error('the certificate is not that of the engine');
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes atomically, readable only by the owner. */
async function writeJson(file: string, value: object): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, JSON.stringify(value), { mode: 0o600, flush: true });
  await rename(temporary, file);
}
