import { chmod, rm } from 'node:fs/promises';
import type { EngineIdentity } from '@nova-platform/contracts/engine/identity';
import { ovirtContract } from '@nova-platform/contracts/ovirt';
import { createHttpApi, type HttpApi, serve } from '@nova-platform/http';
import type { FastifyBaseLogger } from 'fastify';
import type { Users } from './access/users.ts';

interface Options {
  users: Users;
  engine: EngineIdentity;
  socket: string;
  version: string;
  url: string;
  isServed: () => boolean;
  logger: FastifyBaseLogger;
}

/** Serves root on this host: any client that can open the socket can manage users. */
export async function serveAdmin(options: Options): Promise<HttpApi> {
  const { users, engine, socket, version, url, isServed, logger } = options;
  const api = await createHttpApi({ title: 'oVirt-compatible API: users', requestTimeout: 30_000, logger });
  serve(api, ovirtContract, {
    health: async () => ({ isServed: isServed(), url, version, users: (await users.list()).length }),
    engineIdentity: async () => {
      const { publicKey, notAfter } = engine;
      return { publicKey, ...(notAfter && { notAfter: notAfter.toISOString() }) };
    },
    acceptEngineIdentity: ({ body }) => done(engine.accept(body)),
    listUsers: async () => users.list(),
    createUser: ({ body }) => done(users.create(body)),
    changePassword: ({ params, body }) => done(users.changePassword(params.name, body.password)),
    removeUser: ({ params }) => done(users.remove(params.name)),
  });
  await rm(socket, { force: true });
  await api.listen({ path: socket });
  await chmod(socket, 0o600);
  return api;
}

async function done(work: Promise<void>): Promise<Record<string, never>> {
  await work;
  return {};
}
