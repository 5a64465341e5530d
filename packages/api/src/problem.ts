import { type ErrorCode, type ErrorParams, errors } from './errors/index.ts';
import type { RetryPolicy } from './retry.ts';
import { type Language, type Text, visible } from './text.ts';

export type Path = readonly (string | number)[];

export interface Place {
  file: string;
  line: number;
  column: number;
  /** The source line with secrets masked, and the marked part of it. */
  snippet: string;
  caret: number;
  length: number;
}

/** A problem and its place. The message is formatted when it is shown. */
export interface Problem {
  code: ErrorCode;
  params: Record<string, string | number | Text>;
  path: Path;
  place?: Place;
}

export function problem<C extends ErrorCode>(code: C, params: ErrorParams<C>, path: Path = []): Problem {
  return { code, params, path };
}

/** Thrown when work cannot continue; contains all problems found. */
export class ProblemError extends Error {
  readonly problems: readonly Problem[];
  /** Undefined if one of the problems is permanent. */
  readonly retry: RetryPolicy | undefined;

  constructor(...problems: Problem[]) {
    super(problems.map((each) => `${each.code} ${describe(each, 'en').message}`).join('\n'));
    this.problems = problems;
    const policies = problems.map(({ code }) => errors[code].retry);
    this.retry = policies.includes(undefined) ? undefined : policies[0];
  }
}

export function describe(found: Problem, language: Language): { message: string; remedy: string } {
  const { message, remedy } = errors[found.code];
  const fill = (text: Text) =>
    text[language].replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = found.params[name];
      return value === undefined ? whole : typeof value === 'object' ? value[language] : String(value);
    });
  return { message: fill(message), remedy: fill(remedy) };
}

/** Problems reported by a server. Codes of a newer release have no text here, so their data is shown. */
export function reportedProblems(reported: readonly { code: string; params: object }[]): Problem[] {
  return reported.map((each) =>
    Object.hasOwn(errors, each.code)
      ? (each as Problem)
      : problem('NOVA9001', { reason: `${each.code} ${JSON.stringify(each.params)}` }),
  );
}

/** `spec.nodeGroups[0].name` */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[\w-]+$/.test(step)) return `${text}[${visible(JSON.stringify(step))}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
