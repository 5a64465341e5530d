import { setTimeout as sleep } from 'node:timers/promises';
import { type ClusterAccess, Etcd, KubernetesApi, type StoreNode } from '@nova-platform/cluster';
import type { ConfigManager } from '@nova-platform/config-manager';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';

const accessHours = 1;
const mostLooks = 5;
const lookPause = 500;

/** Ways into clusters: as they were declared last, to their API and to their store. */
export class Ways {
  readonly plan: (cluster: string) => Promise<ClusterPlan>;
  readonly #authorities: ConfigManager['services']['authorities'];

  constructor(plan: (cluster: string) => Promise<ClusterPlan>, { services }: ConfigManager) {
    this.plan = plan;
    this.#authorities = services.authorities;
  }

  /** Into a cluster's API, for an hour, or until `until` where that is earlier. */
  async access(
    cluster: string,
    name: string,
    organization: string,
    until: number = Number.POSITIVE_INFINITY,
  ): Promise<ClusterAccess> {
    const hours = Math.min(accessHours, (until - Date.now()) / 3600_000);
    return this.#access(cluster, 'kubernetes', { commonName: name, organizations: [organization] }, hours);
  }

  /** The API at its balanced address, or that of one control plane. */
  async withApi<T>(cluster: string, work: (api: KubernetesApi) => Promise<T>, host?: string): Promise<T> {
    const access = await this.access(cluster, 'nova-universe', 'system:masters');
    const api = new KubernetesApi({ ...access, ...(host !== undefined && { host }) });
    try {
      return await work(api);
    } finally {
      api.close();
    }
  }

  async withEtcd<T>(cluster: string, nodes: readonly StoreNode[], work: (etcd: Etcd) => Promise<T>): Promise<T> {
    const access = await this.#access(cluster, 'etcd', { commonName: 'nova-universe', organizations: [] });
    const etcd = new Etcd(
      nodes.map(({ address }) => address),
      access,
    );
    try {
      return await work(etcd);
    } finally {
      etcd.close();
    }
  }

  /**
   * Whether a control plane's own API server says that it is ready. Who answers that it is not yet is asked again for a
   * while: the store behind it may be choosing its leader.
   */
  async isServing(cluster: string, { address }: StoreNode): Promise<boolean> {
    const look = async (api: KubernetesApi) => {
      for (let tries = 0; tries < mostLooks; tries += 1) {
        const readiness = await api.readiness();
        if (readiness !== 'not yet') return readiness === 'ready';
        await sleep(lookPause);
      }
      return false;
    };
    return this.withApi(cluster, look, address);
  }

  async #access(
    cluster: string,
    authority: 'kubernetes' | 'etcd',
    subject: { commonName: string; organizations: string[] },
    lifetimeHours: number = accessHours,
  ): Promise<ClusterAccess> {
    const { api } = await this.plan(cluster);
    const issuer = await this.#authorities.issuerOf(cluster, authority);
    const { privateKey, publicKey } = await createKeyPair();
    const { certificate } = await issueCertificate(issuer, {
      subject,
      publicKey,
      dnsNames: [],
      addresses: [],
      usages: ['client auth'],
      lifetimeHours,
    });
    return { host: api.address, port: api.port, ca: issuer.certificate, cert: certificate, key: privateKey };
  }
}
