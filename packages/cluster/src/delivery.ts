import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { type ClusterSecrets, proxyVariables } from '@nova-platform/catalog';
import type { ConfigManager } from '@nova-platform/config-manager';
import {
  gitopsNamespace,
  graphProblems,
  isTenantName,
  type ModuleState,
  moduleStates,
  objectQuota,
  type PodProxy,
  type PublishedRelease,
  podProxy,
  type Releases,
  revisionOf,
  sourceName,
  sourceObjects,
  type Tenant,
  tenantLabel,
  tenantObjects,
  tenantQuota,
  tlsSecret,
} from '@nova-platform/delivery';
import { ignoreNotFound, type KubernetesApi, type KubernetesObject, readiness } from '@nova-platform/kubernetes';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import type { ClusterPlan, PlannedCertificate } from '@nova-platform/plan';
import type { Clusters } from './clusters.ts';
import type { ClusterConnections } from './connections.ts';
import { reasonOf } from './reason.ts';
import { ReleaseAccess } from './release-access.ts';
import { timeoutsOf, type Waiting } from './timeouts.ts';

const pause = 500;
/** Polling interval and timeout of steps that wait for Flux. */
export async function waitOptions(waiting: Waiting) {
  return { every: pause, within: (await timeoutsOf(waiting)).delivered };
}

/** Until a new quota counts all its kinds; the tenant is created in any case. */
const countingTime = 90_000;

export interface DeliveryOptions {
  clusters: Pick<Clusters, 'has' | 'plan'>;
  connections: Pick<ClusterConnections, 'withApi'>;
  /** The secrets of a cluster's documents. */
  secrets: (cluster: string) => Promise<ClusterSecrets>;
  config: ConfigManager;
  releases: Releases;
  /** Where clusters fetch releases. */
  url: string;
}

/** A module of a cluster's release, and its state in the cluster. */
export interface ModuleView {
  name: string;
  category: 'base' | 'additional';
  version: string;
  needs: string[];
  description: { en: string; ru: string };
  state: ModuleState['state'] | 'off' | 'unknown';
  reason?: string | Text;
  /** Only for health, not part of the API. */
  reconcilingSince?: Date;
  repaired?: { at: string; objects: string[] };
}

/** A tenant as the cluster has it. */
export interface ListedTenant {
  name: string;
  createdAt: string;
  isBeingRemoved: boolean;
  quota?: Tenant['quota'];
}

interface NamespaceObject {
  metadata: {
    name: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
  };
}

interface QuotaObject {
  metadata: { name: string; namespace: string };
  spec: { hard: Record<string, string> };
}

/** What a cluster reports about its modules; an error while its API is unreachable. */
type Reported = { states: ModuleState[]; hasReadyNode: boolean } | Error;

/** Delivery of the platform's modules to clusters. */
export class Delivery {
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

  /**
   * The plan with the base modules of its release, which may lack some of ours, and the release. Refuses a plan whose
   * other modules the release cannot deliver; reports all problems at once.
   */
  async deliverable(plan: ClusterPlan): Promise<{ plan: ClusterPlan; release?: PublishedRelease }> {
    if (plan.release === undefined || plan.modules.length === 0) return { plan };
    const release = await this.releases.show(plan.release);
    const isReleased = (name: string) => release.modules.some((module) => module.name === name);
    const modules = plan.modules.filter(({ name, category }) => category !== 'base' || isReleased(name));
    const names = modules.map(({ name }) => name);
    const problems = graphProblems(plan.release, release.modules, names);
    if (problems.length > 0) throw new ProblemError(...problems);
    return { plan: { ...plan, modules }, release };
  }

  /** The modules of a cluster's release and their states; `unknown` while its API is unreachable. */
  async modules(cluster: string): Promise<{ release: string; modules: ModuleView[] }> {
    const plan = await this.#options.clusters.plan(cluster);
    const release = await this.releaseOf(plan);
    if (!release) throw new ProblemError(problem('NOVA8410', { cluster }));
    const reported = await this.#options.connections
      .withApi(plan, async (api): Promise<Reported> => {
        const [states, nodes] = await Promise.all([moduleStates(api, revisionOf(release)), readiness(api)]);
        return { states, hasReadyNode: nodes.size === 0 || [...nodes.values()].includes(undefined) };
      })
      .catch((error: Error) => error);
    return { release: release.version, modules: moduleViews(release.modules, plan, reported) };
  }

