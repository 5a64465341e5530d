import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { limit, line, name, none, role, time } from './common.ts';

/** The length prevents guessing; there are no rules on characters. */
const password = z.string().min(12).max(256);
const userParams = z.object({ user: name });
const maxTokenSeconds = 10 * 365 * 24 * 3600;
/** The audit trail uses this name for root on the host. */
const isFree = (user: string): boolean => user !== 'local';
const user = z.object({ name: z.string(), role, hasPassword: z.boolean(), createdAt: time });
const token = z.object({
  id: z.string(),
  user: z.string(),
  name: z.string(),
  role,
  createdAt: time,
  expiresAt: time,
  usedAt: time.optional(),
});

export const usersContract = {
  login: {
    method: 'POST',
    path: '/v1/login',
    summary: 'Creates a token for a user name and a password',
    access: 'anyone',
    body: z.strictObject({
      user: line(63),
      password: z.string().max(256),
      seconds: z
        .int()
        .min(60)
        .max(30 * 24 * 3600)
        .default(12 * 3600),
    }),
    target: 'users/{user}',
    response: z.object({ token: z.string(), user: z.string(), role, expiresAt: time }),
  },
  startSession: {
    method: 'POST',
    path: '/v1/session',
    summary: 'Creates a browser session, in a cookie',
    access: 'anyone',
    body: z.union([
      z.strictObject({ user: line(63), password: z.string().max(256) }),
      z.strictObject({ code: z.string().max(64) }),
    ]),
    target: 'users/{user}',
    response: z.object({ user: z.string(), role }),
  },
  createLoginLink: {
    method: 'POST',
    path: '/v1/login-links',
    summary:
      'Creates a one-time login code for a browser, with this role; only administrators can create one for another user',
    access: 'viewer',
    body: z.strictObject({ user: name.optional() }),
    target: 'users/{user}',
    response: z.object({ code: z.string(), user: z.string(), role, expiresAt: time }),
  },
  endSession: {
    method: 'DELETE',
    path: '/v1/session',
    summary: 'Ends the session of this browser',
    access: 'viewer',
    response: none,
  },
  whoami: {
    method: 'GET',
    path: '/v1/whoami',
    summary: 'The authenticated user and the role',
    access: 'viewer',
    response: z.object({ user: z.string(), role }),
  },
  listUsers: {
    method: 'GET',
    path: '/v1/users',
    summary: 'Users',
    access: 'admin',
    response: z.object({ users: z.array(user) }),
  },
  createUser: {
    method: 'POST',
    path: '/v1/users',
    summary: 'Creates a user',
    access: 'admin',
    body: z.strictObject({ name: name.refine(isFree, 'another name'), role, password: password.optional() }),
    target: 'users/{name}',
    response: none,
  },
  changeUser: {
    method: 'PATCH',
    path: '/v1/users/:user',
    summary: 'Changes the role or the password of a user',
    access: 'admin',
    params: userParams,
    body: z.strictObject({ role: role.optional(), password: password.optional() }),
    response: none,
  },
  removeUser: {
    method: 'DELETE',
    path: '/v1/users/:user',
    summary: 'Removes a user with all tokens and sessions',
    access: 'admin',
    params: userParams,
    response: none,
  },
  changePassword: {
    method: 'POST',
    path: '/v1/password',
    summary: 'Changes your own password',
    access: 'viewer',
    body: z.strictObject({ old: z.string().max(256), password }),
    response: none,
  },
  listTokens: {
    method: 'GET',
    path: '/v1/access-tokens',
    summary: 'Your own tokens; for administrators the tokens of all users',
    access: 'viewer',
    response: z.object({ tokens: z.array(token) }),
  },
  createAccessToken: {
    method: 'POST',
    path: '/v1/access-tokens',
    summary:
      'Creates a token for a program, limited to the role and the lifetime of the token of the request; shown only once',
    access: 'viewer',
    body: z.strictObject({
      name: line(63).min(1),
      role,
      /** By default 30 days, or less if the token of the request expires earlier. */
      seconds: z.int().min(60).max(maxTokenSeconds).optional(),
      user: name.optional(),
    }),
    response: z.object({ token: z.string(), created: token }),
  },
  removeToken: {
    method: 'DELETE',
    path: '/v1/access-tokens/:id',
    summary: 'Revokes a token and everything created with it',
    access: 'viewer',
    params: z.object({ id: line(12) }),
    response: none,
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    summary: 'The audit trail: user, action, object and outcome, newest first',
    access: 'admin',
    query: z.strictObject({ who: line(260).optional(), before: z.coerce.number().int().optional(), limit }),
    response: z.object({
      entries: z.array(
        z.object({
          id: z.int(),
          at: time,
          who: z.string(),
          from: z.string(),
          action: z.string(),
          target: z.string(),
          outcome: z.int(),
          /** The credential of the user; entries of older releases do not have it. */
          credential: z.string().exactOptional(),
          changes: z
            .array(
              z.object({ field: z.string(), before: z.string().exactOptional(), after: z.string().exactOptional() }),
            )
            .exactOptional(),
        }),
      ),
      next: z.int().optional(),
    }),
  },
} as const satisfies Contract;
