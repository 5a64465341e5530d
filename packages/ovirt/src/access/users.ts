import { createHash, createHmac, randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { costs, hashSecret, isSecret, LoginLimits } from '@nova-platform/http/passwords';
import type { Kysely } from 'kysely';
import type { Identity } from '../api/identity.ts';
import type { AccessSchema } from './schema.ts';

interface User extends Identity {
  createdAt: string;
  /** The number of valid tokens. */
  tokens: number;
}

/** A user whose password was verified. */
interface Login extends Identity {
  passwordHash: string;
}

export interface Token extends Identity {
  expiresAt: number;
}

const maxUsers = 100;
const tokensPerUser = 100;
export const tokenMilliseconds: number = 10 * 3600_000;
/** Verified for unknown users, so that the response takes as long. */
const dummyHash = hashSecret('', costs.password);

/** The users of the API and their tokens. Only hashes of passwords and tokens are stored. */
export class Users {
  readonly #db: Kysely<AccessSchema>;
  readonly #limits: LoginLimits;
  readonly #now: () => number;
  /** Passwords that were verified, by the stored hash: clients without tokens send them with every request. */
  readonly #verified = new Map<string, string>();
  readonly #key = randomBytes(32);

  constructor(db: Kysely<AccessSchema>, now: () => number = () => Date.now()) {
    this.#db = db;
    this.#now = now;
    this.#limits = new LoginLimits(now);
  }

  async list(): Promise<User[]> {
    const rows = await this.#db
      .selectFrom('users')
      .leftJoin('tokens', (join) => join.onRef('user', '=', 'name').on('expires_at', '>', this.#now()))
      .select(({ fn }) => ['name', 'role', 'users.created_at', fn.count<number>('hash').as('tokens')])
      .groupBy('name')
      .orderBy('name')
      .execute();
    return rows.map(({ name, role, created_at, tokens }) => ({
      name,
      role,
      createdAt: new Date(created_at).toISOString(),
      tokens,
    }));
  }

  async create({ name, role, password }: Identity & { password: string }): Promise<void> {
    const password_hash = await hashSecret(password, costs.password);
    await this.#db.transaction().execute(async (transaction) => {
      const users = await transaction.selectFrom('users').select('name').execute();
      if (users.some((user) => user.name === name)) throw new ProblemError(problem('NOVA7655', { name }));
      if (users.length >= maxUsers) throw new ProblemError(problem('NOVA7657', { count: maxUsers }));
      await transaction.insertInto('users').values({ name, role, password_hash, created_at: this.#now() }).execute();
    });
  }

  /** A new password ends all tokens that were created with the old one. */
  async changePassword(name: string, password: string): Promise<void> {
    const password_hash = await hashSecret(password, costs.password);
    await this.#db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('users')
        .set({ password_hash })
        .where('name', '=', name)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new ProblemError(problem('NOVA7656', { name }));
      await transaction.deleteFrom('tokens').where('user', '=', name).execute();
    });
  }

  /** Removes a user with all tokens. */
  async remove(name: string): Promise<void> {
    const { numDeletedRows } = await this.#db.deleteFrom('users').where('name', '=', name).executeTakeFirst();
    if (numDeletedRows === 0n) throw new ProblemError(problem('NOVA7656', { name }));
  }

  /** Verifies a password. Failed attempts delay further ones. */
  async login(name: string, password: string, address: string): Promise<Login> {
    const user = await this.#db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst();
    const { password_hash: passwordHash = await dummyHash } = user ?? {};
    const digest = createHmac('sha256', this.#key).update(password).digest('hex');
    if (!user || this.#verified.get(passwordHash) !== digest) {
      const succeeded = this.#limits.try(name, address);
      if (!(await isSecret(password, passwordHash)) || !user) throw wrongPassword(name);
      succeeded();
      if (this.#verified.size >= maxUsers) this.#verified.clear();
      this.#verified.set(passwordHash, digest);
    }
    return { name, role: user.role, passwordHash };
  }

  /** The oldest tokens of a user with too many end. */
  async createToken({ name, passwordHash }: Login): Promise<{ token: string; expiresAt: number }> {
    const token = randomBytes(48).toString('base64url');
    const now = this.#now();
    const expiresAt = now + tokenMilliseconds;
    await this.#db.transaction().execute(async (transaction) => {
      const user = transaction.selectFrom('users').select('name').where('name', '=', name);
      // The password may have changed since it was verified.
      if (!(await user.where('password_hash', '=', passwordHash).executeTakeFirst())) throw wrongPassword(name);
      await transaction.deleteFrom('tokens').where('expires_at', '<=', now).execute();
      const row = { hash: digestOf(token), user: name, created_at: now, expires_at: expiresAt };
      await transaction.insertInto('tokens').values(row).execute();
      const kept = transaction
        .selectFrom('tokens')
        .select('hash')
        .where('user', '=', name)
        .orderBy('created_at', 'desc')
        .limit(tokensPerUser);
      await transaction.deleteFrom('tokens').where('user', '=', name).where('hash', 'not in', kept).execute();
    });
    return { token, expiresAt };
  }

  /** The user of a token; undefined if the token is wrong, expired or revoked. */
  async byToken(token: string): Promise<Token | undefined> {
    const row = await this.#db
      .selectFrom('tokens')
      .innerJoin('users', 'name', 'user')
      .select(['name', 'role', 'expires_at'])
      .where('hash', '=', digestOf(token))
      .where('expires_at', '>', this.#now())
      .executeTakeFirst();
    return row && { name: row.name, role: row.role, expiresAt: row.expires_at };
  }

  async revoke(token: string): Promise<void> {
    await this.#db.deleteFrom('tokens').where('hash', '=', digestOf(token)).execute();
  }
}

function wrongPassword(name: string): ProblemError {
  return new ProblemError(problem('NOVA7650', { name: name.slice(0, 64) }));
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
