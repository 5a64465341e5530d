import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultSite } from '@nova-platform/plan';
import { createUniverse, type Universe } from '@nova-platform/universe';
import { pino } from 'pino';

export const password = 'correct horse battery staple';

/** A Universe in this process: its folder, and a registry that the test drives by hand. */
export interface TestUniverse {
  folder: string;
  universe: Universe;
  url: string;
  registry: { collections: ServerResponse[] };
  /** Stops it without notifying connected clients, and starts it again on the same port. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

export async function startUniverse(): Promise<TestUniverse> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-cli-'));
  const registry: TestUniverse['registry'] = { collections: [] };
  const server = createServer((request, response) => {
    if (request.url === '/v1/collect') registry.collections.push(response.writeHead(200));
    else response.end('{}');
  }).listen(join(folder, 'registry.sock'));
  const start = (port: number) =>
    createUniverse({
      data: join(folder, 'data'),
      site: defaultSite,
      listen: { host: '127.0.0.1', port },
      socket: join(folder, 'universe.sock'),
      config: { listen: { host: '127.0.0.1', port: 0 }, socket: join(folder, 'config.sock') },
      registrySocket: join(folder, 'registry.sock'),
      git: { folder: join(folder, 'git'), socket: join(folder, 'git.sock') },
      resolver: { corefile: join(folder, 'resolver', 'Corefile'), servers: [], healthPort: 1 },
      logger: pino({ level: 'silent' }),
    });
  const universe = await start(0);
  await universe.parts.users.create('admin', 'admin', password);
  const started: TestUniverse = {
    folder,
    universe,
    url: `https://127.0.0.1:${universe.port}`,
    registry,
    restart: async () => {
      const { operations } = started.universe.parts;
      const close = operations.close.bind(operations);
      // Steps receive the stop signal first, then their pending requests break.
      operations.close = () => {
        const closed = close();
        for (const each of registry.collections) each.destroy();
        return closed;
      };
      const closing = started.universe.close();
      // Meanwhile, followers try to reconnect and fail.
      await sleep(500);
      await closing;
      started.universe = await start(started.universe.port);
    },
    close: async () => {
      for (const each of registry.collections) each.destroy();
      await started.universe.close();
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
  return started;
}
