import { checkValue } from '../documents.ts';
import { groupSize } from '../infrastructure.ts';
import { modules, modulesOf } from '../modules.ts';
import { nearestTo } from '../nearest.ts';
import { kubernetesVersions } from '../versions.ts';
import { configPath, type Finding, finding, type Rule } from './rule.ts';

export const kubernetesVersionIsSupported: Rule = ({ spec }) => {
  const { kubernetesVersion: version } = spec.clusterConfiguration;
  if ((kubernetesVersions as readonly string[]).includes(version)) return [];
  return [finding('NOVA3010', { version, known: kubernetesVersions.join(', ') }, configPath('kubernetesVersion'))];
};

export const modulesAreDelivered: Rule = ({ spec }) => {
  const { delivery, modules: declared } = spec.clusterConfiguration;
  if (delivery !== 'none') return [];
  return declared.flatMap(({ name, enabled }, index) =>
    enabled
      ? [finding('NOVA3030', { module: name }, configPath('modules', index, 'name'), [configPath('delivery')])]
      : [],
  );
};

export const modulesAreKnown: Rule = ({ spec }) => {
  const known = modules.map(({ name }) => name);
  return spec.clusterConfiguration.modules.flatMap(({ name, enabled, settings }, index): Finding[] => {
    const path = configPath('modules', index);
    const module = modules.find((each) => each.name === name);
    if (module === undefined) {
      return [
        finding('NOVA3008', { module: name, known: known.join(', '), nearest: nearestTo(name, known) }, [
          ...path,
          'name',
        ]),
      ];
    }
    const findings: Finding[] = checkValue(module.settings, settings, [...path, 'settings']).map((problem) => ({
      problem,
      dependsOn: [problem.path],
    }));
    if (module.category === 'base' && !enabled)
      findings.push(finding('NOVA3009', { module: name }, [...path, 'enabled']));
    return findings;
  });
};

export const modulesHaveNodes: Rule = (document) => {
  const present = new Set(
    document.spec.nodeGroups.filter((group) => groupSize(group) > 0).flatMap((group) => group.roles),
  );
  const declared = document.spec.clusterConfiguration.modules;
  return modulesOf(document).flatMap(({ module }) => {
    const index = declared.findIndex(({ name }) => name === module.name);
    const path = index === -1 ? ['spec', 'nodeGroups'] : configPath('modules', index, 'name');
    return module.roles
      .filter((role) => !present.has(role))
      .map((role) =>
        finding('NOVA3007', { module: module.name, role }, path, [['spec', 'nodeGroups'], configPath('extraOptions')]),
      );
  });
};
