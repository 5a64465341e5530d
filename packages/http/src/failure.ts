import { describe, errors, type Problem, ProblemError } from '@nova-platform/api';

/** An error as the body of a response. `failure` turns it back into an error on the client. */
export function failureBody(error: unknown): { problems: readonly Problem[] } | { message: string } {
  return error instanceof ProblemError ? { problems: error.problems } : { message: (error as Error).message };
}

/** An error as a problem details response (RFC 9457), for clients without a table of our codes. */
export function problemDetails(error: unknown): { status: number } & Record<string, unknown> {
  const [first] = error instanceof ProblemError ? error.problems : [];
  const status = first ? errors[first.code].status : ((error as { statusCode?: number }).statusCode ?? 500);
  const title = first ? describe(first, 'en').message : (error as Error).message;
  const code = first && { code: first.code, detail: describe(first, 'en').remedy };
  return { type: 'about:blank', title, status, ...code, ...failureBody(error) };
}

export function failure(text: string): Error {
  try {
    const { problems, message, title } = JSON.parse(text) as { problems?: Problem[]; message?: string; title?: string };
    // A newer server may use codes that are new to this client. Then only its message is left.
    if (problems?.every(({ code }) => code in errors)) return new ProblemError(...problems);
    return new Error(message ?? title ?? text);
  } catch {
    return new Error(text);
  }
}
