import { ProblemError, problem } from '@nova-platform/api';
import { apiClient, type Client, clientOf } from '@nova-platform/http/client';
import { ovirtContract, ovirtSocket } from './contract.ts';

export type OvirtClient = Client<typeof ovirtContract>;

/** The client for root on the host of the API. */
export const ovirtClient: OvirtClient = clientOf(
  ovirtContract,
  apiClient({ socketPath: ovirtSocket }, ({ code }) => {
    return new ProblemError(code === 'EACCES' ? problem('NOVA7031', {}) : problem('NOVA7661', {}));
  }),
);
