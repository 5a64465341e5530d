import { ProblemError, problem } from '@nova-platform/api';
import type { RegistryClient } from '@nova-platform/registry/client';
import { z } from 'zod';
import type { Clusters } from '../clusters.ts';
import { operation } from './definition.ts';

/** What the steps below work with. */
export interface Tools {
  clusters: Pick<Clusters, 'declaration'>;
  config: {
    approve: (declaration: Awaited<ReturnType<Clusters['declaration']>>) => Promise<void>;
    /** Runs a node's agent and hands on its lines; answers what came of it. */
    run: (
      node: string,
      isNoop: boolean,
      onLine: (line: string) => void,
      signal: AbortSignal,
    ) => Promise<{ status: string; changed: number } | undefined>;
  };
  registry: Pick<RegistryClient, 'collect'>;
}

const nodes = z.array(z.object({ name: z.string() }));

/** The operations of this release; each is its list of steps. */
export function operationKinds({ clusters, config, registry }: Tools) {
  async function runAgent(
    node: string,
    isNoop: boolean,
    { log, signal }: { log: (line: string) => void; signal: AbortSignal },
  ) {
    const report = await config.run(node, isNoop, log, signal);
    signal.throwIfAborted();
    if (report?.status === 'failed') throw new ProblemError(problem('NOVA8341', { nodes: node }));
    return report;
  }
  const runTitle = { en: 'run its agent', ru: 'запустить агент' };

  return {
    configureCluster: operation({
      kind: 'cluster.configure',
      title: { en: 'Configure the nodes as declared', ru: 'Настроить узлы, как описано' },
      input: z.object({ cluster: z.string(), nodes }),
      lock: ({ cluster }) => cluster,
    })
      .step('approve', {
        title: { en: 'approve what each node gets', ru: 'утвердить настройки узлов' },
        run: async ({ input, log }) => {
          const declaration = await clusters.declaration(input.cluster);
          await config.approve(declaration);
          log(`${declaration.plan.nodes.length} nodes`);
        },
      })
      .each('run', ({ nodes: known }) => known, {
        title: runTitle,
        run: ({ item, ...work }) => runAgent(item.name, false, work),
      }),

    runAgents: operation({
      kind: 'agents.run',
      title: { en: 'Run the agents', ru: 'Запустить агенты' },
      input: z.object({ cluster: z.string(), nodes, isNoop: z.boolean() }),
      lock: ({ cluster }) => cluster,
    }).each('run', ({ nodes: known }) => known, {
      title: runTitle,
      run: ({ input, item, ...work }) => runAgent(item.name, input.isNoop, work),
    }),

    collectImages: operation({
      kind: 'registry.collect',
      title: { en: 'Remove blobs that no image needs', ru: 'Удалить блобы, не нужные ни одному образу' },
      input: z.object({}),
      // No cluster has a dot in its name.
      lock: () => 'registry.images',
    }).step('collect', {
      title: { en: 'collect', ru: 'собрать мусор' },
      run: ({ log }) => registry.collect(({ line }) => log(line)),
    }),
  };
}
