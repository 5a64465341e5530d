import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { type HttpApi, isAnswered } from '@nova-platform/http';
import { createSealer, type Sealer } from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { GroupCommit, openStore } from '@nova-platform/store';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { createAdminApi } from './admin-api.ts';
import { createAgentApi } from './agent-api/index.ts';
import { Agents } from './agents.ts';
import { Authorities } from './authorities.ts';
import { Catalogs, type ConnectedManager } from './catalogs.ts';
import { Enrolment } from './enrolment.ts';
import { pruneHistory } from './history.ts';
import { Identities } from './identities.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { Nodes } from './nodes.ts';
import { Orders } from './orders.ts';
import { createRegistryApi } from './registry-api.ts';
import { Reports } from './reports.ts';
import { Revocations } from './revocations.ts';
import { ServiceCertificates } from './service-certificates.ts';
import { SharedKeys } from './shared-keys.ts';
import { type Database, prepareDatabase } from './store/database.ts';

export interface ConfigManagerOptions {
  /** Folder of the key and, by default, of the database. Created if it does not exist. */
  data: string;
  /** Opened and closed by the caller. Defaults to a file in the folder. */
  // biome-ignore lint/suspicious/noExplicitAny: others may have tables in it
  store?: Kysely<any>;
  /** The key that seals secrets in the database. If it is stored elsewhere, a stolen database is useless. */
  keyFile?: string;
  /** The DNS name of this server for nodes, and its address. */
  name: string;
  address: string;
  /** The address for nodes outside the platform's networks, if it differs. */
  addressOutside?: string;
  /** The image registry of nodes, as `name:port`. Defaults to the platform's registry. */
  registry?: string;
  /** The lifetime of certificates of platform servers. */
  certificateHours?: number;
  listen: { host: string; port: number };
  /** The socket for commands of users. Only its owner can connect. */
  socket: string;
  /**
   * The socket for the registry, only for its certificate and valid identities. The group of its folder can connect.
   */
  registrySocket?: string | undefined;
  metricsListen?: { host: string; port: number } | undefined;
  logger: FastifyBaseLogger;
  /** Milliseconds within which a node must send its body. */
  bodyTimeout?: number;
}

export interface Services {
  agents: Agents;
  authorities: Authorities;
  enrolment: Enrolment;
  identities: Identities;
  revocations: Revocations;
  catalogs: Catalogs;
  nodes: Nodes;
  reports: Reports;
  orders: Orders;
  serviceCertificates: ServiceCertificates;
  sharedKeys: SharedKeys;
  metrics: Metrics;
  manager: ConnectedManager;
  sealer: Sealer;
}

export interface ConfigManager {
  /** The port for nodes. */
  port: number;
  fingerprint: string;
  /** For callers in the same process. */
  services: Services;
  close: () => Promise<void>;
}

const minute = 60_000;
const hour = 60 * minute;

