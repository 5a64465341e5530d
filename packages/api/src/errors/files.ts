import { area } from './area.ts';

export const files = area(
  'files',
  { en: 'Files and YAML', ru: 'Файлы и YAML' },
  {
    NOVA1001: {
      message: { en: 'The file is larger than {limit}.', ru: 'Файл больше {limit}.' },
      remedy: {
        en: 'Split it, or check that it is a manifest at all; it was not read.',
        ru: 'Разделите его или проверьте, манифест ли это; файл не читался.',
      },
    },
    NOVA1002: {
      message: { en: 'The file is not UTF-8 text.', ru: 'Файл не является текстом в UTF-8.' },
      remedy: {
        en: 'Give YAML or JSON documents encoded in UTF-8.',
        ru: 'Укажите документы YAML или JSON в кодировке UTF-8.',
      },
    },
    NOVA1003: {
      message: { en: 'Cannot read: {reason}.', ru: 'Не удаётся прочитать: {reason}.' },
      remedy: { en: 'Check the path and its permissions.', ru: 'Проверьте путь и права доступа.' },
    },
    NOVA1004: {
      message: { en: 'There is no document here.', ru: 'Здесь нет ни одного документа.' },
      remedy: {
        en: 'Give a file with at least one document, or a folder with .yaml, .yml or .json files. `nova-ctl init` writes one.',
        ru: 'Укажите файл хотя бы с одним документом или каталог с файлами .yaml, .yml или .json. `nova-ctl init` создаст такой файл.',
      },
    },
    NOVA1101: {
      message: { en: 'Not valid YAML: {reason}.', ru: 'Ошибка YAML: {reason}.' },
      remedy: {
        en: 'Correct the syntax here; the cause may stand just above.',
        ru: 'Исправьте синтаксис в этом месте; причина может быть строкой выше.',
      },
    },
    NOVA1102: {
      message: { en: 'A tab is used for indentation.', ru: 'Отступ сделан табуляцией.' },
      remedy: { en: 'YAML is indented with spaces.', ru: 'В YAML отступы делаются пробелами.' },
    },
    NOVA1103: {
      message: {
        en: 'Duplicate key {key}.',
        ru: 'Повторяется ключ {key}.',
      },
      remedy: { en: 'Keep one; the first is at line {line}.', ru: 'Оставьте один; первый — в строке {line}.' },
    },
    NOVA1104: {
      message: { en: 'Nested deeper than {limit} levels.', ru: 'Вложенность больше {limit} уровней.' },
      remedy: {
        en: 'No document of ours is nested that deep.',
        ru: 'В документах платформы такой вложенности не бывает.',
      },
    },
    NOVA1105: {
      message: {
        en: 'Aliases make this document grow beyond {limit} values.',
        ru: 'Из-за ссылок (alias) документ разрастается больше чем до {limit} значений.',
      },
      remedy: {
        en: 'Write the values out, or use fewer aliases.',
        ru: 'Запишите значения явно или сократите число ссылок.',
      },
    },
    NOVA1106: {
      message: { en: '{feature} cannot be used in a manifest.', ru: 'В манифесте нельзя использовать: {feature}.' },
      remedy: {
        en: 'Use plain mappings with text keys, lists and values.',
        ru: 'Используйте обычные объекты с текстовыми ключами, списки и значения.',
      },
    },
  },
);
