export { allocate, type Pool } from './allocate.ts';
export { type ClusterPlan, clusterPlan, type PlannedCertificate, type PlannedNode, readPlan } from './cluster-plan.ts';
export {
  checkAgainstPlans,
  checkClusters,
  type DeclaredClusters,
  type Defaults,
  type Planned,
  planOf,
} from './declared.ts';
export { type Change, diffPlans, noticedOf } from './diff.ts';
export { addressesOfName } from './dns.ts';
export { emulationSlowdown } from './emulation.ts';
export { controlPlanes, machineKindOf } from './nodes.ts';
export { planCluster } from './plan.ts';
export { type CoreImage, coreImageOf, coreImages, programsOf } from './programs.ts';
export { needsRestart } from './resize.ts';
export {
  addressesOf,
  changedAddresses,
  defaultAddresses,
  defaultSite,
  type HostNetwork,
  hostOverlaps,
  type Site,
  type SiteAddresses,
  siteNetworks,
  siteOf,
  siteProblems,
  siteZones,
  universeNames,
  usualClusterNetworks,
} from './site.ts';
export { isOutdated, type OutdatedPlan, outdatedPlan, StoredPlans, storedPlan, translatedPlan } from './stored-plan.ts';
