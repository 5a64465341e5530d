import {
  allowedValues,
  type ErrorCode,
  errors,
  expectation,
  type Kind,
  kindSchema,
  kinds,
  type Module,
  modules,
  nearestTo,
  ProblemError,
  problem,
  type Schema,
  schemaAt,
  schemaOf,
  walk,
} from '@nova-platform/api';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { wrapped, wrappedTable } from '../../tree.ts';
import { topics } from './topics.ts';

export interface ExplainFlags {
  output: Output;
}

export const run = command<ExplainFlags, [topic?: string]>(async function (_flags, topic) {
  if (topic === undefined) return overview(this);
  const code = topic.toUpperCase();
  if (code in errors) return explainError(this, code as ErrorCode);

  const module = modules.find(({ name }) => name === topic.toLowerCase());
  if (module) return explainModule(this, module);

  const [kindName = '', ...path] = topic.replace(/\[\d*\]/g, '').split('.');
  const kind = kinds.find((each) => each.kind.toLowerCase() === kindName.toLowerCase());
  const schema = kind && schemaAt(kindSchema(kind), path);
  if (kind && schema) return explainField(this, kind, path, schema);
  throw new ProblemError(problem('NOVA6002', { topic, nearest: nearestTo(topic, topics()) }));
});

/** Longer lists are shown one level at a time. */
const maxRows = 30;

function overview({ t, style, language, io }: Context): Result {
  const label = (name: string) =>
    `  ${name}`.padEnd(longestName([...kinds.map(({ kind }) => kind), ...modules.map((each) => each.name)]));
  const listed = (rows: readonly (readonly [name: string, description: string])[]) =>
    wrappedTable(
      rows.map(([name, description]) => [label(name), description]),
      io.stdout.columns,
    );
  return {
    data: {
      kinds: kinds.map(({ kind }) => kind),
      modules: modules.map(({ name }) => name),
      errors: Object.keys(errors),
    },
    text: [
      style.bold(t({ en: 'Documents', ru: 'Документы' })),
      ...listed(kinds.map(({ kind, description }) => [kind, description[language]])),
      '',
      style.bold(t({ en: 'Modules', ru: 'Модули' })),
      ...listed(modules.map(({ name, description }) => [name, description[language]])),
      '',
      style.bold(t({ en: 'Error codes', ru: 'Коды ошибок' })),
      t({ en: '  NOVA1001 and others, as errors show them', ru: '  NOVA1001 и другие, как в сообщениях об ошибках' }),
    ].join('\n'),
  };
}

function longestName(names: readonly string[]): number {
  return Math.max(...names.map(({ length }) => length)) + 2;
}

function explainError({ language, style, t, io }: Context, code: ErrorCode): Result {
  const { message, remedy } = errors[code];
  return {
    data: { code, message: message[language], remedy: remedy[language] },
    text: [
      style.code(code),
      '',
      ...wrappedTable(
        [
          [`  ${style.bold(t({ en: 'What is wrong', ru: 'Что не так' }))}`, message[language]],
          [`  ${style.bold(t({ en: 'What to do', ru: 'Что делать' }))}`, remedy[language]],
        ],
        io.stdout.columns,
      ),
      '',
      `  ${style.dim(t({ en: '{…} is replaced by the actual value.', ru: '{…} заменяется фактическим значением.' }))}`,
    ].join('\n'),
  };
}

function explainModule(context: Context, module: Module): Result {
  const { language, style, t } = context;
  const { name, category, description, needs, roles } = module;
  const schema = schemaOf(module.settings);
  const facts = [
    category === 'base'
      ? t({ en: 'base module, always installed', ru: 'базовый модуль, устанавливается всегда' })
      : t({ en: 'additional module', ru: 'дополнительный модуль' }),
    ...(roles.length > 0
      ? [`${t({ en: 'needs a node with the role', ru: 'нужен узел с ролью' })} ${roles.join(', ')}`]
      : []),
    ...(needs.length > 0 ? [`${t({ en: 'needs the modules', ru: 'нужны модули' })} ${needs.join(', ')}`] : []),
  ];
  return {
    data: {
      name,
      category,
      description: description[language],
      roles,
      needs,
      settings: fieldsBelow(context, schema).map(({ data }) => data),
    },
    text: [
      `${style.bold(name)}  ${style.dim(facts.join('; '))}`,
      '',
      ...indented(context, description[language]),
      ...fieldList(context, schema, t({ en: 'Settings', ru: 'Настройки' })),
    ].join('\n'),
  };
}

