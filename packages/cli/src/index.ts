import type { Language } from '@nova-platform/api';
import { type Application, type CommandContext, generateHelpTextForAllCommands } from '@stricli/core';
import { createApp } from './app.ts';

export { exitCodes } from './exit-codes.ts';
export type { Io } from './io.ts';
export { run } from './run.ts';

/** The help of every command, for the reference pages. */
export function commandHelp(language: Language): readonly (readonly [route: string, help: string])[] {
  // Help does not use the context.
  return generateHelpTextForAllCommands(createApp(language, false) as unknown as Application<CommandContext>);
}
