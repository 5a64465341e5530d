import { containerDisks } from './container.ts';
import type { DiskDrivers } from './driver.ts';
import { vmDisks } from './vm.ts';

export const diskDrivers: DiskDrivers = { container: containerDisks, vm: vmDisks };
