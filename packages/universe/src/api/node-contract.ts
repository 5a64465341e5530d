import { configContract } from '@nova-platform/config-manager/contract';

/** How clusters are declared is Universe's: there is one way to do it. Identities are for services of its own machine. */
const {
  previewPlan: _preview,
  approvePlan: _approve,
  health: _health,
  watchIdentities: _watch,
  ...others
} = configContract;

/** What Universe serves of the Configuration Manager's own API. */
export const nodeContract = others;
