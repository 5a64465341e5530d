import type { Language } from '@nova-platform/api';
import {
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from '@stricli/core';

/** Texts of the command-line framework: help headings and argument errors. */
export function frameTexts(language: Language): ApplicationText {
  return language === 'ru' ? russian : english;
}

const english: ApplicationText = {
  ...text_en,
  headers: { usage: 'Usage', aliases: 'Aliases', commands: 'Commands', flags: 'Options', arguments: 'Arguments' },
  briefs: { ...text_en.briefs, help: 'Show this help', version: 'Show the version' },
  noCommandRegisteredForInput: ({ input, corrections }) =>
    `There is no command ${input}.${corrections.length > 0 ? ` Did you mean ${corrections.join(', ')}?` : ''} nova-ctl --help lists them.`,
};

const russian: ApplicationText = {
  ...text_en,
  keywords: { default: 'по умолчанию', separator: 'разделитель' },
  headers: { usage: 'Вызов', aliases: 'Синонимы', commands: 'Команды', flags: 'Параметры', arguments: 'Аргументы' },
  briefs: {
    help: 'Показать эту справку',
    helpAll: 'Показать справку вместе со скрытыми командами',
    version: 'Показать версию',
    argumentEscapeSequence: 'Всё дальнейшее считать аргументами',
  },
  noCommandRegisteredForInput: ({ input, corrections }) =>
    `Команды ${input} нет.${corrections.length > 0 ? ` Возможно, имелось в виду ${corrections.join(', ')}?` : ''} Список команд: nova-ctl --help.`,
  exceptionWhileParsingArguments: (error) =>
    error instanceof ArgumentScannerError
      ? formatMessageForArgumentScannerError(error, {
          AliasNotFoundError: ({ input }) => `Параметра -${input} нет.`,
          ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
            `Не удаётся разобрать «${input}» для ${name}: ${exception instanceof Error ? exception.message : String(exception)}.`,
          EnumValidationError: ({ externalFlagName: name, input, values }) =>
            `Для --${name} допустимо: ${values.join(', ')}; а указано «${input}».`,
          FlagNotFoundError: ({ input, corrections }) =>
            `Параметра --${input} нет.${corrections.length > 0 ? ` Возможно, имелось в виду ${corrections.map((each) => `--${each}`).join(', ')}?` : ''}`,
          InvalidNegatedFlagSyntaxError: ({ externalFlagName: name }) => `У параметра --${name} не бывает значения.`,
          UnexpectedFlagError: ({ externalFlagName: name }) => `Параметр --${name} указан больше одного раза.`,
          UnexpectedPositionalError: ({ input }) => `Лишний аргумент «${input}».`,
          UnsatisfiedFlagError: ({ externalFlagName: name }) => `Нет значения для --${name}.`,
          UnsatisfiedPositionalError: ({ placeholder }) => `Не хватает аргумента ${placeholder}.`,
        })
      : String(error),
};