function explainField(context: Context, kind: Kind, path: string[], schema: Schema): Result {
  const { language, style, t } = context;
  const isKind = path.length === 0;
  const description = isKind ? kind.description[language] : (schema.notes?.description[language] ?? '');
  const facts = factsOf(context, schema);
  const example = isKind ? kind.example : undefined;
  return {
    data: {
      field: [kind.kind, ...path].join('.'),
      apiVersion: kind.schema.shape.apiVersion.value,
      description,
      ...dataOf(context, schema),
      fields: fieldsBelow(context, schema).map(({ data }) => data),
      example,
    },
    text: [
      `${style.bold([kind.kind, ...path].join('.'))}  ${style.dim(isKind ? kind.schema.shape.apiVersion.value : expectation(schema)[language])}`,
      '',
      ...indented(context, description),
      ...(facts.length > 0 ? ['', ...facts.map((fact) => `  ${style.dim('·')} ${fact}`)] : []),
      ...fieldList(context, schema, t({ en: 'Fields', ru: 'Поля' })),
      ...(example
        ? [
            '',
            style.bold(t({ en: 'Example', ru: 'Пример' })),
            ...example
              .trimEnd()
              .split('\n')
              .map((line) => `  ${line}`),
          ]
        : []),
    ].join('\n'),
  };
}

function indented({ io }: Context, text: string): string[] {
  return wrapped(text, (io.stdout.columns ?? Number.POSITIVE_INFINITY) - 2).map((line) => `  ${line}`);
}

function factsOf({ language, t }: Context, schema: Schema): string[] {
  const { notes } = schema;
  const value = (name: string, content: unknown) => `${name}: ${shown(content)}`;
  return [
    ...(allowedValues(schema)
      ? [`${t({ en: 'allowed', ru: 'допустимо' })}: ${allowedValues(schema)?.join(', ')}`]
      : []),
    ...(schema.items
      ? [`${t({ en: 'each entry', ru: 'каждая запись' })}: ${expectation(schema.items)[language]}`]
      : []),
    ...(schema.default !== undefined && !isEmpty(schema.default)
      ? [value(t({ en: 'default', ru: 'по умолчанию' }), schema.default)]
      : []),
    ...(notes?.example !== undefined ? [value(t({ en: 'example', ru: 'пример' }), notes.example)] : []),
    ...(notes?.immutable ? [t({ en: 'cannot change after installation', ru: 'нельзя изменить после установки' })] : []),
    ...(notes?.secret ? [t({ en: 'secret: never shown', ru: 'секрет: нигде не показывается' })] : []),
  ];
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function dataOf({ language }: Context, schema: Schema) {
  const { notes } = schema;
  return {
    expected: expectation(schema)[language],
    allowed: allowedValues(schema),
    default: schema.default,
    example: notes?.example,
    immutable: notes?.immutable,
    secret: notes?.secret,
  };
}

interface Row {
  cells: string[];
  depth: number;
  data: object;
}

function fieldsBelow(context: Context, schema: Schema): Row[] {
  const { language, t } = context;
  const rows: Row[] = [];
  walk(schema.items ?? schema, (path, field, required) => {
    const name = path.at(-1) ?? '';
    const facts = [
      ...(required ? [t({ en: 'required', ru: 'обязательно' })] : []),
      ...(field.default !== undefined && !isEmpty(field.default) ? [`[${shown(field.default)}]`] : []),
    ];
    const description = field.notes?.description[language] ?? '';
    rows.push({
      cells: [`${'  '.repeat(path.length)}${name}`, facts.join(' '), description],
      depth: path.length,
      data: { field: path.join('.'), required, description, ...dataOf(context, field) },
    });
  });
  return rows;
}

function fieldList(context: Context, schema: Schema, title: string): string[] {
  const all = fieldsBelow(context, schema);
  const rows = all.length <= maxRows ? all : all.filter(({ depth }) => depth === 1);
  if (rows.length === 0) return [];
  return [
    '',
    context.style.bold(title),
    ...wrappedTable(
      rows.map(({ cells }) => cells),
      context.io.stdout.columns,
    ),
  ];
}
