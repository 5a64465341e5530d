import type { Text } from '@nova-platform/api';
import type { Translate } from './language.ts';
import { type Output, outputs } from './output.ts';

/** Flags shared by several commands. */
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

export function yesFlag(t: Translate) {
  return {
    kind: 'boolean',
    optional: true,
    withNegated: false,
    brief: t({ en: 'Do it without asking', ru: 'Сделать, не спрашивая' }),
  } as const;
}

export function limitFlag(t: Translate, most: string) {
  return {
    kind: 'parsed',
    parse: String,
    default: most,
    placeholder: 'n',
    brief: t({ en: 'How many, the newest first', ru: 'Сколько, начиная с последних' }),
  } as const;
}

const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

export function roleFlag(t: Translate) {
  return {
    kind: 'enum',
    values: roles,
    brief: t({
      en: 'What it allows: to look, to change clusters, or everything',
      ru: 'Что разрешает: смотреть, менять кластеры или всё',
    }),
  } as const;
}

/** Positional arguments that are names or numbers. */
export function namedArguments<const Names extends readonly Text[]>(t: Translate, ...names: Names) {
  return {
    kind: 'tuple',
    parameters: names.map((name) => ({ parse: String, placeholder: t(name), brief: t(name) })) as {
      [K in keyof Names]: { parse: (text: string) => string; placeholder: string; brief: string };
    },
  } as const;
}

/** Flags of every server: data folder, the name and address for nodes, and the socket for commands. */
export function serverFlags(t: Translate, { name, socket }: { name: string; socket: string }) {
  return {
    data: {
      kind: 'parsed',
      parse: String,
      placeholder: t({ en: 'folder', ru: 'каталог' }),
      brief: t({ en: 'Where it keeps everything; made when missing', ru: 'Где хранится всё; создаётся, если нет' }),
    },
    address: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'a.b.c.d',
      brief: t({
        en: 'At which address nodes reach it [the host in the external network]',
        ru: 'По какому адресу он доступен узлам [хост во внешней сети]',
      }),
    },
    name: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: t({ en: 'name', ru: 'имя' }),
      brief: t({ en: `By which name nodes know it [${name}]`, ru: `Под каким именем его знают узлы [${name}]` }),
    },
    socket: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: t({ en: 'path', ru: 'путь' }),
      brief: t({
        en: `Where commands come in, for its owner only [${socket}]`,
        ru: `Куда обращаются команды, только владелец [${socket}]`,
      }),
    },
  } as const;
}
