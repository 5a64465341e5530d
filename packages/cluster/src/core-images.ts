import { type RegistryClient, RegistryWriter } from '@nova-platform/contracts/registry/client';
import { type ClusterPlan, coreImages, programsOf } from '@nova-platform/plan';

/** Digests of a plan's core images in the registry. The preflight reports missing ones. */
export async function digestsOf(
  { cluster }: ClusterPlan,
  registry: Pick<RegistryClient, 'access'>,
): Promise<Record<string, string>> {
  const writer = new RegistryWriter(await registry.access());
  const programs = programsOf(cluster.kubernetesVersion);
  const found = await Promise.all(
    coreImages.map(async (name) => [name, await writer.digestOf(`nova/${name}`, programs[name])] as const),
  );
  return Object.fromEntries(found.flatMap(([name, digest]) => (digest === undefined ? [] : [[name, digest]])));
}
