export { collectHostPackages } from '@nova-platform/engine';
export { type DownOptions, downSteps } from './down.ts';
export {
  builtFolder,
  checkHost,
  disableOvirt,
  enableOvirt,
  type Finding,
  hostDown,
  keptSite,
  startHost,
} from './host.ts';
export { releaseContent, releaseFolder } from './release-content.ts';
export type { Report, Step } from './step.ts';
export type { Login, Session } from './steps/access.ts';
export { firstClusterName } from './steps/first-cluster.ts';
export { type UpOptions, type UpSteps, upSteps } from './up.ts';