/** The Configuration Manager: enrols nodes, serves their approved catalogs, stores their reports. */
export async function startConfigManager(options: ConfigManagerOptions): Promise<ConfigManager> {
  const { data, name, address, listen, socket, logger } = options;
  const { registry = `hub.${defaultSite.universe.name}:5000` } = options;
  const { certificateHours = defaultSite.certificateHours } = options;
  // Closed in reverse order, also if the start fails midway.
  await using opened = new AsyncDisposableStack();
  if (await isAnswered(socket)) throw new ProblemError(problem('NOVA8032', { socket }));
  const keyFile = options.keyFile ?? join(data, 'master.key');
  const db = await openDatabase(options, opened);
  const sealer = await openSealer(db, data, keyFile);
  const authorities = await openAuthorities(data, keyFile, () => Authorities.open(db, sealer, certificateHours));
  const commit = new GroupCommit(db);
  const sharedKeys = new SharedKeys(db, sealer);
  const manager = {
    name,
    address,
    ...(options.addressOutside !== undefined && { addressOutside: options.addressOutside }),
    registry,
    port: listen.port,
    authority: await authorities.bundle(),
    fingerprint: await authorities.fingerprint(),
  };
  const identities = new Identities(db);
  const onForgotten = () => identities.changed();
  const catalogs = new Catalogs(db, { sealer, authorities, sharedKeys, manager, onForgotten });
  const nodes = new Nodes(db, commit, (err) => logger.error({ err }, 'facts could not be written'));
  const orders = new Orders();
  const revocations = new Revocations(db, { catalogs, nodes, orders });
  const publishAgain = (node?: string) =>
    revocations.publishAgain(node).catch((err: unknown) => logger.error({ err }, 'revocations could not be published'));
  const enrolment = new Enrolment(
    db,
    authorities,
    (node) => catalogs.planOf(node),
    (node, change) => {
      identities.changed();
      if (change === 'enrolled') void publishAgain(node);
    },
  );
  const reports = new Reports(db, commit);
  const services: Services = {
    agents: new Agents({ nodes, enrolment, orders, reports }),
    authorities,
    sharedKeys,
    enrolment,
    identities,
    revocations,
    catalogs,
    nodes,
    reports,
    orders,
    serviceCertificates: new ServiceCertificates(db, authorities, (node) => enrolment.certificateOf(node)),
    metrics: createMetrics(() => connections()),
    manager,
    sealer,
  };

  const serverCertificate = () => authorities.serverCertificate([name], [address]);
  const { renewAfterHours, ...certificate } = await serverCertificate();
  const tls = { ca: manager.authority, ...certificate };
  const agentApi = createAgentApi(services, { tls, logger, bodyTimeout: options.bodyTimeout ?? 30_000 });
  const adminApi = await createAdminApi(services);
  opened.defer(async () => {
    orders.close();
    await Promise.all([agentApi.close(), adminApi.close()]);
    await services.nodes.flush();
  });
  let open = 0;
  const connections = () => open;
  agentApi.server.on('connection', (connection) => {
    open += 1;
    connection.once('close', () => {
      open -= 1;
    });
  });

  await listening(`${listen.host}:${listen.port}`, agentApi.listen({ ...listen, backlog: 4096 }));
  await listenLocally(adminApi, socket, 0o600);
  opened.defer(() => rm(socket, { force: true }));
  if (options.registrySocket !== undefined) {
    const registryApi = await createRegistryApi(services);
    opened.defer(() => registryApi.close());
    await listenLocally(registryApi, options.registrySocket, 0o660);
  }
  if (options.metricsListen) {
    const server = await serveMetrics(services.metrics, options.metricsListen);
    opened.defer(() => void server.close());
  }

  const renew = async () => {
    const server = agentApi.server as unknown as { setSecureContext: (context: SecureContextOptions) => void };
    server.setSecureContext({ ...tls, ...(await serverCertificate()) });
  };
  const renewal = setInterval(() => {
    renew().catch((err: unknown) => logger.error({ err }, 'the certificate could not be renewed'));
  }, renewAfterHours * hour);
  const prune = () => pruneHistory(db).catch((err: unknown) => logger.error({ err }, 'history could not be pruned'));
  const pruning = setInterval(prune, hour);
  // Also when restarts are frequent, but not while agents and users wait for this one.
  const firstPruning = setTimeout(prune, minute);
  opened.defer(() => [renewal, pruning, firstPruning].forEach(clearInterval));
  void publishAgain();

  const { port } = agentApi.server.address() as { port: number };
  manager.port = port;
  logger.info({ port, socket, fingerprint: manager.fingerprint }, 'ready');
  const running = opened.move();
  return { port, fingerprint: manager.fingerprint, services, close: () => running.disposeAsync() };
}

async function listenLocally(api: HttpApi, socket: string, mode: number): Promise<void> {
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  await rm(socket, { force: true });
  await listening(socket, api.listen({ path: socket }));
  await chmod(socket, mode);
}

async function listening<T>(address: string, attempt: Promise<T>): Promise<T> {
  return attempt.catch((error: NodeJS.ErrnoException) => {
    throw new ProblemError(problem('NOVA8033', { address, reason: error.code ?? error.message }));
  });
}

async function openDatabase({ data, store }: ConfigManagerOptions, opened: AsyncDisposableStack): Promise<Database> {
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    if (store) return await prepareDatabase(store);
    const own = await openStore({ kind: 'sqlite', file: join(data, 'config.db') });
    opened.defer(() => own.destroy());
    return await prepareDatabase(own);
  } catch (error) {
    throw unusable(data, (error as Error).message);
  }
}

async function openSealer(db: Database, data: string, keyFile: string): Promise<Sealer> {
  const sealed = await db.selectFrom('authorities').select('name').executeTakeFirst();
  try {
    // A new key cannot open existing secrets.
    if (!sealed) await createMasterKey(keyFile);
    return createSealer(await readMasterKey(keyFile));
  } catch (error) {
    throw unusable(data, (error as Error).message);
  }
}

function unusable(folder: string, reason: string): ProblemError {
  return new ProblemError(problem('NOVA8034', { folder, reason }));
}

/** Creates the key atomically and never replaces an existing one. */
async function createMasterKey(file: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, randomBytes(32).toString('base64'), { mode: 0o600, flush: true });
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary);
  }
}

async function readMasterKey(file: string): Promise<Buffer> {
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64');
  if (key.length !== 32) throw new Error(`${file} is not a key of 32 bytes in base64`);
  return key;
}

/** The key file may belong to another database. */
async function openAuthorities(data: string, keyFile: string, open: () => Promise<Authorities>): Promise<Authorities> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw unusable(data, `${keyFile} does not open it`);
  }
}

function serveMetrics({ registry }: Metrics, { host, port }: { host: string; port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    void registry.metrics().then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text));
  });
  const ready = new Promise<Server>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
  return listening(`${host}:${port}`, ready);
}
