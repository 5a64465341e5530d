import type { Contract } from '@nova-platform/http/contract';
import type { z } from 'zod';
import { configContract } from '../config-manager/contract.ts';
import { clustersContract, type preview } from './clusters.ts';
import { engineContract } from './engine.ts';
import { type health, healthContract, type network } from './health.ts';
import { hostsContract } from './hosts.ts';
import { imagesContract } from './images.ts';
import { machinesContract } from './machines.ts';
import { modulesContract } from './modules.ts';
import { type event, type operation, operationsContract, type step } from './operations.ts';
import { providersContract } from './providers.ts';
import { releasesContract } from './releases.ts';
import { serverContract } from './server.ts';
import { storageContract } from './storage.ts';
import { usersContract } from './users.ts';

/** The API of Universe, for users, the command line and the console. */
export const universeContract = {
  ...serverContract,
  ...usersContract,
  ...operationsContract,
  ...clustersContract,
  ...healthContract,
  ...modulesContract,
  ...releasesContract,
  ...providersContract,
  ...engineContract,
  ...imagesContract,
  ...machinesContract,
  ...storageContract,
  ...hostsContract,
} as const satisfies Contract;

// Clusters are declared only through Universe. Identities are for services on its own machine.
const {
  previewPlan: _preview,
  approvePlan: _approve,
  health: _health,
  watchIdentities: _watch,
  ...nodeCalls
} = configContract;

/** The part of the Configuration Manager's API that Universe serves. */
export const nodeContract = nodeCalls;

export { diskSpec, snapshotSpec, templateSpec } from '../engine/requests.ts';
export { newMachine } from './machines.ts';
export type { storageContract } from './storage.ts';

export type Operation = z.output<typeof operation>;
export type OperationStep = z.output<typeof step>;
export type UniverseEvent = z.output<typeof event>;
export type Status = z.output<(typeof universeContract)['status']['response']>;
export type Modules = z.output<(typeof universeContract)['listModules']['response']>;
export type Preview = z.output<typeof preview>;
export type ProviderChecks = z.output<(typeof universeContract)['checkProvider']['response']>;
export type Health = z.output<typeof health>;
export type ClusterNetwork = z.output<typeof network>;
