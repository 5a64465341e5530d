import {
  clusterName,
  dnsMode,
  groupSize,
  type Infrastructure,
  infrastructure,
  type NodeGroup,
} from '../infrastructure.ts';
import type { Path } from '../problem.ts';
import { kindSchema, walk } from '../schema.ts';
import { configPath, type Finding, finding, type Rule } from './rule.ts';

/** Fields declared immutable keep their values. */
export const immutableFieldsAreUnchanged: Rule = (document, { installed }) => {
  if (!installed) return [];
  const findings: Finding[] = [];
  walk(kindSchema(infrastructure), (path, schema) => {
    if (!schema.notes?.immutable) return;
    const before = effective({ ...document, spec: installed }, path);
    const after = effective(document, path);
    if (before !== after) {
      const field = path.at(-1) ?? '';
      findings.push(finding('NOVA4001', { field, before: String(before), after: String(after) }, path));
    }
  });
  return findings;
};

function effective(document: Infrastructure, path: string[]): unknown {
  if (path.at(-1) === 'clusterName') return clusterName(document);
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document) ?? '—';
}

/** etcd, the API server and their certificates are set up when a node is created, and removed with the node. */
export const controlPlaneRolesAreUnchanged: Rule = ({ spec }, { installed }) => {
  const before = new Map(installed ? nodesOf(installed).map(({ node, group }) => [node, group]) : []);
  const changed = nodesOf(spec).flatMap(({ node, group, index }) => {
    const earlier = before.get(node);
    return earlier && isControlPlane(earlier) !== isControlPlane(group) ? [{ group, index }] : [];
  });
  return [...new Map(changed.map((each) => [each.index, each])).values()].map(({ group, index }) => {
    const code = isControlPlane(group) ? 'NOVA3070' : 'NOVA3071';
    return finding(code, { group: group.name }, [...groupsPath, index, 'roles'], [[...groupsPath, index, 'hosts']]);
  });
};

export const hostAddressesAreUnchanged: Rule = ({ spec }, { installed }) => {
  const before = new Map(installed?.nodeGroups.flatMap(({ hosts = [] }) => hosts).map((host) => [host.name, host]));
  return spec.nodeGroups.flatMap(({ hosts = [] }, index) =>
    hosts.flatMap(({ name, address }, number) => {
      const earlier = before.get(name);
      if (!earlier || earlier.address === address) return [];
      const path = [...groupsPath, index, 'hosts', number, 'address'];
      return [finding('NOVA3072', { host: name, before: earlier.address, after: address }, path)];
    }),
  );
};

/** A node keeps its machine, whose disk has its volumes and etcd. */
export const machineKindsAreUnchanged: Rule = ({ spec }, { machineKinds }) => {
  const ofProvider = ['spec', 'provider', 'machineKind'];
  return spec.nodeGroups.flatMap((group, index) => {
    const before = machineKinds?.byGroup.get(group.name);
    const after = group.machineKind ?? spec.provider.machineKind ?? machineKinds?.default;
    if (!before || !after || before === after || groupSize(group) === 0) return [];
    const own = [...groupsPath, index, 'machineKind'];
    const path = group.machineKind || !spec.provider.machineKind ? own : ofProvider;
    const dependsOn = [ofProvider, own, [...groupsPath, index, 'count']];
    return [finding('NOVA3074', { group: group.name, before, after }, path, dependsOn)];
  });
};

const groupsPath: Path = ['spec', 'nodeGroups'];

const isControlPlane = ({ roles }: NodeGroup): boolean => roles.includes('control-plane');

/** All nodes with stable names: hosts have their own, others have the name of their group and a number. */
function nodesOf({ nodeGroups }: Infrastructure['spec']): { node: string; group: NodeGroup; index: number }[] {
  return nodeGroups.flatMap((group, index) => {
    const numbered = Array.from({ length: groupSize(group) }, (_, number) => `${group.name}-${number}`);
    return (group.hosts?.map(({ name }) => name) ?? numbered).map((node) => ({ node, group, index }));
  });
}

/** Removing Flux would delete the modules and everything that teams deliver with it. */
export const deliveryIsNotRemoved: Rule = ({ spec }, { installed }) => {
  const before = installed?.clusterConfiguration.delivery ?? 'none';
  const after = spec.clusterConfiguration.delivery;
  if (before === 'none' || before === after) return [];
  return [finding('NOVA4001', { field: 'delivery', before, after }, configPath('delivery'))];
};

export const dnsDoesNotBecomeExternal: Rule = (document, { installed }) => {
  if (!installed || dnsMode({ ...document, spec: installed }) === 'external' || dnsMode(document) === 'internal')
    return [];
  const { dnsBaseDomain: zone, extraOptions } = document.spec.clusterConfiguration;
  const index = extraOptions.dns.customerDns.forwardZones.findIndex(({ name }) => name === zone);
  return [
    finding('NOVA4002', { zone }, configPath('extraOptions', 'dns', 'customerDns', 'forwardZones', index, 'name')),
  ];
};
