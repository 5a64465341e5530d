import { mask } from '@nova-platform/api';
import { type ChangedField, changedField, changesBetween } from '@nova-platform/change/fields';
import type { universeContract } from '@nova-platform/contracts/universe';
import type { Handlers } from '@nova-platform/http';
import { type AccessToken, loginToken, type Users } from '../access/users.ts';
import { assertOwnPage, sessionCookie, sessionOf, userOf } from './access.ts';

type UsersCalls =
  | 'login'
  | 'startSession'
  | 'createLoginLink'
  | 'endSession'
  | 'whoami'
  | 'listUsers'
  | 'createUser'
  | 'changeUser'
  | 'removeUser'
  | 'changePassword'
  | 'listTokens'
  | 'createAccessToken'
  | 'removeToken';

/** Handlers of logins, sessions, users and their tokens. */
export function usersHandlers(users: Users): Pick<Handlers<typeof universeContract>, UsersCalls> {
  return {
    login: async ({ body: { user, password, seconds }, request }) => {
      request.who = user;
      request.credential = 'password';
      const identity = await users.login(user, password, request.from);
      const { token, created } = await users.createToken(identity, { name: loginToken, role: identity.role, seconds });
      request.changes = [changedField('token', undefined, created.id), ...tokenChanges(undefined, created)];
      return { token, user, role: identity.role, expiresAt: created.expiresAt };
    },
    startSession: async ({ body, request, reply }) => {
      assertOwnPage(request);
      if ('user' in body) request.who = body.user;
      request.credential = 'code' in body ? 'link' : 'password';
      const { id, secret, seconds, identity } =
        'code' in body
          ? await users.enter(body.code)
          : await users.startSession(await users.login(body.user, body.password, request.from));
      request.who = identity.name;
      request.target = `users/${identity.name}`;
      request.changes = changesBetween({}, { session: id, role: identity.role });
      reply.header('set-cookie', sessionCookie(secret, seconds));
      return { user: identity.name, role: identity.role };
    },
    createLoginLink: async ({ body, request }) => {
      const { code, user, role, expiresAt } = await users.createLoginLink(userOf(request), body.user);
      request.target = `users/${user}`;
      request.changes = changesBetween({}, { role, expiresAt });
      return { code, user, role, expiresAt };
    },
    endSession: async ({ request, reply }) => {
      const secret = sessionOf(request);
      if (secret !== undefined) await users.endSession(secret);
      reply.header('set-cookie', sessionCookie('', 0));
      return {};
    },
    whoami: async ({ request }) => {
      const { name, role } = userOf(request);
      return { user: name, role };
    },

    listUsers: async () => ({ users: await users.list() }),
    createUser: async ({ body: { name, role, password }, request }) => {
      await users.create(name, role, password);
      request.changes = [changedField('role', undefined, role), ...passwordChange(password, undefined)];
      return {};
    },
    changeUser: async ({ params: { user }, body, request }) => {
      const before = await users.change(user, body);
      const after = { role: body.role ?? before.role };
      request.changes = [...changesBetween(before, after), ...passwordChange(body.password, mask)];
      return {};
    },
    removeUser: async ({ params: { user }, request }) => {
      request.changes = changesBetween(await users.remove(user), {});
      return {};
    },
    changePassword: async ({ body: { old, password }, request }) => {
      const { name } = userOf(request);
      request.target = `users/${name}`;
      request.changes = passwordChange(password, mask);
      await users.login(name, old, request.from);
      await users.change(name, { password });
      return {};
    },
    listTokens: async ({ request }) => {
      const { name, role } = userOf(request);
      return { tokens: await users.tokens(role === 'admin' ? undefined : name) };
    },
    createAccessToken: async ({ body, request }) => {
      const made = await users.createToken(userOf(request), body);
      request.target = `access-tokens/${made.created.id}`;
      request.changes = tokenChanges(undefined, made.created);
      return made;
    },
    removeToken: async ({ params: { id }, request }) => {
      request.changes = tokenChanges(await users.removeToken(id, userOf(request)), undefined);
      return {};
    },
  };
}

/** The changes of a token, without its secret. */
function tokenChanges(before: AccessToken | undefined, after: AccessToken | undefined): ChangedField[] {
  const shown = (token: AccessToken | undefined) =>
    token ? { user: token.user, name: token.name, role: token.role, expiresAt: token.expiresAt } : {};
  return changesBetween(shown(before), shown(after));
}

/** Only the fact that the password changed is recorded. */
function passwordChange(password: string | undefined, before: string | undefined): ChangedField[] {
  return password === undefined ? [] : [changedField('password', before, mask)];
}
