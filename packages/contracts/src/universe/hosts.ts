import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { name, time } from './common.ts';

const longestSeconds = 24 * 3600;

export const hostsContract = {
  createJoinCommand: {
    method: 'POST',
    path: '/v1/hosts/:name/join-command',
    summary: 'Creates the command that makes an existing host a node, with a token for one use',
    access: 'operator',
    params: z.strictObject({ name }),
    body: z.strictObject({ lifetimeSeconds: z.int().min(60).max(longestSeconds).default(3600) }),
    audited: ['lifetimeSeconds'],
    response: z.object({ name: z.string(), address: z.string(), command: z.string(), expiresAt: time }),
  },
} as const satisfies Contract;
