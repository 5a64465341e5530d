import { describe, errors, type Problem, ProblemError, problem } from '@nova-platform/api';
import type { FastifyRequest } from 'fastify';

interface Fault extends Record<string, string | number> {
  status: number;
  reason: string;
  detail: string;
}

/** An error as a fault of oVirt. */
export function faultOf(error: unknown, { log, id, method, url }: FastifyRequest): Fault {
  const reason = 'Operation Failed';
  if (error instanceof ProblemError) {
    const [first] = error.problems;
    const detail = error.problems.map(detailOf).join(' ');
    return { status: first ? statusOf(first) : 500, reason, detail: `[${detail}]` };
  }
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  if (statusCode < 500) return { status: statusCode, reason, detail: `[${message}]` };
  log.error({ err: error, id, method, path: url.split('?')[0] }, 'a request failed');
  return { status: 500, reason, detail: `[${detailOf(problem('NOVA9002', { id }))}]` };
}

function detailOf(found: Problem): string {
  const { message, remedy } = describe(found, 'en');
  return `${message} ${remedy} (${found.code})`;
}

/** Clients retry the status 409, so it is only for problems that pass by themselves. */
function statusOf({ code }: Problem): number {
  const { status, retry } = errors[code] as { status: number; retry?: unknown };
  if (code === 'NOVA7030') return 503;
  if (code === 'NOVA7010') return 404;
  if (status === 422 || status === 409) return retry === undefined ? 400 : 409;
  return status;
}
