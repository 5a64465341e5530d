import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { finding, problem, time } from './common.ts';

const service = z.object({
  name: z.string(),
  isReady: z.boolean(),
  version: z.string().optional(),
  /** The reason as text, and as a problem with a code if it has one. */
  reason: z.string().optional(),
  problems: z.array(problem).optional(),
});

export const serverContract = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'Whether the server runs',
    access: 'anyone',
    response: z.object({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    path: '/v1/ready',
    summary: 'Readiness: whether the database responds; with a token also the state of the services',
    access: 'anyone',
    hasDetails: true,
    response: z.object({ status: z.literal('ok'), services: z.array(service).exactOptional() }),
  },
  authority: {
    method: 'GET',
    path: '/v1/authority',
    summary: 'The CA of the platform; verify its fingerprint over another channel',
    access: 'anyone',
    response: z.object({ certificate: z.string(), fingerprint: z.string() }),
  },
  site: {
    method: 'GET',
    path: '/v1/site',
    summary: 'The networks and the domain of the site, as chosen at installation',
    access: 'viewer',
    response: z.object({
      externalNetwork: z.string(),
      integrationNetwork: z.string(),
      transitNetwork: z.string(),
      domain: z.string(),
    }),
  },
  status: {
    method: 'GET',
    path: '/v1/status',
    summary: 'Services, versions, disk usage, and certificates that were not renewed in time',
    access: 'viewer',
    response: z.object({
      version: z.string(),
      startedAt: time,
      services: z.array(service),
      disk: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
      memoryBytes: z.number(),
      counts: z.object({ clusters: z.int(), nodes: z.int(), runningOperations: z.int(), failedOperations: z.int() }),
      endingCertificates: z.array(z.object({ name: z.string(), node: z.string().optional(), notAfter: time })),
      /** Without a time until images are compared with Debian's package lists. */
      updates: z.object({
        checkedAt: time.exactOptional(),
        /** Machines with missing security updates, and the names of the packages. */
        machines: z.array(z.object({ name: z.string(), security: z.array(z.string()) })),
      }),
      /** Findings of Universe itself; those of clusters are in their health. */
      findings: z.array(finding),
    }),
  },
} as const satisfies Contract;
