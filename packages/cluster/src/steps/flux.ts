import { ProblemError, problem } from '@nova-platform/api';
import {
  fluxObjects,
  gitopsNamespace,
  missingControllers,
  objectQuota,
  proxyPlaces,
  tenantLabel,
  tenantPolicies,
} from '@nova-platform/delivery';
import { ignoreNotFound, type KubernetesApi, type KubernetesObject } from '@nova-platform/kubernetes';
import { waitUntil } from '@nova-platform/process';
import { asReason, waitOptions } from '../delivery.ts';
import type { Planned, Step } from '../operation.ts';

/** Flux as the release has it, until all its controllers run. */
export const flux: Step<Planned> = {
  name: 'flux',
  title: { en: 'Install Flux', ru: 'Установить Flux' },
  run: async ({ plan, infra, delivery, connections, log, signal }) => {
    const cluster = plan.cluster.name;
    const release = await delivery.releaseOf(plan);
    if (!release) return log('This cluster has no modules.');
    const objects = fluxObjects(release, await delivery.releases.fluxDefinitions(release.version), {
      imageRepository: delivery.imageRepository,
      zone: plan.declared.clusterConfiguration.k8sDefaultDnsZone,
      apiAddress: plan.services.kubernetes,
      proxy: await delivery.proxyOf(plan),
    });
    await connections.withApi(plan, async (api) => {
      for (const object of [...objects, ...tenantPolicies()]) await api.apply(object);
      if (!plan.proxy) for (const object of proxyPlaces(gitopsNamespace)) await api.remove(object);
      await limitTenants(api);
      const check = async () => {
        const missing = await missingControllers(api);
        return missing.length === 0 ? undefined : `Waiting for ${missing.join(', ')}`;
      };
      await waitUntil(() => check().catch(asReason), {
        ...(await waitOptions({ plan, infra })),
        expired: (reason) => new ProblemError(problem('NOVA8408', { cluster, reason })),
        onMissing: log,
        signal,
      });
    });
  },
};

/** Adds the quota of objects to tenants that an older release created without one. */
async function limitTenants(api: KubernetesApi): Promise<void> {
  const label = encodeURIComponent(tenantLabel);
  const { items } = await api.get<{ items: KubernetesObject[] }>(`/api/v1/namespaces?labelSelector=${label}`);
  for (const { metadata } of items) {
    const quota = objectQuota(metadata.name);
    const path = `/api/v1/namespaces/${metadata.name}/resourcequotas/${quota.metadata.name}`;
    if (!(await api.get(path).catch(ignoreNotFound))) await api.apply(quota);
  }
}
