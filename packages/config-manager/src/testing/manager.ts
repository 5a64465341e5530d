import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { configClient } from '../client.ts';
import { type ConfigManager, startConfigManager } from '../manager.ts';
import { createRequest, SimulatedAgent } from './agent.ts';

export interface TestManager {
  manager: ConfigManager;
  client: ReturnType<typeof configClient>;
  folder: string;
  /** Everything that was logged so far. */
  log: () => string;
  /** Refusals that were logged so far. */
  refusals: () => { code: string; path: string }[];
  /** An agent of that name, enrolled; with a key that is there already this is faster. */
  enrolled: (name: string, key?: string) => Promise<SimulatedAgent>;
  /** Stops it and starts it again on the same data, at the same port. */
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
  const agents: SimulatedAgent[] = [];
  const start = (port: number) =>
    startConfigManager({
      data: join(folder, 'data'),
      name: 'config.universe.nova.internal',
      address: '127.0.0.1',
      listen: { host: '127.0.0.1', port },
      socket,
      logger: pino(sink),
      ...options,
    });
  const test: TestManager = {
    manager: await start(0),
    client: configClient(socket),
    folder,
    log: () => log,
    refusals: () =>
      log
        .split('\n')
        .filter((line) => line.includes('"msg":"refused"'))
        .map((line) => JSON.parse(line) as { code: string; path: string }),
    enrolled: async (name, key) => {
      const agent = new SimulatedAgent(name, test.manager.port);
      agents.push(agent);
      const { token } = await test.client.createToken(name, 60);
      const { status, body } = await agent.enrol(token, await createRequest(name, { token, ...(key && { key }) }));
      if (status !== 200) throw new Error(`${name} is not enrolled: ${body}`);
      return agent;
    },
    restart: async () => {
      const { port } = test.manager;
      await test.manager.close();
      test.manager = await start(port);
      for (const agent of agents) agent.reconnect();
    },
    remove: async () => {
      for (const agent of agents) agent.close();
      await test.manager.close();
      await rm(folder, { recursive: true });
    },
  };
  return test;
}
