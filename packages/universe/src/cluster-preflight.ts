import { type Problem, ProblemError } from '@nova-platform/api';
import { type Box, preflight, providerProblems } from '@nova-platform/cluster';
import type { EngineClient } from '@nova-platform/engine/client';
import { type ClusterPlan, programsOf } from '@nova-platform/plan';
import { type RegistryClient, RegistryWriter } from '@nova-platform/registry/client';

interface AbsentMachine {
  name: string;
  state: 'missing' | 'stopped';
}

/** Throws everything that keeps a plan from becoming a cluster here; answers which machines it would make or start. */
export async function demandPossible(
  plan: ClusterPlan,
  engine: EngineClient,
  registry: Pick<RegistryClient, 'access'>,
): Promise<AbsentMachine[]> {
  const elsewhere = providerProblems(plan);
  if (elsewhere.length > 0) throw new ProblemError(...elsewhere);
  const box = await boxFor(plan, engine, registry);
  const problems = preflight(plan, box);
  if (problems.length > 0) throw new ProblemError(...problems);
  return plan.nodes.flatMap(({ name }): AbsentMachine[] => {
    const machine = box.machines.find((each) => each.name === name);
    if (!machine) return [{ name, state: 'missing' }];
    return machine.state === 'running' ? [] : [{ name, state: 'stopped' }];
  });
}

async function boxFor(plan: ClusterPlan, engine: EngineClient, registry: Pick<RegistryClient, 'access'>) {
  const [host, images, networks, machines, missingImages] = await all([
    engine.host(),
    engine.images(),
    engine.networks(),
    engine.machines(),
    missingIn(registry, plan),
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

/** What nodes pull before anything else can run on them. */
async function missingIn(
  registry: Pick<RegistryClient, 'access'>,
  { cluster }: ClusterPlan,
): Promise<Box['missingImages']> {
  const writer = new RegistryWriter(await registry.access());
  const programs = programsOf(cluster.kubernetesVersion);
  const checked = await Promise.all(
    (['pause', 'coredns'] as const).map(async (component) => {
      const isThere = (await writer.digestOf(`nova/${component}`, programs[component])) !== undefined;
      return isThere ? [] : [{ image: `nova/${component}:${programs[component]}`, component }];
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
