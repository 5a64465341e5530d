import {
  clusterName,
  hasMachineKinds,
  hasSdn,
  type Infrastructure,
  infrastructure,
  kindSchema,
  type MachineKind,
  maskSecrets,
  ProblemError,
  type ProxyDocument,
  proxy as proxyKind,
} from '@nova-platform/api';
import { planAuthorities, planCertificates, planSharedKeys } from './certificates.ts';
import type { ClusterPlan } from './cluster-plan.ts';
import { planDns } from './dns.ts';
import { planModules, planRelease } from './modules.ts';
import { planSdn, planSiteNetwork } from './network.ts';
import { controlPlanes, kindOf, planNodes } from './nodes.ts';
import { planProxy } from './proxy.ts';
import { planServices } from './services.ts';
import type { Site } from './site.ts';

export interface PlanInput {
  infrastructure: Infrastructure;
  proxy?: ProxyDocument | undefined;
  site: Site;
  /** The current plan of the cluster, if it has one. */
  current?: ClusterPlan | undefined;
  /** The other clusters of the site. */
  others?: readonly ClusterPlan[];
  /** The newest release, for a cluster that has no release and declares none. */
  newestRelease?: string | undefined;
  /** The kind of machines of a new cluster that declares none: the host decides. */
  hostKind?: MachineKind | undefined;
}

/**
 * Everything that will exist for a cluster. A pure function: the same input gives the same bytes. The documents are
 * validated before; only exhausted pools are found here.
 */
export function planCluster({
  infrastructure: document,
  proxy,
  site,
  current,
  others = [],
  newestRelease,
  hostKind,
}: PlanInput): ClusterPlan {
  const { provider, clusterConfiguration } = document.spec;
  const name = clusterName(document);

  const machineKind = hasMachineKinds(provider.type)
    ? (provider.machineKind ?? (current ? current.cluster.machineKind : hostKind))
    : undefined;
  const placed = planNodes(name, document, current, machineKind);
  const connected = hasSdn(provider.type)
    ? planSdn(name, document, placed.nodes, { site, others, current })
    : { ...planSiteNetwork(name, document, placed.nodes, site), problems: [] };
  const problems = [...placed.problems, ...connected.problems];
  if (problems.length > 0) throw new ProblemError(...problems);

  const { nodes, network, api } = connected;
  const cluster: ClusterPlan['cluster'] = {
    name,
    provider: provider.type,
    ...kindOf(machineKind),
    kubernetesVersion: clusterConfiguration.kubernetesVersion,
    topology: controlPlanes(nodes).length > 1 ? 'HighlyAvailable' : 'SingleReplica',
    cni: clusterConfiguration.cni,
    kubeProxyMode: clusterConfiguration.kubeProxyMode,
  };
  const services = planServices(document);
  const dns = planDns(document, { nodes, api }, services.novaDns);

  return {
    planVersion: 1,
    cluster,
    nodes,
    network,
    api,
    services,
    dns,
    authorities: planAuthorities(name),
    certificates: planCertificates({ cluster, nodes, api, services, dns }, document, site),
    sharedKeys: planSharedKeys(nodes),
    ...planRelease(document, current, newestRelease),
    modules: planModules(document),
    ...(proxy && { proxy: planProxy(proxy, { cluster, services, network, dns, api }, site) }),
    declared: maskSecrets(kindSchema(infrastructure), document).spec,
    ...(proxy && { declaredProxy: maskSecrets(kindSchema(proxyKind), proxy).spec }),
  };
}
