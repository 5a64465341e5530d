import { describe, errors, ProblemError, problem } from '@nova-platform/api';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Users } from '../access/users.ts';
import { isObject } from './accept.ts';
import { tenant } from './views.ts';

const region = 'RegionOne';

/** The part of the Identity API 2.0 that clients of the Networking API need: tokens and where to find the API. */
export async function serveIdentity(
  app: FastifyInstance,
  { users, url, networkingUrl }: { users: Users; url: string; networkingUrl: string },
): Promise<void> {
  app.setErrorHandler((error, _request, reply) => sendError(reply, error));
  const version = {
    id: 'v2.0',
    status: 'stable',
    updated: '2014-04-17T00:00:00Z',
    links: [{ rel: 'self', href: `${url}/v2.0/` }],
    'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v2.0+json' }],
  };
  app.get('/', async (_request, reply) => reply.status(300).send({ versions: { values: [version] } }));
  app.get('/v2.0', async () => ({ version }));
  app.get('/v2.0/tenants', async () => ({ tenants: [{ ...tenant, enabled: true }], tenants_links: [] }));

  app.post('/v2.0/tokens', async ({ body, ip }) => {
    const auth = part(body, 'auth');
    const { token, name, role, expiresAt } = isObject(auth.token)
      ? await renewed(users, part(auth, 'token').id)
      : await loggedIn(users, part(auth, 'passwordCredentials'), ip);
    const endpoint = (id: string, at: string) => ({ id, region, publicURL: at, internalURL: at, adminURL: at });
    return {
      access: {
        token: {
          id: token,
          issued_at: new Date().toISOString(),
          expires: new Date(expiresAt).toISOString(),
          tenant: { ...tenant, enabled: true },
        },
        user: { id: name, name, username: name, roles: [{ name: role }], roles_links: [] },
        metadata: { is_admin: 0, roles: [role] },
        serviceCatalog: [
          {
            type: 'network',
            name: 'neutron',
            endpoints: [endpoint('00000000000000000000000000000001', networkingUrl)],
            endpoints_links: [],
          },
          {
            type: 'identity',
            name: 'keystone',
            endpoints: [endpoint('00000000000000000000000000000002', `${url}/v2.0`)],
            endpoints_links: [],
          },
        ],
      },
    };
  });
}

async function loggedIn(users: Users, { username, password }: Record<string, unknown>, address: string) {
  if (typeof username !== 'string' || typeof password !== 'string') throw missing('passwordCredentials');
  const login = await users.login(username, password, address);
  return { ...login, ...(await users.createToken(login)) };
}

/** Clients that have a token ask for where to use it. */
async function renewed(users: Users, token: unknown) {
  const user = typeof token === 'string' ? await users.byToken(token) : undefined;
  if (!user) throw new ProblemError(problem('NOVA7653', {}));
  return { ...user, token: token as string };
}

function part(body: unknown, name: string): Record<string, unknown> {
  const value = isObject(body) ? body[name] : undefined;
  if (isObject(value)) return value;
  throw missing(name);
}

function missing(name: string): ProblemError {
  return new ProblemError(problem('NOVA7652', { name }));
}

function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const found = error instanceof ProblemError ? error.problems[0] : undefined;
  const status = found ? errors[found.code].status : (error as { statusCode?: number }).statusCode;
  if (status === undefined || status >= 500) throw error;
  const message = found ? describe(found, 'en').message : (error as Error).message;
  return reply.status(status).send({ error: { code: status, title: found?.code ?? 'Bad Request', message } });
}
