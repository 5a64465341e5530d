import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { type ClusterSecrets, proxyVariables } from '@nova-platform/catalog';
import type { ConfigManager } from '@nova-platform/config-manager';
import {
  commonValuesOf,
  deliveredModules,
  fluxObjects,
  gitopsNamespace,
  graphProblems,
  ingressCertificate,
  ingressNamespace,
  isTenantName,
  kustomizationOf,
  type ModuleState,
  missingControllers,
  moduleObjects,
  moduleProxyObjects,
  moduleProxyPlaces,
  moduleStates,
  moduleValues,
  objectQuota,
  type PodProxy,
  type PublishedRelease,
  podProxy,
  proxyPlaces,
  type Releases,
  revisionOf,
  sourceLacks,
  sourceName,
  sourceObjects,
  type Tenant,
  tenantLabel,
  tenantObjects,
  tenantPolicies,
} from '@nova-platform/delivery';
import { KubernetesApi, KubernetesError, type KubernetesObject } from '@nova-platform/kubernetes';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import type { ClusterPlan, PlannedCertificate } from '@nova-platform/plan';
import { ReleaseAccess } from './access/release-access.ts';
import type { ClusterWork } from './cluster-work.ts';
import type { Clusters } from './clusters.ts';

type Log = (line: string) => void;

const pause = 500;
const timeout = 10 * 60_000;
/** Until a quota that is new bounds everything it names; the team is there all the same. */
const countingTime = 90_000;

export interface DeliveryOptions {
  clusters: Pick<Clusters, 'has'>;
  /** What a cluster's documents keep secret. */
  secrets: (cluster: string) => Promise<ClusterSecrets>;
  work: Pick<ClusterWork, 'plan' | 'access'>;
  config: ConfigManager;
  releases: Releases;
  /** Where clusters fetch releases. */
  url: string;
}

/** A module of a cluster's release, and how it is in the cluster. */
export interface ModuleView {
  name: string;
  category: 'base' | 'additional';
  version: string;
  needs: string[];
  description: { en: string; ru: string };
  state: ModuleState['state'] | 'off' | 'unknown';
  reason?: string;
  repaired?: { at: string; objects: string[] };
}

