import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { ClusterSecrets, Facts } from '@nova-platform/catalog';
import {
  type ConfigClient,
  configClient,
  type ListedNode,
  type StoredReport,
} from '@nova-platform/contracts/config-manager/client';
import type { ClusterPlan } from '@nova-platform/plan';
import { openStore, type StoreLocation } from '@nova-platform/store';
import { pino } from 'pino';
import { type ConfigManager, startConfigManager } from '../manager.ts';
import type { Schema } from '../store/schema.ts';
import { createRequest, SimulatedAgent } from './agent.ts';

type Preview = Awaited<ReturnType<ConfigClient['previewPlan']>>;

export interface TestManager {
  manager: ConfigManager;
  client: ConfigClient;
  folder: string;
  approve: (plan: ClusterPlan, secrets?: ClusterSecrets, digest?: string) => Promise<Preview>;
  preview: (plan: ClusterPlan, secrets?: ClusterSecrets) => Promise<Preview>;
  nodes: () => Promise<ListedNode[]>;
  facts: (name: string) => Promise<Facts>;
  reports: (name: string, limit: number) => Promise<StoredReport[]>;
  /** A table of the database, read over another connection. */
  rows: (table: keyof Schema) => Promise<Record<string, unknown>[]>;
  /** The log so far. */
  log: () => string;
  /** Rejected requests in the log so far. */
  refusals: () => { code: string; path: string }[];
  /** Enrols an agent. Faster with an existing key. */
  enrolled: (name: string, key?: string) => Promise<SimulatedAgent>;
  /** Restarts the server with the same data and port. */
  restart: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface TestManagerOptions {
  bodyTimeout?: number;
  /** Defaults to a file in its folder. */
  location?: StoreLocation;
  /** Serves `registry-config.sock` in its folder. */
  hasRegistrySocket?: boolean;
}

/** A Configuration Manager for one test, on a free port of this host. */
export async function startTestManager({
  location,
  hasRegistrySocket = false,
  ...options
}: TestManagerOptions = {}): Promise<TestManager> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-config-'));
  const store = location && (await openStore<Schema>(location));
  const ownLocation: StoreLocation = { kind: 'sqlite', file: join(folder, 'data', 'config.db') };
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
      ...(hasRegistrySocket && { registrySocket: join(folder, 'registry-config.sock') }),
      logger: pino(sink),
      ...(store && { store }),
      ...options,
    });
  const test: TestManager = {
    manager: await start(0),
    client: configClient(socket),
    folder,
    approve: (plan, secrets = {}, digest) =>
      test.client.approvePlan({ body: { plan, secrets, ...(digest !== undefined && { digest }) } }),
    preview: (plan, secrets = {}) => test.client.previewPlan({ body: { plan, secrets } }),
    nodes: async () => (await test.client.listNodes({ query: {} })).nodes,
    facts: (name) => test.client.showFacts({ params: { name } }),
    reports: (name, limit) => test.client.listReports({ params: { name }, query: { limit } }),
    rows: async (table) => {
      const other = await openStore<Schema>(location ?? ownLocation);
      const rows = await other.selectFrom(table).selectAll().execute();
      await other.destroy();
      return rows;
    },
    log: () => log,
    refusals: () =>
      log
        .split('\n')
        .filter((line) => line.includes('"msg":"refused"'))
        .map((line) => JSON.parse(line) as { code: string; path: string }),
    enrolled: async (name, key) => {
      const agent = new SimulatedAgent(name, test.manager.port);
      agents.push(agent);
      const { token } = await test.client.createToken({ body: { node: name, lifetimeSeconds: 60 } });
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
      await store?.destroy();
      await rm(folder, { recursive: true });
    },
  };
  return test;
}
