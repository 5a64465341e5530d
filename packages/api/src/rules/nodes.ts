import { groupSize, minimumSizes } from '../infrastructure.ts';
import { hasMachineKinds, hasSdn } from '../infrastructure-provider.ts';
import { formatPath, type Path } from '../problem.ts';
import { bytesOf } from '../quantity.ts';
import { configPath, type Finding, finding, type Rule } from './rule.ts';

const groupsPath: Path = ['spec', 'nodeGroups'];

export const controlPlanesKeepQuorum: Rule = ({ spec }) => {
  const groups = [...spec.nodeGroups.entries()].filter(([, group]) => group.roles.includes('control-plane'));
  const count = groups.reduce((sum, [, group]) => sum + groupSize(group), 0);
  if ([1, 3, 5].includes(count)) return [];
  const [first] = groups;
  const path = first ? [...groupsPath, first[0], first[1].count === undefined ? 'roles' : 'count'] : groupsPath;
  // The count includes all groups, so the finding depends on all of them.
  return [finding('NOVA3005', { count }, path, [groupsPath])];
};

export const providerSettingsMatch: Rule = ({ spec }) => {
  const { type } = spec.provider;
  const needs = (path: Path, at: Path): Finding =>
    finding('NOVA3011', { provider: type, field: formatPath(path) }, at, [path, typePath]);
  const refuses = (path: Path): Finding =>
    finding('NOVA3012', { provider: type, field: formatPath(path) }, path, [typePath]);
  const typePath: Path = ['spec', 'provider', 'type'];
  const findings: Finding[] = [];

  for (const owner of ['zvirt', 'ovirt', 'vsphere'] as const) {
    const isDeclared = spec.provider[owner] !== undefined;
    if (owner === type && !isDeclared) findings.push(needs(['spec', 'provider', owner], typePath));
    if (owner !== type && isDeclared) findings.push(refuses(['spec', 'provider', owner]));
  }

  const needsExternalNetwork = type === 'zvirt' || type === 'ovirt';
  if (needsExternalNetwork && !spec.externalNetwork) findings.push(needs(['spec', 'externalNetwork'], typePath));
  if (!hasSdn(type) && spec.externalNetwork) findings.push(refuses(['spec', 'externalNetwork']));
  if (!hasSdn(type) && spec.clusterConfiguration.publishNodePorts)
    findings.push(refuses(configPath('publishNodePorts')));
  if (hasSdn(type) && spec.clusterConfiguration.k8sAPIAddress) findings.push(refuses(configPath('k8sAPIAddress')));

  if (!hasMachineKinds(type) && spec.provider.machineKind) findings.push(refuses(['spec', 'provider', 'machineKind']));

  for (const [index, group] of spec.nodeGroups.entries()) {
    if (!hasMachineKinds(type) && group.machineKind) findings.push(refuses([...groupsPath, index, 'machineKind']));
    const hostsPath = [...groupsPath, index, 'hosts'];
    if (type === 'existing' && !group.hosts) findings.push(needs(hostsPath, [...groupsPath, index]));
    if (type !== 'existing' && group.hosts) findings.push(refuses(hostsPath));
    if (group.hosts && group.count !== undefined && group.count !== group.hosts.length) {
      findings.push(
        finding(
          'NOVA3020',
          { group: group.name, count: group.count, hosts: group.hosts.length },
          [...groupsPath, index, 'count'],
          [hostsPath],
        ),
      );
    }
  }
  return findings;
};

export const apiHasOneAddress: Rule = ({ spec }) => {
  const { type } = spec.provider;
  const count = spec.nodeGroups
    .filter((group) => group.roles.includes('control-plane'))
    .reduce((sum, group) => sum + groupSize(group), 0);
  if (hasSdn(type) || count <= 1 || spec.clusterConfiguration.k8sAPIAddress) return [];
  return [
    finding('NOVA3021', { count, provider: type }, configPath('k8sAPIAddress'), [
      groupsPath,
      ['spec', 'provider', 'type'],
    ]),
  ];
};

export const nodesAreLargeEnough: Rule = ({ spec }) =>
  spec.nodeGroups.flatMap((group, index) =>
    (['memory', 'disk'] as const)
      .filter((field) => bytesOf(group[field]) < bytesOf(minimumSizes[field]))
      .map((field) =>
        finding('NOVA3050', { size: group[field], field, least: minimumSizes[field] }, [...groupsPath, index, field]),
      ),
  );

/** Hosts are unique across all groups, by name and by address. */
export const hostsAreUnique: Rule = ({ spec }) => {
  const seen = new Map<string, number>();
  return spec.nodeGroups.flatMap((group, index) =>
    (group.hosts ?? []).flatMap((host, number) =>
      (['name', 'address'] as const).flatMap((key) => {
        const owner = seen.get(host[key]);
        seen.set(host[key], owner ?? index);
        // Duplicate names within one group are reported by the rule for unique lists.
        if (owner === undefined || (key === 'name' && owner === index)) return [];
        return [
          finding(
            'NOVA3013',
            { value: host[key], field: 'hosts' },
            [...groupsPath, index, 'hosts', number, key],
            [groupsPath],
          ),
        ];
      }),
    ),
  );
};
