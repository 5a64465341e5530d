import {
  describe,
  formatPath,
  type Language,
  type Problem,
  ProblemError,
  problem,
  type Text,
  visible,
} from '@nova-platform/api';
import type { Style } from './style.ts';

/** A problem with a suggestion that precedes its remedy. */
export interface HintedProblem extends Problem {
  hint?: Text;
}

/** Thrown when the user interrupts the command. */
export class Interrupted extends Error {}

/** An option or variable with an invalid value. */
export function badValue(name: string, expected: Text): ProblemError {
  return new ProblemError(problem('NOVA2009', { expected }, [name]));
}

/** Sorts problems by file, then by line. */
export function sorted(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map(({ place }) => place?.file))];
  return problems.toSorted(
    ({ place: a }, { place: b }) =>
      files.indexOf(a?.file) - files.indexOf(b?.file) ||
      (a?.line ?? 0) - (b?.line ?? 0) ||
      (a?.column ?? 0) - (b?.column ?? 0),
  );
}

/** A problem for programs, with everything that people see. */
export function problemAsData(problem: Problem, language: Language) {
  const { message, remedy } = describeWithHint(problem, language);
  const { file, line, column } = problem.place ?? {};
  return { code: problem.code, file, line, column, path: formatPath(problem.path) || undefined, message, remedy };
}

/** A problem for people: place, field, code, what is wrong, how to fix it, and the line with a caret. */
export function problemAsText(problem: Problem, language: Language, style: Style): string {
  const { place, path, code } = problem;
  const { message, remedy } = describeWithHint(problem, language);
  const where = place ? style.bold(`${place.file}:${place.line}:${place.column}`) : '';
  const field = formatPath(path) ? style.cyan(formatPath(path)) : '';
  const head = [where, style.code(code), field].filter((part) => part !== '').join('  ');
  const number = String(place?.line ?? '');
  const snippet = place?.snippet.trim()
    ? [
        style.dim(`  ${number} | `) + place.snippet,
        style.dim(`  ${' '.repeat(number.length)} | `) + ' '.repeat(place.caret) + style.red('^'.repeat(place.length)),
      ]
    : [];
  return [head, `  ${visible(message)}`, ...snippet, `  ${style.green('→')} ${visible(remedy)}`].join('\n');
}

function describeWithHint(problem: HintedProblem, language: Language): { message: string; remedy: string } {
  const { message, remedy } = describe(problem, language);
  return { message, remedy: `${problem.hint?.[language] ?? ''}${remedy}` };
}
