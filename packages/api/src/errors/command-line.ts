import { area } from './area.ts';

export const commandLine = area(
  'command-line',
  { en: 'Command line', ru: 'Командная строка' },
  {
    NOVA6001: {
      message: { en: '{file} already exists.', ru: 'Файл {file} уже существует.' },
      remedy: {
        en: 'Choose another file, or delete this one (`init` overwrites it with --force).',
        ru: 'Укажите другой файл или удалите этот (`init` перезаписывает его с --force).',
      },
    },
    NOVA6002: {
      message: { en: 'Unknown topic {topic}.', ru: 'Неизвестная тема {topic}.' },
      remedy: {
        en: '{nearest}Use a kind, a field, a module or an error code.',
        ru: '{nearest}Укажите вид документа, поле, модуль или код ошибки.',
      },
    },
    NOVA6003: {
      message: { en: 'Cannot write {file}: {reason}.', ru: 'Не удаётся записать {file}: {reason}.' },
      remedy: {
        en: 'Check the path, its permissions and the free space.',
        ru: 'Проверьте путь, права доступа и свободное место.',
      },
    },
    NOVA6004: {
      message: { en: 'There is no terminal for questions.', ru: 'Нет терминала, чтобы задать вопросы.' },
      remedy: { en: 'Add --yes to accept the defaults.', ru: 'Добавьте --yes, чтобы принять значения по умолчанию.' },
    },
    NOVA6005: {
      message: { en: 'There is no command {command}.', ru: 'Команды {command} нет.' },
      remedy: { en: '{nearest}List the commands: `{help}`.', ru: '{nearest}Список команд: `{help}`.' },
    },
    NOVA6006: {
      message: { en: 'There is no option {option}.', ru: 'Параметра {option} нет.' },
      remedy: { en: '{nearest}List the options: `{help}`.', ru: '{nearest}Список параметров: `{help}`.' },
    },
    NOVA6007: {
      message: { en: 'The argument {argument} is missing.', ru: 'Не хватает аргумента {argument}.' },
      remedy: { en: 'Usage: `{usage}`.', ru: 'Использование: `{usage}`.' },
    },
    NOVA6008: {
      message: { en: 'Unexpected argument {argument}.', ru: 'Лишний аргумент {argument}.' },
      remedy: { en: '{nearest}Usage: `{usage}`.', ru: '{nearest}Использование: `{usage}`.' },
    },
    NOVA6009: {
      message: { en: 'The option {option} needs a value.', ru: 'Для параметра {option} нужно значение.' },
      remedy: { en: 'Usage: `{usage}`.', ru: 'Использование: `{usage}`.' },
    },
    NOVA6010: {
      message: {
        en: 'The option {option} is given more than once.',
        ru: 'Параметр {option} указан больше одного раза.',
      },
      remedy: { en: 'Give it once.', ru: 'Укажите его один раз.' },
    },
    NOVA6011: {
      message: { en: 'The option {option} takes no value.', ru: 'Параметр {option} не принимает значения.' },
      remedy: { en: 'Remove the value.', ru: 'Удалите значение.' },
    },
  },
);
