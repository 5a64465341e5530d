import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { name, problem, text } from './common.ts';

export const providersContract = {
  checkProvider: {
    method: 'POST',
    path: '/v1/clusters/:cluster/provider/check',
    summary: 'Connects to the infrastructure provider of documents and reports everything missing; changes nothing',
    access: 'operator',
    params: z.object({ cluster: name }),
    body: z.strictObject({ documents: z.string().max(1024 * 1024) }),
    isReading: true,
    response: z.object({
      checks: z.array(
        z.object({
          name: z.enum(['connection', 'rights', 'cluster', 'template', 'network', 'storage', 'names', 'plan']),
          problems: z.array(problem),
          /** What was found. */
          found: text.exactOptional(),
        }),
      ),
    }),
  },
} as const satisfies Contract;
