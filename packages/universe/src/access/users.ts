import { createHash, randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import type { Kysely, Transaction } from 'kysely';
import type { Journal } from '../journal.ts';
import type { Role, Schema } from '../store/schema.ts';
import { LoginLimits } from './login-limits.ts';
import { type Identity, includes, lesser } from './roles.ts';
import { costs, hashSecret, isSecret } from './secrets.ts';

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

const sessionMilliseconds = 12 * 3600_000;
const loginLinkMilliseconds = 3600_000;
/** How exactly the last use of a token is known. */
const usedAccuracy = 60_000;
/** What a token is called that a login gave. */
export const loginToken = 'login';
const tokenPattern = /^nova_([a-z0-9]{12})_([\w-]{43})$/;
/** Compared with when there is no such user, so that the answer takes as long. */
const nobody = hashSecret('', costs.password);

/** People, their tokens and their sessions. Of every secret only a hash is kept. */
export class Users {
  readonly #journal: Journal;
  readonly #limits = new LoginLimits();
  /** Tokens that were found right, by their digest: what was once derived at a cost is not derived at every request. */
  readonly #verified = new Map<string, string>();

  constructor(journal: Journal) {
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

  /** A new password ends what the old one began: sessions, and tokens of the command line. */
  async change(name: string, { role, password }: { role?: Role | undefined; password?: string | undefined }) {
    const password_hash = password === undefined ? undefined : await hashSecret(password, costs.password);
    await this.#journal.write(async (transaction) => {
      await demandUser(transaction, name);
      if (role !== undefined && role !== 'admin') await demandOtherAdmin(transaction, name);
      if (role) await transaction.updateTable('users').set({ role }).where('name', '=', name).execute();
      if (!password_hash) return;
      await transaction.updateTable('users').set({ password_hash }).where('name', '=', name).execute();
      await transaction.deleteFrom('sessions').where('user', '=', name).execute();
      await transaction.deleteFrom('access_tokens').where('user', '=', name).where('name', '=', loginToken).execute();
    });
  }

  /** With all tokens and sessions. */
  async remove(name: string): Promise<void> {
    await this.#journal.write(async (transaction) => {
      await demandUser(transaction, name);
      await demandOtherAdmin(transaction, name);
      for (const table of ['access_tokens', 'sessions', 'login_links'] as const)
        await transaction.deleteFrom(table).where('user', '=', name).execute();
      await transaction.deleteFrom('users').where('name', '=', name).execute();
    });
  }

  /** Who has this password; everybody else waits longer from time to time. */
  async login(name: string, password: string, address: string): Promise<UserIdentity> {
    const succeeded = this.#limits.try(name, address);
    const user = await this.#db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst();
    const isRight = await isSecret(password, user?.password_hash ?? (await nobody));
    if (!user?.password_hash || !isRight) throw new ProblemError(problem('NOVA8312', {}));
    succeeded();
    return { kind: 'user', name, role: user.role };
  }

  async createToken(
    identity: UserIdentity,
    {
      user = identity.name,
      name,
      role,
      seconds,
    }: { user?: string | undefined; name: string; role: Role; seconds: number },
  ): Promise<{ token: string; created: AccessToken }> {
    if (!includes(identity.role, role)) throw new ProblemError(problem('NOVA8318', { role }));
    if (user !== identity.name && identity.role !== 'admin')
      throw new ProblemError(problem('NOVA8311', { role: 'admin' }));
    const id = randomName(12);
    const secret = randomBytes(32).toString('base64url');
    const row = {
      id,
      user,
      name,
      role,
      hash: await hashSecret(secret, costs.token),
      created_at: Date.now(),
      expires_at: Date.now() + seconds * 1000,
      used_at: null,
    };
    await this.#journal.write(async (transaction) => {
      await demandUser(transaction, user);
      await transaction.deleteFrom('access_tokens').where('expires_at', '<=', row.created_at).execute();
      await transaction.insertInto('access_tokens').values(row).execute();
    });
    return { token: `nova_${id}_${secret}`, created: asToken(row) };
  }

  /** One's own, or everybody's. */
  async tokens(user?: string): Promise<AccessToken[]> {
    const rows = await this.#db
      .selectFrom('access_tokens')
      .selectAll()
      .$if(user !== undefined, (query) => query.where('user', '=', user ?? ''))
      .orderBy('created_at')
      .execute();
    return rows.map(asToken);
  }

  async removeToken(id: string, owner?: string): Promise<void> {
    await this.#journal.write(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('access_tokens')
        .where('id', '=', id)
        .$if(owner !== undefined, (query) => query.where('user', '=', owner ?? ''))
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new ProblemError(problem('NOVA8316', { id }));
    });
  }

  /** Who a token belongs to; nobody when it is wrong, ended or taken back. */
  async byToken(token: string): Promise<UserIdentity | undefined> {
    const [, id, secret] = tokenPattern.exec(token) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const row = await this.#db
      .selectFrom('access_tokens')
      .innerJoin('users', 'users.name', 'access_tokens.user')
      .select(['users.name', 'users.role as user_role', 'access_tokens.role', 'hash', 'expires_at', 'used_at'])
      .where('access_tokens.id', '=', id)
      .executeTakeFirst();
    if (!row || row.expires_at <= Date.now() || !(await this.#isVerified(secret, row.hash))) return undefined;
    if ((row.used_at ?? 0) < Date.now() - usedAccuracy) {
      await this.#journal.write((transaction) =>
        transaction.updateTable('access_tokens').set({ used_at: Date.now() }).where('id', '=', id).execute(),
      );
    }
    return { kind: 'user', name: row.name, role: lesser(row.role, row.user_role) };
  }

  /** For a browser: its secret is kept where scripts cannot read it. */
  async startSession({ name }: UserIdentity): Promise<{ secret: string; seconds: number }> {
    const secret = randomBytes(32).toString('base64url');
    const now = Date.now();
    await this.#journal.write(async (transaction) => {
      await transaction.deleteFrom('sessions').where('expires_at', '<=', now).execute();
      await transaction
        .insertInto('sessions')
        .values({ hash: digestOf(secret), user: name, created_at: now, expires_at: now + sessionMilliseconds })
        .execute();
    });
    return { secret, seconds: sessionMilliseconds / 1000 };
  }

  /** For a browser without a password: works once, and not for long. */
  async createLoginLink(
    identity: UserIdentity,
    user = identity.name,
  ): Promise<{ code: string; user: string; expiresAt: string }> {
    if (user !== identity.name && identity.role !== 'admin')
      throw new ProblemError(problem('NOVA8311', { role: 'admin' }));
    const code = randomBytes(32).toString('base64url');
    const now = Date.now();
    const expires_at = now + loginLinkMilliseconds;
    await this.#journal.write(async (transaction) => {
      await demandUser(transaction, user);
      await transaction.deleteFrom('login_links').where('expires_at', '<=', now).execute();
      await transaction
        .insertInto('login_links')
        .values({ hash: digestOf(code), user, expires_at })
        .execute();
    });
    return { code, user, expiresAt: new Date(expires_at).toISOString() };
  }

  /** Who a login link lets in; from now on nobody. */
  async byLoginLink(code: string): Promise<UserIdentity> {
    const hash = digestOf(code);
    return this.#journal.write(async (transaction) => {
      const row = await transaction
        .selectFrom('login_links')
        .innerJoin('users', 'users.name', 'login_links.user')
        .select(['users.name', 'users.role'])
        .where('hash', '=', hash)
        .where('expires_at', '>', Date.now())
        .executeTakeFirst();
      const { numDeletedRows } = await transaction
        .deleteFrom('login_links')
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (!row || numDeletedRows === 0n) throw new ProblemError(problem('NOVA8329', {}));
      return { kind: 'user', ...row };
    });
  }

  async bySession(secret: string): Promise<UserIdentity | undefined> {
    const row = await this.#db
      .selectFrom('sessions')
      .innerJoin('users', 'users.name', 'sessions.user')
      .select(['users.name', 'users.role'])
      .where('hash', '=', digestOf(secret))
      .where('expires_at', '>', Date.now())
      .executeTakeFirst();
    return row && { kind: 'user', ...row };
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

function asToken({ hash: _hash, created_at, expires_at, used_at, ...row }: Schema['access_tokens']): AccessToken {
  return {
    ...row,
    createdAt: new Date(created_at).toISOString(),
    expiresAt: new Date(expires_at).toISOString(),
    ...(used_at !== null && { usedAt: new Date(used_at).toISOString() }),
  };
}

async function demandUser(transaction: Transaction<Schema>, name: string): Promise<void> {
  const row = await transaction.selectFrom('users').select('name').where('name', '=', name).executeTakeFirst();
  if (!row) throw new ProblemError(problem('NOVA8315', { name }));
}

/** Somebody must be able to let others in. */
async function demandOtherAdmin(transaction: Transaction<Schema>, name: string): Promise<void> {
  const admins = await transaction.selectFrom('users').select('name').where('role', '=', 'admin').execute();
  if (admins.every((admin) => admin.name === name) && admins.length > 0)
    throw new ProblemError(problem('NOVA8317', { name }));
}

function randomName(length: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  return [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
}

/** A random secret of 256 bits needs no salt and no cost: nobody guesses it. */
function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
