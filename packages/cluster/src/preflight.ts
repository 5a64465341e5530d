import { ProblemError, problem } from '@nova-platform/api';
import { type RegistryClient, RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { PublishedRelease } from '@nova-platform/delivery';
import type { InfrastructureProvider, Preflight } from '@nova-platform/infra';
import { type ClusterPlan, coreImages, programsOf } from '@nova-platform/plan';

/** Resources are missing while they are unknown. */
type Possible = Omit<Preflight, 'problems' | 'resources'> & Partial<Pick<Preflight, 'resources'>>;

/** Without access to the provider its state is unknown; operations then fail before they change anything. */
const unknown: Possible = {
  machines: [],
  processors: Number.POSITIVE_INFINITY,
  canLimitDisks: true,
  hasKvm: true,
};

/** Throws all problems that prevent a plan from being applied; returns the state of the provider. */
export async function assertPossible(
  plan: ClusterPlan,
  release: PublishedRelease | undefined,
  provider: InfrastructureProvider,
  registry: Pick<RegistryClient, 'access'>,
): Promise<Possible> {
  const [found, images] = await Promise.allSettled([provider.preflight(plan), imageProblems(registry, plan, release)]);
  if (found.status === 'fulfilled' && !found.value) return unknown;
  const failures = [found, images].flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const unexpected = failures.find((each) => !(each instanceof ProblemError));
  if (unexpected !== undefined) throw unexpected;
  const { problems, ...rest } =
    found.status === 'fulfilled' && found.value ? found.value : { ...unknown, problems: [] };
  const all = [
    ...failures.flatMap((each) => (each as ProblemError).problems),
    ...problems,
    ...(images.status === 'fulfilled' ? images.value : []),
    ...(plan.modules.length > 0 && !release ? [problem('NOVA8411', {})] : []),
  ];
  if (all.length > 0) throw new ProblemError(...all);
  return rest;
}

/**
 * Throws if the host lacks memory for the machines that do not run. Other problems do not prevent a start: the cluster
 * exists.
 */
export async function assertStartable(plan: ClusterPlan, provider: InfrastructureProvider): Promise<void> {
  // Without access to the provider nothing is known; the operation itself retries.
  const found = await provider.preflight(plan).catch(() => undefined);
  const lacking = (found?.problems ?? []).filter(({ code }) => code === 'NOVA7025');
  if (lacking.length > 0) throw new ProblemError(...lacking);
}

/** Images that the registry does not have: those that nodes pull first, and those of Flux and the modules. */
async function imageProblems(
  registry: Pick<RegistryClient, 'access'>,
  { cluster, modules }: ClusterPlan,
  release: PublishedRelease | undefined,
) {
  const writer = new RegistryWriter(await registry.access());
  const programs = programsOf(cluster.kubernetesVersion);
  const wanted = release?.modules.filter(({ name }) => modules.some((module) => module.name === name)) ?? [];
  const names = new Set([...(release?.flux ?? []), ...wanted.flatMap(({ images }) => images)]);
  const images = [
    ...coreImages.map((name) => ({ name, component: name, version: programs[name], tag: programs[name] })),
    ...(release?.images ?? []).filter(({ name }) => names.has(name)).map((image) => ({ ...image, tag: image.digest })),
  ];
  const checked = await Promise.all(
    images.map(async ({ name, component, version, tag }) => {
      const exists = (await writer.digestOf(`nova/${name}`, tag)) !== undefined;
      return exists ? [] : [problem('NOVA8369', { image: `nova/${name}:${version}`, component })];
    }),
  );
  return checked.flat();
}
