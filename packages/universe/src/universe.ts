import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SecureContextOptions } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import {
  ClusterChanges,
  ClusterConnections,
  type ClusterOperations,
  Clusters,
  clusterOperations,
  Delivery,
  slowdownOf,
} from '@nova-platform/cluster';
import { type ConfigManager, type PlanSummary, startConfigManager } from '@nova-platform/config-manager';
import { EngineIdentity } from '@nova-platform/contracts/engine/identity';
import { type RegistryClient, registryClient } from '@nova-platform/contracts/registry/client';
import type { Status } from '@nova-platform/contracts/universe';
import { Releases } from '@nova-platform/delivery';
import { resolverCorefile } from '@nova-platform/dns';
import { openRepositories, type Repositories } from '@nova-platform/git';
import type { HttpApi } from '@nova-platform/http';
import {
  existingProvider,
  localProvider,
  Providers,
  StateServer,
  suitableKind,
  Tofu,
  type TofuFolders,
  TofuStates,
} from '@nova-platform/infra';
import { Journal, Operations } from '@nova-platform/operations';
import { type Site, universeNames } from '@nova-platform/plan';
import { isPostgres, migrate, openStore, type StoreLocation } from '@nova-platform/store';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { Users } from './access/users.ts';
import { ImageQuota } from './api/image-quota.ts';
import { createApi } from './api/server.ts';
import { Audit } from './audit.ts';
import { collectImages } from './collect-images.ts';
import { joinedHosts } from './hosts/hosts.ts';
import { HostJoins } from './hosts/join.ts';
import { HostRepository } from './hosts/repository.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { Machines } from './machines/machines.ts';
import { type MachineOperations, machineOperations } from './machines/operations.ts';
import { MachineStorage } from './machines/storage.ts';
import { type StorageOperations, storageOperations } from './machines/storage-operations.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { statusOf } from './status.ts';
import { migrations } from './store/migrations.ts';
import type { Schema } from './store/schema.ts';

export interface UniverseConfig {
  /** The folder of all persistent data; created if it is missing. */
  data: string;
  /** By default SQLite in the data folder. */
  store?: StoreLocation | undefined;
  /** Names and addresses of the platform. */
  site: Site;
  /** The address for users, programs and nodes. */
  listen: { host: string; port: number };
  /** The socket for root on this host, without a token. */
  socket: string;
  /** The address for agents, the socket for administrators, and the socket from which the registry gets its certificate. */
  config: { listen: { host: string; port: number }; socket: string; registrySocket?: string };
  registrySocket: string;
  /** Universe writes the repositories; a separate service serves them on the socket. */
  git: { folder: string; socket: string };
  /** Universe writes the Corefile of the resolver. */
  resolver: { corefile: string; servers: readonly string[]; healthPort: number };
  /** Creates the machines of other infrastructure than this host. */
  tofu?: TofuFolders | undefined;
  /** By default those of a usual site. */
  limits?: Limits | undefined;
  /** The folder of the web console; without a folder it is not served. */
  console?: string | undefined;
  logger: FastifyBaseLogger;
}

export interface Universe {
  port: number;
  fingerprint: string;
  parts: Parts;
  close: () => Promise<void>;
}

/** The parts that the API uses. */
export interface Parts {
  journal: Journal<Schema>;
  config: ConfigManager;
  registry: RegistryClient;
  imageQuota: ImageQuota;
  repositories: Repositories;
  gitSocket: string;
  engine: EngineIdentity;
  machines: Machines;
  storage: MachineStorage;
  hostRepository: HostRepository;
  joins: HostJoins;
  clusters: Clusters;
  changes: ClusterChanges;
  connections: ClusterConnections;
  infra: Providers;
  delivery: Delivery;
  kinds: ClusterOperations &
    MachineOperations &
    StorageOperations & { collectImages: ReturnType<typeof collectImages> };
  operations: Operations<Schema>;
  users: Users;
  audit: Audit;
  metrics: Metrics;
  status: () => Promise<Status>;
  /** Missing without its program and providers. */
  tofu: Tofu | undefined;
  site: Site;
  logger: FastifyBaseLogger;
}

