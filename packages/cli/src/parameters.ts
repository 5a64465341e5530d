import type { Text } from '@nova-platform/api';
import type { Translate } from './language.ts';
import { type Output, outputs } from './output.ts';

/** Flags shared by several commands. */
export function outputFlag(t: Translate) {
  return {
    kind: 'enum',
    values: outputs,
    default: 'text' as Output,
    brief: t({ en: 'Output format', ru: 'Формат вывода' }),
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
      en: 'File, folder or - for standard input; repeatable [cluster.yaml]',
      ru: 'Файл, каталог или - для стандартного ввода; можно повторять [cluster.yaml]',
    }),
  } as const;
}

export function clusterFlag(t: Translate) {
  return {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: t({ en: 'name', ru: 'имя' }),
    brief: t({ en: 'The cluster, if the files declare several', ru: 'Кластер, если в файлах описано несколько' }),
  } as const;
}

export function againstFlag(t: Translate) {
  return {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: t({ en: 'plan', ru: 'план' }),
    brief: t({
      en: 'The plan the cluster was installed with: show the changes, keep its addresses',
      ru: 'План, по которому установлен кластер: показать изменения, сохранить адреса',
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
      en: 'Plan of another cluster: use none of its addresses; repeatable',
      ru: 'План другого кластера: не использовать его адреса; можно повторять',
    }),
  } as const;
}

export function yesFlag(t: Translate) {
  return {
    kind: 'boolean',
    optional: true,
    withNegated: false,
    brief: t({ en: 'Do not ask for confirmation', ru: 'Не запрашивать подтверждение' }),
  } as const;
}

export function descriptionFlag(t: Translate) {
  return {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: t({ en: 'text', ru: 'текст' }),
    brief: t({ en: 'What it is for', ru: 'Для чего это' }),
  } as const;
}

export function offlineFlag(t: Translate) {
  return {
    kind: 'boolean',
    optional: true,
    withNegated: false,
    brief: t({ en: 'Ignore the clusters of Universe', ru: 'Не учитывать кластеры Universe' }),
  } as const;
}

export function limitFlag(t: Translate, most: string) {
  return {
    kind: 'parsed',
    parse: String,
    default: most,
    placeholder: 'n',
    brief: t({ en: 'Number of entries, newest first', ru: 'Сколько показать, начиная с новых' }),
  } as const;
}

const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

export function roleFlag(t: Translate) {
  return {
    kind: 'enum',
    values: roles,
    brief: t({
      en: 'viewer reads, operator changes clusters, admin manages users',
      ru: 'viewer читает, operator меняет кластеры, admin управляет пользователями',
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
      brief: t({ en: 'Data folder; created if missing', ru: 'Каталог данных; создаётся, если его нет' }),
    },
    address: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: 'a.b.c.d',
      brief: t({
        en: 'Address at which nodes reach the server [the address of the host in the external network]',
        ru: 'Адрес, по которому узлы обращаются к серверу [адрес хоста во внешней сети]',
      }),
    },
    name: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: t({ en: 'name', ru: 'имя' }),
      brief: t({ en: `DNS name of the server for nodes [${name}]`, ru: `Имя DNS сервера для узлов [${name}]` }),
    },
    socket: {
      kind: 'parsed',
      parse: String,
      optional: true,
      placeholder: t({ en: 'path', ru: 'путь' }),
      brief: t({
        en: `Socket for commands; only its owner can open it [${socket}]`,
        ru: `Сокет для команд; открыть его может только владелец [${socket}]`,
      }),
    },
  } as const;
}