/** What delivering the platform's modules to a cluster takes; each part finds its own work done. */
export class DeliveryWork {
  readonly #options: DeliveryOptions;
  readonly #access: ReleaseAccess;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#access = new ReleaseAccess(options.config.services.sealer);
  }

  get releases(): Releases {
    return this.#options.releases;
  }

  /** The cluster whose Flux has this token. */
  async clusterOf(token: string): Promise<string | undefined> {
    const cluster = this.#access.clusterOf(token);
    return cluster !== undefined && (await this.#options.clusters.has(cluster)) ? cluster : undefined;
  }

  /** Refuses a plan whose modules its release cannot deliver; everything that is wrong at once. */
  async demandDeliverable({ release, modules }: ClusterPlan): Promise<PublishedRelease | undefined> {
    if (release === undefined || modules.length === 0) return undefined;
    const published = await this.releases.show(release);
    const names = modules.map(({ name }) => name);
    const problems = graphProblems(release, published.modules, names);
    if (problems.length > 0) throw new ProblemError(...problems);
    return published;
  }

  /** Flux as the release has it, until all of it runs. */
  async setUpFlux(plan: ClusterPlan, log: Log, signal: AbortSignal): Promise<void> {
    const cluster = plan.cluster.name;
    const release = await this.#releaseOf(plan);
    if (!release) return log('this cluster has no modules');
    const objects = fluxObjects(release, await this.releases.fluxDefinitions(release.version), {
      imageRepository: this.#imageRepository,
      zone: plan.declared.clusterConfiguration.k8sDefaultDnsZone,
      apiAddress: plan.services.kubernetes,
      proxy: await this.#proxyOf(plan),
    });
    await this.#withApi(plan, async (api) => {
      for (const object of [...objects, ...tenantPolicies()]) await api.apply(object);
      if (!plan.proxy) for (const object of proxyPlaces(gitopsNamespace)) await api.remove(object);
      await boundTenants(api);
      await until(
        async () => {
          const missing = await missingControllers(api);
          return missing.length === 0 ? undefined : `waits for ${missing.join(', ')}`;
        },
        { log, signal, failed: (reason) => problem('NOVA8408', { cluster, reason }) },
      );
    });
  }

  /** The release, until Flux has fetched it. */
  async connectSource(plan: ClusterPlan, log: Log, signal: AbortSignal): Promise<void> {
    const cluster = plan.cluster.name;
    const release = await this.#releaseOf(plan);
    if (!release) return;
    await this.#withApi(plan, async (api) => {
      for (const object of this.#sourceOf(cluster, release.version)) await api.apply(object);
      await until(() => sourceLacks(api, revisionOf(release)), {
        log,
        signal,
        failed: (reason) => problem('NOVA8409', { cluster, reason }),
      });
    });
  }

  /** Tells Flux which modules there should be, with their values; those that should not are gone at the end. */
  async declareModules(plan: ClusterPlan, log: Log, signal: AbortSignal): Promise<void> {
    const cluster = plan.cluster.name;
    const release = await this.#releaseOf(plan);
    if (!release) return;
    await this.#withApi(plan, async (api) => {
      await this.#renewCertificate(api, plan);
      const { metadata } = await api.get<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system');
      await api.apply(commonValuesOf(plan, { clusterId: metadata.uid, imageRepository: this.#imageRepository }));
      const proxy = await this.#proxyOf(plan);
      for (const object of proxy ? moduleProxyObjects(plan, proxy) : []) await api.apply(object);
      for (const object of moduleObjects(plan, release.modules)) await api.apply(object);
      for (const object of proxy ? [] : moduleProxyPlaces(plan)) await api.remove(object);
      const gone = (await deliveredModules(api)).filter((name) => !plan.modules.some((module) => module.name === name));
      for (const name of gone) {
        log(`${name} goes, with everything it made`);
        await api.remove(kustomizationOf(name));
      }
      await until(
        async () => {
          const left = (await deliveredModules(api)).filter((name) => gone.includes(name));
          return left.length === 0 ? undefined : `waits until ${left.join(', ')} is gone`;
        },
        { log, signal, failed: (reason) => problem('NOVA8407', { module: gone.join(', '), cluster, reason }) },
      );
      for (const name of gone) await api.remove(configMap(moduleValues(name)));
    });
  }

  /** Until a module is ready; says what it waits for whenever that changes. */
  async waitForModule(plan: ClusterPlan, module: string, log: Log, signal: AbortSignal): Promise<void> {
    const cluster = plan.cluster.name;
    const release = await this.#releaseOf(plan);
    if (!release) return;
    const revision = revisionOf(release);
    await this.#withApi(plan, (api) =>
      until(
        async () => {
          const found = (await moduleStates(api, revision)).find(({ name }) => name === module);
          return found?.state === 'ready' ? undefined : (found?.reason ?? 'Flux does not know it yet');
        },
        { log, signal, failed: (reason) => problem('NOVA8407', { module, cluster, reason }) },
      ),
    );
  }

  /** The modules of a cluster's release, and how each is; those in the cluster also when its API is away. */
  async modules(cluster: string): Promise<{ release: string; modules: ModuleView[] }> {
    const plan = await this.#options.work.plan(cluster);
    const release = await this.#releaseOf(plan);
    if (!release) throw new ProblemError(problem('NOVA8410', { cluster }));
    const found = await this.#withApi(plan, (api) => moduleStates(api, revisionOf(release))).catch(
      (error: Error) => error,
    );
    const modules = release.modules.map((module): ModuleView => {
      const { images: _images, ...described } = module;
      const isWanted = plan.modules.some(({ name }) => name === module.name);
      if (found instanceof Error)
        return { ...described, ...(isWanted ? { state: 'unknown', reason: found.message } : { state: 'off' }) };
      const { state, reason, repaired } = found.find(({ name }) => name === module.name) ?? { state: 'off' as const };
      return {
        ...described,
        state,
        ...(reason !== undefined && { reason }),
        ...(repaired && { repaired: { ...repaired, at: repaired.at.toISOString() } }),
      };
    });
    return { release: release.version, modules };
  }

  /** A place of its own for a team; answers what it consists of. */
  async createTenant(cluster: string, tenant: Tenant): Promise<string[]> {
    const plan = await this.#options.work.plan(cluster);
    if (!(await this.#releaseOf(plan))) throw new ProblemError(problem('NOVA8410', { cluster }));
    if (!isTenantName(tenant.name)) throw new ProblemError(problem('NOVA8413', { tenant: tenant.name }));
    return this.#withApi(plan, async (api) => {
      const objects = tenantObjects(tenant);
      const found = await api
        .get<{ metadata: { labels?: Record<string, string> } }>(`/api/v1/namespaces/${tenant.name}`)
        .catch(nothingWhenAbsent);
      // Somebody else's namespace is not taken over.
      if (found && found.metadata.labels?.[tenantLabel] !== tenant.name)
        throw new ProblemError(problem('NOVA8412', { cluster, tenant: tenant.name }));
      for (const object of objects) await api.apply(object);
      await untilCounted(api, tenant.name);
      return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    });
  }

  /** Renews what Flux and the ingress controllers of a cluster are known by, where it is time. */
  async renew(cluster: string): Promise<void> {
    const plan = await this.#options.work.plan(cluster);
    const release = await this.#releaseOf(plan);
    if (!release) return;
    await this.#withApi(plan, async (api) => {
      const secret = await secretOf(api, gitopsNamespace, sourceName);
      // Before it has one it is being made.
      if (!secret) return;
      if (!this.#access.isFresh(secret.password ?? '', cluster))
        for (const object of this.#sourceOf(cluster, release.version)) await api.apply(object);
      await this.#renewCertificate(api, plan);
    });
  }

  /** One that was made for other names, or has less than a third of its time left, gives way to a new one. */
  async #renewCertificate(api: KubernetesApi, { certificates, cluster }: ClusterPlan): Promise<void> {
    const planned = certificates.find(({ key }) => key.in === 'secret' && key.namespace === ingressNamespace);
    if (!planned) return;
    const secret = await secretOf(api, ingressNamespace, planned.name);
    if (secret?.['tls.crt'] && isGood(secret['tls.crt'], planned, new Date())) return;
    const issuer = await this.#options.config.services.authorities.issuerOf(cluster.name, planned.issuer);
    const { privateKey, publicKey } = await createKeyPair();
    const { certificate } = await issueCertificate(issuer, { ...planned, publicKey });
    const chain = certificate.trimEnd().concat('\n', issuer.certificate);
    for (const object of ingressCertificate({ certificate: chain, key: privateKey })) await api.apply(object);
  }

  async #proxyOf(plan: ClusterPlan): Promise<PodProxy | undefined> {
    if (!plan.proxy) return undefined;
    const secrets = await this.#options.secrets(plan.cluster.name);
    return podProxy(plan, Object.fromEntries(proxyVariables({ plan, secrets })));
  }

  #sourceOf(cluster: string, release: string): KubernetesObject[] {
    const { config, url } = this.#options;
    const { authority } = config.services.manager;
    return sourceObjects(release, { url, authority, token: this.#access.tokenFor(cluster) });
  }

  get #imageRepository(): string {
    return `${this.#options.config.services.manager.registry}/nova`;
  }

  /** The release that the modules of a plan come from; nothing where nothing is delivered. */
  async #releaseOf({ modules, release }: ClusterPlan): Promise<PublishedRelease | undefined> {
    if (modules.length === 0) return undefined;
    if (release === undefined) throw new ProblemError(problem('NOVA8411', {}));
    return this.releases.show(release);
  }

  async #withApi<T>(plan: ClusterPlan, work: (api: KubernetesApi) => Promise<T>): Promise<T> {
    const api = new KubernetesApi(await this.#options.work.access(plan, 'nova-universe', 'system:masters'));
    try {
      return await work(api);
    } finally {
      api.close();
    }
  }
}

