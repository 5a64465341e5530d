import type { EngineClient } from '@nova-platform/contracts/engine/client';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';

/** `ReadOnlyAdmin` sees everything and changes nothing. */
export interface Identity {
  name: string;
  role: 'SuperUser' | 'ReadOnlyAdmin';
}

export interface ApiOptions {
  engine: () => EngineClient;
  /** The API migrates its own tables. */
  // biome-ignore lint/suspicious/noExplicitAny: other parts have tables in the same store
  store: Kysely<any>;
  /** Throws a problem with the status 401 unless the request has a valid token. */
  authenticate: (request: FastifyRequest) => Promise<Identity>;
  /** All users, for the list of permissions. */
  users: () => Promise<readonly Identity[]>;
}

/** Serves the API at `/ovirt-engine/api`. */
export async function serveApi(_app: FastifyInstance, _options: ApiOptions): Promise<void> {}
