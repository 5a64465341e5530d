export { allocate, type Pool } from './allocate.ts';
export { type ClusterPlan, type PlannedCertificate, type PlannedNode, readPlan } from './cluster-plan.ts';
export { type Change, diffPlans } from './diff.ts';
export { planCluster } from './plan.ts';
export { defaultSite, type Site, siteNetworks } from './site.ts';
