import { ProblemError, problem } from '@nova-platform/api';
import type { Change } from '@nova-platform/change';
import type { RegistryClient } from '@nova-platform/contracts/registry/client';
import { operation } from '@nova-platform/operations';
import { type ClusterPlan, controlPlanes } from '@nova-platform/plan';
import { z } from 'zod';
import type { Resized } from '../cluster-work/machines.ts';
import type { ClusterWork } from '../cluster-work.ts';
import type { DeliveryWork } from '../delivery-work.ts';

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
const plan = z.custom<ClusterPlan>();
/** What was shown and approved: steps do that, and never plan again. */
const approved = z.object({
  plan,
  change: z.custom<Change>(),
  /** Of the documents, for the nodes. */
  sealedSecrets: z.string(),
});
type Approved = z.output<typeof approved>;

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
  const declareModules = async ({ plan: planned }: Approved, log: (line: string) => void, signal: AbortSignal) => {
    await delivery.declareModules(planned, log, signal);
    await publishNames();
  };
  const runTitle = { en: 'run its agent', ru: 'запустить агент' };

  return {
    createCluster: operation({
      kind: 'cluster.create',
      title: { en: 'Create the cluster', ru: 'Создать кластер' },
      input: approved,
      lock: ({ plan: { cluster } }) => cluster.name,
    })
      .step('approve', {
        title: { en: 'approve what each node gets', ru: 'утвердить настройки узлов' },
        run: ({ input }) => work.approve(input.plan, input.sealedSecrets),
      })
      .step('network', {
        title: { en: 'network, router, names, balanced API', ru: 'сеть, маршрутизатор, имена, адрес API' },
        run: ({ input }) => work.machines.makeNetwork(input.plan, []),
        undo: ({ input }) => work.machines.removeNetwork(input.plan.cluster.name),
      })
      .each('machine', made, {
        title: { en: 'machine', ru: 'машина' },
        run: ({ input, item }) => work.machines.make(input.plan, item.name),
        undo: ({ item }) => work.machines.remove(item.name),
      })
      // Of an earlier attempt that did not succeed.
      .each('resize', (input) => resized(input, true), {
        title: { en: 'resize', ru: 'изменить размер' },
        run: ({ item }) => work.machines.resize(item),
      })
      .each('configure', ({ plan: planned }) => planned.nodes.map(named), {
        title: { en: 'configure', ru: 'настройка' },
        run: ({ item, ...tools }) => work.nodes.configure(item.name, configuring(tools)),
      })
      .step('api', {
        after: ['resize'],
        title: { en: 'the API answers', ru: 'API отвечает' },
        run: ({ input, signal }) => work.waitForApi(input.plan, signal),
      })
      .step('objects', {
        title: { en: 'roles, CoreDNS, our kinds', ru: 'роли, CoreDNS, наши типы' },
        run: ({ input }) => work.applyObjects(input.plan),
      })
      .step('flux', {
        title: { en: 'Flux', ru: 'Flux' },
        run: ({ input, log, signal }) => delivery.setUpFlux(input.plan, log, signal),
      })
      .step('source', {
        title: { en: 'Flux has the release', ru: 'выпуск получен Flux' },
        run: ({ input, log, signal }) => delivery.connectSource(input.plan, log, signal),
      })
      .step('modules', {
        title: { en: 'modules are declared', ru: 'модули объявлены' },
        run: ({ input, log, signal }) => declareModules(input, log, signal),
      })
      .each('module', ({ plan: planned }) => planned.modules.map(named), {
        title: { en: 'module', ru: 'модуль' },
        run: ({ input, item, log, signal }) => delivery.waitForModule(input.plan, item.name, log, signal),
      })
      .step('ready', {
        after: ['configure', 'objects'],
        title: { en: 'all nodes are ready, names are answered', ru: 'все узлы готовы, имена отвечают' },
        run: ({ input, log, signal }) => work.nodes.untilReady(input.plan, log, signal),
      })
      .each('restart', (input) => resized(input, false), {
        isInTurn: true,
        title: { en: 'drain, resize, restart', ru: 'освободить, изменить размер, перезапустить' },
        run: ({ input, item, log, signal }) => work.members.restart(input.plan, item, gone(input), { log, signal }),
      })
      .each('remove', gone, {
        title: { en: 'remove', ru: 'удалить' },
        run: ({ input, item }) => work.nodes.remove(input.plan, item.name),
      })
      .step('hand-over', {
        title: { en: 'declaration and machines into the cluster', ru: 'описание и машины в кластер' },
        run: ({ input }) => work.handOver.declare(input.plan),
      }),

    changeCluster: operation({
      kind: 'cluster.change',
      title: { en: 'Change the cluster', ru: 'Изменить кластер' },
      input: approved,
      lock: ({ plan: { cluster } }) => cluster.name,
    })
      .step('approve', {
        title: { en: 'approve what each node gets', ru: 'утвердить настройки узлов' },
        run: ({ input }) => work.approve(input.plan, input.sealedSecrets),
      })
      .step('lock', {
        title: { en: 'tell the cluster that its machines change', ru: 'сообщить кластеру, что его машины меняются' },
        run: ({ input, operation: holder, log }) => work.handOver.lock(input.plan, holder, log),
        undo: async ({ input, operation: holder, log }) => {
          await work.handOver
            .unlock(input.plan, holder)
            .catch(({ message }: Error) => log(`the cluster still has the lock: ${message}`));
        },
      })
      .step('network', {
        title: { en: 'network, router, names, balanced API', ru: 'сеть, маршрутизатор, имена, адрес API' },
        run: ({ input }) => work.machines.makeNetwork(input.plan, gone(input)),
      })
      .each('machine', made, {
        title: { en: 'machine', ru: 'машина' },
        run: ({ input, item }) => work.machines.make(input.plan, item.name),
      })
      .each('resize', (input) => resized(input, true), {
        title: { en: 'resize', ru: 'изменить размер' },
        run: ({ item }) => work.machines.resize(item),
      })
      .each('configure', (input) => configured(input, false), {
        title: { en: 'configure', ru: 'настройка' },
        run: ({ item, ...tools }) => work.nodes.configure(item.name, configuring(tools)),
      })
      .step('members', {
        after: ['resize'],
        title: { en: 'members of etcd', ru: 'участники etcd' },
        run: ({ input, log, signal }) => work.members.join(input.plan, log, signal),
      })
      // All at once would be a moment without an API.
      .each('control-plane', (input) => configured(input, true), {
        isInTurn: true,
        title: { en: 'control plane', ru: 'узел управления' },
        run: ({ input, item, ...tools }) => work.members.renew(input.plan, item.name, gone(input), configuring(tools)),
      })
      .step('api', {
        title: { en: 'the API answers', ru: 'API отвечает' },
        run: ({ input, signal }) => work.waitForApi(input.plan, signal),
      })
      .step('objects', {
        title: { en: 'roles, CoreDNS, our kinds', ru: 'роли, CoreDNS, наши типы' },
        run: ({ input }) => work.applyObjects(input.plan),
      })
      .step('flux', {
        title: { en: 'Flux', ru: 'Flux' },
        run: ({ input, log, signal }) => delivery.setUpFlux(input.plan, log, signal),
      })
      .step('source', {
        title: { en: 'Flux has the release', ru: 'выпуск получен Flux' },
        run: ({ input, log, signal }) => delivery.connectSource(input.plan, log, signal),
      })
      .step('modules', {
        title: { en: 'modules are declared', ru: 'модули объявлены' },
        run: ({ input, log, signal }) => declareModules(input, log, signal),
      })
      .each('module', ({ plan: planned }) => planned.modules.map(named), {
        title: { en: 'module', ru: 'модуль' },
        run: ({ input, item, log, signal }) => delivery.waitForModule(input.plan, item.name, log, signal),
      })
      .step('ready', {
        after: ['configure', 'objects'],
        title: { en: 'all nodes are ready, names are answered', ru: 'все узлы готовы, имена отвечают' },
        run: ({ input, log, signal }) => work.nodes.untilReady(input.plan, log, signal),
      })
      .each('restart', (input) => resized(input, false), {
        isInTurn: true,
        title: { en: 'drain, resize, restart', ru: 'освободить, изменить размер, перезапустить' },
        run: ({ input, item, log, signal }) => work.members.restart(input.plan, item, gone(input), { log, signal }),
        undo: ({ input, item }) => work.nodes.letIn(input.plan, item.name),
      })
      .each('drain', gone, {
        title: { en: 'drain', ru: 'освободить' },
        run: ({ input, item, log, signal }) => work.nodes.drain(input.plan, item.name, gone(input), log, signal),
        undo: ({ input, item }) => work.nodes.letIn(input.plan, item.name),
      })
      .step('leave', {
        title: { en: 'out of etcd, one by one', ru: 'вывести из etcd по одному' },
        run: ({ input, log }) => work.members.leave(input.plan, gone(input), log),
      })
      .each('remove', gone, {
        title: { en: 'remove', ru: 'удалить' },
        run: ({ input, item }) => work.nodes.remove(input.plan, item.name),
      })
      .step('hand-over', {
        title: { en: 'declaration and machines into the cluster', ru: 'описание и машины в кластер' },
        run: async ({ input, operation: holder }) => {
          await work.handOver.declare(input.plan);
          await work.handOver.unlock(input.plan, holder);
        },
      }),

    stopCluster: operation({
      kind: 'cluster.stop',
      title: { en: 'Stop the cluster', ru: 'Остановить кластер' },
      input: z.object({ plan }),
      lock: ({ plan: { cluster } }) => cluster.name,
    })
      .each('machine', ({ plan: planned }) => others(planned), {
        title: { en: 'stop the machine', ru: 'остановить машину' },
        run: ({ item }) => work.machines.stop(item.name),
      })
      .each('control-plane', ({ plan: planned }) => controlPlanes(planned.nodes).map(named), {
        title: { en: 'stop the control plane', ru: 'остановить узел управления' },
        run: ({ item }) => work.machines.stop(item.name),
      }),

    startCluster: operation({
      kind: 'cluster.start',
      title: { en: 'Start the cluster', ru: 'Запустить кластер' },
      input: z.object({ plan }),
      lock: ({ plan: { cluster } }) => cluster.name,
    })
      .step('network', {
        title: { en: 'network, and an API without those that do not serve', ru: 'сеть и API без тех, кто не отвечает' },
        run: ({ input }) => work.machines.makeNetwork(input.plan, []),
      })
      .each('control-plane', ({ plan: planned }) => controlPlanes(planned.nodes).map(named), {
        title: { en: 'start the control plane', ru: 'запустить узел управления' },
        run: ({ input, item }) => work.machines.make(input.plan, item.name),
      })
      .step('members', {
        title: { en: 'members of etcd', ru: 'участники etcd' },
        run: ({ input, log, signal }) => work.members.join(input.plan, log, signal),
      })
      .step('api', {
        title: { en: 'every API server answers', ru: 'все серверы API отвечают' },
        run: async ({ input, signal }) => {
          await work.members.untilAllServe(input.plan, signal);
          await work.waitForApi(input.plan, signal);
        },
      })
      .each('machine', ({ plan: planned }) => others(planned), {
        title: { en: 'start the machine', ru: 'запустить машину' },
        run: ({ input, item }) => work.machines.make(input.plan, item.name),
      })
      .step('ready', {
        title: { en: 'all nodes are ready, names are answered', ru: 'все узлы готовы, имена отвечают' },
        run: async ({ input, log, signal }) => {
          await Promise.all([work.nodes.untilHeard(input.plan, signal), work.nodes.untilLed(input.plan, signal)]);
          await work.nodes.untilReady(input.plan, log, signal);
        },
      }),

    destroyCluster: operation({
      kind: 'cluster.destroy',
      title: { en: 'Remove the cluster', ru: 'Удалить кластер' },
      input: z.object({ cluster: z.string(), machines: nodes }),
      lock: ({ cluster }) => cluster,
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
      run: ({ log }) => registry.collect(log),
    }),
  };
}

