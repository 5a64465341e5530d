import { area } from './area.ts';

export const files = area(
  'files',
  { en: 'Files and YAML', ru: 'Файлы и YAML' },
  {
    NOVA1001: {
      message: { en: 'The file is larger than {limit}.', ru: 'Файл больше {limit}.' },
      remedy: {
        en: 'The file was not read. Check that it is a manifest, or split it.',
        ru: 'Файл не прочитан. Проверьте, что это манифест, или разделите его.',
      },
    },
    NOVA1002: {
      message: { en: 'The file is not UTF-8 text.', ru: 'Файл не является текстом в UTF-8.' },
      remedy: {
        en: 'Use YAML or JSON documents in UTF-8.',
        ru: 'Используйте документы YAML или JSON в кодировке UTF-8.',
      },
    },
    NOVA1003: {
      message: { en: 'Cannot read the file: {reason}.', ru: 'Не удаётся прочитать файл: {reason}.' },
      remedy: { en: 'Check the path and its permissions.', ru: 'Проверьте путь и права доступа.' },
    },
    NOVA1004: {
      message: { en: 'No documents found.', ru: 'Документы не найдены.' },
      remedy: {
        en: 'Use a file with at least one document, or a folder with .yaml, .yml or .json files. To create a file: `nova-ctl init`.',
        ru: 'Укажите файл хотя бы с одним документом или каталог с файлами .yaml, .yml или .json. Создать файл: `nova-ctl init`.',
      },
    },
    NOVA1101: {
      message: { en: 'Invalid YAML: {reason}.', ru: 'Ошибка YAML: {reason}.' },
      remedy: {
        en: 'Fix the syntax here. The cause may be on the line above.',
        ru: 'Исправьте синтаксис в этом месте. Причина может быть строкой выше.',
      },
    },
    NOVA1102: {
      message: { en: 'The indentation contains a tab.', ru: 'В отступе есть табуляция.' },
      remedy: { en: 'Indent with spaces.', ru: 'Используйте для отступов пробелы.' },
    },
    NOVA1103: {
      message: {
        en: 'Duplicate key {key}.',
        ru: 'Повторяется ключ {key}.',
      },
      remedy: { en: 'Keep one. The first is on line {line}.', ru: 'Оставьте один. Первый — в строке {line}.' },
    },
    NOVA1104: {
      message: {
        en: 'The document is nested deeper than {limit} levels.',
        ru: 'Вложенность документа больше {limit} уровней.',
      },
      remedy: {
        en: 'Manifests need only a few levels. Check brackets and indentation.',
        ru: 'Манифесту достаточно нескольких уровней. Проверьте скобки и отступы.',
      },
    },
    NOVA1105: {
      message: {
        en: 'Aliases expand this document beyond {limit} values.',
        ru: 'Из-за ссылок (alias) в документе становится больше {limit} значений.',
      },
      remedy: {
        en: 'Write the values out, or use fewer aliases.',
        ru: 'Запишите значения явно или сократите число ссылок.',
      },
    },
    NOVA1106: {
      message: { en: '{feature} cannot be used in a manifest.', ru: 'В манифесте нельзя использовать: {feature}.' },
      remedy: {
        en: 'Use only mappings with text keys, lists and scalars.',
        ru: 'Используйте только объекты с текстовыми ключами, списки и простые значения.',
      },
    },
  },
);