interface Waiting {
  log: Log;
  signal: AbortSignal;
  failed: (reason: string) => ReturnType<typeof problem>;
}

/** Looks until nothing is lacking; a lack is told when it is another one than before. */
async function until(look: () => Promise<string | undefined>, { log, signal, failed }: Waiting): Promise<void> {
  const deadline = Date.now() + timeout;
  let told = '';
  for (;;) {
    // Its API may be away for a moment.
    const lack = await look().catch((error: Error) => error.message);
    if (lack === undefined) return;
    if (lack !== told) log(lack);
    told = lack;
    if (Date.now() > deadline) throw new ProblemError(failed(lack));
    await sleep(pause, undefined, { signal });
  }
}

/** Teams that were made before there were bounds on objects get them; bounds that are there stay. */
async function boundTenants(api: KubernetesApi): Promise<void> {
  const label = encodeURIComponent(tenantLabel);
  const { items } = await api.get<{ items: KubernetesObject[] }>(`/api/v1/namespaces?labelSelector=${label}`);
  for (const { metadata } of items) {
    const wanted = objectQuota(metadata.name);
    const path = `/api/v1/namespaces/${metadata.name}/resourcequotas/${wanted.metadata.name}`;
    if (!(await api.get(path).catch(nothingWhenAbsent))) await api.apply(wanted);
  }
}

