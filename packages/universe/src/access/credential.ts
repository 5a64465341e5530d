/** The credential with which a token, a login link or a session was created: they end together. */
export interface Origin {
  /** The user whose password created it. */
  password_of: string | null;
  parent_token: string | null;
}

/** The credential of a request, and the limits of the credentials that it creates. */
export interface Credential {
  kind: 'socket' | 'password' | 'token' | 'link' | 'session';
  /** For the audit trail. */
  id?: string;
  name?: string;
  origin: Origin;
  /** The session with which the login links that it creates end. */
  session: string | null;
  /** The latest expiry of tokens that it creates. Sessions do not limit it: they are short. */
  tokensUntil: number;
  /** The latest expiry of login links that it creates, and of their sessions. */
  sessionsUntil: number;
  /** The hash that the password matched: a different stored hash means that the password has changed. */
  passwordHash?: string;
}

const endless = { tokensUntil: Number.POSITIVE_INFINITY, sessionsUntil: Number.POSITIVE_INFINITY };

/**
 * Root on Universe's own machine. Credentials that root creates have no parent: they live until they expire or are
 * revoked.
 */
export const socket: Credential = {
  kind: 'socket',
  origin: { password_of: null, parent_token: null },
  session: null,
  ...endless,
};

export function password(user: string, passwordHash: string): Credential {
  return {
    kind: 'password',
    origin: { password_of: user, parent_token: null },
    session: null,
    ...endless,
    passwordHash,
  };
}

export function token({ id, name, expires_at }: { id: string; name: string; expires_at: number }): Credential {
  return {
    kind: 'token',
    id,
    name,
    origin: { password_of: null, parent_token: id },
    session: null,
    tokensUntil: expires_at,
    sessionsUntil: expires_at,
  };
}

/** The ID of a session in the audit trail: a prefix of a digest grants no access. */
export const sessionId = (hash: string): string => hash.slice(0, 12);

/** `token_end` is the expiry of the parent token, if there is one. */
export function session({
  hash,
  password_of,
  parent_token,
  expires_at,
  token_end,
}: Origin & { hash: string; expires_at: number; token_end: number | null }): Credential {
  return {
    kind: 'session',
    id: sessionId(hash),
    origin: { password_of, parent_token },
    session: hash,
    tokensUntil: token_end ?? Number.POSITIVE_INFINITY,
    sessionsUntil: expires_at,
  };
}

/** The same for a login link; `session_end` is the end of the session that created it. */
export function link({
  password_of,
  parent_token,
  parent_session,
  token_end,
  session_end,
}: Origin & { parent_session: string | null; token_end: number | null; session_end: number | null }): Credential {
  const tokensUntil = token_end ?? Number.POSITIVE_INFINITY;
  return {
    kind: 'link',
    origin: { password_of, parent_token },
    session: parent_session,
    tokensUntil,
    sessionsUntil: Math.min(tokensUntil, session_end ?? Number.POSITIVE_INFINITY),
  };
}

/** The credential as the audit trail shows it. */
export function credentialText({ kind, id, name }: Credential): string {
  return [kind, id, name === undefined ? undefined : `(${name})`].filter((part) => part !== undefined).join(' ');
}
