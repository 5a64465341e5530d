import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigManager } from '@nova-platform/config-manager';
import { type ClusterAccess, Etcd, KubernetesApi, type EtcdNode } from '@nova-platform/kubernetes';
import { createKeyPair, issueCertificate } from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';

const accessHours = 1;
const mostLooks = 5;
const lookPause = 500;

/** Ways into clusters: to their API and to their store. */
export class Ways {
  readonly #authorities: ConfigManager['services']['authorities'];

  constructor({ services }: ConfigManager) {
    this.#authorities = services.authorities;
  }

  /** Into a cluster's API, for an hour, or until `until` where that is earlier. */
  async access(
    plan: ClusterPlan,
    name: string,
    organization: string,
    until: number = Number.POSITIVE_INFINITY,
  ): Promise<ClusterAccess> {
    const hours = Math.min(accessHours, (until - Date.now()) / 3600_000);
    return this.#access(plan, 'kubernetes', { commonName: name, organizations: [organization] }, hours);
  }

  /** The API at its balanced address, or that of one control plane. */
  async withApi<T>(plan: ClusterPlan, work: (api: KubernetesApi) => Promise<T>, host?: string): Promise<T> {
    const access = await this.access(plan, 'nova-universe', 'system:masters');
    const api = new KubernetesApi({ ...access, ...(host !== undefined && { host }) });
    try {
      return await work(api);
    } finally {
      api.close();
    }
  }

  async withEtcd<T>(plan: ClusterPlan, nodes: readonly EtcdNode[], work: (etcd: Etcd) => Promise<T>): Promise<T> {
    const access = await this.#access(plan, 'etcd', { commonName: 'nova-universe', organizations: [] });
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
  async isServing(plan: ClusterPlan, { address }: EtcdNode): Promise<boolean> {
    const look = async (api: KubernetesApi) => {
      for (let tries = 0; tries < mostLooks; tries += 1) {
        const readiness = await api.readiness();
        if (readiness !== 'not yet') return readiness === 'ready';
        await sleep(lookPause);
      }
      return false;
    };
    return this.withApi(plan, look, address);
  }

  async #access(
    { cluster, api }: ClusterPlan,
    authority: 'kubernetes' | 'etcd',
    subject: { commonName: string; organizations: string[] },
    lifetimeHours: number = accessHours,
  ): Promise<ClusterAccess> {
    const issuer = await this.#authorities.issuerOf(cluster.name, authority);
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
