import { createHash, randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { costs, hashSecret, isSecret, LoginLimits } from '@nova-platform/http/passwords';
import type { Journal } from '@nova-platform/operations';
import type { Kysely, Transaction } from 'kysely';
import type { Role, Schema } from '../store/schema.ts';
import { link, password as passwordCredential, session, sessionId, token as tokenCredential } from './credential.ts';
import { type Identity, includes, lesser } from './roles.ts';

export interface User {
  name: string;
  role: Role;
  hasPassword: boolean;
  createdAt: string;
}

export interface AccessToken {
  id: string;
  user: string;
  name: string;
  role: Role;
  createdAt: string;
  expiresAt: string;
  usedAt?: string;
}

type UserIdentity = Extract<Identity, { kind: 'user' }>;

interface Session {
  /** For the audit trail. */
  id: string;
  secret: string;
  seconds: number;
  /** The owner, with the credential that opened the session. */
  identity: UserIdentity;
}

const defaultTokenMilliseconds = 30 * 24 * 3600_000;
const sessionMilliseconds = 12 * 3600_000;
const loginLinkMilliseconds = 3600_000;
/** The accuracy of a token's last use, in milliseconds. */
const usedAccuracy = 60_000;
/** The name of tokens that a login creates. */
export const loginToken = 'login';
const tokenPattern = /^nova_([a-z0-9]{12})_([\w-]{43})$/;
/** Verified for unknown users, so that the response takes as long. */
const dummyHash = hashSecret('', costs.password);

/** Users, their tokens and their sessions. Only hashes of secrets are stored. */
export class Users {
  readonly #journal: Journal<Schema>;
  readonly #limits = new LoginLimits();
  /** Verified tokens by their digest: the expensive hash is computed once, not for every request. */
  readonly #verified = new Map<string, string>();

  constructor(journal: Journal<Schema>) {
    this.#journal = journal;
  }

  get #db(): Kysely<Schema> {
    return this.#journal.db;
  }

  async list(): Promise<User[]> {
    const rows = await this.#db.selectFrom('users').selectAll().orderBy('name').execute();
    return rows.map(({ name, role, password_hash, created_at }) => ({
      name,
      role,
      hasPassword: password_hash !== null,
      createdAt: new Date(created_at).toISOString(),
    }));
  }

  async create(name: string, role: Role, password: string | undefined): Promise<void> {
    const password_hash = password === undefined ? null : await hashSecret(password, costs.password);
    await this.#journal.write(async (transaction) => {
      const existing = await transaction.selectFrom('users').select('name').where('name', '=', name).executeTakeFirst();
      if (existing) throw new ProblemError(problem('NOVA8314', { name }));
      await transaction.insertInto('users').values({ name, role, password_hash, created_at: Date.now() }).execute();
    });
  }

  /**
   * A new password ends all credentials that were created with the old one. A lower role ends credentials that the user
   * created for others; the user's own tokens and sessions get the lower role. Returns the previous role.
   */
  async change(
    name: string,
    { role, password }: { role?: Role | undefined; password?: string | undefined },
  ): Promise<{ role: Role }> {
    const password_hash = password === undefined ? undefined : await hashSecret(password, costs.password);
    return this.#journal.write(async (transaction) => {
      const before = await assertUser(transaction, name);
      if (role !== undefined && role !== 'admin') await assertOtherAdmin(transaction, name);
      if (role) await transaction.updateTable('users').set({ role }).where('name', '=', name).execute();
      if (role && !includes(role, before.role)) await endCreatedForOthers(transaction, name);
      if (!password_hash) return before;
      await transaction.updateTable('users').set({ password_hash }).where('name', '=', name).execute();
      for (const table of ['access_tokens', 'sessions', 'login_links'] as const)
        await transaction.deleteFrom(table).where('password_of', '=', name).execute();
      // Also those that were opened with a token or a link.
      for (const table of ['sessions', 'login_links'] as const)
        await transaction.deleteFrom(table).where('user', '=', name).execute();
      return before;
    });
  }

  /** Removes a user with all tokens and sessions, and the credentials created with them. Returns the previous role. */
  async remove(name: string): Promise<{ role: Role }> {
    return this.#journal.write(async (transaction) => {
      const before = await assertUser(transaction, name);
      await assertOtherAdmin(transaction, name);
      await transaction.deleteFrom('users').where('name', '=', name).execute();
      return before;
    });
  }

  /** Verifies a password. Failed attempts delay further ones. */
  async login(name: string, password: string, address: string): Promise<UserIdentity> {
    const succeeded = this.#limits.try(name, address);
    const user = await this.#db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst();
    const isRight = await isSecret(password, user?.password_hash ?? (await dummyHash));
    if (!user?.password_hash || !isRight) throw new ProblemError(problem('NOVA8312', {}));
    succeeded();
    return { kind: 'user', name, role: user.role, credential: passwordCredential(name, user.password_hash) };
  }

  async createToken(
    identity: UserIdentity,
    {
      user = identity.name,
      name,
      role,
      seconds,
    }: { user?: string | undefined; name: string; role: Role; seconds?: number | undefined },
  ): Promise<{ token: string; created: AccessToken }> {
    if (!includes(identity.role, role)) throw new ProblemError(problem('NOVA8318', { role }));
    if (user !== identity.name && identity.role !== 'admin')
      throw new ProblemError(problem('NOVA8311', { role: 'admin' }));
    const { credential } = identity;
    const expires_at =
      seconds === undefined
        ? Math.min(Date.now() + defaultTokenMilliseconds, credential.tokensUntil)
        : Date.now() + seconds * 1000;
    if (expires_at > credential.tokensUntil)
      throw new ProblemError(problem('NOVA8421', { expiresAt: new Date(credential.tokensUntil).toISOString() }));
    const id = randomName(12);
    const secret = randomBytes(32).toString('base64url');
    const row = {
      id,
      user,
      name,
      role,
      hash: await hashSecret(secret, costs.token),
      created_at: Date.now(),
      expires_at,
      used_at: null,
      ...credential.origin,
    };
    await this.#journal.write(async (transaction) => {
      await assertUser(transaction, user);
      await assertValid(transaction, identity);
      await transaction.deleteFrom('access_tokens').where('expires_at', '<=', row.created_at).execute();
      await transaction.insertInto('access_tokens').values(row).execute();
    });
    return { token: `nova_${id}_${secret}`, created: asToken(row) };
  }

  /** The tokens of one user, or of all users. */
  async tokens(user?: string): Promise<AccessToken[]> {
    const rows = await this.#db
      .selectFrom('access_tokens')
      .selectAll()
      .$if(user !== undefined, (query) => query.where('user', '=', user ?? ''))
      .orderBy('created_at')
      .execute();
    return rows.map(asToken);
  }

  /** Revokes a token and all credentials that were created with it. Returns the revoked token. */
  async removeToken(id: string, { name, role }: Pick<UserIdentity, 'name' | 'role'>): Promise<AccessToken> {
    return this.#journal.write(async (transaction) => {
      const row = await transaction
        .selectFrom('access_tokens')
        .innerJoin('users', 'users.name', 'access_tokens.user')
        .selectAll('access_tokens')
        .select('users.role as user_role')
        .where('id', '=', id)
        .$if(role !== 'admin', (query) => query.where('user', '=', name))
        .executeTakeFirst();
      if (!row) throw new ProblemError(problem('NOVA8316', { id }));
      const { user_role, ...token } = row;
      const needed = lesser(token.role, user_role);
      if (!includes(role, needed)) throw new ProblemError(problem('NOVA8311', { role: needed }));
      await transaction.deleteFrom('access_tokens').where('id', '=', id).execute();
      return asToken(token);
    });
  }

  /** The user of a token; undefined if the token is wrong, expired or revoked. */
  async byToken(token: string): Promise<UserIdentity | undefined> {
    const [, id, secret] = tokenPattern.exec(token) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const row = await this.#db
      .selectFrom('access_tokens')
      .innerJoin('users', 'users.name', 'access_tokens.user')
      .select(['user', 'users.role as user_role', 'access_tokens.role', 'access_tokens.name'])
      .select(['hash', 'expires_at', 'used_at'])
      .where('access_tokens.id', '=', id)
      .executeTakeFirst();
    if (!row || row.expires_at <= Date.now() || !(await this.#isVerified(secret, row.hash))) return undefined;
    if ((row.used_at ?? 0) < Date.now() - usedAccuracy) {
      await this.#journal.write((transaction) =>
        transaction.updateTable('access_tokens').set({ used_at: Date.now() }).where('id', '=', id).execute(),
      );
    }
    const credential = tokenCredential({ id, ...row });
    return { kind: 'user', name: row.user, role: lesser(row.role, row.user_role), credential };
  }

  /** For a browser: the secret is stored where scripts cannot read it. */
  async startSession(identity: UserIdentity): Promise<Session> {
    return this.#journal.write(async (transaction) => {
      await assertValid(transaction, identity);
      return insertSession(transaction, identity);
    });
  }

  /** For a browser without a password: valid once, and for a short time. */
  async createLoginLink(
    identity: UserIdentity,
    user = identity.name,
  ): Promise<{ code: string; user: string; role: Role; expiresAt: string }> {
    if (user !== identity.name && identity.role !== 'admin')
      throw new ProblemError(problem('NOVA8311', { role: 'admin' }));
    const { role, credential } = identity;
    const code = randomBytes(32).toString('base64url');
    const now = Date.now();
    const expires_at = Math.min(now + loginLinkMilliseconds, credential.sessionsUntil);
    // A link from root acts as a login of its user, and ends with that user's password.
    const origin = credential.kind === 'socket' ? { password_of: user, parent_token: null } : credential.origin;
    await this.#journal.write(async (transaction) => {
      await assertUser(transaction, user);
      await assertValid(transaction, identity);
      await transaction.deleteFrom('login_links').where('expires_at', '<=', now).execute();
      await transaction
        .insertInto('login_links')
        .values({ hash: digestOf(code), user, role, expires_at, ...origin, parent_session: credential.session })
        .execute();
    });
    return { code, user, role, expiresAt: new Date(expires_at).toISOString() };
  }

  /** Opens the session of a login link; the link can be used only once. */
  async enter(code: string): Promise<Session> {
    const hash = digestOf(code);
    return this.#journal.write(async (transaction) => {
      const row = await transaction
        .selectFrom('login_links')
        .innerJoin('users', 'users.name', 'login_links.user')
        .leftJoin('access_tokens', 'access_tokens.id', 'login_links.parent_token')
        .leftJoin('sessions', 'sessions.hash', 'login_links.parent_session')
        .selectAll('login_links')
        .select(['users.role as user_role', 'access_tokens.expires_at as token_end'])
        .select('sessions.expires_at as session_end')
        .where('login_links.hash', '=', hash)
        .where('login_links.expires_at', '>', Date.now())
        .executeTakeFirst();
      const { numDeletedRows } = await transaction
        .deleteFrom('login_links')
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (!row || numDeletedRows === 0n) throw new ProblemError(problem('NOVA8329', {}));
      const role = lesser(row.role, row.user_role);
      return insertSession(transaction, { kind: 'user', name: row.user, role, credential: link(row) });
    });
  }

  async bySession(secret: string): Promise<UserIdentity | undefined> {
    const row = await this.#db
      .selectFrom('sessions')
      .innerJoin('users', 'users.name', 'sessions.user')
      .leftJoin('access_tokens', 'access_tokens.id', 'sessions.parent_token')
      .selectAll('sessions')
      .select(['users.role as user_role', 'access_tokens.expires_at as token_end'])
      .where('sessions.hash', '=', digestOf(secret))
      .where('sessions.expires_at', '>', Date.now())
      .executeTakeFirst();
    if (!row) return undefined;
    return { kind: 'user', name: row.user, role: lesser(row.role, row.user_role), credential: session(row) };
  }

  async endSession(secret: string): Promise<void> {
    await this.#journal.write((transaction) =>
      transaction.deleteFrom('sessions').where('hash', '=', digestOf(secret)).execute(),
    );
  }

  async #isVerified(secret: string, hash: string): Promise<boolean> {
    const digest = digestOf(secret);
    if (this.#verified.get(hash) === digest) return true;
    if (!(await isSecret(secret, hash))) return false;
    if (this.#verified.size >= 10_000) this.#verified.clear();
    this.#verified.set(hash, digest);
    return true;
  }
}

