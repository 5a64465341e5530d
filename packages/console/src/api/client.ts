import { type Problem, ProblemError } from '@nova-platform/api';
import {
  type ClusterNetwork,
  type Health,
  type Modules,
  nodeContract,
  type Operation,
  type OperationStep,
  type Status,
  universeContract,
} from '@nova-platform/contracts/universe';
import { clientOf, pageClient, Refused, Unreachable } from '@nova-platform/http/browser';

export type { UniverseEvent } from '@nova-platform/contracts/universe';
export type { ClusterNetwork, Health, Modules, Operation, OperationStep, Status };
export { Refused, Unreachable };

const page = pageClient();
/** Clients of Universe, and of the Configuration Manager API that Universe serves. */
export const universe = clientOf(universeContract, page, '/api');
export const configuration = clientOf(nodeContract, page, '/api');

type Answer<Call extends (asked: never) => Promise<unknown>> = Awaited<ReturnType<Call>>;
export type Cluster = Answer<typeof universe.listClusters>['clusters'][number];
export type User = Answer<typeof universe.listUsers>['users'][number];
export type Token = Answer<typeof universe.listTokens>['tokens'][number];
export type AuditEntry = Answer<typeof universe.listAudit>['entries'][number];
export type Image = Answer<typeof universe.listImages>['images'][number];
export type Release = Answer<typeof universe.showRelease>;
export type KubernetesEvent = Answer<typeof universe.clusterEvents>['events'][number];
export type Preview = Answer<typeof universe.previewCluster>;
export type Role = User['role'];
export type Finding = Health['findings'][number];
export type ListedNode = Answer<typeof configuration.listNodes>['nodes'][number];
export type NodeDetails = Answer<typeof configuration.showNode>;
export type Report = Answer<typeof configuration.listReports>[number];
export type Catalog = Answer<typeof configuration.showCatalog>;
export type Difference = Answer<typeof configuration.showDifference>;
export type CatalogChange = Difference['pending'][number];

/** The session has expired, or there was none. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof Refused && error.status === 401;
}

/** The problems that the server reported, with the codes of the error table. */
export function problemsOf(error: unknown): readonly Problem[] {
  const said = error instanceof Refused ? error.cause : error;
  return said instanceof ProblemError ? said.problems : [];
}
