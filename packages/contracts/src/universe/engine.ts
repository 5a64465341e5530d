import { formatted } from '@nova-platform/api';
import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { none, time } from './common.ts';

export const engineContract = {
  capacity: {
    method: 'GET',
    path: '/v1/capacity',
    summary: 'The capacity of the host, and the part allocated to machines',
    access: 'viewer',
    answer: z.object({
      processors: z.int(),
      memory: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
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
    summary: 'The public key by which the engine knows Universe, and until when it does',
    access: 'admin',
    answer: z.object({ publicKey: z.string(), notAfter: time.optional() }),
  },
  acceptEngineIdentity: {
    method: 'PUT',
    path: '/v1/engine/identity',
    summary: 'Where the engine is, and the certificate by which it knows Universe',
    access: 'admin',
    body: z.strictObject({
      certificate: z.string().max(16 * 1024),
      authority: z.string().max(16 * 1024),
      host: formatted('address'),
      port: z.int().min(1).max(65535),
    }),
    audited: ['host', 'port'],
    answer: none,
  },
  nodeConsole: {
    method: 'GET',
    path: '/v1/nodes/:name/console',
    summary: 'What the machine of a node wrote to its console, the end of it',
    access: 'operator',
    params: z.object({ name: formatted('domain', 253) }),
    answer: z.object({ text: z.string() }),
  },
} as const satisfies Contract;
