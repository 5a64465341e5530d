import { type Problem, problem, systemNamespaces, type Text } from '@nova-platform/api';
import {
  type Answer,
  type KubernetesView,
  known,
  type Observations,
  type ObservedNode,
  type Probe,
} from './health-observations.ts';
import { missingImageProblem } from './missing-images.ts';
import { moduleChains } from './module-health.ts';
import { shortened } from './shortened.ts';
import { withoutTimers } from './timers.ts';

/** A problem of the cluster: the symptom first, then its causes. The remedy is that of the last cause. */
export interface Finding {
  severity: 'error' | 'warning';
  chain: Problem[];
}

export type ClusterState = 'ready' | 'changing' | 'stopped' | 'degraded' | 'failed';

const minute = 60_000;
/** An agent does not poll for orders during a run, and a run takes time. */
const agentTimeout = 5 * minute;
const leaderTimeout = minute;
/** Our kubelets renew their leases every four seconds. */
const heartbeatTimeout = 20_000;
const maxWarnings = 5;

export function diagnose(seen: Observations): Finding[] {
  if (isStoppedOnPurpose(seen)) return [];
  const found = [
    ...failedSources(seen),
    ...failedOperation(seen),
    ...apiChains(seen),
    ...etcdChains(seen),
    ...seen.nodes.flatMap((node) => nodeChains(seen, node)),
    ...leaderless(seen),
    ...podChains(seen),
    ...moduleChains(seen, 'failed'),
    ...seen.nodes.flatMap((node) => [...certificateChains(seen, node), ...agentChain(seen, node)]),
  ];
  // During a change problems can be temporary.
  const severity = stateOfOperation(seen) === 'running' ? 'warning' : 'error';
  return [
    ...withoutDuplicates(found).map((chain): Finding => ({ severity, chain: steady(chain) })),
    // Modules wait while Flux reconciles them, which it does every few minutes.
    ...[...moduleChains(seen, 'waiting'), ...outdatedNodes(seen), ...warnings(seen)].map(
      (chain): Finding => ({ severity: 'warning', chain: steady(chain) }),
    ),
  ];
}

/** Texts of Kubernetes and Flux can contain running timers. */
function steady(chain: Chain): Chain {
  return chain.map((each) => ({
    ...each,
    params: Object.fromEntries(
      Object.entries(each.params).map(([key, value]) => [
        key,
        typeof value === 'string' ? withoutTimers(value) : value,
      ]),
    ),
  }));
}

export function stateOf(seen: Observations, findings: readonly Finding[]): ClusterState {
  if (isStoppedOnPurpose(seen)) return 'stopped';
  if (stateOfOperation(seen) === 'running') return 'changing';
  if ('failure' in seen.kubernetes || hasNoReadyNode(seen.kubernetes.value)) return 'failed';
  return findings.some(({ severity }) => severity === 'error') ? 'degraded' : 'ready';
}

function hasNoReadyNode({ nodes }: KubernetesView): boolean {
  return nodes.every(({ ready }) => ready !== 'True');
}

/** Certificates of a node that should have been renewed by now. */
export function endingCertificates(seen: Observations, node: string): { name: string; notAfter: Date }[] {
  const signed = known(seen.certificates)?.filter((each) => each.node === node) ?? [];
  const shown = seen.nodes.find(({ name }) => name === node)?.probes.flatMap(({ certificates }) => certificates) ?? [];
  const isNear = ({ name, notAfter }: { name: string; notAfter: Date }) => {
    const last = signed.find((each) => each.name === name);
    const least = last ? last.notAfter.getTime() - last.overdueAt.getTime() : 0;
    return notAfter.getTime() - seen.now.getTime() < least;
  };
  // A certificate that a service presents counts, even if a newer one was signed. Others are known only from signing.
  const unseen = signed.filter(({ name }) => !shown.some((each) => each.name === name));
  return [...shown, ...unseen].filter(isNear).map(({ name, notAfter }) => ({ name, notAfter }));
}

type Chain = Problem[];

function failedSources(seen: Observations): Chain[] {
  const sources: [Text, Answer<unknown>][] = [
    [{ en: 'The engine', ru: 'движок' }, seen.machines],
    [{ en: 'The Configuration Manager', ru: 'менеджер конфигураций' }, seen.agents],
    [{ en: 'The list of certificates', ru: 'список сертификатов' }, seen.certificates],
    [{ en: 'The list of operations', ru: 'список операций' }, seen.operation],
  ];
  return sources.flatMap(([source, answer]) =>
    'failure' in answer ? [[problem('NOVA8365', { source, reason: answer.failure })]] : [],
  );
}

