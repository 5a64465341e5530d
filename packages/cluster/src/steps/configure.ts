import { errors, ProblemError, problem } from '@nova-platform/api';
import { waitUntil } from '@nova-platform/process';
import { configuredNodes, named } from '../approved.ts';
import type { Approved, ClusterTools, EachStep, Log, Planned } from '../operation.ts';
import { timeoutsOf } from '../timeouts.ts';

const pause = 200;

/** Agents apply the approved catalogs. */
const configure: Omit<EachStep<Approved>, 'items'> = {
  name: 'configure',
  title: { en: 'Configure the node', ru: 'Настроить узел' },
  run: async ({ item, ...context }) => configureNode(context, item.name),
};

export const configureAll: EachStep<Approved> = { ...configure, items: ({ plan }) => plan.nodes.map(named) };

export const configureWorkers: EachStep<Approved> = {
  ...configure,
  items: (input) => configuredNodes(input, 'workers'),
};

/** Waits until a node has applied its approved catalog. A connected agent runs at once. */
export async function configureNode(
  {
    plan,
    infra,
    config,
    log,
    signal,
  }: Planned & Pick<ClusterTools, 'config' | 'infra'> & { log: Log; signal: AbortSignal },
  name: string,
): Promise<void> {
  const { agents, nodes, orders } = config.services;
  const { configured } = await timeoutsOf({ plan, infra });
  const check = async () => {
    const { isCurrent, status } = await nodes.progress(name);
    if (isCurrent) {
      log(`The approved catalog is applied (${status}).`);
      return undefined;
    }
    const isConnected = orders.isAsking(name);
    const report = isConnected
      ? await agents.run(name, { isNoop: false, onLine: log, signal }).catch(ignoreLost)
      : undefined;
    if (report?.status === 'failed') throw new ProblemError(problem('NOVA8341', { nodes: name }));
    return name;
  };
  await waitUntil(check, {
    every: pause,
    within: configured,
    expired: () => new ProblemError(problem('NOVA8342', { node: name })),
    signal,
  });
}

/** A lost agent connects again, and is started then. */
function ignoreLost(error: unknown): undefined {
  const isLost = error instanceof ProblemError && error.problems.some(({ code }) => errors[code].isLostAgent);
  if (!isLost) throw error;
}
