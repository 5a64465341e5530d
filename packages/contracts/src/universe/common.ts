import { formatted } from '@nova-platform/api';
import { z } from 'zod';

export const name = formatted('label', 63);
export const role = z.enum(['viewer', 'operator', 'admin']);
export const time = z.iso.datetime();
export const text = z.object({ en: z.string(), ru: z.string() });
export const limit = z.coerce.number().int().min(1).max(500).default(50);
export const none = z.object({});
/** PostgreSQL cannot store the character NUL. */
export const line = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[^\0]*$/, 'text without zero characters');
/** A problem by its code in the error table; the client formats the message. */
export const problem = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), text])),
  path: z.array(z.union([z.string(), z.number()])).readonly(),
});
export const finding = z.object({ severity: z.enum(['error', 'warning']), chain: z.array(problem) });
export const operationState = z.enum(['running', 'done', 'failed', 'cancelled']);
export const clusterParams = z.object({ cluster: name });