function failedOperation({ operation }: Observations): Chain[] {
  const newest = known(operation);
  if (newest?.state !== 'failed') return [];
  const { id, title, failedStep = '—' } = newest;
  return [[problem('NOVA8364', { id, title, step: failedStep })]];
}

/** The API does not respond because of its servers, because of etcd behind them, or only at its common address. */
function apiChains(seen: Observations): Chain[] {
  const servers = controlPlanes(seen);
  const troubles = servers.map((node) => troubleOf(seen, node, 'kube-apiserver')).filter(isAny);
  if ('value' in seen.kubernetes) return [...troubles, ...servers.flatMap((node) => complaint(node, 'kube-apiserver'))];
  const symptom = problem('NOVA8360', {
    cluster: seen.cluster,
    address: seen.apiAddress,
    reason: seen.kubernetes.failure,
  });
  const etcdCauses = isEtcdLost(seen) ? etcdChains(seen) : [];
  const causes = etcdCauses.length > 0 ? etcdCauses : troubles;
  return causes.length > 0 ? causes.map((cause) => [symptom, ...cause]) : [[symptom]];
}

function etcdChains(seen: Observations): Chain[] {
  const members = controlPlanes(seen);
  const broken = members.filter((node) => !isHealthy(probeOf(node, 'etcd')));
  if (broken.length === 0) return [];
  const symptom = (node: ObservedNode) =>
    problem('NOVA8361', {
      healthy: members.length - broken.length,
      total: members.length,
      node: node.name,
      meaning: isEtcdLost(seen)
        ? { en: 'nothing can be read or changed', ru: 'нельзя ни читать, ни менять' }
        : { en: 'one more failure may stop the cluster', ru: 'ещё один сбой может остановить кластер' },
    });
  const chains = broken.map((node) => [symptom(node), ...troubleOf(seen, node, 'etcd')]);
  const explained = chains.filter(({ length }) => length > 1);
  // Members without a leader report themselves unhealthy; the cause is the members that are down.
  return explained.length > 0 ? explained : chains.slice(0, 1);
}

function nodeChains(seen: Observations, node: ObservedNode): Chain[] {
  const trouble = troubleOf(seen, node, 'kubelet');
  const kubernetes = known(seen.kubernetes);
  if (!kubernetes) return isAny(trouble) ? [trouble] : [];
  const reported = kubernetes.nodes.find(({ name }) => name === node.name);
  const pressures = (reported?.pressures ?? []).map(({ type, message }) => [
    problem('NOVA8367', { object: node.name, reason: type, message }),
  ]);
  if (reported?.ready === 'True') return isAny(trouble) ? [trouble, ...pressures] : pressures;
  const unknown: Text = { en: 'it has not joined the cluster.', ru: 'он не присоединился к кластеру.' };
  const symptom = problem('NOVA8353', {
    node: node.name,
    reason: reported ? inBothLanguages(reported.reason) : unknown,
  });
  return [[symptom, ...(isAny(trouble) ? trouble : kubeletTrouble(seen, node, reported))], ...pressures];
}

/** Frequent conditions of nodes. Other messages of Kubernetes are shown as they are, in English. */
const usualReasons: Record<string, string> = {
  'it has not reported yet': 'он ещё ничего не сообщил',
  'Kubelet stopped posting node status.': 'kubelet перестал сообщать о состоянии узла.',
  'Kubelet never posted node status.': 'kubelet ещё не сообщал о состоянии узла.',
  'container runtime is down': 'среда контейнеров не работает',
  'node is shutting down': 'узел выключается',
};

export function inBothLanguages(reason: string): string | Text {
  const ru = Object.hasOwn(usualReasons, reason) ? usualReasons[reason] : undefined;
  return ru === undefined ? reason : { en: reason, ru };
}

/** Why a node is not ready although its kubelet runs. */
function kubeletTrouble(
  seen: Observations,
  node: ObservedNode,
  reported: KubernetesView['nodes'][number] | undefined,
): Chain {
  const { name } = node;
  if (reported?.ready === 'False') {
    if (/runtime (is )?(down|not ready|unhealthy)|runtime service/i.test(reported.reason))
      return downOn(seen, name, 'containerd', isUnhealthy);
    return warningsAbout(seen, `Node/${name}`).slice(0, 1);
  }
  if (seen.now.getTime() - (reported?.lastHeartbeatAt?.getTime() ?? 0) < heartbeatTimeout) return [];
  const ended = expiredCertificate(seen, node, ['kubelet-client']);
  if (isAny(ended)) return ended;
  const unreported = problem('NOVA8359', { node: name });
  // Kubelets of control plane nodes use the local API server.
  return [unreported, ...(node.isControlPlane ? troubleOf(seen, node, 'kube-apiserver') : [])];
}

