export { checkHost, type Finding } from './host/check.ts';
export { hostDown, hostStop, removeBuilt } from './host/down.ts';
export { disableOvirt, enableOvirt } from './host/ovirt.ts';
export { checkSite, keptSite } from './host/site.ts';
export { unitOf } from './host/units.ts';
export { hostUp, installMissing } from './host/up.ts';
export { buildImage } from './images/build.ts';
export { builtFolder, clientEndpoint } from './paths.ts';
export { hasKvm } from './vms/kvm.ts';