  /** Creates a tenant; returns its objects. */
  async createTenant(cluster: string, tenant: Tenant): Promise<string[]> {
    const plan = await this.#tenantPlan(cluster);
    if (!isTenantName(tenant.name)) throw new ProblemError(problem('NOVA8413', { tenant: tenant.name }));
    return this.#options.connections.withApi(plan, async (api) => {
      const objects = tenantObjects(tenant);
      const found = await api
        .get<{ metadata: { labels?: Record<string, string> } }>(`/api/v1/namespaces/${tenant.name}`)
        .catch(ignoreNotFound);
      // Never take over an existing namespace.
      if (found && found.metadata.labels?.[tenantLabel] !== tenant.name)
        throw new ProblemError(problem('NOVA8412', { cluster, tenant: tenant.name }));
      for (const object of objects) await api.apply(object);
      await waitUntilCounted(api, tenant.name);
      return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    });
  }

  /** The tenants of a cluster, by name. */
  async tenants(cluster: string): Promise<ListedTenant[]> {
    const plan = await this.#tenantPlan(cluster);
    return this.#options.connections.withApi(plan, async (api) => {
      const selector = `labelSelector=${encodeURIComponent(tenantLabel)}`;
      const [namespaces, quotas] = await Promise.all([
        api.get<{ items: NamespaceObject[] }>(`/api/v1/namespaces?${selector}`),
        api.get<{ items: QuotaObject[] }>(`/api/v1/resourcequotas?${selector}`),
      ]);
      return namespaces.items
        .filter(({ metadata }) => metadata.labels?.[tenantLabel] === metadata.name)
        .map(({ metadata }) => {
          const { name, creationTimestamp, deletionTimestamp } = metadata;
          const own = quotas.items.find((each) => each.metadata.namespace === name && each.metadata.name === name);
          return {
            name,
            createdAt: creationTimestamp,
            isBeingRemoved: deletionTimestamp !== undefined,
            ...(own && { quota: tenantQuota(own.spec.hard) }),
          };
        })
        .toSorted((one, other) => one.name.localeCompare(other.name));
    });
  }

  /** Removes the namespace of a tenant; Kubernetes deletes its objects. Other namespaces are refused. */
  async removeTenant(cluster: string, tenant: string): Promise<void> {
    const plan = await this.#tenantPlan(cluster);
    await this.#options.connections.withApi(plan, async (api) => {
      const found = await api.get<NamespaceObject>(`/api/v1/namespaces/${tenant}`).catch(ignoreNotFound);
      if (found?.metadata.labels?.[tenantLabel] !== tenant)
        throw new ProblemError(problem('NOVA8414', { cluster, tenant }));
      await api.remove({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: tenant } });
    });
  }

  /** Only clusters with modules have tenants. */
  async #tenantPlan(cluster: string): Promise<ClusterPlan> {
    const plan = await this.#options.clusters.plan(cluster);
    if (!(await this.releaseOf(plan))) throw new ProblemError(problem('NOVA8410', { cluster }));
    return plan;
  }

  /** Renews the token of Flux and the certificates of modules, if they expire soon. */
  async renew(cluster: string): Promise<void> {
    const plan = await this.#options.clusters.plan(cluster);
    const release = await this.releaseOf(plan);
    if (!release) return;
    await this.#options.connections.withApi(plan, async (api) => {
      const secret = await secretOf(api, gitopsNamespace, sourceName);
      // The cluster is being created.
      if (!secret) return;
      if (!this.#access.isFresh(secret.password ?? '', cluster))
        for (const object of this.sourceOf(cluster, release.version)) await api.apply(object);
      await this.renewCertificates(api, plan);
    });
  }

  /** Replaces certificates of modules that are for other names, or have less than a third of their lifetime left. */
  async renewCertificates(api: KubernetesApi, { certificates, cluster }: ClusterPlan): Promise<void> {
    for (const planned of certificates) {
      if (planned.key.in !== 'secret') continue;
      const secret = await secretOf(api, planned.key.namespace, planned.key.name);
      if (secret?.['tls.crt'] && isValid(secret['tls.crt'], planned, new Date())) continue;
      const issuer = await this.#options.config.services.authorities.issuerOf(cluster.name, planned.issuer);
      const { privateKey, publicKey } = await createKeyPair();
      const { certificate } = await issueCertificate(issuer, { ...planned, publicKey });
      const chain = certificate.trimEnd().concat('\n', issuer.certificate);
      const objects = tlsSecret(planned.key, { certificate: chain, key: privateKey });
      for (const object of objects) await api.apply(object);
    }
  }

  async proxyOf(plan: ClusterPlan): Promise<PodProxy | undefined> {
    if (!plan.proxy) return undefined;
    const secrets = await this.#options.secrets(plan.cluster.name);
    return podProxy(plan, Object.fromEntries(proxyVariables({ plan, secrets })));
  }

  sourceOf(cluster: string, release: string): KubernetesObject[] {
    const { config, url } = this.#options;
    const { authority } = config.services.manager;
    return sourceObjects(release, { url, authority, token: this.#access.tokenFor(cluster) });
  }

  get imageRepository(): string {
    return `${this.#options.config.services.manager.registry}/nova`;
  }

  /** The release that the modules of a plan come from; undefined for a plan without modules. */
  async releaseOf({ modules, release }: ClusterPlan): Promise<PublishedRelease | undefined> {
    if (modules.length === 0) return undefined;
    if (release === undefined) throw new ProblemError(problem('NOVA8411', {}));
    return this.releases.show(release);
  }
}

/**
 * Kubernetes refuses objects that a quota limits until it has counted them once. It discovers new kinds every 30 seconds,
 * and counts them in an existing quota only minutes later. Where Flux is new, the quota is therefore created again.
 */
async function waitUntilCounted(api: KubernetesApi, tenant: string): Promise<void> {
  const quota = objectQuota(tenant);
  const path = `/api/v1/namespaces/${tenant}/resourcequotas/${quota.metadata.name}`;
  const isCounted = async () => {
    const { spec, status } = await api.get<{ spec: { hard: object }; status: { used?: object } }>(path);
    return Object.keys(spec.hard).every((kind) => Object.hasOwn(status.used ?? {}, kind));
  };
  for (let attempt = 1; attempt * pause < countingTime; attempt += 1) {
    if (await isCounted()) return;
    await sleep(pause);
    if (attempt % 10 !== 0) continue;
    await api.remove(quota);
    await api.apply(quota);
  }
}

function isValid(certificate: string, { dnsNames, lifetimeHours }: PlannedCertificate, now: Date): boolean {
  const { subjectAltName = '', validTo } = new X509Certificate(certificate);
  const names = subjectAltName.split(', ').map((name) => name.replace(/^DNS:/, ''));
  const left = Date.parse(validTo) - now.getTime();
  return dnsNames.every((name) => names.includes(name)) && left > (lifetimeHours * 3600_000) / 3;
}

/** Without a ready node, Flux and the pods of modules do not run: what Flux reported before is no longer true. */
export function moduleViews(
  released: PublishedRelease['modules'],
  plan: Pick<ClusterPlan, 'modules'>,
  reported: Reported,
): ModuleView[] {
  return released.map((module): ModuleView => {
    const { images: _images, ...described } = module;
    const unknown = (reason: string | Text): ModuleView => {
      const isWanted = plan.modules.some(({ name }) => name === module.name);
      return { ...described, ...(isWanted ? { state: 'unknown', reason } : { state: 'off' }) };
    };
    if (reported instanceof Error) return unknown(reasonOf(reported));
    if (!reported.hasReadyNode) return unknown({ en: 'no node is ready', ru: 'нет готовых узлов' });
    const { state, reason, reconcilingSince, repaired } = reported.states.find(({ name }) => name === module.name) ?? {
      state: 'off' as const,
    };
    return {
      ...described,
      state,
      ...(reason !== undefined && { reason }),
      ...(reconcilingSince && { reconcilingSince }),
      ...(repaired && { repaired: { ...repaired, at: repaired.at.toISOString() } }),
    };
  });
}

/** The reason why a check has no result: the API may be unreachable for a moment. */
export function asReason({ message }: Error): string {
  return message;
}

async function secretOf(
  api: KubernetesApi,
  namespace: string,
  name: string,
): Promise<Record<string, string> | undefined> {
  const secret = await api
    .get<{ data?: Record<string, string> }>(`/api/v1/namespaces/${namespace}/secrets/${name}`)
    .catch(ignoreNotFound);
  return (
    secret &&
    Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    )
  );
}
