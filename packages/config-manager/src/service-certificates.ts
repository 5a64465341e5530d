import { ProblemError, problem } from '@nova-platform/api';
import { type CertificateRequest, issueCertificate, readRequest } from '@nova-platform/pki';
import type { ClusterPlan, PlannedCertificate } from '@nova-platform/plan';
import type { Authorities } from './authorities.ts';
import { overdueAt } from './overdue.ts';
import { enrolmentGroup } from './revocations.ts';
import type { Database } from './store/database.ts';
import type { Schema } from './store/schema.ts';

export interface SignedCertificate {
  node: string;
  name: string;
  purpose: 'identity' | 'service';
  notAfter: Date;
  /** When its renewal is overdue. */
  overdueAt: Date;
}

/** Signs only the certificates that are in the node's plan. */
export class ServiceCertificates {
  readonly #db: Database;
  readonly #authorities: Authorities;
  readonly #identityOf: (node: string) => Promise<string | undefined>;

  constructor(db: Database, authorities: Authorities, identityOf: (node: string) => Promise<string | undefined>) {
    this.#db = db;
    this.#authorities = authorities;
    this.#identityOf = identityOf;
  }

  /** The certificate (PEM), followed by its issuer's unless that is a root. */
  async issue(plan: ClusterPlan, node: string, name: string, pem: string): Promise<string> {
    const planned = plan.certificates.find(
      ({ name: each, key }) => each === name && name !== 'identity' && key.in === 'node' && key.node === node,
    );
    if (!planned) throw new ProblemError(problem('NOVA8024', { node, what: name.slice(0, 64) }));
    const request = await readRequest(pem);
    assertPlanned(node, planned, request);
    const identity = await this.#identityOf(node);
    if (identity === undefined) throw new ProblemError(problem('NOVA8015', { node }));

    const issuer = await this.#authorities.issuerOf(plan.cluster.name, planned.issuer);
    const { certificate, serial, notAfter } = await issueCertificate(issuer, {
      ...planned,
      subject: subjectOf(planned, identity),
      publicKey: request.publicKey,
    });
    await this.#db.transaction().execute(async (transaction) => {
      // Delete earlier certificates: only those in use are kept.
      await transaction.deleteFrom('certificates').where('node', '=', node).where('name', '=', name).execute();
      await transaction
        .insertInto('certificates')
        .values({
          serial,
          purpose: 'service',
          node,
          name,
          certificate,
          not_after: notAfter.getTime(),
          overdue_at: overdueAt(notAfter),
          revoked_at: null,
        })
        .execute();
    });
    return planned.issuer === 'universe' ? certificate.trimEnd().concat('\n', issuer.certificate) : certificate;
  }

  /** The service certificates of these nodes. */
  async of(nodes: readonly string[]): Promise<SignedCertificate[]> {
    const rows = await this.#db
      .selectFrom('certificates')
      .select(columns)
      .where('purpose', '=', 'service')
      .where('revoked_at', 'is', null)
      .where('node', 'in', ['', ...nodes])
      .execute();
    return rows.map(asSigned);
  }

  /** Certificates whose renewal is overdue and that have no successor, in order of expiry. */
  async overdue(limit: number): Promise<SignedCertificate[]> {
    const rows = await this.#db
      .selectFrom('certificates')
      .select(columns)
      .where('revoked_at', 'is', null)
      .where('overdue_at', '<', Date.now())
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('certificates as newer')
              .select('newer.serial')
              .whereRef('newer.node', '=', 'certificates.node')
              .whereRef('newer.purpose', '=', 'certificates.purpose')
              .whereRef('newer.name', '=', 'certificates.name')
              .whereRef('newer.not_after', '>', 'certificates.not_after'),
          ),
        ),
      )
      .orderBy('not_after')
      .limit(limit)
      .execute();
    return rows.map(asSigned);
  }
}

const columns = ['node', 'name', 'purpose', 'not_after', 'overdue_at'] as const;

function asSigned({ not_after, overdue_at, ...rest }: Pick<Schema['certificates'], (typeof columns)[number]>) {
  return { ...rest, notAfter: new Date(not_after), overdueAt: new Date(overdue_at) };
}

/** Kubernetes client certificates also carry the group that is denied when their node is revoked. */
function subjectOf({ subject, issuer, usages }: PlannedCertificate, identity: string): PlannedCertificate['subject'] {
  if (issuer !== 'kubernetes' || !usages.includes('client auth')) return subject;
  return { ...subject, organizations: [...subject.organizations, enrolmentGroup(identity)] };
}

/**
 * Everything in the request must be planned. The certificate always has the planned contents, even if the request omits
 * some.
 */
function assertPlanned(node: string, planned: PlannedCertificate, request: CertificateRequest): void {
  const subjectAlternativeName = '2.5.29.17';
  const { subject, dnsNames, addresses, extensions } = request;
  const extra = [
    ...(subject.commonName === planned.subject.commonName ? [] : [`CN=${subject.commonName.slice(0, 64)}`]),
    ...subject.organizations
      .filter((each) => !planned.subject.organizations.includes(each))
      .map((each) => `O=${each.slice(0, 64)}`),
    ...dnsNames.filter((each) => !planned.dnsNames.includes(each)),
    ...addresses.filter((each) => !planned.addresses.includes(each)),
    ...extensions.filter((each) => each !== subjectAlternativeName),
  ];
  if (extra.length > 0) throw new ProblemError(problem('NOVA8023', { node, what: extra.slice(0, 10).join(', ') }));
}
