/** What a token, a login link or a session descends from: it ends with it. */
export interface Origin {
  /** The user whose password it was made with. */
  password_of: string | null;
  parent_token: string | null;
}

/** What a person comes with, and what that says about the credentials made with it. */
export interface Credential {
  kind: 'socket' | 'password' | 'token' | 'link' | 'session';
  /** For the audit trail. */
  id?: string;
  name?: string;
  origin: Origin;
  /** The session that login links made with it end with. */
  session: string | null;
  /** The latest expiry of tokens made with it: sessions are short, and do not bound them. */
  tokensUntil: number;
  /** The same for login links, and for the sessions they open. */
  sessionsUntil: number;
  /** The hash that a password was compared with: another one by now means that the password has changed. */
  passwordHash?: string;
}

const endless = { tokensUntil: Number.POSITIVE_INFINITY, sessionsUntil: Number.POSITIVE_INFINITY };

/** Root on Universe's own machine. What root makes descends from nothing: it lives until it expires or is revoked. */
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

/** A session in the audit trail: the beginning of a digest lets nobody in. */
export const sessionId = (hash: string): string => hash.slice(0, 12);

/** `token_end` is when the token expires that it descends from, if it does from one. */
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

/** The same for a login link; `session_end` is when the session ends that made it. */
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

/** As it stands in the audit trail. */
export function credentialText({ kind, id, name }: Credential): string {
  return [kind, id, name === undefined ? undefined : `(${name})`].filter((part) => part !== undefined).join(' ');
}
