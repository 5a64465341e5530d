import { ExitCode, proposeCompletions, run as runApp } from '@stricli/core';
import { createApp } from './app.ts';
import { contextFor } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { languageOf } from './language.ts';

/** Runs nova-ctl and returns its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const language = languageOf(io.env);
  const context = contextFor(io, language);
  const app = createApp(language, context.style.isColoured);

  if (argv[0] === '__complete') {
    const words = argv.slice(1);
    const { proposeValues } = await import('./commands/completion/values.ts');
    const [fixed, live] = await Promise.all([
      proposeCompletions(app, words, context),
      proposeValues(app, words, context),
    ]);
    const proposals = [...fixed, ...live];
    io.stdout.write(proposals.map(({ completion, brief }) => `${completion}\t${brief}\n`).join(''));
    return exitCodes.done.code;
  }

  // Without arguments, print the help, as most tools do.
  await runApp(app, argv.length === 0 ? ['--help'] : argv, context);
  const exitCode = Number(context.process.exitCode ?? 0);
  // The library's own codes are negative: an unknown command, invalid arguments, or a defect.
  if (exitCode === ExitCode.InvalidArgument || exitCode === ExitCode.UnknownCommand) return exitCodes.invalid.code;
  return exitCode < 0 ? exitCodes.failed.code : exitCode;
}
