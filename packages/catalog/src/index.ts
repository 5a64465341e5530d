export { type Catalog, createCatalog, environment, toWire } from './catalog.ts';
export { compileCatalog, compileResources } from './compile.ts';
export { type CatalogChange, diffCatalogs, type ParameterChange } from './diff.ts';
export { type Enrolment, enrolmentConfig, hostArchive } from './enrolment.ts';
export { hostPackages, hostReleases, joinScript } from './join-script.ts';
export type { ClusterSecrets, Credentials, Facts, Manager, NodeInput } from './node.ts';
export { hostFolder } from './node-scripts.ts';
export { authorizationConfiguration, type Denied, nowhere, withDenied } from './pieces/kubernetes/authorization.ts';
export { initialMembersFile } from './pieces/kubernetes/etcd.ts';
export { proxyVariables } from './pieces/proxy-settings.ts';
export {
  exec,
  file,
  group,
  notify,
  piece,
  pkg,
  type Relation,
  type Resource,
  reference,
  service,
  tidy,
  user,
} from './resource.ts';
export { secretsOf } from './secrets.ts';
export { Sensitive, sensitive } from './sensitive.ts';
export { restoreCatalog, type Sealer, storeCatalog } from './stored.ts';
