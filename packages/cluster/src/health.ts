import type { Text } from '@nova-platform/api';
import type { ConfigManager } from '@nova-platform/config-manager';
import { type RegistryClient, RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { Health } from '@nova-platform/contracts/universe';
import type { Providers } from '@nova-platform/infra';
import {
  type Agent,
  type Answer,
  diagnose,
  endingCertificates,
  isRoutine,
  type KubernetesView,
  known,
  missingImages,
  type Observations,
  type ObservedNode,
  type ProbeIdentity,
  probe,
  repositoryIn,
  stateOf,
  viewOf,
} from '@nova-platform/kubernetes';
import type { Operations } from '@nova-platform/operations';
import { addressesOfName, type ClusterPlan } from '@nova-platform/plan';
import type { Clusters } from './clusters.ts';
import type { ClusterConnections } from './connections.ts';
import type { Delivery } from './delivery.ts';
import { reasonOf } from './reason.ts';
import type { ClusterSchema } from './schema.ts';

/** Data sources for cluster health. */
interface Sources {
  clusters: Clusters;
  config: ConfigManager;
  connections: ClusterConnections;
  operations: Operations<ClusterSchema>;
  delivery: Delivery;
  infra: Providers;
  registry: Pick<RegistryClient, 'access'>;
}

const requestTimeout = 5000;
const maxNodes = 500;
const maxHosts = 50;
const maxMissing = 10;

/** The state of a cluster and what is wrong with it. All sources are queried in parallel, each with a deadline. */
export async function clusterHealth(sources: Sources, cluster: string): Promise<Health> {
  const plan = await sources.clusters.plan(cluster);
  const [seen, pending] = await Promise.all([observe(sources, plan), answerOf(pendingChanges(sources, plan))]);
  const modules = known(seen.modules);
  const findings = diagnose(seen);
  const operation = known(seen.operation);
  const { api } = plan;
  return {
    cluster,
    state: stateOf(seen, findings),
    kubernetesVersion: plan.cluster.kubernetesVersion,
    server: `https://${api.fqdn ?? api.externalAddress}:${api.port}`,
    cni: plan.cluster.cni,
    enforcesNetworkPolicies: plan.cluster.cni !== 'basic',
    ...(operation && { operation }),
    nodes: plan.nodes.map(({ name, roles, address }) => {
      const machine = known(seen.machines)?.find((each) => each.name === name);
      const member = known(seen.kubernetes)?.nodes.find((each) => each.name === name);
      const agent = known(seen.agents)?.find((each) => each.node === name);
      const changes = known(pending)?.get(name);
      return {
        name,
        roles,
        address,
        ...(machine && { machine: machine.state }),
        ...('value' in seen.kubernetes && { isReady: member?.ready === 'True' }),
        ...(member && { version: member.version }),
        ...(agent?.lastRun && { lastRun: { status: agent.lastRun.status, at: agent.lastRun.at.toISOString() } }),
        ...(changes !== undefined && { pending: changes }),
        ...(machine?.updates && { missingSecurityUpdates: machine.updates.security }),
        endingCertificates: endingCertificates(seen, name).map((each) => ({
          name: each.name,
          notAfter: each.notAfter.toISOString(),
        })),
      };
    }),
    ...(modules && {
      modules: modules.map((each) => {
        const { reconcilingSince: _since, ...module } = each;
        return { ...module, ...(isRoutine(each, seen.now) && { isReconciling: true }) };
      }),
    }),
    ...('value' in seen.kubernetes && { leases: leasesOf(seen.kubernetes.value, plan) }),
    hosts: hostLines(plan, known(seen.kubernetes)?.names ?? []),
    findings,
  };
}

/** The last renewals by the nodes of the plan and by the leaders. */
function leasesOf({ heartbeats, leaders }: KubernetesView, { nodes }: ClusterPlan): Record<string, string> {
  const ofNodes = heartbeats.filter(({ node }) => nodes.some(({ name }) => name === node));
  return Object.fromEntries([
    ...ofNodes.map(({ node, at }) => [node, at.toISOString()] as const),
    ...leaders.flatMap(({ service, renewedAt }) => (renewedAt ? [[service, renewedAt.toISOString()] as const] : [])),
  ]);
}

/** Lines for the hosts file of a user whose DNS servers do not resolve the names of the cluster. */
function hostLines({ api, dns }: ClusterPlan, names: readonly string[]): string[] {
  const ofApi = api.fqdn ? [`${api.externalAddress} ${api.fqdn}`] : [];
  const ours = names.filter((name) => name.endsWith(`.${dns.baseDomain}`));
  const ofNames = ours.slice(0, maxHosts).flatMap((name) => {
    const [address] = addressesOfName(dns, name);
    return address === undefined ? [] : [`${address} ${name}`];
  });
  return [...ofApi, ...ofNames];
}

async function observe(sources: Sources, plan: ClusterPlan) {
  const { cluster, api } = plan;
  const now = new Date();
  const ofKubernetes = answerOf(kubernetesOf(sources, plan, now));
  const [nodes, machines, agents, certificates, kubernetes, tags, modules, operation] = await Promise.all([
    probeNodes(sources, plan),
    answerOf(machinesOf(sources, plan)),
    answerOf(agentsOf(sources, cluster.name)),
    answerOf(certificatesOf(sources, plan)),
    ofKubernetes,
    ofKubernetes.then((answer) => answerOf(tagsOf(sources, known(answer)))),
    answerOf(modulesOf(sources, cluster.name)),
    answerOf(newestOperation(sources, cluster.name)),
  ]);
  return {
    now,
    cluster: cluster.name,
    apiAddress: `${api.address}:${api.port}`,
    nodes,
    machines,
    areHosts: cluster.provider === 'existing',
    agents,
    certificates,
    kubernetes,
    tags: known(tags) ?? new Map<string, string[]>(),
    modules,
    operation,
  } satisfies Observations;
}

/** Probes each service at its own address: the load balancer hides those that are down. */
async function probeNodes({ connections }: Sources, plan: ClusterPlan): Promise<ObservedNode[]> {
  // A cluster has no authorities before its first operation.
  const identity = (authority: 'kubernetes' | 'etcd') =>
    connections.access(plan, authority).catch((): ProbeIdentity | undefined => undefined);
  const [kubernetes, etcd] = await Promise.all([identity('kubernetes'), identity('etcd')]);
  return Promise.all(
    plan.nodes.map(async ({ name, address, roles }) => {
      const isControlPlane = roles.includes('control-plane');
      const probes = [
        probe('kubelet', address),
        ...(isControlPlane ? [probe('kube-apiserver', address, kubernetes), probe('etcd', address, etcd)] : []),
      ];
      return { name, address, isControlPlane, probes: await Promise.all(probes) };
    }),
  );
}

/** At the load-balanced address. */
async function kubernetesOf({ connections }: Sources, plan: ClusterPlan, now: Date): Promise<KubernetesView> {
  return connections.withApi(plan, (api) => viewOf(api, now));
}

/** The tags that exist of the images that pods cannot pull, as far as the registry of Universe should have them. */
async function tagsOf({ config, registry }: Sources, view: KubernetesView | undefined): Promise<Map<string, string[]>> {
  const host = config.services.manager.registry;
  const missing = missingImages(view ?? { warnings: [] }).slice(0, maxMissing);
  const wanted = missing.flatMap((image) => {
    const repository = repositoryIn(host, image);
    return repository === undefined ? [] : [{ image, repository }];
  });
  if (wanted.length === 0) return new Map();
  const writer = new RegistryWriter(await registry.access());
  return new Map(
    await Promise.all(wanted.map(async ({ image, repository }) => [image, await writer.tags(repository)] as const)),
  );
}

async function machinesOf({ infra }: Sources, plan: ClusterPlan) {
  return infra.of(plan).machines.observe(plan.cluster.name);
}

/** The declared modules with their states. */
async function modulesOf({ delivery }: Sources, cluster: string) {
  const { modules } = await delivery.modules(cluster);
  return modules
    .filter(({ state }) => state !== 'off')
    .map(({ name, state, reason, reconcilingSince }) => ({
      name,
      state,
      ...(reason !== undefined && { reason }),
      ...(reconcilingSince && { reconcilingSince }),
    }));
}

async function agentsOf({ config }: Sources, cluster: string): Promise<Agent[]> {
  const { nodes, orders } = config.services;
  const found: Agent[] = [];
  let after: string | undefined;
  do {
    const page = await nodes.page({ cluster, after, limit: maxNodes });
    found.push(
      ...page.nodes.map(({ name, seenAt, lastRun }) => ({
        node: name,
        isAsking: orders.isAsking(name),
        ...(seenAt !== undefined && { seenAt: new Date(seenAt) }),
        ...(lastRun && { lastRun: { status: lastRun.status, at: new Date(lastRun.at) } }),
      })),
    );
    after = page.next;
  } while (after !== undefined);
  return found;
}

/** The certificates of a plan that are signed already. */
export async function certificatesOf({ config }: Pick<Sources, 'config'>, plan: ClusterPlan) {
  const signed = await config.services.serviceCertificates.of(plan.nodes.map(({ name }) => name));
  return signed.filter(({ node, name }) =>
    plan.certificates.some((planned) => planned.name === name && planned.node === node),
  );
}

/** Runs of agents do not count: they neither complete nor supersede an operation. */
async function newestOperation({ operations }: Sources, cluster: string) {
  const [newest] = (await operations.list({ lock: cluster, withoutRoutine: true, limit: 1 })).operations;
  if (!newest) return undefined;
  const { id, kind, title, state, failure } = newest;
  return { id, kind, title, state, ...(failure && { failedStep: failure.step }) };
}

/** How many changes the next agent run of each node has, approved or not. */
async function pendingChanges({ config }: Sources, { nodes }: ClusterPlan): Promise<Map<string, number>> {
  const { catalogs } = config.services;
  const counted = nodes.map(async ({ name }) => {
    const [approved, unapproved] = await Promise.all([catalogs.sinceLastRun(name), catalogs.pending(name)]);
    return [name, approved.length + unapproved.length] as const;
  });
  return new Map(await Promise.all(counted));
}

/** The response of a source, or the reason why there is none. */
async function answerOf<T>(request: Promise<T>): Promise<Answer<T>> {
  const { promise: late, resolve } = Promise.withResolvers<Answer<T>>();
  const seconds = requestTimeout / 1000;
  const failure: Text = { en: `no response within ${seconds} s.`, ru: `нет ответа за ${seconds} с.` };
  const timer = setTimeout(() => resolve({ failure }), requestTimeout);
  const settled = request.then(
    (value): Answer<T> => ({ value }),
    (error: unknown): Answer<T> => ({ failure: reasonOf(error) }),
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
