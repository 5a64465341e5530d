import type { ClusterDocuments } from '../clusters.ts';
import { placed } from '../documents.ts';
import type { Path, Problem } from '../problem.ts';
import {
  controlPlaneRolesAreUnchanged,
  deliveryIsNotRemoved,
  dnsDoesNotBecomeExternal,
  hostAddressesAreUnchanged,
  immutableFieldsAreUnchanged,
  machineKindsAreUnchanged,
} from './changes.ts';
import { listEntriesAreUnique } from './duplicates.ts';
import { kubernetesVersionIsSupported, modulesAreDelivered, modulesAreKnown, modulesHaveNodes } from './modules.ts';
import {
  apiNamesAreFree,
  baseDomainIsOutsideSiteZones,
  baseDomainIsUnique,
  clusterNameIsShortEnough,
  customerDnsIsValid,
  dnsZonesDoNotOverlap,
} from './names.ts';
import {
  addressesAreInNetworks,
  apiAddressesAreOutsideCluster,
  clusterNetworksDoNotOverlap,
  cniIsSupported,
  localExternalNetworkMatchesSite,
  networkSizesAreInRange,
  networksHaveNoHostBits,
  nodeNetworkIsUnique,
  siteNetworksDoNotOverlap,
} from './networks.ts';
import {
  apiHasOneAddress,
  controlPlanesKeepQuorum,
  hostsAreUnique,
  nodesAreLargeEnough,
  providerSettingsMatch,
} from './nodes.ts';
import type { Environment, Rule } from './rule.ts';

/** All rules beyond the schemas of the documents. */
const rules: readonly Rule[] = [
  clusterNameIsShortEnough,
  providerSettingsMatch,
  controlPlanesKeepQuorum,
  apiHasOneAddress,
  hostsAreUnique,
  nodesAreLargeEnough,
  listEntriesAreUnique,
  networksHaveNoHostBits,
  networkSizesAreInRange,
  clusterNetworksDoNotOverlap,
  nodeNetworkIsUnique,
  siteNetworksDoNotOverlap,
  localExternalNetworkMatchesSite,
  addressesAreInNetworks,
  apiAddressesAreOutsideCluster,
  cniIsSupported,
  dnsZonesDoNotOverlap,
  baseDomainIsUnique,
  baseDomainIsOutsideSiteZones,
  apiNamesAreFree,
  customerDnsIsValid,
  kubernetesVersionIsSupported,
  modulesAreKnown,
  modulesAreDelivered,
  modulesHaveNodes,
  immutableFieldsAreUnchanged,
  controlPlaneRolesAreUnchanged,
  hostAddressesAreUnchanged,
  machineKindsAreUnchanged,
  deliveryIsNotRemoved,
  dnsDoesNotBecomeExternal,
];

export function checkCluster({ infrastructure }: ClusterDocuments, environment: Environment): Problem[] {
  const { value, yaml, invalidPaths } = infrastructure;
  return rules
    .flatMap((rule) => rule(value, environment))
    .filter(
      ({ dependsOn }) =>
        !dependsOn.some((path) => invalidPaths.some((invalid) => isPrefix(path, invalid) || isPrefix(invalid, path))),
    )
    .map(({ problem }) => placed(problem, yaml));
}

function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.every((step, index) => path[index] === step);
}
