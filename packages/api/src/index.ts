export { type ClusterDocuments, groupClusters } from './clusters.ts';
export { type LoadedDocument, loadDocuments } from './documents.ts';
export { type ErrorCode, errorAreas, errors } from './errors/index.ts';
export { formats, string as formatted } from './formats.ts';
export {
  clusterName,
  type DnsMode,
  defaultNetworks,
  dnsMode,
  groupSize,
  type Infrastructure,
  infrastructure,
  minimumSizes,
  type NodeGroup,
  platformServices,
  type Role,
} from './infrastructure.ts';
export {
  hasMachineKinds,
  hasSdn,
  isUsable,
  type MachineKind,
  machineKinds,
  type OvirtOptions,
  type Provider,
  type ProviderSettings,
  providers,
  type UsableProvider,
  usableProviders,
} from './infrastructure-provider.ts';
export * as ipv4 from './ipv4.ts';
export type { Kind } from './kind.ts';
export { kinds } from './kinds.ts';
export { type ModuleDeclaration, readModule } from './module-declaration.ts';
export { type PlanFacts, renderValue } from './module-values.ts';
export { gitopsNamespace, type Module, moduleOf, modules, modulesOf, systemNamespaces } from './modules.ts';
export { nearest, nearestTo } from './nearest.ts';
export { freeNodeNetwork } from './node-network.ts';
export {
  describe,
  formatPath,
  type Path,
  type Place,
  type Problem,
  ProblemError,
  problem,
  reportedProblems,
} from './problem.ts';
export { type ProxyDocument, proxy } from './proxy.ts';
export { bytesOf, mebibytesOf } from './quantity.ts';
export { isTransient, RetryableError, type RetryPolicy, retryPolicyOf, untilRestarted } from './retry.ts';
export { checkCluster } from './rules/index.ts';
export type { Environment } from './rules/rule.ts';
export {
  allowedValues,
  customResourceDefinition,
  expectation,
  jsonSchema,
  kindSchema,
  mask,
  maskSecrets,
  offeredValues,
  type Schema,
  schemaAt,
  schemaOf,
  secretsIn,
  walk,
} from './schema.ts';
export { quantityText, sizeText, sizeTexts } from './size.ts';
export { type Answers, groupsOf, manifestText, type Template } from './template.ts';
export { type TerraformLock, terraformLock } from './terraform-lock.ts';
export { type Language, type Text, visible } from './text.ts';
export { kubernetesVersions } from './versions.ts';
export { rewritten, type Source } from './yaml.ts';
