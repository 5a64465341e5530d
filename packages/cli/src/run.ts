import { Writable } from 'node:stream';
import type { Problem } from '@nova-platform/api';
import { ExitCode, proposeCompletions, run as runApp } from '@stricli/core';
import { createApp } from './app.ts';
import { reportOf } from './command.ts';
import { contextFor } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { languageOf } from './language.ts';
import { outputOf, usageProblem } from './usage-errors.ts';

/** Runs nova-ctl and returns its exit code. */
export async function run(given: readonly string[], io: Io): Promise<number> {
  const language = languageOf(io.env);
  const context = contextFor(io, language);
  const problems: Problem[] = [];
  const argv = withoutHelpCommand(given);
  const app = createApp(language, context.style.isColoured, (failure) => {
    problems.push(usageProblem(app, argv, failure));
  });

  if (argv[0] === '__complete') {
    const words = withoutHelpWord(argv.slice(1));
    const { proposeValues } = await import('./commands/completion/values.ts');
    const [fixed, live] = await Promise.all([
      proposeCompletions(app, words, context),
      proposeValues(app, words, context),
    ]);
    const proposals = [...fixed, ...live];
    io.stdout.write(proposals.map(({ completion, brief }) => `${completion}\t${brief}\n`).join(''));
    return exitCodes.done.code;
  }

  // The framework prints an empty line for each failure; `problems` has their contents.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const process = { ...context.process, stderr: nowhere };
  const running = { ...context, process };
  await runApp(app, argv, running);
  if (problems.length > 0) io.stderr.write(reportOf(problems, outputOf(argv), context));
  const exitCode = Number(running.process.exitCode ?? 0);
  // The framework's own codes are negative: an unknown command, invalid arguments, or a defect.
  if (exitCode === ExitCode.InvalidArgument || exitCode === ExitCode.UnknownCommand) return exitCodes.invalid.code;
  return exitCode < 0 ? exitCodes.failed.code : exitCode;
}

/** `nova-ctl help plan` is `nova-ctl plan --help`. Without arguments, prints the help, as most tools do. */
function withoutHelpCommand(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help'];
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
}

function withoutHelpWord(words: readonly string[]): readonly string[] {
  return words[0] === 'help' && words.length > 1 ? words.slice(1) : words;
}
