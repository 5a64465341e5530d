import { type Problem, ProblemError } from '@nova-platform/api';

/** What is wrong, as it travels: `failure` on the other side makes an error of it again. */
export function failureBody(error: unknown): { problems: readonly Problem[] } | { message: string } {
  return error instanceof ProblemError ? { problems: error.problems } : { message: (error as Error).message };
}

export function failure(text: string): Error {
  try {
    const { problems, message } = JSON.parse(text) as { problems?: Problem[]; message?: string };
    return problems ? new ProblemError(...problems) : new Error(message);
  } catch {
    return new Error(text);
  }
}
