import type { MachineKind } from '@nova-platform/contracts/engine';
import { vmDriver } from '../vms/driver.ts';
import type { MachineDriver } from './driver.ts';
import { runcDriver } from './runc.ts';

/** The driver of each kind of machine. */
export type Drivers = Readonly<Record<MachineKind, MachineDriver>>;

export const drivers: Drivers = { container: runcDriver, vm: vmDriver };
