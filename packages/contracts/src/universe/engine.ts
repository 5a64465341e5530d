import { formatted } from '@nova-platform/api';
import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { none, time } from './common.ts';

export const engineContract = {
  capacity: {
    method: 'GET',
    path: '/v1/capacity',
    summary: 'The capacity of the host, and how much of it is allocated to machines',
    access: 'viewer',
    response: z.object({
      /** `used` is an average of the last minute. */
      processors: z.object({ total: z.int(), used: z.number() }),
      /** `availableBytes` is for new machines: free, and within the total without the memory of running machines. */
      memory: z.object({ totalBytes: z.number(), freeBytes: z.number(), availableBytes: z.number() }),
      disk: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
      /** Processors and memory of the running machines, and the disks of all. */
      machines: z.object({
        count: z.int(),
        running: z.int(),
        cpu: z.number(),
        memoryBytes: z.number(),
        diskBytes: z.number(),
      }),
    }),
  },
  engineIdentity: {
    method: 'GET',
    path: '/v1/engine/identity',
    summary: 'The public key of Universe toward the engine, and the expiry of its certificate',
    access: 'admin',
    response: z.object({ publicKey: z.string(), notAfter: time.optional() }),
  },
  acceptEngineIdentity: {
    method: 'PUT',
    path: '/v1/engine/identity',
    summary: 'Sets the address of the engine and the certificate of Universe toward it',
    access: 'admin',
    body: z.strictObject({
      certificate: z.string().max(16 * 1024),
      authority: z.string().max(16 * 1024),
      host: formatted('address'),
      port: z.int().min(1).max(65535),
    }),
    audited: ['host', 'port'],
    response: none,
  },
  nodeConsole: {
    method: 'GET',
    path: '/v1/nodes/:name/console',
    summary: "The end of the console output of a node's machine",
    access: 'operator',
    params: z.object({ name: formatted('domain', 253) }),
    response: z.object({ text: z.string() }),
  },
} as const satisfies Contract;
