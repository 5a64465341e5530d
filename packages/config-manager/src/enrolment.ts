import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { type CertificateRequest, type IssuedCertificate, issueCertificate, readRequest } from '@nova-platform/pki';
import { type ClusterPlan, defaultSite } from '@nova-platform/plan';
import { type Authorities, isSameKey } from './authorities.ts';
import { overdueAt } from './overdue.ts';
import { enrolmentGroup } from './revocations.ts';
import type { Database } from './store/database.ts';

const hour = 3600_000;
/**
 * Nodes renew their identity when a third of its lifetime is left. With more than this share left, they keep the
 * current one.
 */
const renewedWithLeft = 1 / 2;
/** A node that was off when its identity expired can renew it within this time. */
const returnPeriod = 365 * 24 * hour;

export type IdentityChange = 'enrolled' | 'renewed' | 'revoked';

/** Enrolment tokens and the certificates issued for them. */
export class Enrolment {
  readonly #db: Database;
  readonly #authorities: Authorities;
  readonly #planOf: (node: string) => Promise<ClusterPlan | undefined>;
  readonly #onChange: (node: string, change: IdentityChange) => void;

  /** `onChange` is called after every change of a node's identities. */
  constructor(
    db: Database,
    authorities: Authorities,
    planOf: (node: string) => Promise<ClusterPlan | undefined>,
    onChange: (node: string, change: IdentityChange) => void,
  ) {
    this.#db = db;
    this.#authorities = authorities;
    this.#planOf = planOf;
    this.#onChange = onChange;
  }

  /** Creates a token for one node and one use. Only its hash is stored. */
  async createToken(node: string, lifetimeSeconds: number): Promise<{ token: string; expiresAt: Date }> {
    const token = randomBytes(24).toString('base64url');
    const expiresAt = Date.now() + lifetimeSeconds * 1000;
    await this.#db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('tokens').where('expires_at', '<', Date.now()).execute();
      await transaction
        .insertInto('tokens')
        .values({ hash: hashOf(token), node, expires_at: expiresAt, used_at: null })
        .execute();
    });
    return { token, expiresAt: new Date(expiresAt) };
  }

  /** Signs a node's certificate request, or throws. Idempotent for the same key. */
  async enrol(node: string, pem: string): Promise<void> {
    const request = await readRequest(pem);
    assertOwnName(node, request);
    const current = await this.certificateOf(node);
    if (current && isSameKey(publicKeyOf(current), request.publicKey)) return;

    const token = request.challengePassword ?? '';
    const hash = hashOf(token);
    await this.assertToken(node, token);
    const issued = await this.#issue(node, request.publicKey);
    await this.#db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('tokens')
        .set({ used_at: Date.now() })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      // Of two requests with one token, only one succeeds.
      if (numUpdatedRows === 0n) throw new ProblemError(problem('NOVA8022', { node }));
      await replaceIdentity(transaction, node, issued);
    });
    this.#onChange(node, 'enrolled');
  }

  /** Throws unless the node can enrol with this token. It stays unused. */
  async assertToken(node: string, token: string): Promise<void> {
    const hash = hashOf(token);
    const row = await this.#db.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
    // The same error for every reason, so that guessing reveals nothing.
    if (!row || row.node !== node || row.used_at !== null || row.expires_at < Date.now())
      throw new ProblemError(problem('NOVA8022', { node }));
  }

  /**
   * Issues a new certificate for the same key. The certificate that the node presented stays valid: the response may be
   * lost, and both have the same key.
   */
  async renew(node: string, shown: string): Promise<string> {
    const current = await this.certificateOf(node);
    if (current === undefined) throw new ProblemError(problem('NOVA8015', { node }));
    const left = new X509Certificate(current).validToDate.getTime() - Date.now();
    if (left > (await this.#lifetimeHours(node)) * hour * renewedWithLeft) return current;
    const issued = await this.#issue(node, publicKeyOf(current));
    await this.#db.transaction().execute(async (transaction) => {
      await lock(transaction, node);
      const row = await transaction
        .selectFrom('certificates')
        .select('serial')
        .where('serial', '=', shown)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      // Revoked in the meantime: a new certificate would outlive the revocation.
      if (!row) throw new ProblemError(problem('NOVA8015', { node }));
      await transaction
        .deleteFrom('certificates')
        .where('node', '=', node)
        .where('purpose', '=', 'identity')
        .where('revoked_at', 'is', null)
        .where('not_after', '<', Date.now())
        .where('serial', '!=', shown)
        .execute();
      await transaction.insertInto('certificates').values(identityRow(node, issued)).execute();
    });
    this.#onChange(node, 'renewed');
    return issued.certificate;
  }

  /** The node's certificate (PEM), if it has one that is not revoked. */
  async certificateOf(node: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('certificates')
      .select('certificate')
      .where('node', '=', node)
      .where('purpose', '=', 'identity')
      .where('revoked_at', 'is', null)
      .orderBy('not_after', 'desc')
      .executeTakeFirst();
    return row?.certificate;
  }

  /** Whether the node never had a certificate and has no valid token left. */
  async isTooLate(node: string): Promise<boolean> {
    const token = await this.#db
      .selectFrom('tokens')
      .select('hash')
      .where('node', '=', node)
      .where('used_at', 'is', null)
      .where('expires_at', '>', Date.now())
      .executeTakeFirst();
    if (token) return false;
    // Checked after the token: a node that used its token in between has a certificate now.
    const certificate = await this.#db
      .selectFrom('certificates')
      .select('serial')
      .where('node', '=', node)
      .where('purpose', '=', 'identity')
      .executeTakeFirst();
    return !certificate;
  }

  /** Takes effect at the node's next request; `Revocations` publishes it to the node's cluster. */
  async revoke(node: string): Promise<void> {
    const { numUpdatedRows } = await this.#db.transaction().execute(async (transaction) => {
      await lock(transaction, node);
      await recordRevocation(transaction, node);
      return transaction
        .updateTable('certificates')
        .set({ revoked_at: Date.now() })
        .where('node', '=', node)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
    });
    if (numUpdatedRows === 0n) throw new ProblemError(problem('NOVA8015', { node }));
    this.#onChange(node, 'revoked');
  }

  /** The node of a certificate from our CA. Undefined if it is not an identity, has expired or is revoked. */
  async nodeOf(serial: string): Promise<string | undefined> {
    return (await this.#identity(serial, 0))?.node;
  }

  /**
   * The node that can renew its identity, even an expired one: the client has proved that it has the key. It must be
   * exactly the certificate that was issued, because TLS does not verify the issuer of an expired certificate.
   */
  async returningNode({ serialNumber, raw }: X509Certificate): Promise<string | undefined> {
    const known = await this.#identity(serialNumber, returnPeriod);
    return known && new X509Certificate(known.certificate).raw.equals(raw) ? known.node : undefined;
  }

  /** An identity that is not revoked and expired at most `endedBefore` milliseconds ago. */
  async #identity(serial: string, endedBefore: number): Promise<{ node: string; certificate: string } | undefined> {
    return this.#db
      .selectFrom('certificates')
      .select(['node', 'certificate'])
      .where('serial', '=', serial)
      .where('purpose', '=', 'identity')
      .where('revoked_at', 'is', null)
      .where('not_after', '>', Date.now() - endedBefore)
      .executeTakeFirst();
  }

  async #issue(node: string, publicKey: string) {
    return issueCertificate(await this.#authorities.issuing(), {
      subject: { commonName: node, organizations: [] },
      publicKey,
      dnsNames: [],
      addresses: [],
      usages: ['client auth'],
      lifetimeHours: await this.#lifetimeHours(node),
    });
  }

  /** As planned. A node may enrol before its plan exists. */
  async #lifetimeHours(node: string): Promise<number> {
    const certificates = (await this.#planOf(node))?.certificates ?? [];
    const planned = certificates.find((each) => each.name === 'identity' && each.node === node);
    return planned?.lifetimeHours ?? defaultSite.identityHours;
  }
}

