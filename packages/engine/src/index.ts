export { engineClient } from './client.ts';
export type { MachineSpec, MachineStatus } from './engine.ts';
export { checkHost, type Finding } from './host/check.ts';
export { hostDown } from './host/down.ts';
export { unitOf } from './host/units.ts';
export { hostUp, installMissing } from './host/up.ts';
export { buildImage, type Image } from './images/build.ts';
export type { NetworkRecord } from './networks.ts';
