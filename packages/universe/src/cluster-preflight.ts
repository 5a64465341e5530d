import { type Problem, ProblemError, problem } from '@nova-platform/api';
import { type RegistryClient, RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { PublishedRelease } from '@nova-platform/delivery';
import type { EngineClient, MachineStatus } from '@nova-platform/engine/client';
import { type Box, preflight, providerProblems } from '@nova-platform/kubernetes';
import { type ClusterPlan, coreImages, programsOf } from '@nova-platform/plan';

/** Throws everything that keeps a plan from becoming a cluster here; answers what the box is like. */
export async function demandPossible(
  plan: ClusterPlan,
  release: PublishedRelease | undefined,
  engine: EngineClient,
  registry: Pick<RegistryClient, 'access'>,
): Promise<{ machines: MachineStatus[]; processors: number; disk: { canLimit: boolean } }> {
  const elsewhere = providerProblems(plan);
  if (elsewhere.length > 0) throw new ProblemError(...elsewhere);
  const box = await boxFor(plan, release, engine, registry);
  const problems = preflight(plan, box);
  if (plan.modules.length > 0 && !release) problems.push(problem('NOVA8411', {}));
  if (problems.length > 0) throw new ProblemError(...problems);
  return box;
}

async function boxFor(
  plan: ClusterPlan,
  release: PublishedRelease | undefined,
  engine: EngineClient,
  registry: Pick<RegistryClient, 'access'>,
) {
  const [host, images, networks, machines, missingImages] = await all([
    engine.host(),
    engine.images(),
    engine.networks(),
    engine.machines(),
    missingIn(registry, plan, release),
  ]);
  return {
    ...host,
    ownNetworks: host.networks,
    networks,
    machines,
    builtImages: images.filter(({ isBuilt }) => isBuilt).map(({ name }) => name),
    missingImages,
  } satisfies Box;
}

/** What nodes pull before anything else can run on them, and what Flux and the modules run. */
async function missingIn(
  registry: Pick<RegistryClient, 'access'>,
  { cluster, modules }: ClusterPlan,
  release: PublishedRelease | undefined,
): Promise<Box['missingImages']> {
  const writer = new RegistryWriter(await registry.access());
  const programs = programsOf(cluster.kubernetesVersion);
  const wanted = release?.modules.filter(({ name }) => modules.some((module) => module.name === name)) ?? [];
  const names = new Set([...(release?.flux ?? []), ...wanted.flatMap(({ images }) => images)]);
  const images = [
    ...coreImages.map((name) => ({
      name,
      component: name,
      version: programs[name],
      tag: programs[name],
    })),
    ...(release?.images ?? []).filter(({ name }) => names.has(name)).map((image) => ({ ...image, tag: image.digest })),
  ];
  const checked = await Promise.all(
    images.map(async ({ name, component, version, tag }) => {
      const isThere = (await writer.digestOf(`nova/${name}`, tag)) !== undefined;
      return isThere ? [] : [{ image: `nova/${name}:${version}`, component }];
    }),
  );
  return checked.flat();
}

/** All answers, or what is wrong with all who did not answer. */
async function all<T extends readonly Promise<unknown>[]>(
  asked: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const answers = await Promise.allSettled(asked);
  const failures = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const unforeseen = failures.find((each) => !(each instanceof ProblemError));
  if (unforeseen !== undefined) throw unforeseen;
  const problems = new Map(
    failures.flatMap((each) => (each as ProblemError).problems).map((each): [string, Problem] => [each.code, each]),
  );
  if (problems.size > 0) throw new ProblemError(...problems.values());
  return answers.map((each) => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
