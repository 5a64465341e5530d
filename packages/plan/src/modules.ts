import { type Infrastructure, maskSecrets, modulesOf, schemaOf } from '@nova-platform/api';
import type { ClusterPlan } from './cluster-plan.ts';

/** The modules in the order in which they become ready. */
export function planModules(document: Infrastructure): ClusterPlan['modules'] {
  return modulesOf(document).map(({ module, settings }) => ({
    name: module.name,
    category: module.category,
    needs: [...module.needs],
    settings: maskSecrets(schemaOf(module.settings), module.settings.parse(settings)),
  }));
}

/** The release that modules come from: the declared one, else the installed one, else the newest. */
export function planRelease(
  { spec }: Infrastructure,
  current: ClusterPlan | undefined,
  newest: string | undefined,
): Pick<ClusterPlan, 'release'> {
  const { delivery, release: declared } = spec.clusterConfiguration;
  const release = declared ?? current?.release ?? newest;
  return delivery === 'none' || release === undefined ? {} : { release };
}