/** Serializes renewal and revocation of the identity of one node. */
async function lock(transaction: Pick<Database, 'updateTable'>, node: string): Promise<void> {
  await transaction.updateTable('nodes').set({ name: node }).where('name', '=', node).execute();
}

/** Records the revoked enrolments. A node without a cluster has no other access to deny. */
async function recordRevocation(transaction: Pick<Database, 'selectFrom' | 'insertInto'>, node: string): Promise<void> {
  const rows = await transaction
    .selectFrom('certificates')
    .innerJoin('nodes', 'nodes.name', 'certificates.node')
    .select(['certificates.certificate', 'nodes.cluster'])
    .where('certificates.node', '=', node)
    .where('certificates.purpose', '=', 'identity')
    .where('certificates.revoked_at', 'is', null)
    .execute();
  for (const { certificate, cluster } of rows) {
    if (cluster === null) continue;
    await transaction
      .insertInto('revocations')
      .values({ cluster, node, enrolment: enrolmentGroup(certificate), revoked_at: Date.now() })
      // A renewed identity has the same key as the previous one.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function replaceIdentity(
  transaction: Pick<Database, 'updateTable' | 'insertInto' | 'deleteFrom'>,
  node: string,
  issued: IssuedCertificate,
): Promise<void> {
  await transaction
    .insertInto('nodes')
    .values({ name: node })
    // Changes nothing, but makes a concurrent enrolment of the same node wait for this one.
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: node }))
    .execute();
  await transaction
    .updateTable('certificates')
    .set({ revoked_at: Date.now() })
    .where('node', '=', node)
    .where('purpose', '=', 'identity')
    .where('revoked_at', 'is', null)
    .execute();
  await transaction.insertInto('certificates').values(identityRow(node, issued)).execute();
  // A node that enrols again with the same key is trusted again.
  await transaction
    .deleteFrom('revocations')
    .where('node', '=', node)
    .where('enrolment', '=', enrolmentGroup(issued.certificate))
    .execute();
}

function identityRow(node: string, { certificate, serial, notAfter }: IssuedCertificate) {
  return {
    serial,
    purpose: 'identity' as const,
    node,
    name: 'identity',
    certificate,
    not_after: notAfter.getTime(),
    overdue_at: overdueAt(notAfter),
    revoked_at: null,
  };
}

/**
 * The name in the request must be the name in the path, and the request must contain nothing else: extensions could
 * forge permissions.
 */
function assertOwnName(node: string, { subject, extensions }: CertificateRequest): void {
  const extra = [
    ...(subject.commonName === node ? [] : [`CN=${subject.commonName.slice(0, 64)}`]),
    ...subject.organizations.map((organization) => `O=${organization.slice(0, 64)}`),
    ...extensions,
  ];
  if (extra.length > 0) throw new ProblemError(problem('NOVA8023', { node, what: extra.slice(0, 10).join(', ') }));
}

function publicKeyOf(certificate: string): string {
  return new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }) as string;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
