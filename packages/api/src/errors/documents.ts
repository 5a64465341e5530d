import { area } from './area.ts';

export const documents = area(
  'documents',
  { en: 'Documents', ru: 'Документы' },
  {
    NOVA2001: {
      message: {
        en: 'A document must be a mapping, not {found}.',
        ru: 'Документ должен быть объектом, а здесь {found}.',
      },
      remedy: { en: 'Start it with apiVersion and kind.', ru: 'Начните его с apiVersion и kind.' },
    },
    NOVA2002: {
      message: { en: 'Unknown kind {kind}.', ru: 'Неизвестный вид документа {kind}.' },
      remedy: { en: '{nearest}Known kinds: {known}.', ru: '{nearest}Известные виды: {known}.' },
    },
    NOVA2003: {
      message: { en: '{kind} has no version {version}.', ru: 'У {kind} нет версии {version}.' },
      remedy: { en: 'Write apiVersion: {known}.', ru: 'Укажите apiVersion: {known}.' },
    },
    NOVA2004: {
      message: { en: 'Unknown field {field}.', ru: 'Неизвестное поле {field}.' },
      remedy: { en: '{nearest}Known fields here: {known}.', ru: '{nearest}Известные поля: {known}.' },
    },
    NOVA2005: {
      message: { en: 'The field {field} is missing.', ru: 'Нет поля {field}.' },
      remedy: { en: 'Add it: {expected}.', ru: 'Добавьте его: {expected}.' },
    },
    NOVA2006: {
      message: { en: 'Wrong type: {found}.', ru: 'Неверный тип: {found}.' },
      remedy: { en: 'Write {expected}.', ru: 'Укажите: {expected}.' },
    },
    NOVA2007: {
      message: {
        en: '{found} is not one of the allowed values.',
        ru: 'Значение {found} не входит в число допустимых.',
      },
      remedy: { en: '{nearest}Allowed: {allowed}.', ru: '{nearest}Допустимо: {allowed}.' },
    },
    NOVA2008: {
      message: { en: 'The value is out of range.', ru: 'Значение выходит за допустимые пределы.' },
      remedy: { en: 'Use {expected}.', ru: 'Укажите: {expected}.' },
    },
    NOVA2009: {
      message: { en: 'The format of the value is wrong.', ru: 'Неверный формат значения.' },
      remedy: { en: 'Use {expected}.', ru: 'Укажите: {expected}.' },
    },
    NOVA2010: {
      message: { en: 'The format of the key is wrong.', ru: 'Неверный формат ключа.' },
      remedy: { en: 'Use {expected}.', ru: 'Укажите: {expected}.' },
    },
  },
);
