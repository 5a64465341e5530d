export { fluxObjects } from './flux.ts';
export { graphProblems } from './graph.ts';
export { moduleObjects, sourceObjects, tlsSecret } from './kustomizations.ts';
export { moduleValues, namespace as gitopsNamespace, sourceName } from './names.ts';
export { moduleProxyObjects, moduleProxyPlaces, type PodProxy, podProxy, proxyPlaces } from './proxy.ts';
export {
  deliveredModules,
  kustomizationOf,
  type ModuleState,
  missingControllers,
  moduleStates,
  sourceProblem,
} from './readiness.ts';
export { type PublishedRelease, Releases, revisionOf } from './releases.ts';
export {
  isTenantName,
  objectQuota,
  type Tenant,
  tenantExample,
  tenantLabel,
  tenantObjects,
  tenantPolicies,
  tenantQuota,
} from './tenant.ts';
export { commonValuesOf } from './values.ts';
