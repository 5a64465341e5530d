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
      en: 'File, folder or - (standard input); repeatable [cluster.yaml]',
      ru: 'Файл, каталог или - (стандартный ввод); можно повторять [cluster.yaml]',
    }),
  } as const;
}

export function clusterFlag(t: Translate) {
  return {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: t({ en: 'name', ru: 'имя' }),
    brief: t({
      en: 'Which cluster, where the files declare several',
      ru: 'Какой кластер, если в файлах их несколько',
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
      en: 'Plan the cluster was installed with: compare, keep its addresses',
      ru: 'План, по которому установлен кластер: сравнить, сохранить адреса',
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
      en: 'Plan of another cluster here, whose addresses are taken; repeatable',
      ru: 'План соседнего кластера, чьи адреса заняты; можно повторять',
    }),
  } as const;
}