const hour = 3600_000;
const cacheKibibytes = 64 * 1024;

/** Wires the parts of the management server and starts it. */
export async function createUniverse(options: UniverseConfig): Promise<Universe> {
  const { data, site, logger } = options;
  // Closed in reverse order, also if the start fails.
  await using opened = new AsyncDisposableStack();
  const onError = (what: string) => (err: unknown) => logger.error({ err }, what);

  await mkdir(data, { recursive: true, mode: 0o700 });
  opened.defer(lockFolder(data));
  const store = await openStore<Schema>(options.store ?? { kind: 'sqlite', file: join(data, 'universe.db') });
  opened.defer(() => store.destroy());
  // A page of clusters counts thousands of nodes. With SQLite's default cache of 2 MB, each page is read from the file.
  if (!isPostgres(store)) await sql`pragma cache_size = ${sql.lit(-cacheKibibytes)}`.execute(store);
  await migrate(store, 'universe', migrations);
  const journal = new Journal(store);

  const config = await startConfigManager({
    data,
    store,
    name: `config.${site.universe.name}`,
    address: site.universe.address,
    addressOutside: site.universe.externalAddress,
    registry: `hub.${site.universe.name}:5000`,
    certificateHours: site.certificateHours,
    logger,
    ...options.config,
  });
  opened.defer(() => config.close());
  const { catalogs, authorities, sealer } = config.services;

  const limits = options.limits ?? defaultLimits;
  const registry = registryClient(options.registrySocket);
  const repositories = await openRepositories(options.git.folder, (line) => logger.warn({ line }, 'git'));
  const releases = new Releases(await repositories.ensure('release'));
  const engine = await EngineIdentity.open('Universe', join(data, 'engine'));
  let published = Promise.resolve();
  // One write at a time, so that the newest state is written last.
  const publishNames = () => {
    const publish = async () =>
      writeCorefile(options.resolver.corefile, options, zonesOf(await catalogs.plans.summaries()));
    published = published.then(publish, publish);
    return published;
  };
  await publishNames();

  const states = new TofuStates(journal, sealer);
  const server = opened.use(await StateServer.start(states));
  const tofu = options.tofu && new Tofu({ ...options.tofu, states, server });
  const local = localProvider(engine);
  const hostRepository = new HostRepository(join(data, 'hosts'));
  const infra = new Providers({ local, existing: existingProvider(joinedHosts(config, hostRepository)) });
  const clusters = new Clusters(
    journal,
    sealer,
    site,
    (except) => catalogs.plans.all(except),
    () => releases.newest(),
    () => suitableKind(local),
    limits.nodes,
  );
  const connections = new ClusterConnections(authorities, (plan) => slowdownOf({ plan, infra }).catch(() => 1));
  const url = `https://git.${site.universe.name}/git/release.git`;
  const delivery = new Delivery({
    clusters,
    connections,
    secrets: (cluster) => catalogs.approvedSecrets(cluster),
    config,
    releases,
    url,
  });
  const machines = new Machines(engine, clusters);
  const storage = new MachineStorage(machines);
  const tools = { clusters, config, connections, delivery, infra, publishNames };
  const kinds = {
    ...clusterOperations(tools),
    ...machineOperations(machines, sealer),
    ...storageOperations(storage),
    collectImages: collectImages(registry),
  };
  const operations = new Operations(journal, Object.values(kinds), onError('an operation waits for the store'));
  opened.defer(() => operations.close());

  const changes = new ClusterChanges({ ...tools, registry, operations, kinds });
  const users = new Users(journal);
  const audit = new Audit(journal);
  const metrics = createMetrics(journal);
  const parts = {
    journal,
    config,
    registry,
    imageQuota: new ImageQuota(registry, limits.registryBytes),
    repositories,
    gitSocket: options.git.socket,
    engine,
    machines,
    storage,
    hostRepository,
    joins: new HostJoins(config, clusters, site),
    clusters,
    changes,
    connections,
    infra,
    delivery,
    kinds,
    operations,
    users,
    audit,
    metrics,
    site,
    tofu,
    logger,
  };
  const status = statusOf(parts, { data, resolverHealthPort: options.resolver.healthPort });
  const serverCertificate = async () => {
    const { address, externalAddress } = site.universe;
    return authorities.serverCertificate(universeNames(site), [address, externalAddress, '127.0.0.1']);
  };
  const { renewAfterHours, ...certificate } = await serverCertificate();
  const tls = { ca: await authorities.bundle(), ...certificate };
  const api = await createApi({ ...parts, status }, tls, options.console);
  const localApi = await createApi({ ...parts, status }, undefined);
  opened.defer(async () => void (await Promise.all([api.close(), localApi.close()])));

  const every = (milliseconds: number, what: string, work: () => Promise<void>) => {
    const timer = setInterval(() => void work().catch(onError(what)), milliseconds);
    opened.defer(() => clearInterval(timer));
  };
  every(renewAfterHours * hour, 'the certificate could not be renewed', async () =>
    setCertificate(api, { ...tls, ...(await serverCertificate()) }),
  );
  every(hour, 'the certificate toward the engine could not be renewed', () => engine.renew());
  every(hour, 'old events could not be removed', () => journal.prune());
  every(hour / 6, 'the credentials of Flux could not be renewed', async () => {
    for (const { cluster } of await catalogs.plans.summaries())
      await delivery.renew(cluster).catch(onError(`the credentials of Flux in ${cluster} could not be renewed`));
  });

  await operations.recover();
  await api.listen(options.listen);
  await listenLocally(localApi, options.socket);
  opened.defer(() => rm(options.socket, { force: true }));

  const { port } = api.server.address() as { port: number };
  logger.info({ port, fingerprint: config.fingerprint }, 'universe is ready');
  const running = opened.move();
  return { port, fingerprint: config.fingerprint, parts: { ...parts, status }, close: () => running.disposeAsync() };
}

