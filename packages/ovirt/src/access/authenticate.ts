import { ProblemError, problem } from '@nova-platform/api';
import type { FastifyRequest } from 'fastify';
import type { Identity } from '../api/identity.ts';
import type { Users } from './users.ts';

const reading = ['GET', 'HEAD', 'OPTIONS'];

/** The user of a request. A user that may only read is refused with all other methods. */
export async function authenticate(users: Users, request: FastifyRequest): Promise<Identity> {
  const user = await userOf(users, request);
  if (user.role === 'ReadOnlyAdmin' && !reading.includes(request.method))
    throw new ProblemError(problem('NOVA7608', { user: user.name }));
  return { name: user.name, role: user.role };
}

/** By a token, or by name and password (HTTP Basic). */
async function userOf(users: Users, request: FastifyRequest): Promise<Identity> {
  const { authorization = '', 'x-auth-token': networkingToken } = request.headers;
  const [scheme = '', value = ''] = authorization.split(' ');
  if (scheme.toLowerCase() === 'basic') {
    const [, name = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
    return users.login(name, password, request.ip);
  }
  const token = scheme.toLowerCase() === 'bearer' ? value : networkingToken;
  const user = typeof token === 'string' ? await users.byToken(token) : undefined;
  if (!user) throw new ProblemError(problem('NOVA7653', {}));
  return user;
}