async function insertSession(transaction: Transaction<Schema>, identity: UserIdentity): Promise<Session> {
  const { name: user, role, credential } = identity;
  const secret = randomBytes(32).toString('base64url');
  const now = Date.now();
  const expires_at = Math.min(now + sessionMilliseconds, credential.sessionsUntil);
  const row = { hash: digestOf(secret), user, role, created_at: now, expires_at, ...credential.origin };
  await transaction.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await transaction
    .insertInto('sessions')
    .values({ ...row, parent_session: credential.session })
    .execute();
  return { id: sessionId(row.hash), secret, seconds: Math.floor((expires_at - now) / 1000), identity };
}

function asToken({ id, user, name, role, created_at, expires_at, used_at }: Schema['access_tokens']): AccessToken {
  return {
    id,
    user,
    name,
    role,
    createdAt: new Date(created_at).toISOString(),
    expiresAt: new Date(expires_at).toISOString(),
    ...(used_at !== null && { usedAt: new Date(used_at).toISOString() }),
  };
}

async function assertUser(transaction: Transaction<Schema>, name: string): Promise<{ role: Role }> {
  const row = await transaction.selectFrom('users').select('role').where('name', '=', name).executeTakeFirst();
  if (!row) throw new ProblemError(problem('NOVA8315', { name }));
  return row;
}

