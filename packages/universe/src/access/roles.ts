import { ProblemError, problem } from '@nova-platform/api';
import type { Access } from '@nova-platform/http';
import type { Role } from '../store/schema.ts';
import { type Credential, credentialText } from './credential.ts';

const roles: readonly Role[] = ['viewer', 'operator', 'admin'];

/** The client: a user by name, a node by its certificate, or a cluster's Flux by its token. */
export type Identity =
  | { kind: 'user'; name: string; role: Role; credential: Credential }
  | { kind: 'cluster'; name: string }
  | { kind: 'node'; name: string; cluster: string | undefined; serial: string };

/** Whether a role has all permissions of another one. */
export function includes(role: Role, other: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(other);
}

export function lesser(one: Role, other: Role): Role {
  return includes(one, other) ? other : one;
}

/**
 * Throws if access is denied. `cluster` owns the requested resource; a resource without a cluster is open to all nodes.
 */
export function assertAccess(identity: Identity | undefined, access: Access, cluster: string | undefined): void {
  if (access === 'anyone') return;
  if (!identity) throw new ProblemError(problem('NOVA8310', {}));
  if (identity.kind === 'user') {
    const needed = access === 'node' || access === 'release' ? 'viewer' : access;
    if (!includes(identity.role, needed)) throw new ProblemError(problem('NOVA8311', { role: needed }));
    return;
  }
  if (access === 'release') return;
  if (identity.kind === 'cluster') throw new ProblemError(problem('NOVA8323', { cluster: identity.name }));
  const isOwn = cluster === undefined || cluster === identity.cluster;
  if (access !== 'node' || !isOwn) throw new ProblemError(problem('NOVA8319', { node: identity.name }));
}

/** The name in the audit trail and in operations. */
export function nameOf(identity: Identity | undefined): string {
  if (!identity) return '-';
  return identity.kind === 'user' ? identity.name : `${identity.kind}/${identity.name}`;
}

/** The credential of a client, for the audit trail. */
export function credentialOf(identity: Identity | undefined): string {
  if (!identity) return '-';
  if (identity.kind === 'user') return credentialText(identity.credential);
  return identity.kind === 'node' ? `certificate ${identity.serial}` : 'release token';
}