/**
 * Kubernetes refuses objects that a quota bounds until it has counted them once. It learns of new kinds every 30 seconds,
 * and counts them in a quota that it knows already only minutes later: where Flux is new, the quota is created again.
 */
async function untilCounted(api: KubernetesApi, tenant: string): Promise<void> {
  const quota = objectQuota(tenant);
  const path = `/api/v1/namespaces/${tenant}/resourcequotas/${quota.metadata.name}`;
  const isCounted = async () => {
    const { spec, status } = await api.get<{ spec: { hard: object }; status: { used?: object } }>(path);
    return Object.keys(spec.hard).every((kind) => Object.hasOwn(status.used ?? {}, kind));
  };
  for (let tries = 1; tries * pause < countingTime; tries += 1) {
    if (await isCounted()) return;
    await sleep(pause);
    if (tries % 10 !== 0) continue;
    await api.remove(quota);
    await api.apply(quota);
  }
}

function isGood(certificate: string, { dnsNames, lifetimeHours }: PlannedCertificate, now: Date): boolean {
  const { subjectAltName = '', validTo } = new X509Certificate(certificate);
  const names = subjectAltName.split(', ').map((name) => name.replace(/^DNS:/, ''));
  const left = Date.parse(validTo) - now.getTime();
  return dnsNames.every((name) => names.includes(name)) && left > (lifetimeHours * 3600_000) / 3;
}

async function secretOf(
  api: KubernetesApi,
  namespace: string,
  name: string,
): Promise<Record<string, string> | undefined> {
  const secret = await api
    .get<{ data?: Record<string, string> }>(`/api/v1/namespaces/${namespace}/secrets/${name}`)
    .catch(nothingWhenAbsent);
  return (
    secret &&
    Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    )
  );
}

function nothingWhenAbsent(error: unknown): undefined {
  if (!(error instanceof KubernetesError) || error.status !== 404) throw error;
}

function configMap(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: gitopsNamespace } };
}
