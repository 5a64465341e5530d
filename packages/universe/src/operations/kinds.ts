import { ProblemError, problem } from '@nova-platform/api';
import type { RegistryClient } from '@nova-platform/registry/client';
import { z } from 'zod';
import type { ClusterWork } from '../cluster-work.ts';
import { operation } from './definition.ts';

/** What the steps below work with. */
export interface Tools {
  work: ClusterWork;
  config: {
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
export function operationKinds({ work, config, registry }: Tools) {
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
    applyCluster: operation({
      kind: 'cluster.apply',
      title: { en: 'Make the cluster as declared', ru: 'Создать кластер, как описано' },
      input: z.object({ cluster: z.string(), machines: nodes, nodes, gone: nodes, isNew: z.boolean() }),
      lock: ({ cluster }) => cluster,
    })
      .step('approve', {
        title: { en: 'approve what each node gets', ru: 'утвердить настройки узлов' },
        run: ({ input }) => work.approve(input.cluster),
      })
      .step('network', {
        title: { en: 'network, router, names, balanced API', ru: 'сеть, маршрутизатор, имена, адрес API' },
        run: async ({ input }) => {
          if (input.machines.length > 0) await work.makeNetwork(input.cluster);
        },
        undo: async ({ input }) => {
          if (input.isNew) await work.removeNetwork(input.cluster);
        },
      })
      .each('machine', ({ machines }) => machines, {
        title: { en: 'machine', ru: 'машина' },
        run: ({ input, item }) => work.makeMachine(input.cluster, item.name),
        undo: async ({ input, item }) => {
          if (input.isNew) await work.removeMachine(item.name);
        },
      })
      .each('configure', ({ nodes: declared }) => declared, {
        title: { en: 'configure', ru: 'настройка' },
        run: ({ item, log, signal }) =>
          work.configure(item.name, (node) => config.run(node, false, log, signal), log, signal),
      })
      .step('api', {
        after: ['machine'],
        title: { en: 'the API answers', ru: 'API отвечает' },
        run: ({ input, signal }) => work.waitForApi(input.cluster, signal),
      })
      .step('objects', {
        title: { en: 'roles, CoreDNS, our kinds', ru: 'роли, CoreDNS, наши типы' },
        run: ({ input }) => work.applyObjects(input.cluster),
      })
      .step('ready', {
        after: ['configure', 'objects'],
        title: { en: 'all nodes are ready', ru: 'все узлы готовы' },
        run: ({ input, log, signal }) => work.waitForNodes(input.cluster, log, signal),
      })
      .each('remove', ({ gone }) => gone, {
        title: { en: 'remove', ru: 'удалить' },
        run: ({ input, item }) => work.removeNode(input.cluster, item.name),
      }),

    destroyCluster: operation({
      kind: 'cluster.destroy',
      title: { en: 'Remove the cluster', ru: 'Удалить кластер' },
      input: z.object({ cluster: z.string(), machines: nodes }),
      lock: ({ cluster }) => cluster,
    })
      .each('machine', ({ machines }) => machines, {
        title: { en: 'remove the machine', ru: 'удалить машину' },
        run: ({ item }) => work.removeMachine(item.name),
      })
      .step('network', {
        title: { en: 'remove the network', ru: 'удалить сеть' },
        run: ({ input }) => work.removeNetwork(input.cluster),
      })
      .step('forget', {
        title: { en: 'forget its identities, keys and documents', ru: 'забыть удостоверения, ключи и документы' },
        run: ({ input }) => work.forget(input.cluster),
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
      lock: () => 'registry',
    }).step('collect', {
      title: { en: 'collect', ru: 'собрать мусор' },
      run: ({ log }) => registry.collect(({ line }) => log(line)),
    }),
  };
}
