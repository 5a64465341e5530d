import type { ClusterSchema } from '@nova-platform/cluster';
import type { Generated } from 'kysely';
import type { Origin } from '../access/credential.ts';

export type Role = 'viewer' | 'operator' | 'admin';

/** The session that made a login link, and the one that the link opened: they end with it. */
interface ParentSession {
  parent_session: string | null;
}

/** Times are milliseconds since 1970; values that are not columns of their own are JSON. */
export interface Schema extends ClusterSchema {
  users: {
    name: string;
    role: Role;
    /** Without one, nobody logs in by this name; its tokens work. */
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
  /** Each lets a browser in, once. */
  login_links: { hash: string; user: string; role: Role; expires_at: number } & Origin & ParentSession;
  audit: {
    id: Generated<number>;
    at: number;
    who: string;
    from_address: string;
    action: string;
    target: string;
    outcome: number;
    /** Both are missing in entries of older releases. */
    credential: string | null;
    /** JSON; only where something changed. */
    changes: string | null;
  };
}
