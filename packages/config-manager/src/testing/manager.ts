import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { configClient } from '../client.ts';
import { type ConfigManager, startConfigManager } from '../manager.ts';

export interface TestManager {
  manager: ConfigManager;
  client: ReturnType<typeof configClient>;
  folder: string;
  /** Everything that was logged so far. */
  log: () => string;
  /** Stops it and starts it again on the same data. */
  restart: () => Promise<void>;
  remove: () => Promise<void>;
}

/** A Configuration Manager of a test's own, on a free port of this host. */
export async function startTestManager(options: { bodyTimeout?: number } = {}): Promise<TestManager> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-config-'));
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  const socket = join(folder, 'config.sock');
  const start = () =>
    startConfigManager({
      data: join(folder, 'data'),
      name: 'config.universe.nova.internal',
      address: '127.0.0.1',
      listen: { host: '127.0.0.1', port: 0 },
      socket,
      logger: pino(sink),
      ...options,
    });
  const test: TestManager = {
    manager: await start(),
    client: configClient(socket),
    folder,
    log: () => log,
    restart: async () => {
      await test.manager.close();
      test.manager = await start();
    },
    remove: async () => {
      await test.manager.close();
      await rm(folder, { recursive: true });
    },
  };
  return test;
}
