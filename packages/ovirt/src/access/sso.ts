import { describe, errors, type Problem, ProblemError, problem } from '@nova-platform/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Users } from './users.ts';

const scope = 'ovirt-app-api';

/** The tokens of the API, as the SSO of oVirt issues them. Clients parse errors by `error` and `error_code`. */
export async function serveSso(app: FastifyInstance, users: Users): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.setErrorHandler((error, _request, reply) => {
    const found = error instanceof ProblemError ? error.problems[0] : undefined;
    if (!found) throw error;
    const { seconds } = found.params;
    if (typeof seconds === 'number') void reply.header('retry-after', seconds);
    const status = found.code === 'NOVA8313' ? 429 : 400;
    return reply.status(status).send({ error: describe(found, 'en').message, error_code: oauthCode(found) });
  });

  app.post('/ovirt-engine/sso/oauth/token', async (request) => {
    const type = parameter(request, 'grant_type');
    if (type !== 'password') throw new ProblemError(problem('NOVA7651', { type: type.slice(0, 64) }));
    const login = await users.login(parameter(request, 'username'), parameter(request, 'password'), request.ip);
    const { token, expiresAt } = await users.createToken(login);
    return { access_token: token, scope, exp: String(expiresAt), token_type: 'bearer' };
  });

  app.post('/ovirt-engine/sso/oauth/token-info', async (request) => {
    const token = await users.byToken(parameter(request, 'token'));
    if (!token) throw new ProblemError(problem('NOVA7653', {}));
    return {
      active: true,
      token_type: 'bearer',
      client_id: '',
      user_id: token.name,
      scope,
      exp: String(token.expiresAt),
      ovirt: { version: '0', principal_id: token.name, group_ids: [], capability_credentials_change: false },
    };
  });

  for (const path of ['/ovirt-engine/sso/oauth/revoke', '/ovirt-engine/services/sso-logout']) {
    app.post(path, async (request) => {
      await users.revoke(parameter(request, 'token'));
      return {};
    });
  }
}

function parameter({ body, headers: { authorization = '' } }: FastifyRequest, name: string): string {
  const value = (body as Record<string, unknown> | undefined | null)?.[name];
  if (typeof value === 'string') return value;
  if (name === 'token' && authorization.startsWith('Bearer ')) return authorization.slice('Bearer '.length);
  throw new ProblemError(problem('NOVA7652', { name }));
}

/** The code of OAuth for a problem. */
function oauthCode({ code }: Problem): string {
  const codes: Partial<Record<Problem['code'], string>> = {
    NOVA7651: 'unsupported_grant_type',
    NOVA7652: 'invalid_request',
    NOVA7653: 'invalid_grant',
  };
  return codes[code] ?? (errors[code].status >= 500 ? 'server_error' : 'access_denied');
}
