import type { Language } from '@nova-platform/api';
import { type ApplicationText, text_en } from '@stricli/core';

/** A failure that the framework reports: an error while it reads arguments, or an unknown command. */
export type FrameFailure = { error: unknown } | { command: string; corrections: readonly string[] };

/** Texts of the framework, and those of our help. */
export interface FrameTexts extends ApplicationText {
  headers: ApplicationText['headers'] & { examples: string };
  commandWord: string;
  optionsWord: string;
  moreHelp: string;
}

const words = {
  en: {
    headers: {
      usage: 'Usage',
      aliases: 'Aliases',
      commands: 'Commands',
      flags: 'Options',
      arguments: 'Arguments',
      examples: 'Examples',
    },
    keywords: text_en.keywords,
    briefs: { ...text_en.briefs, help: 'Show this help', version: 'Show the version' },
    commandWord: 'command',
    optionsWord: 'options',
    moreHelp: 'describes a command',
  },
  ru: {
    headers: {
      usage: 'Использование',
      aliases: 'Синонимы',
      commands: 'Команды',
      flags: 'Параметры',
      arguments: 'Аргументы',
      examples: 'Примеры',
    },
    keywords: { default: 'по умолчанию', separator: 'разделитель' },
    briefs: { ...text_en.briefs, help: 'Показать эту справку', version: 'Показать версию' },
    commandWord: 'команда',
    optionsWord: 'параметры',
    moreHelp: 'описывает команду',
  },
} as const;

/** Failures are collected instead of formatted: they are printed like those of commands. */
export function frameTexts(language: Language, onFailure: (failure: FrameFailure) => void): FrameTexts {
  const collect = (error: unknown) => {
    onFailure({ error });
    return '';
  };
  return {
    ...text_en,
    ...words[language],
    noCommandRegisteredForInput: ({ input, corrections }) => {
      onFailure({ command: input, corrections: corrections.map((each) => each.replaceAll('`', '')) });
      return '';
    },
    exceptionWhileParsingArguments: collect,
    exceptionWhileLoadingCommandFunction: collect,
    exceptionWhileLoadingCommandContext: collect,
    exceptionWhileRunningCommand: collect,
    exceptionWhileRunningIntegrationFlag: ({ exception }) => collect(exception),
  };
}