/** Locks the data folder: only one Universe can use it. The kernel releases the lock when the process exits. */
function lockFolder(data: string): () => void {
  const lock = new DatabaseSync(join(data, 'lockFolder.db'));
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    throw new ProblemError(problem('NOVA8330', { folder: data }));
  }
  return () => lock.close();
}

/** The base domains of clusters, and their DNS servers. */
function zonesOf(plans: readonly PlanSummary[]): { name: string; servers: string[] }[] {
  const zones = plans.flatMap(({ zone }) => zone ?? []);
  // Two clusters declared at the same moment can have the same zone. The resolver refuses a file with a duplicate.
  return zones.filter(({ name }, index) => zones.findIndex((zone) => zone.name === name) === index);
}

/** The resolver is a separate service that reloads a changed file. */
async function writeCorefile(
  file: string,
  { site, resolver }: UniverseConfig,
  zones: { name: string; servers: string[] }[],
): Promise<void> {
  const names = universeNames(site).map((name) => ({ name, addresses: [site.universe.address] }));
  const { servers, healthPort } = resolver;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, resolverCorefile({ domain: site.domain, names, zones, servers, healthPort }));
  await rename(`${file}.new`, file);
}

async function listenLocally(api: HttpApi, socket: string): Promise<void> {
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  await rm(socket, { force: true });
  await api.listen({ path: socket });
  await chmod(socket, 0o600);
}

function setCertificate(api: HttpApi, context: SecureContextOptions): void {
  (api.server as unknown as { setSecureContext: (context: SecureContextOptions) => void }).setSecureContext(context);
}
