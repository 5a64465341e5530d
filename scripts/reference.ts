import {
  allowedValues,
  errorAreas,
  expectation,
  type Kind,
  kindSchema,
  type Language,
  type Module,
  type Schema,
  schemaOf,
  type Text,
  walk,
} from '@nova-platform/api';
import { commandHelp, exitCodes } from '@nova-platform/cli';

// Pages of the reference, in Markdown.

type Translate = (text: Text) => string;

function page(language: Language, title: string, ...parts: string[]): string {
  const note = {
    en: 'Generated from the declarations by `npm run generate`.',
    ru: 'Создано из объявлений командой `npm run generate`.',
  };
  return `${[`# ${title}`, `<!-- ${note[language]} -->`, ...parts].join('\n\n')}\n`;
}

export function kindPage(kind: Kind, language: Language): string {
  const t: Translate = (text) => text[language];
  const schema = kindSchema(kind);
  return page(
    language,
    `${kind.kind} \`${kind.schema.shape.apiVersion.value}\``,
    kind.description[language],
    `## ${t({ en: 'Example', ru: 'Пример' })}`,
    `\`\`\`yaml\n${kind.example}\`\`\``,
    `## ${t({ en: 'Fields', ru: 'Поля' })}`,
    fieldTable(schema, t),
  );
}

function fieldTable(schema: Schema, t: Translate): string {
  const rows: string[] = [];
  walk(schema, (path, field, required) => {
    rows.push(`| \`${path.join('.')}\` | ${cell(expected(field, t))} | ${cell(remarks(field, required, t))} |`);
  });
  const head = [t({ en: 'Field', ru: 'Поле' }), t({ en: 'Value', ru: 'Значение' }), t({ en: 'Meaning', ru: 'Смысл' })];
  return [`| ${head.join(' | ')} |`, '|---|---|---|', ...rows].join('\n');
}

function expected(field: Schema, t: Translate): string {
  if (!field.items) return t(expectation(field));
  return `${t({ en: 'list:', ru: 'список:' })} ${t(expectation(field.items))}`;
}

function remarks(field: Schema, required: boolean, t: Translate): string {
  const { notes } = field;
  const isEmpty =
    typeof field.default === 'object' && field.default !== null && Object.keys(field.default).length === 0;
  const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
  return [
    notes ? t(notes.description) : '',
    required ? `**${t({ en: 'Required', ru: 'Обязательно' })}.**` : '',
    field.default !== undefined && !isEmpty && !allowedValues(field)?.every((value) => value === field.default)
      ? `${t({ en: 'Default', ru: 'По умолчанию' })}: ${code(field.default)}.`
      : '',
    notes?.example === undefined ? '' : `${t({ en: 'Example', ru: 'Пример' })}: ${code(notes.example)}.`,
    notes?.immutable ? t({ en: 'Cannot change after installation.', ru: 'Нельзя изменить после установки.' }) : '',
    notes?.secret ? t({ en: 'Secret: never shown.', ru: 'Секрет: нигде не показывается.' }) : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

export function modulesPage(modules: readonly Module[], language: Language): string {
  const t: Translate = (text) => text[language];
  const sections = modules.flatMap((module) => {
    const facts = [
      module.category === 'base'
        ? t({ en: 'Base module: part of every cluster.', ru: 'Базовый модуль: есть в каждом кластере.' })
        : t({ en: 'Additional module: enabled by name.', ru: 'Дополнительный модуль: включается по имени.' }),
      ...(module.roles.length > 0
        ? [`${t({ en: 'Needs a node with the role', ru: 'Нужен узел с ролью' })} \`${module.roles.join('`, `')}\`.`]
        : []),
      ...(module.needs.length > 0
        ? [`${t({ en: 'Needs the modules', ru: 'Нужны модули' })} \`${module.needs.join('`, `')}\`.`]
        : []),
    ];
    const schema = schemaOf(module.settings);
    const hasSettings = Object.keys(schema.properties ?? {}).length > 0;
    return [
      `## ${module.name}`,
      module.description[language],
      facts.join(' '),
      ...(hasSettings ? [fieldTable(schema, t)] : []),
    ];
  });
  return page(language, t({ en: 'Modules', ru: 'Модули' }), ...sections);
}

export function errorsPage(language: Language): string {
  const t: Translate = (text) => text[language];
  const head = [
    t({ en: 'Code', ru: 'Код' }),
    t({ en: 'What is wrong', ru: 'Что не так' }),
    t({ en: 'What to do', ru: 'Что делать' }),
  ];
  const rowsOf = (table: (typeof errorAreas)[number]['errors']) =>
    Object.entries(table).map(
      ([code, { message, remedy }]) => `| \`${code}\` | ${cell(message[language])} | ${cell(remedy[language])} |`,
    );
  return page(
    language,
    t({ en: 'Errors', ru: 'Ошибки' }),
    t({
      en: 'Every error has a code that never changes its meaning. `{…}` stands for a value. `nova-ctl explain CODE` shows the same.',
      ru: 'У каждой ошибки есть код, смысл которого не меняется. `{…}` — подставляемое значение. То же показывает `nova-ctl explain КОД`.',
    }),
    ...errorAreas.flatMap((area) => [
      `## ${t(area.title)}`,
      [`| ${head.join(' | ')} |`, '|---|---|---|', ...rowsOf(area.errors)].join('\n'),
    ]),
  );
}

export function commandsPage(language: Language): string {
  const t: Translate = (text) => text[language];
  const codes = Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning[language]} |`);
  return page(
    language,
    'nova-ctl',
    ...commandHelp(language).flatMap(([route, help]) => [`## ${route}`, `\`\`\`text\n${help.trimEnd()}\n\`\`\``]),
    `## ${t({ en: 'Exit codes', ru: 'Коды завершения' })}`,
    [`| ${t({ en: 'Code', ru: 'Код' })} | ${t({ en: 'Meaning', ru: 'Смысл' })} |`, '|---|---|', ...codes].join('\n'),
  );
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
