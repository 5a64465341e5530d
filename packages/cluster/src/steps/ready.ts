import { ProblemError, problem, type Text } from '@nova-platform/api';
import { applyNode, inBothLanguages, readiness, resolvesNames, uncordon } from '@nova-platform/kubernetes';
import { waitUntil } from '@nova-platform/process';
import type { Context, Planned, Step } from '../operation.ts';
import { timeoutsOf } from '../timeouts.ts';

const pause = 200;
const notJoined: Text = { en: 'it has not joined the cluster', ru: 'он не присоединился к кластеру' };

export const ready: Step<Planned> = {
  name: 'ready',
  title: { en: 'Wait for nodes and DNS', ru: 'Дождаться узлов и DNS' },
  run: waitUntilReady,
};

/** Waits until every node has its roles, is ready and schedulable, and DNS works. */
export async function waitUntilReady({
  plan,
  infra,
  connections,
  log,
  signal,
}: Pick<Context<Planned>, 'plan' | 'infra' | 'connections' | 'log' | 'signal'>): Promise<void> {
  const { ready: within } = await timeoutsOf({ plan, infra });
  const joined = new Set<string>();
  await connections.withApi(plan, (api) =>
    waitUntil(
      async () => {
        const found = await readiness(api);
        for (const node of plan.nodes) {
          if (!found.has(node.name) || joined.has(node.name)) continue;
          await applyNode(api, node);
          // An incomplete change may have cordoned it.
          await uncordon(api, node.name);
          joined.add(node.name);
          log(`${node.name} has joined.`);
        }
        const waiting = plan.nodes.find(({ name }) => !found.has(name) || found.get(name) !== undefined);
        if (waiting) {
          const reason = found.get(waiting.name);
          return problem('NOVA8344', {
            node: waiting.name,
            reason: reason === undefined ? notJoined : inBothLanguages(reason),
          });
        }
        return (await resolvesNames(api)) ? undefined : problem('NOVA8351', { cluster: plan.cluster.name });
      },
      { every: pause, within, expired: (missing) => new ProblemError(missing), signal },
    ),
  );
}
