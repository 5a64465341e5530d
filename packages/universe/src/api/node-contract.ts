import { configContract } from '@nova-platform/config-manager/contract';

/** How clusters are declared is Universe's: there is one way to do it. */
const { previewPlan: _preview, approvePlan: _approve, health: _health, ...others } = configContract;

/** What Universe serves of the Configuration Manager's own API. */
export const nodeContract = others;
