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
  },
);
