import { randomBytes } from 'node:crypto';
import type { Journal } from '@nova-platform/operations';
import { openJournal } from '@nova-platform/operations/testing';
import { createSealer } from '@nova-platform/pki';
import type { StoreLocation } from '@nova-platform/store';
import type { Kysely } from 'kysely';
import { createTofuTables, type TofuSchema } from './schema.ts';
import { StateServer } from './state-server.ts';
import { TofuStates } from './states.ts';

export interface TestStates extends AsyncDisposable {
  journal: Journal<TofuSchema>;
  states: TofuStates;
  server: StateServer;
}

/** States in a new store, and their http backend. */
export async function serveStates(location: StoreLocation): Promise<TestStates> {
  const journal = (await openJournal(location)) as unknown as Journal<TofuSchema>;
  await createTofuTables(journal.db as unknown as Kysely<unknown>);
  const states = new TofuStates(journal, createSealer(randomBytes(32)));
  const server = await StateServer.start(states);
  return {
    journal,
    states,
    server,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await journal.db.destroy();
    },
  };
}
