import { ProblemError, problem } from '@nova-platform/api';
import {
  commonValuesOf,
  deliveredModules,
  gitopsNamespace,
  kustomizationOf,
  moduleObjects,
  moduleProxyObjects,
  moduleProxyPlaces,
  moduleValues,
} from '@nova-platform/delivery';
import { waitUntil } from '@nova-platform/process';
import { asReason, waitOptions } from '../delivery.ts';
import type { Planned, Step } from '../operation.ts';

/** One Kustomization per module, with its values. Modules that are not declared are removed. */
export const modules: Step<Planned> = {
  name: 'modules',
  title: { en: 'Install modules', ru: 'Установить модули' },
  run: async ({ plan, infra, delivery, connections, publishNames, log, signal }) => {
    const cluster = plan.cluster.name;
    const release = await delivery.releaseOf(plan);
    if (!release) return publishNames();
    await connections.withApi(plan, async (api) => {
      await delivery.renewCertificates(api, plan);
      const { metadata } = await api.get<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system');
      await api.apply(commonValuesOf(plan, { clusterId: metadata.uid, imageRepository: delivery.imageRepository }));
      const proxy = await delivery.proxyOf(plan);
      for (const object of proxy ? moduleProxyObjects(plan, proxy) : []) await api.apply(object);
      for (const object of moduleObjects(plan, release.modules)) await api.apply(object);
      const wanted = new Set(plan.modules.map(({ name }) => name));
      const removed = (await deliveredModules(api)).filter((name) => !wanted.has(name));
      for (const name of removed) {
        log(`Removing ${name} with all its objects`);
        await api.remove(kustomizationOf(name));
      }
      const check = async () => {
        const left = (await deliveredModules(api)).filter((name) => removed.includes(name));
        return left.length === 0 ? undefined : `Waiting for the removal of ${left.join(', ')}`;
      };
      await waitUntil(() => check().catch(asReason), {
        ...(await waitOptions({ plan, infra })),
        expired: (reason) => new ProblemError(problem('NOVA8407', { module: removed.join(', '), cluster, reason })),
        onMissing: log,
        signal,
      });
      for (const name of removed) await api.remove(valuesOf(name));
      for (const object of moduleProxyPlaces(plan)) await api.remove(object);
    });
    await publishNames();
  },
};

function valuesOf(module: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: moduleValues(module), namespace: gitopsNamespace } };
}
