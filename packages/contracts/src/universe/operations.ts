import { change } from '@nova-platform/change/schema';
import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { limit, line, name, operationState, problem, text, time } from './common.ts';

const operationParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });
export const step = z.object({
  name: z.string(),
  title: text,
  state: z.enum(['waiting', 'running', 'done', 'failed', 'undone']),
  attempts: z.int(),
  startedAt: time.optional(),
  endedAt: time.optional(),
  result: z.unknown().optional(),
  problems: z.array(problem).optional(),
});
export const operation = z
  .object({
    id: z.int(),
    kind: z.string(),
    title: text,
    lock: z.string().optional(),
    state: operationState,
    isCancelling: z.boolean(),
    requestedBy: z.string(),
    createdAt: time,
    endedAt: time.optional(),
    failure: z.object({ step: z.string(), problems: z.array(problem) }).optional(),
    kept: z.array(z.string()).optional(),
    steps: z.array(step),
  })
  .meta({ id: 'Operation' });

export const event = z.object({
  id: z.int(),
  at: time,
  kind: z.enum(['operation', 'step', 'log', 'cluster']),
  cluster: z.string().optional(),
  operation: z.int().optional(),
  step: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

export const operationsContract = {
  listOperations: {
    method: 'GET',
    path: '/v1/operations',
    summary: 'Operations, newest first',
    access: 'viewer',
    query: z.strictObject({
      /** A cluster, or another subject of operations: `registry.images`, `machine.web`. */
      cluster: line(63).optional(),
      state: operationState.optional(),
      before: z.coerce.number().int().optional(),
      limit,
    }),
    response: z.object({ operations: z.array(operation), next: z.int().optional() }),
  },
  showOperation: {
    method: 'GET',
    path: '/v1/operations/:id',
    summary: 'An operation with its steps',
    access: 'viewer',
    params: operationParams,
    response: operation,
  },
  showOperationChange: {
    method: 'GET',
    path: '/v1/operations/:id/change',
    summary: 'The change that was approved with an operation; it can be large, unlike the operation',
    access: 'viewer',
    params: operationParams,
    response: z.object({
      /** Absent if the operation applies no change, or a change of an older release that this one cannot show. */
      change: change.optional(),
    }),
  },
  resumeOperation: {
    method: 'POST',
    path: '/v1/operations/:id/resume',
    summary: 'Resumes a failed operation',
    access: 'operator',
    params: operationParams,
    response: operation,
  },
  cancelOperation: {
    method: 'POST',
    path: '/v1/operations/:id/cancel',
    summary: 'Cancels an operation and rolls back its steps',
    access: 'operator',
    params: operationParams,
    response: operation,
  },
  listEvents: {
    method: 'GET',
    path: '/v1/events/history',
    summary: 'Events after a given one, in order; they include the logs of operations',
    access: 'viewer',
    query: z.strictObject({
      cluster: name.optional(),
      operation: z.coerce.number().int().optional(),
      after: z.coerce.number().int().min(0).default(0),
      limit,
    }),
    response: z.object({ events: z.array(event) }),
  },
} as const satisfies Contract;
