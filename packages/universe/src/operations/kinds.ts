import { ProblemError, problem } from '@nova-platform/api';
import { isAway } from '@nova-platform/cluster';
import type { RegistryClient } from '@nova-platform/registry/client';
import { z } from 'zod';
import type { ClusterWork } from '../cluster-work.ts';
import type { DeliveryWork } from '../delivery-work.ts';
import { operation, TryAgain } from './definition.ts';

/** What the steps below work with. */
export interface Tools {
  work: ClusterWork;
  delivery: DeliveryWork;
  /** Lets our resolver know the base domains that there are. */
  publishNames: () => Promise<void>;
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
const gone = z.array(z.object({ name: z.string(), address: z.string(), isControlPlane: z.boolean() }));

/** Who is away was killed, or its machine was; somebody starts it again, which takes less than this. */
const awayPatience = { milliseconds: 1000, attempts: 60 };

/** The operations of this release; each is its list of steps. */
export function operationKinds({ work, delivery, publishNames, config, registry }: Tools) {
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
  const configuring = ({ log, signal }: { log: (line: string) => void; signal: AbortSignal }) => ({
    run: (node: string) => config.run(node, false, log, signal),
    log,
    signal,
  });
  const runTitle = { en: 'run its agent', ru: 'запустить агент' };

  return {
    applyCluster: operation({
      kind: 'cluster.apply',
      title: { en: 'Make the cluster as declared', ru: 'Создать кластер, как описано' },
      input: z.object({
        cluster: z.string(),
        machines: nodes,
        /** New ones first: the others are changed once these serve. */
        controlPlanes: nodes,
        others: nodes,
        gone,
        isNew: z.boolean(),
        modules: z.array(z.object({ name: z.string() })).default([]),
      }),
      lock: ({ cluster }) => cluster,
      again: whileAway,
    })
      .step('approve', {
        title: { en: 'approve what each node gets', ru: 'утвердить настройки узлов' },
        run: ({ input }) => work.approve(input.cluster),
      })
      .step('lock', {
        title: { en: 'tell the cluster that its machines change', ru: 'сообщить кластеру, что его машины меняются' },
        run: async ({ input, operation: holder, log }) => {
          if (!input.isNew) await work.handOver.lock(input.cluster, holder, log);
        },
        undo: async ({ input, operation: holder, log }) => {
          if (input.isNew) return;
          await work.handOver
            .unlock(input.cluster, holder)
            .catch(({ message }: Error) => log(`the cluster still has the lock: ${message}`));
        },
      })
      .step('network', {
        title: { en: 'network, router, names, balanced API', ru: 'сеть, маршрутизатор, имена, адрес API' },
        run: async ({ input }) => {
          if (input.machines.length > 0) await work.machines.makeNetwork(input.cluster, input.gone);
        },
        undo: async ({ input }) => {
          if (input.isNew) await work.machines.removeNetwork(input.cluster);
        },
      })
      .each('machine', ({ machines }) => machines, {
        title: { en: 'machine', ru: 'машина' },
        run: ({ input, item }) => work.machines.make(input.cluster, item.name),
        undo: async ({ input, item }) => {
          if (input.isNew) await work.machines.remove(item.name);
        },
      })
      .each('configure', ({ isNew, controlPlanes, others }) => (isNew ? [...controlPlanes, ...others] : others), {
        title: { en: 'configure', ru: 'настройка' },
        run: ({ item, ...tools }) => work.nodes.configure(item.name, configuring(tools)),
      })
      .step('members', {
        after: ['machine'],
        title: { en: 'members of etcd', ru: 'участники etcd' },
        run: async ({ input, log, signal }) => {
          if (!input.isNew) await work.members.join(input.cluster, log, signal);
        },
      })
      // All at once would be a moment without an API.
      .each('control-plane', ({ isNew, controlPlanes }) => (isNew ? [] : controlPlanes), {
        isInTurn: true,
        title: { en: 'control plane', ru: 'узел управления' },
        run: ({ input, item, ...tools }) =>
          work.members.renew(input.cluster, item.name, input.gone, configuring(tools)),
      })
      .step('api', {
        title: { en: 'the API answers', ru: 'API отвечает' },
        run: ({ input, signal }) => work.waitForApi(input.cluster, signal),
      })
      .step('objects', {
        title: { en: 'roles, CoreDNS, our kinds', ru: 'роли, CoreDNS, наши типы' },
        run: ({ input }) => work.applyObjects(input.cluster),
      })
      .step('flux', {
        title: { en: 'Flux', ru: 'Flux' },
        run: ({ input, log, signal }) => delivery.setUpFlux(input.cluster, log, signal),
      })
      .step('source', {
        title: { en: 'Flux has the release', ru: 'выпуск получен Flux' },
        run: ({ input, log, signal }) => delivery.connectSource(input.cluster, log, signal),
      })
      .step('modules', {
        title: { en: 'modules are declared', ru: 'модули объявлены' },
        run: async ({ input, log, signal }) => {
          await delivery.declareModules(input.cluster, log, signal);
          await publishNames();
        },
      })
      .each('module', ({ modules }) => modules, {
        title: { en: 'module', ru: 'модуль' },
        run: ({ input, item, log, signal }) => delivery.waitForModule(input.cluster, item.name, log, signal),
      })
      .step('ready', {
        after: ['configure', 'objects'],
        title: { en: 'all nodes are ready, names are answered', ru: 'все узлы готовы, имена отвечают' },
        run: ({ input, log, signal }) => work.nodes.untilReady(input.cluster, log, signal),
      })
      .each('drain', ({ gone: leaving }) => leaving, {
        title: { en: 'drain', ru: 'освободить' },
        run: ({ input, item, log, signal }) => work.nodes.drain(input.cluster, item.name, input.gone, log, signal),
        undo: ({ input, item }) => work.nodes.letIn(input.cluster, item.name),
      })
      .step('leave', {
        title: { en: 'out of etcd, one by one', ru: 'вывести из etcd по одному' },
        run: ({ input, log }) => work.members.leave(input.cluster, input.gone, log),
      })
      .each('remove', ({ gone: leaving }) => leaving, {
        title: { en: 'remove', ru: 'удалить' },
        run: ({ input, item }) => work.nodes.remove(input.cluster, item.name),
      })
      .step('hand-over', {
        title: { en: 'declaration and machines into the cluster', ru: 'описание и машины в кластер' },
        run: async ({ input, operation: holder }) => {
          await work.handOver.declare(input.cluster);
          await work.handOver.unlock(input.cluster, holder);
        },
      }),

    stopCluster: operation({
      kind: 'cluster.stop',
      title: { en: 'Stop the cluster', ru: 'Остановить кластер' },
      input: z.object({ cluster: z.string(), controlPlanes: nodes, others: nodes }),
      lock: ({ cluster }) => cluster,
      again: whileAway,
    })
      .each('machine', ({ others }) => others, {
        title: { en: 'stop the machine', ru: 'остановить машину' },
        run: ({ item }) => work.machines.stop(item.name),
      })
      .each('control-plane', ({ controlPlanes }) => controlPlanes, {
        title: { en: 'stop the control plane', ru: 'остановить узел управления' },
        run: ({ item }) => work.machines.stop(item.name),
      }),

    startCluster: operation({
      kind: 'cluster.start',
      title: { en: 'Start the cluster', ru: 'Запустить кластер' },
      input: z.object({ cluster: z.string(), controlPlanes: nodes, others: nodes }),
      lock: ({ cluster }) => cluster,
      again: whileAway,
    })
      .step('network', {
        title: { en: 'network, and an API without those that do not serve', ru: 'сеть и API без тех, кто не отвечает' },
        run: ({ input }) => work.machines.makeNetwork(input.cluster, []),
      })
      .each('control-plane', ({ controlPlanes }) => controlPlanes, {
        title: { en: 'start the control plane', ru: 'запустить узел управления' },
        run: ({ input, item }) => work.machines.make(input.cluster, item.name),
      })
      .step('members', {
        title: { en: 'members of etcd', ru: 'участники etcd' },
        run: ({ input, log, signal }) => work.members.join(input.cluster, log, signal),
      })
      .step('api', {
        title: { en: 'every API server answers', ru: 'все серверы API отвечают' },
        run: async ({ input, signal }) => {
          await work.members.untilAllServe(input.cluster, signal);
          await work.waitForApi(input.cluster, signal);
        },
      })
      .each('machine', ({ others }) => others, {
        title: { en: 'start the machine', ru: 'запустить машину' },
        run: ({ input, item }) => work.machines.make(input.cluster, item.name),
      })
      .step('ready', {
        title: { en: 'all nodes are ready, names are answered', ru: 'все узлы готовы, имена отвечают' },
        run: async ({ input, log, signal }) => {
          await Promise.all([work.nodes.untilHeard(input.cluster, signal), work.nodes.untilLed(input.cluster, signal)]);
          await work.nodes.untilReady(input.cluster, log, signal);
        },
      }),

    destroyCluster: operation({
      kind: 'cluster.destroy',
      title: { en: 'Remove the cluster', ru: 'Удалить кластер' },
      input: z.object({ cluster: z.string(), machines: nodes }),
      lock: ({ cluster }) => cluster,
      again: whileAway,
    })
      .each('machine', ({ machines }) => machines, {
        title: { en: 'remove the machine', ru: 'удалить машину' },
        run: ({ item }) => work.machines.remove(item.name),
      })
      .step('network', {
        title: { en: 'remove the network', ru: 'удалить сеть' },
        run: ({ input }) => work.machines.removeNetwork(input.cluster),
      })
      .step('forget', {
        title: { en: 'forget its identities, keys and documents', ru: 'забыть удостоверения, ключи и документы' },
        run: async ({ input }) => {
          await work.forget(input.cluster);
          await publishNames();
        },
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

/** Steps are done again while the engine, or the cluster's API, does not answer. */
function whileAway(error: unknown): TryAgain | undefined {
  const isEngineAway = error instanceof ProblemError && error.problems[0]?.code === 'NOVA7030';
  return isEngineAway || isAway(error) ? new TryAgain(error, awayPatience) : undefined;
}
