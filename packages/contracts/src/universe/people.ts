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

export const peopleContract = {
  login: {
    method: 'POST',
    path: '/v1/login',
    summary: 'A token for a name and a password',
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
    answer: z.object({ token: z.string(), user: z.string(), role, expiresAt: time }),
  },
  startSession: {
    method: 'POST',
    path: '/v1/session',
    summary: 'A session for a browser, in a cookie',
    access: 'anyone',
    body: z.union([
      z.strictObject({ user: line(63), password: z.string().max(256) }),
      z.strictObject({ code: z.string().max(64) }),
    ]),
    target: 'users/{user}',
    answer: z.object({ user: z.string(), role }),
  },
  createLoginLink: {
    method: 'POST',
    path: '/v1/login-links',
    summary:
      'A code that lets a browser in once, without a password and with this role; for others only as administrator',
    access: 'viewer',
    body: z.strictObject({ user: name.optional() }),
    target: 'users/{user}',
    answer: z.object({ code: z.string(), user: z.string(), role, expiresAt: time }),
  },
  endSession: {
    method: 'DELETE',
    path: '/v1/session',
    summary: 'Ends the session of this browser',
    access: 'viewer',
    answer: none,
  },
  whoami: {
    method: 'GET',
    path: '/v1/whoami',
    summary: 'Who asks, and with which role',
    access: 'viewer',
    answer: z.object({ user: z.string(), role }),
  },
  listUsers: {
    method: 'GET',
    path: '/v1/users',
    summary: 'People who may come in',
    access: 'admin',
    answer: z.object({ users: z.array(user) }),
  },
  createUser: {
    method: 'POST',
    path: '/v1/users',
    summary: 'Lets a person in',
    access: 'admin',
    body: z.strictObject({ name: name.refine(isFree, 'another name'), role, password: password.optional() }),
    target: 'users/{name}',
    answer: none,
  },
  changeUser: {
    method: 'PATCH',
    path: '/v1/users/:user',
    summary: 'Gives a person another role or password',
    access: 'admin',
    params: userParams,
    body: z.strictObject({ role: role.optional(), password: password.optional() }),
    answer: none,
  },
  removeUser: {
    method: 'DELETE',
    path: '/v1/users/:user',
    summary: 'Removes a person, with all tokens and sessions',
    access: 'admin',
    params: userParams,
    answer: none,
  },
  changePassword: {
    method: 'POST',
    path: '/v1/password',
    summary: 'Changes one’s own password',
    access: 'viewer',
    body: z.strictObject({ old: z.string().max(256), password }),
    answer: none,
  },
  listTokens: {
    method: 'GET',
    path: '/v1/access-tokens',
    summary: 'One’s own tokens; for administrators everybody’s',
    access: 'viewer',
    answer: z.object({ tokens: z.array(token) }),
  },
  createAccessToken: {
    method: 'POST',
    path: '/v1/access-tokens',
    summary:
      'A token for a program, no greater and no longer-lived than the token it is made with; it is shown only now',
    access: 'viewer',
    body: z.strictObject({
      name: line(63).min(1),
      role,
      /** By default 30 days, or less if the token of the request expires earlier. */
      seconds: z.int().min(60).max(maxTokenSeconds).optional(),
      user: name.optional(),
    }),
    answer: z.object({ token: z.string(), created: token }),
  },
  removeToken: {
    method: 'DELETE',
    path: '/v1/access-tokens/:id',
    summary: 'Revokes a token, and all that was made with it',
    access: 'viewer',
    params: z.object({ id: line(12) }),
    answer: none,
  },
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    summary: 'Who did what with which outcome, the newest first',
    access: 'admin',
    query: z.strictObject({
      who: line(260).optional(),
      action: line(63).optional(),
      /** A part of the target. */
      target: line(260).optional(),
      since: time.optional(),
      before: z.coerce.number().int().optional(),
      limit,
    }),
    answer: z.object({
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
