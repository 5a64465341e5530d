import type { Generated } from 'kysely';

type RunStatus = 'unchanged' | 'changed' | 'failed';

/** Times are milliseconds since 1970; texts that are long are kept compressed. */
export interface Schema {
  /** Certificate authorities: the platform's own and those of clusters. */
  authorities: { name: string; certificate: string; sealed_key: string };
  /** Keys that several nodes of a cluster share. */
  shared_keys: { cluster: string; name: string; sealed: string };
  /** Enrolment tokens, by the hash of what the node was given. */
  tokens: { hash: string; node: string; expires_at: number; used_at: number | null };
  /** Certificates that were given out; those of agents are identities. */
  certificates: {
    serial: string;
    purpose: 'identity' | 'service';
    node: string;
    name: string;
    certificate: string;
    not_after: number;
    /** When it should have been renewed. */
    overdue_at: number;
    revoked_at: number | null;
  };
  /** Plans as they were approved; secrets of the documents sealed. */
  plans: {
    cluster: string;
    plan: Uint8Array;
    /** JSON of its `PlanSummary`. */
    summary: string;
    sealed_secrets: string;
    approved_at: number;
  };
  nodes: {
    name: string;
    cluster: string | null;
    facts: Uint8Array | null;
    seen_at: number | null;
    /** The catalog that agents get. */
    catalog_id: number | null;
    /** The catalog of the last run that changed anything or found nothing to change. */
    applied_catalog_id: number | null;
    last_report_id: number | null;
    /** The status of that report. */
    last_status: RunStatus | null;
    /** As planned; several with commas between them. */
    roles: string | null;
    address: string | null;
  };
  /** Enrolments that were revoked, with the group of Kubernetes that their certificates carry. */
  revocations: { cluster: string; node: string; enrolment: string; revoked_at: number };
  catalogs: { id: Generated<number>; node: string; body: Uint8Array; approved_at: number };
  reports: {
    id: Generated<number>;
    node: string;
    received_at: number;
    status: RunStatus;
    is_noop: number;
    changed: number;
    corrective: number;
    failed: number;
    seconds: number;
    agent_version: string;
    body: Uint8Array;
    size: number;
  };
}
