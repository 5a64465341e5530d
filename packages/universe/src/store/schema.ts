import type { ClusterSchema } from '@nova-platform/cluster';
import type { TofuSchema } from '@nova-platform/infra';
import type { Generated } from 'kysely';
import type { Origin } from '../access/credential.ts';

export type Role = 'viewer' | 'operator' | 'admin';

/** The session that created a login link, or the session from that link: they end with it. */
interface ParentSession {
  parent_session: string | null;
}

/** Times are milliseconds since 1970; values without a column of their own are JSON. */
export interface Schema extends ClusterSchema, TofuSchema {
  users: {
    name: string;
    role: Role;
    /** Null for a user without a password; the user's tokens work. */
    password_hash: string | null;
    created_at: number;
  };
  access_tokens: {
    id: string;
    user: string;
    name: string;
    role: Role;
    hash: string;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  } & Origin;
  sessions: { hash: string; user: string; role: Role; created_at: number; expires_at: number } & Origin & ParentSession;
  /** Each opens one browser session. */
  login_links: { hash: string; user: string; role: Role; expires_at: number } & Origin & ParentSession;
  audit: {
    id: Generated<number>;
    at: number;
    who: string;
    from_address: string;
    action: string;
    target: string;
    outcome: number;
    /** Null in entries of older releases, like `changes`. */
    credential: string | null;
    /** JSON; null if nothing changed. */
    changes: string | null;
  };
}
