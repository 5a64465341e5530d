import type { Generated } from 'kysely';

type RunStatus = 'unchanged' | 'changed' | 'failed';

/** Times are milliseconds since 1970. Long texts are compressed. */
export interface Schema {
  /** CAs of the platform and of clusters. */
  authorities: { name: string; certificate: string; sealed_key: string };
  /** Keys that several nodes of a cluster share. */
  shared_keys: { cluster: string; name: string; sealed: string };
  /** Enrolment tokens, by their hash. */
  tokens: { hash: string; node: string; expires_at: number; used_at: number | null };
  /** Issued certificates. Those of agents are identities. */
  certificates: {
    serial: string;
    purpose: 'identity' | 'service';
    node: string;
    name: string;
    certificate: string;
    not_after: number;
    /** When its renewal is overdue. */
    overdue_at: number;
    revoked_at: number | null;
  };
  /** Approved plans, with the secrets of the documents sealed. */
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
    /** The catalog that the agent gets. */
    catalog_id: number | null;
    /** The catalog of the last successful run. */
    applied_catalog_id: number | null;
    last_report_id: number | null;
    /** The status of that report. */
    last_status: RunStatus | null;
    /** As planned, separated by commas. */
    roles: string | null;
    address: string | null;
  };
  /** Revoked enrolments, with the Kubernetes group of their certificates. */
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