/** Why a service of a node does not respond; empty if it does. */
function troubleOf(seen: Observations, node: ObservedNode, service: Probe['service']): Chain {
  const machine = machineTrouble(seen, node);
  if (isAny(machine)) return machine;
  const probe = probeOf(node, service);
  if (probe?.outcome === 'timeout')
    return [problem('NOVA8368', { node: node.name, address: node.address, cluster: seen.cluster })];
  if (probe?.outcome === 'refused') return downOn(seen, node.name, service, isDown);
  return expiredCertificate(seen, node, certificatesOf[service]);
}

function machineTrouble({ machines, areHosts, cluster }: Observations, { name }: ObservedNode): Chain {
  const all = known(machines);
  if (!all) return [];
  const machine = all.find((each) => each.name === name);
  if (!machine) return [areHosts ? problem('NOVA8501', { name }) : problem('NOVA8355', { node: name, cluster })];
  return machine.state === 'stopped' ? [problem('NOVA8354', { node: name })] : [];
}

const isDown: Text = { en: 'is not running', ru: 'не работает' };
/** The state of containerd, known only from the node's conditions. */
const isUnhealthy: Text = { en: 'is stopped or unhealthy', ru: 'остановлен или неисправен' };

function downOn(seen: Observations, node: string, service: string, state: Text): Chain {
  return [problem('NOVA8356', { node, service, state }), ...agentTrouble(seen, node)];
}

/** A service whose certificate has expired can run, but does not work. */
const certificatesOf: Record<Probe['service'], readonly string[]> = {
  kubelet: ['kubelet-server'],
  'kube-apiserver': ['kube-apiserver', 'kube-apiserver-etcd-client'],
  etcd: ['etcd-server', 'etcd-peer'],
};

function expiredCertificate(seen: Observations, { name: node }: ObservedNode, names: readonly string[]): Chain {
  const ended = endingCertificates(seen, node).find(
    ({ name, notAfter }) => names.includes(name) && notAfter.getTime() < seen.now.getTime(),
  );
  return ended ? certificateChain(seen, node, ended) : [];
}

function certificateChains(seen: Observations, { name }: ObservedNode): Chain[] {
  return endingCertificates(seen, name).map((each) => certificateChain(seen, name, each));
}

function certificateChain(
  seen: Observations,
  node: string,
  { name, notAfter }: { name: string; notAfter: Date },
): Chain {
  const at = timeText(notAfter);
  const end: Text =
    notAfter.getTime() < seen.now.getTime()
      ? { en: `expired at ${at}`, ru: `истёк ${at}` }
      : { en: `expires at ${at} and has not been renewed`, ru: `истекает ${at} и ещё не обновлён` };
  return [problem('NOVA8357', { node, certificate: name, end }), ...agentTrouble(seen, node)];
}

/** Why the agent has not repaired the node. */
function agentTrouble(seen: Observations, node: string): Chain {
  const agent = known(seen.agents)?.find((each) => each.node === node);
  if (!agent) return [];
  const { isAsking, seenAt, lastRun } = agent;
  const isSilent = !isAsking && seen.now.getTime() - (seenAt?.getTime() ?? 0) > agentTimeout;
  if (isSilent) return [problem('NOVA8362', { node, seen: seenText(seenAt) })];
  return lastRun?.status === 'failed' ? [problem('NOVA8363', { node })] : [];
}

function seenText(seenAt: Date | undefined): Text {
  if (!seenAt) return { en: 'it has never connected', ru: 'он ещё не подключался' };
  const at = timeText(seenAt);
  return { en: `its last request was at ${at}`, ru: `последний запрос — ${at}` };
}

function agentChain(seen: Observations, node: ObservedNode): Chain[] {
  const machine = machineTrouble(seen, node);
  const trouble = isAny(machine) ? [] : agentTrouble(seen, node.name);
  return isAny(trouble) ? [trouble] : [];
}

const clusterCreation: Text = { en: 'the cluster was created', ru: 'создания кластера' };

/** A missing leader has no other symptom: node conditions do not change, and pods stay pending. */
function leaderless(seen: Observations): Chain[] {
  const [node] = controlPlanes(seen);
  return (known(seen.kubernetes)?.leaders ?? [])
    .filter(({ renewedAt }) => seen.now.getTime() - (renewedAt?.getTime() ?? 0) > leaderTimeout)
    .map(({ service, renewedAt }) => [withoutLeader(service, renewedAt, node?.name ?? '')]);
}

/** `node` runs the service. */
export function withoutLeader(service: string, renewedAt: Date | undefined, node: string): Problem {
  return problem('NOVA8358', { service, at: renewedAt ? timeText(renewedAt) : clusterCreation, node });
}

