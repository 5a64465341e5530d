import type { Translate } from './language.ts';
import { type Output, outputs } from './output.ts';

/** Flags that several commands share. */
export function outputFlag(t: Translate) {
  return {
    kind: 'enum',
    values: outputs,
    default: 'text' as Output,
    brief: t({ en: 'Form of the result', ru: 'Форма результата' }),
  } as const;
}

export function filesFlag(t: Translate) {
  return {
    kind: 'parsed',
    parse: String,
    variadic: true,
    optional: true,
    placeholder: t({ en: 'path', ru: 'путь' }),
    brief: t({
      en: 'File or folder with documents, or - for standard input; may be repeated [cluster.yaml]',
      ru: 'Файл или каталог с документами либо - для стандартного ввода; можно повторять [cluster.yaml]',
    }),
  } as const;
}

export function againstFlag(t: Translate) {
  return {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: t({ en: 'plan', ru: 'план' }),
    brief: t({
      en: 'The plan the cluster was installed with (JSON): refuse what cannot change, keep names and addresses',
      ru: 'План, по которому установлен кластер (JSON): отклонить недопустимые изменения, сохранить имена и адреса',
    }),
  } as const;
}

export function besideFlag(t: Translate) {
  return {
    kind: 'parsed',
    parse: String,
    variadic: true,
    optional: true,
    placeholder: t({ en: 'plan', ru: 'план' }),
    brief: t({
      en: 'Plan of another cluster of the same site (JSON), whose networks and addresses are taken; may be repeated',
      ru: 'План другого кластера той же площадки (JSON), чьи сети и адреса заняты; можно повторять',
    }),
  } as const;
}
