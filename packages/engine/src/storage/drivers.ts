import { containerDisks } from './container.ts';
import type { DiskDrivers } from './driver.ts';

export const diskDrivers: DiskDrivers = { container: containerDisks, vm: containerDisks };