function podChains(seen: Observations): Chain[] {
  return (known(seen.kubernetes)?.pods ?? [])
    .filter(({ node }) => !isOnLostNode(seen, node))
    .map(({ namespace, name, reason }) => [
      problem('NOVA8366', { pod: `${namespace}/${name}`, namespace, name, reason }),
      ...warningsAbout(seen, `Pod/${namespace}/${name}`).slice(0, 1),
    ]);
}

/** Pods on a node that is not ready need no finding of their own. */
function isOnLostNode(seen: Observations, node: string | undefined): boolean {
  const nodes = known(seen.kubernetes)?.nodes ?? [];
  return node !== undefined && !nodes.some(({ name, ready }) => name === node && ready === 'True');
}

/** One finding for all nodes, because they mostly lack the same updates. */
function outdatedNodes(seen: Observations): Chain[] {
  const outdated = (known(seen.machines) ?? []).filter(({ updates }) => updates && updates.security.length > 0);
  if (outdated.length === 0) return [];
  const packages = new Set(outdated.flatMap(({ updates }) => updates?.security ?? []));
  const nodes = shortened(outdated.map(({ name }) => name));
  return [[problem('NOVA8371', { cluster: seen.cluster, nodes, packages: shortened([...packages].sort()) })]];
}

/** Other warnings of Kubernetes. Nodes and platform pods have findings of their own. */
function warnings(seen: Observations): Chain[] {
  const covered = ['Node/', ...systemNamespaces.map((namespace) => `Pod/${namespace}/`)];
  const others = (known(seen.kubernetes)?.warnings ?? []).filter(
    ({ object, node }) => !covered.some((start) => object.startsWith(start)) && !isOnLostNode(seen, node),
  );
  // Only the newest warning about each object: older ones mostly repeat it in other words.
  const newest = [...Map.groupBy(others, ({ object }) => object).values()].flatMap(([first]) => first ?? []);
  return newest.slice(0, maxWarnings).map((each) => [warningOf(seen, each)]);
}

function warningsAbout(seen: Observations, object: string): Problem[] {
  return (known(seen.kubernetes)?.warnings ?? [])
    .filter((each) => each.object === object)
    .map((each) => warningOf(seen, each));
}

function warningOf({ tags }: Observations, warning: KubernetesView['warnings'][number]): Problem {
  const { object, reason, message } = warning;
  return missingImageProblem(warning, tags) ?? problem('NOVA8367', { object, reason, message });
}

function complaint({ name, probes }: ObservedNode, service: Probe['service']): Chain[] {
  const reported = probes.find((each) => each.service === service)?.complaint;
  return reported === undefined
    ? []
    : [[problem('NOVA8367', { object: `${service} (${name})`, reason: 'readyz', message: reported })]];
}

/** Drops chains that are part of a longer chain. */
function withoutDuplicates(chains: readonly Chain[]): Chain[] {
  const texts = chains.map((chain) => chain.map((each) => JSON.stringify(each)));
  const isDuplicate = (chain: readonly string[], index: number) =>
    texts.some((other, otherIndex) => {
      const isSame = other.length === chain.length;
      return (isSame ? otherIndex < index : other.length > chain.length) && isEnd(chain, other);
    });
  return chains.filter((_chain, index) => !isDuplicate(texts[index] ?? [], index));
}

/** Whether a chain is a part of a longer one. */
function isEnd(chain: readonly string[], longer: readonly string[]): boolean {
  const start = longer.indexOf(chain[0] ?? '');
  return start >= 0 && chain.every((each, index) => longer[start + index] === each);
}

function isStoppedOnPurpose({ machines, operation }: Observations): boolean {
  const newest = known(operation);
  const isStopped = known(machines)?.every(({ state }) => state === 'stopped') ?? false;
  return isStopped && newest?.kind === 'cluster.stop' && newest.state === 'done';
}

function isEtcdLost(seen: Observations): boolean {
  const members = controlPlanes(seen);
  return members.filter((node) => isHealthy(probeOf(node, 'etcd'))).length * 2 <= members.length;
}

const isHealthy = (probe: Probe | undefined): boolean => probe?.outcome === 'responds' && probe.complaint === undefined;
const probeOf = ({ probes }: ObservedNode, service: Probe['service']) =>
  probes.find((each) => each.service === service);
const controlPlanes = ({ nodes }: Observations) => nodes.filter(({ isControlPlane }) => isControlPlane);
const stateOfOperation = ({ operation }: Observations) => known(operation)?.state;
const isAny = (chain: Chain): boolean => chain.length > 0;

/** For example `2026-11-15 17:22 UTC`. In UTC, because the time zone of the reader is unknown. */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
