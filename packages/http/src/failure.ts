import { describe, errors, type Problem, ProblemError } from '@nova-platform/api';

/** What is wrong, as it travels: `failure` on the other side makes an error of it again. */
export function failureBody(error: unknown): { problems: readonly Problem[] } | { message: string } {
  return error instanceof ProblemError ? { problems: error.problems } : { message: (error as Error).message };
}

/** The same as an answer of its own (RFC 9457), for those who do not know our codes. */
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
    // A newer server may know codes that we do not; its own words are all there is then.
    if (problems?.every(({ code }) => code in errors)) return new ProblemError(...problems);
    return new Error(message ?? title ?? text);
  } catch {
    return new Error(text);
  }
}
