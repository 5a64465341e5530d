import type { ClusterDocuments } from '../clusters.ts';
import { placed } from '../documents.ts';
import type { Path, Problem } from '../problem.ts';
import {
  controlPlanesStay,
  deliveryStays,
  dnsStaysInside,
  hostsKeepTheirAddresses,
  immutableFieldsStay,
} from './changes.ts';
import { listsHoldNothingTwice } from './duplicates.ts';
import { kubernetesCanBeInstalled, modulesAreDelivered, modulesAreKnown, modulesHaveTheirNodes } from './modules.ts';
import {
  apiNamesAreFree,
  baseDomainIsNotThePlatforms,
  baseDomainIsUnique,
  clusterHasAName,
  customerDnsWorks,
  zonesAreApart,
} from './names.ts';
import {
  addressesAreInTheirNetworks,
  addressesAreNotTheClusters,
  localExternalNetworkIsTheSites,
  networksAreNetworks,
  networksFitTheirUse,
  networksOfOneClusterAreApart,
  nodeNetworkIsUnique,
  podNetworkingIsThere,
  siteNetworksAreKeptFree,
} from './networks.ts';
import {
  apiHasOneAddress,
  controlPlanesKeepQuorum,
  hostsAreUnique,
  nodesAreLargeEnough,
  providerHasItsSettings,
} from './nodes.ts';
import type { Rule, Surroundings } from './rule.ts';

/** All rules beyond the schemas of the documents. */
const rules: readonly Rule[] = [
  clusterHasAName,
  providerHasItsSettings,
  controlPlanesKeepQuorum,
  apiHasOneAddress,
  hostsAreUnique,
  nodesAreLargeEnough,
  listsHoldNothingTwice,
  networksAreNetworks,
  networksFitTheirUse,
  networksOfOneClusterAreApart,
  nodeNetworkIsUnique,
  siteNetworksAreKeptFree,
  localExternalNetworkIsTheSites,
  addressesAreInTheirNetworks,
  addressesAreNotTheClusters,
  podNetworkingIsThere,
  zonesAreApart,
  baseDomainIsUnique,
  baseDomainIsNotThePlatforms,
  apiNamesAreFree,
  customerDnsWorks,
  kubernetesCanBeInstalled,
  modulesAreKnown,
  modulesAreDelivered,
  modulesHaveTheirNodes,
  immutableFieldsStay,
  controlPlanesStay,
  hostsKeepTheirAddresses,
  deliveryStays,
  dnsStaysInside,
];

export function checkCluster({ infrastructure }: ClusterDocuments, around: Surroundings): Problem[] {
  const { value, yaml, leftOut } = infrastructure;
  return rules
    .flatMap((rule) => rule(value, around))
    .filter(
      ({ restsOn }) =>
        !restsOn.some((path) => leftOut.some((invalid) => isPrefix(path, invalid) || isPrefix(invalid, path))),
    )
    .map(({ problem }) => placed(problem, yaml));
}

function isPrefix(prefix: Path, path: Path): boolean {
  return prefix.every((step, index) => path[index] === step);
}