const named = ({ name }: { name: string }) => ({ name });

const others = ({ nodes: planned }: ClusterPlan) =>
  planned.filter(({ roles }) => !roles.includes('control-plane')).map(named);

/** Machines that are created or started. */
function made({ change: { machines } }: Approved) {
  return machines.filter(({ action }) => ['create', 'replace', 'start'].includes(action)).map(named);
}

function resized({ change: { machines } }: Approved, isLive: boolean) {
  return machines.flatMap((machine) => {
    if (machine.action !== 'resize' || machine.isLive !== isLive) return [];
    const size = Object.fromEntries(machine.fields.map(({ name, after }) => [name, after])) as Resized['size'];
    return [{ name: machine.name, size }];
  });
}

/** Machines that go. */
function gone({ change: { machines } }: Approved) {
  return machines.flatMap(({ action, name, address, isControlPlane }) =>
    action === 'remove' ? [{ name, address, isControlPlane }] : [],
  );
}

/** Nodes that are not yet as the plan has them. New control planes are first: the others change once these serve. */
function configured({ plan: { nodes: planned }, change: { catalogs } }: Approved, isControlPlane: boolean) {
  const planes = new Set(controlPlanes(planned).map(({ name }) => name));
  return catalogs
    .filter(({ node }) => planes.has(node) === isControlPlane)
    .toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .map(({ node }) => ({ name: node }));
}
