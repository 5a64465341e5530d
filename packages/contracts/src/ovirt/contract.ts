import { formatted } from '@nova-platform/api';
import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';

/** The port of the oVirt-compatible API at the host's address in the external network. */
export const ovirtPort = 8443;
/** The system user that runs the API. */
export const ovirtUser = 'nova-ovirt';
/** The API as a client of the engine. */
export const ovirtClientName = 'ovirt';
/** Everything that the API stores. */
export const ovirtFolder = '/var/lib/nova/ovirt';
/** Only root and the API itself can open it. */
export const ovirtSocket: string = `${ovirtFolder}/admin.sock`;

/** `ReadOnlyAdmin` sees everything and changes nothing. */
export const ovirtRoles = ['SuperUser', 'ReadOnlyAdmin'] as const;

const name = formatted('ovirtUser', 64);
const password = z.string().min(12).max(256);
const none = z.object({});
const params = z.object({ name });

/** The users of the oVirt-compatible API, for root on its host. */
export const ovirtContract = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'Whether the API is served, and the version of its program',
    access: 'anyone',
    response: z.object({ isServed: z.boolean(), url: z.string(), version: z.string(), users: z.int() }),
  },
  engineIdentity: {
    method: 'GET',
    path: '/v1/engine-identity',
    summary: 'The public key of the API as a client of the engine, and the end of its certificate',
    access: 'anyone',
    response: z.object({ publicKey: z.string(), notAfter: z.string().exactOptional() }),
  },
  acceptEngineIdentity: {
    method: 'PUT',
    path: '/v1/engine-identity',
    summary: 'Gives the API its certificate as a client of the engine',
    access: 'anyone',
    body: z.strictObject({ certificate: z.string(), authority: z.string(), host: z.string(), port: z.int() }),
    response: none,
  },
  listUsers: {
    method: 'GET',
    path: '/v1/users',
    summary: 'Users and their roles',
    access: 'anyone',
    response: z.array(z.object({ name: z.string(), role: z.enum(ovirtRoles), createdAt: z.string(), tokens: z.int() })),
  },
  createUser: {
    method: 'POST',
    path: '/v1/users',
    summary: 'Adds a user',
    access: 'anyone',
    body: z.strictObject({ name, role: z.enum(ovirtRoles), password }),
    response: none,
  },
  changePassword: {
    method: 'PUT',
    path: '/v1/users/:name/password',
    summary: 'Changes the password of a user, and revokes its tokens',
    access: 'anyone',
    params,
    body: z.strictObject({ password }),
    response: none,
  },
  removeUser: {
    method: 'DELETE',
    path: '/v1/users/:name',
    summary: 'Removes a user with its tokens',
    access: 'anyone',
    params,
    response: none,
  },
} as const satisfies Contract;
