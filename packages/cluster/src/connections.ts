import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigManager } from '@nova-platform/config-manager';
import { type ClusterAccess, Etcd, type EtcdNode, KubernetesApi } from '@nova-platform/kubernetes';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';

type Authorities = Pick<ConfigManager['services']['authorities'], 'issuerOf'>;
type Authority = 'kubernetes' | 'etcd';

const hour = 3600_000;
const lifetime = hour;
/** A connection may stay in use for this long. */
const neededLifetime = lifetime / 2;
const readinessAttempts = 5;
const readinessPause = 500;

/** Universe itself, to the components of a cluster. */
const universe = { commonName: 'nova-universe', organizations: ['system:masters'] };

interface Credentials {
  issuer: string;
  expiresAt: number;
  access: Promise<ClusterAccess>;
}

/**
 * Connections to the APIs and to etcd of clusters. Credentials are cached. Concurrent users of an API share its
 * connections; the last one closes them, so that no broken connection is reused.
 */
export class ClusterConnections {
  readonly #authorities: Authorities;
  readonly #slowdownOf: (plan: ClusterPlan) => Promise<number>;
  readonly #credentials = new Map<string, Credentials>();
  readonly #apis = new Map<string, { api: KubernetesApi; users: number }>();

  /** `slowdownOf` tells how many times longer requests to a cluster can take than usual. */
  constructor(authorities: Authorities, slowdownOf: (plan: ClusterPlan) => Promise<number> = async () => 1) {
    this.#authorities = authorities;
    this.#slowdownOf = slowdownOf;
  }

  /** A new client certificate for a cluster's API. It expires after an hour, or at `until` if that is earlier. */
  async issue(plan: ClusterPlan, name: string, organization: string, until = Number.POSITIVE_INFINITY) {
    const subject = { commonName: name, organizations: [organization] };
    return this.#issue(plan, 'kubernetes', subject, Math.min(lifetime, until - Date.now()));
  }

  /** Universe's own credentials. */
  async access(plan: ClusterPlan, authority: Authority): Promise<ClusterAccess> {
    const key = `${plan.cluster.name} ${authority}`;
    // A cluster that is destroyed and created again has another authority.
    const { certificate: issuer } = await this.#authorities.issuerOf(plan.cluster.name, authority);
    const cached = this.#credentials.get(key);
    const isValid = cached?.issuer === issuer && cached.expiresAt - Date.now() > neededLifetime;
    const { access } = isValid ? cached : this.#renew(plan, authority, key, issuer);
    const { address: host, port } = plan.api;
    return { ...(await access), host, port, slowdown: await this.#slowdownOf(plan) };
  }

  /** Uses the API at its load-balanced address, or at that of one control plane. */
  async withApi<T>(plan: ClusterPlan, work: (api: KubernetesApi) => Promise<T>, host?: string): Promise<T> {
    const access = { ...(await this.access(plan, 'kubernetes')), ...(host !== undefined && { host }) };
    const key = `${access.host}:${access.port} ${access.cert}`;
    const shared = this.#apis.get(key) ?? { api: new KubernetesApi(access), users: 0 };
    this.#apis.set(key, shared);
    shared.users += 1;
    try {
      return await work(shared.api);
    } finally {
      shared.users -= 1;
      if (shared.users === 0) {
        this.#apis.delete(key);
        shared.api.close();
      }
    }
  }

  async withEtcd<T>(plan: ClusterPlan, nodes: readonly EtcdNode[], work: (etcd: Etcd) => Promise<T>): Promise<T> {
    const addresses = nodes.map(({ address }) => address);
    const etcd = new Etcd(addresses, await this.access(plan, 'etcd'));
    try {
      return await work(etcd);
    } finally {
      etcd.close();
    }
  }

  /**
   * Whether the API server of one control plane is ready. One that responds, but is not ready, is checked again for a
   * while: etcd may be electing its leader.
   */
  async isServing(plan: ClusterPlan, { address }: EtcdNode): Promise<boolean> {
    const check = async (api: KubernetesApi) => {
      for (let attempt = 0; attempt < readinessAttempts; attempt += 1) {
        const readiness = await api.readiness();
        if (readiness !== 'not ready') return readiness === 'ready';
        await sleep(readinessPause);
      }
      return false;
    };
    return this.withApi(plan, check, address);
  }

  #renew(plan: ClusterPlan, authority: Authority, key: string, issuer: string): Credentials {
    const access = this.#issue(plan, authority, universe, lifetime);
    const credentials = { issuer, expiresAt: Date.now() + lifetime, access };
    this.#credentials.set(key, credentials);
    access.catch(() => {
      if (this.#credentials.get(key) === credentials) this.#credentials.delete(key);
    });
    return credentials;
  }

  async #issue(
    { cluster, api }: ClusterPlan,
    authority: Authority,
    subject: { commonName: string; organizations: string[] },
    milliseconds: number,
  ): Promise<ClusterAccess> {
    const issuer = await this.#authorities.issuerOf(cluster.name, authority);
    const { privateKey, publicKey } = await createKeyPair();
    const { certificate } = await issueCertificate(issuer, {
      subject,
      publicKey,
      dnsNames: [],
      addresses: [],
      usages: ['client auth'],
      lifetimeHours: milliseconds / hour,
    });
    return { host: api.address, port: api.port, ca: issuer.certificate, cert: certificate, key: privateKey };
  }
}
