import { createPublicKey } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import {
  type Authority,
  createIssuingAuthority,
  createKeyPair,
  createRevocationList,
  createRootAuthority,
  createStandaloneAuthority,
  fingerprintOf,
  type Issuer,
  issueCertificate,
  openAuthority,
  type Sealer,
} from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Database } from './store/database.ts';

const year = 365 * 24;
const rootLifetime = 25 * year;
const issuingLifetime = 20 * year;
/** Hours: timers are limited to a few weeks. */
const longestRenewal = 10 * 24;

export interface ServerOrder {
  dnsNames: readonly string[];
  addresses: readonly string[];
  /** SPKI PEM */
  publicKey: string;
}

/** The CAs of the platform and its clusters. Their keys are stored only in the database, sealed. */
export class Authorities {
  readonly #db: Database;
  readonly #sealer: Sealer;
  readonly #serverHours: number;
  readonly #open = new Map<string, Promise<Issuer>>();
  #lists: { state: string; text: Promise<string> } | undefined;

  private constructor(db: Database, sealer: Sealer, serverHours: number) {
    this.#db = db;
    this.#sealer = sealer;
    this.#serverHours = serverHours;
  }

  /** Opens the platform CA, and creates it if it does not exist. Server certificates are valid for `serverHours`. */
  static async open(db: Database, sealer: Sealer, serverHours: number): Promise<Authorities> {
    const authorities = new Authorities(db, sealer, serverHours);
    const root = await authorities.#ensure('universe-root', () =>
      createRootAuthority({ subject: named('Nova root'), lifetimeHours: rootLifetime }),
    );
    await authorities.#ensure('universe', () =>
      createIssuingAuthority(root, { subject: named('Nova issuing'), lifetimeHours: issuingLifetime }),
    );
    return authorities;
  }

  /** The platform's intermediate CA. It issues agents' identities and the server certificate. */
  issuing(): Promise<Issuer> {
    return this.#issuer('universe');
  }

  /** The CA bundle that agents trust: the intermediate certificate, then the root. */
  async bundle(): Promise<string> {
    return (await this.issuing()).certificate.trimEnd().concat('\n', (await this.#issuer('universe-root')).certificate);
  }

  async fingerprint(): Promise<string> {
    return fingerprintOf(await this.bundle());
  }

  /**
   * Agents fetch these lists once and use them to verify the server certificate. The lists expire with their CA, so
   * that an old copy never locks a node out. The server itself rejects revoked nodes at once, independent of the lists.
   * Everyone can request the lists and signing a long list takes time, so they are created when a certificate is
   * revoked, not for each request.
   */
  async revocationLists(): Promise<string> {
    const revoked = this.#db
      .selectFrom('certificates')
      .where('purpose', '=', 'identity')
      .where('revoked_at', 'is not', null);
    const { latest, count } = await revoked
      .select(({ fn }) => [fn.max('revoked_at').as('latest'), fn.countAll().as('count')])
      .executeTakeFirstOrThrow();
    const state = `${latest}/${count}`;
    if (this.#lists?.state !== state) this.#lists = { state, text: this.#createLists(Number(latest ?? 1)) };
    return this.#lists.text;
  }

  async #createLists(number: number): Promise<string> {
    const revoked = await this.#db
      .selectFrom('certificates')
      .select(['serial', 'revoked_at'])
      .where('purpose', '=', 'identity')
      .where('revoked_at', 'is not', null)
      .where('not_after', '>', Date.now())
      .execute();
    const [issuing, root] = [await this.issuing(), await this.#issuer('universe-root')];
    const list = await createRevocationList(issuing, {
      revoked: revoked.map(({ serial, revoked_at }) => ({ serial, at: new Date(Number(revoked_at)) })),
      number,
      nextUpdate: issuing.notAfter,
    });
    return list + (await createRevocationList(root, { revoked: [], number: 1, nextUpdate: root.notAfter }));
  }

  /** A certificate for this server, with a key that exists only in memory. */
  async serverCertificate(dnsNames: readonly string[], addresses: readonly string[]) {
    const { privateKey, publicKey } = await createKeyPair();
    const cert = await this.certifyServer({ dnsNames, addresses, publicKey });
    return { key: privateKey, cert, renewAfterHours: Math.min(this.#serverHours / 2, longestRenewal) };
  }

  /** A certificate for a platform server, followed by the certificate of its issuer. */
  async certifyServer({ dnsNames, addresses, publicKey }: ServerOrder): Promise<string> {
    const issuing = await this.issuing();
    const { certificate } = await issueCertificate(issuing, {
      subject: named(dnsNames[0] ?? addresses[0] ?? 'server'),
      publicKey,
      dnsNames,
      addresses,
      usages: ['server auth'],
      lifetimeHours: this.#serverHours,
    });
    return certificate.trimEnd().concat('\n', issuing.certificate);
  }

  /** Creates the missing CAs of a cluster's plan. */
  async ensureCluster({ cluster, authorities }: ClusterPlan): Promise<void> {
    for (const { name, subject, lifetimeHours } of authorities) {
      await this.#ensure(clusterAuthority(cluster.name, name), () =>
        createStandaloneAuthority({ subject, lifetimeHours }),
      );
    }
  }

  /** Certificates (PEM) of a cluster's CAs by their names in the plan; empty until they are created. */
  async ofCluster({ cluster, authorities }: ClusterPlan): Promise<Record<string, string>> {
    const rows = await this.#db
      .selectFrom('authorities')
      .select(['name', 'certificate'])
      .where('name', 'in', ['', ...authorities.map(({ name }) => clusterAuthority(cluster.name, name))])
      .execute();
    const known = new Map(rows.map(({ name, certificate }) => [name, certificate]));
    return Object.fromEntries(
      authorities.map(({ name }) => [name, known.get(clusterAuthority(cluster.name, name)) ?? '']),
    );
  }

  /** Closes the CAs of a deleted cluster. */
  forget(cluster: string): void {
    for (const name of this.#open.keys()) if (name.startsWith(`${cluster}/`)) this.#open.delete(name);
  }

  /** Throws if the cluster has no CAs yet: its first plan is not approved. */
  async issuerOf(cluster: string, name: string): Promise<Issuer> {
    if (name === 'universe') return this.issuing();
    const own = clusterAuthority(cluster, name);
    if (!(await this.#exists(own))) throw new ProblemError(problem('NOVA8352', { cluster }));
    return this.#issuer(own);
  }

  async #exists(name: string): Promise<boolean> {
    if (this.#open.has(name)) return true;
    const row = await this.#db.selectFrom('authorities').select('name').where('name', '=', name).executeTakeFirst();
    return row !== undefined;
  }

  async #ensure(name: string, create: () => Promise<Authority>): Promise<Issuer> {
    if (!(await this.#exists(name))) {
      const { certificate, key } = await create();
      await this.#db
        .insertInto('authorities')
        .values({ name, certificate, sealed_key: this.#sealer.seal(key, sealContext(name)) })
        // If another process created it at the same time, keep that one.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    return this.#issuer(name);
  }

  #issuer(name: string): Promise<Issuer> {
    const known = this.#open.get(name);
    if (known) return known;
    const opening = this.#read(name);
    this.#open.set(name, opening);
    opening.catch(() => this.#open.delete(name));
    return opening;
  }

  async #read(name: string): Promise<Issuer> {
    const { certificate, sealed_key } = await this.#db
      .selectFrom('authorities')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return openAuthority({ certificate, key: this.#sealer.open(sealed_key, sealContext(name)) });
  }
}

const named = (commonName: string) => ({ commonName, organizations: ['Nova'] });
const clusterAuthority = (cluster: string, name: string): string => `${cluster}/${name}`;
const sealContext = (name: string): string => `authority/${name}`;

/** Whether two public keys (SPKI PEM) are equal, independent of their encoding. */
export function isSameKey(one: string, other: string): boolean {
  return createPublicKey(one).equals(createPublicKey(other));
}
