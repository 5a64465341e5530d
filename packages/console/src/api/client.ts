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

export const page = pageClient();
/** Clients of Universe, and of the Configuration Manager API that Universe serves. */
export const universe = clientOf(universeContract, page, '/api');
export const configuration = clientOf(nodeContract, page, '/api');

type Response<Call extends (request: never) => Promise<unknown>> = Awaited<ReturnType<Call>>;
export type Cluster = Response<typeof universe.listClusters>['clusters'][number];
export type User = Response<typeof universe.listUsers>['users'][number];
export type Token = Response<typeof universe.listTokens>['tokens'][number];
export type AuditEntry = Response<typeof universe.listAudit>['entries'][number];
export type Image = Response<typeof universe.listImages>['images'][number];
export type Release = Response<typeof universe.showRelease>;
export type KubernetesNode = NonNullable<Response<typeof universe.clusterNode>['node']>;
export type KubernetesEvent = Response<typeof universe.clusterEvents>['events'][number];
export type Preview = Response<typeof universe.previewCluster>;
export type Role = User['role'];
export type Finding = Health['findings'][number];
export type ListedNode = Response<typeof configuration.listNodes>['nodes'][number];
export type NodeDetails = Response<typeof configuration.showNode>;
export type Report = Response<typeof configuration.listReports>[number];
export type Catalog = Response<typeof configuration.showCatalog>;
export type Difference = Response<typeof configuration.showDifference>;
export type Machine = Response<typeof universe.listMachines>['machines'][number];
export type MachineDetails = Response<typeof universe.showMachine>;
export type MachineImage = Response<typeof universe.listMachineImages>['images'][number];
export type HostNetwork = Response<typeof universe.listNetworks>['networks'][number];
export type NetworkDetails = Response<typeof universe.showNetwork>;
export type Host = Response<typeof universe.showHost>;
export type Disk = Response<typeof universe.listDisks>['disks'][number];
export type Snapshot = Response<typeof universe.listSnapshots>['snapshots'][number];
export type Capacity = Response<typeof universe.capacity>;
export type CatalogChange = Difference['pending'][number];

/** The session has expired, or there was none. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof Refused && error.status === 401;
}

/** The problems that the server reported, with the codes of the error table. */
export function problemsOf(error: unknown): readonly Problem[] {
  const cause = error instanceof Refused ? error.cause : error;
  return cause instanceof ProblemError ? cause.problems : [];
}