/** The credential may have been revoked since it was verified; then nothing is created with it. */
async function assertValid(transaction: Transaction<Schema>, { name, credential }: UserIdentity): Promise<void> {
  const { origin, session: hash, passwordHash } = credential;
  const users = transaction.selectFrom('users').select('name').where('name', '=', name);
  const found = [
    ...(passwordHash === undefined ? [] : [users.where('password_hash', '=', passwordHash)]),
    ...(origin.parent_token === null
      ? []
      : [transaction.selectFrom('access_tokens').select('id').where('id', '=', origin.parent_token)]),
    ...(hash === null ? [] : [transaction.selectFrom('sessions').select('hash').where('hash', '=', hash)]),
  ];
  for (const query of found) if (!(await query.executeTakeFirst())) throw new ProblemError(problem('NOVA8310', {}));
}

/** Ends tokens, links and sessions that an administrator created for other users. */
async function endCreatedForOthers(transaction: Transaction<Schema>, name: string): Promise<void> {
  const own = transaction.selectFrom('access_tokens').select('id').where('user', '=', name);
  for (const table of ['access_tokens', 'sessions', 'login_links'] as const)
    await transaction
      .deleteFrom(table)
      .where('user', '<>', name)
      .where((each) => each.or([each('password_of', '=', name), each('parent_token', 'in', own)]))
      .execute();
}

/** At least one administrator must remain to manage users. */
async function assertOtherAdmin(transaction: Transaction<Schema>, name: string): Promise<void> {
  const admins = await transaction.selectFrom('users').select('name').where('role', '=', 'admin').execute();
  if (admins.every((admin) => admin.name === name) && admins.length > 0)
    throw new ProblemError(problem('NOVA8317', { name }));
}

function randomName(length: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  return [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
}

/** A random secret of 256 bits needs no salt and no cost: it cannot be guessed. */
function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
