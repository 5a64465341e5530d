import { type Problem, ProblemError, problem } from '@nova-platform/api';
import { stringify } from 'yaml';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Interrupted, problemAsData, problemAsText, sorted } from './failure.ts';
import type { Output } from './output.ts';
import { styleFor } from './style.ts';

/** The result of a command: data for programs, text for people. */
export interface Result {
  /** Undefined if the command has already printed everything while it ran. */
  data: unknown;
  text: string;
  exitCode?: number;
}

/** Turns a function that returns a result into a command. Only this function prints results and failures. */
export function command<Flags extends { output: Output }, Args extends readonly (string | undefined)[]>(
  run: (this: Context, flags: Flags, ...args: Args) => Promise<Result>,
): (this: Context, flags: Flags, ...args: Args) => Promise<void> {
  return async function (flags, ...args) {
    const { process: target, io } = this;
    const finish = (exitCode: number) => Object.assign(target, { exitCode });
    try {
      const { data, text, exitCode = 0 } = await run.call(this, flags, ...args);
      io.stdout.write(flags.output === 'text' ? ensureNewline(text) : serialize(data, flags.output));
      finish(exitCode);
    } catch (error) {
      if (error instanceof Interrupted) finish(exitCodes.interrupted.code);
      else if (error instanceof ProblemError) {
        const { withNearestClusters } = await import('./nearest-cluster.ts');
        io.stderr.write(reportOf(await withNearestClusters(io, error.problems), flags.output, this));
        finish(exitCodes.invalid.code);
      } else {
        const reason = error instanceof Error ? error.message : String(error);
        io.stderr.write(reportOf([problem('NOVA9001', { reason })], flags.output, this));
        if (io.env.NOVA_DEBUG) io.stderr.write(`${error instanceof Error ? error.stack : reason}\n`);
        finish(exitCodes.failed.code);
      }
    }
  };
}

/** Problems in the output format of the command. */
export function reportOf(problems: readonly Problem[], output: Output, { language, io }: Context): string {
  if (output !== 'text') {
    return serialize({ problems: sorted(problems).map((each) => problemAsData(each, language)) }, output);
  }
  return problemsAsText(problems, language, styleFor(io.stderr, io.env));
}

export function problemsAsText(
  problems: readonly Problem[],
  language: Context['language'],
  style: Context['style'],
): string {
  return `${sorted(problems)
    .map((problem) => problemAsText(problem, language, style))
    .join('\n\n')}\n`;
}

function serialize(data: unknown, output: 'json' | 'yaml'): string {
  if (data === undefined) return '';
  return output === 'json' ? `${JSON.stringify(data, null, 2)}\n` : stringify(data, { aliasDuplicateObjects: false });
}

function ensureNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
