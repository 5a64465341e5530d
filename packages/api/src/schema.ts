import { z } from 'zod';
import { type FieldNotes, fieldNotes } from './field.ts';
import { type Format, formats } from './formats.ts';
import { group, type Kind, serverMetadata } from './kind.ts';
import type { Path } from './problem.ts';
import type { Language, Text } from './text.ts';

/** A kind's JSON Schema with the notes of its fields: the source of validation, CRD, reference and `explain`. */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  notes?: FieldNotes;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  enum?: (string | number | boolean)[];
  const?: string | number | boolean;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/** Converts a zod schema, with the notes of its fields. */
export function schemaOf(zod: z.ZodType): Schema {
  return z.toJSONSchema(zod, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const notes = fieldNotes.get(zodSchema);
      if (notes !== undefined) Object.assign(jsonSchema, { notes });
    },
  }) as Schema;
}

const cache = new Map<Kind, Schema>();

export function kindSchema(kind: Kind): Schema {
  const schema = cache.get(kind) ?? schemaOf(kind.schema);
  cache.set(kind, schema);
  return schema;
}

/** The schema of the field at a path; list indices are optional. */
export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  let here: Schema | undefined = schema;
  for (const step of path) {
    if (here?.type === 'array' && typeof step !== 'number') here = here.items;
    here = typeof step === 'number' ? here?.items : childOf(here, step);
  }
  return here;
}

function childOf(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** Calls `visit` for every field below, with its path (list items as `[]`). */
export function walk(schema: Schema, visit: (path: string[], field: Schema, required: boolean) => void): void {
  const into = (here: Schema, path: string[]): void => {
    if (here.items) into(here.items, [...path.slice(0, -1), `${path.at(-1)}[]`]);
    for (const [name, child] of Object.entries(here.properties ?? {})) {
      const childPath = [...path, name];
      visit(childPath, child, here.required?.includes(name) ?? false);
      into(child, childPath);
    }
  };
  into(schema, []);
}

/** The replacement of a secret. */
export const mask = '******';

/** A copy with every secret masked, which can be stored or shown. */
export function maskSecrets<T>(schema: Schema, value: T): T {
  if (schema.notes?.secret) return mask as T;
  if (Array.isArray(value)) return value.map((item) => maskSecrets(schema.items ?? {}, item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, maskSecrets(childOf(schema, key) ?? {}, child)]),
  ) as T;
}

interface FoundSecret {
  path: Path;
  secret: unknown;
  /** Paths of the fields that name the server it is sent to. */
  sentTo: readonly Path[];
}

/** All secrets of a value, with their paths. */
export function secretsIn(schema: Schema, value: unknown, path: Path = []): FoundSecret[] {
  if (schema.notes?.secret) {
    const { sentTo = [] } = schema.notes;
    return [{ path, secret: value, sentTo: sentTo.map((name) => [...path.slice(0, -1), name]) }];
  }
  if (Array.isArray(value))
    return value.flatMap((item, index) => secretsIn(schema.items ?? {}, item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => secretsIn(childOf(schema, key) ?? {}, child, [...path, key]));
}

const typeNames: Record<string, Text> = {
  object: { en: 'a mapping', ru: 'объект' },
  array: { en: 'a list', ru: 'список' },
  string: { en: 'text', ru: 'текст' },
  integer: { en: 'a whole number', ru: 'целое число' },
  number: { en: 'a number', ru: 'число' },
  boolean: { en: 'true or false', ru: 'true или false' },
  null: { en: 'nothing', ru: 'пусто' },
};

export function typeName(type: string): Text {
  return typeNames[type] ?? { en: type, ru: type };
}

export function typeOf(value: unknown): Text {
  if (value === null || value === undefined) return typeName('null');
  return typeName(Array.isArray(value) ? 'array' : typeof value);
}

const formatOfPattern = new Map<string, Format>(
  Object.entries(formats).map(([name, { pattern }]) => [new RegExp(pattern).source, name as Format]),
);

export function formatOf(schema: Schema): Format | undefined {
  return schema.pattern === undefined ? undefined : formatOfPattern.get(schema.pattern);
}

export function allowedValues(schema: Schema): readonly (string | number | boolean)[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
}

/** The allowed values that are not only planned. */
export function offeredValues(schema: Schema): readonly (string | number | boolean)[] | undefined {
  return allowedValues(schema)?.filter((value) => !schema.notes?.planned?.includes(String(value)));
}

/** Describes the expected value of a field. */
export function expectation(schema: Schema): Text {
  const allowed = allowedValues(schema);
  if (allowed) {
    const [only] = allowed;
    if (allowed.length === 1) return { en: `${only}`, ru: `${only}` };
    return { en: `one of ${allowed.join(', ')}`, ru: `одно из: ${allowed.join(', ')}` };
  }
  const format = formatOf(schema);
  const size = bounds(schema);
  const noun = format ? formats[format].expected : typeName(schema.type ?? 'object');
  // A format includes its length, unless the field allows less.
  if (size === undefined || (format && format !== 'label')) return noun;
  return { en: `${noun.en}, ${size.en}`, ru: `${noun.ru}, ${size.ru}` };
}

/** Describes the bounds of a number, of a string's length or of a list's size. */
export function bounds(schema: Schema): Text | undefined {
  const between = (min: number | undefined, max: number | undefined, unit: Text): Text | undefined => {
    if (min === undefined && max === undefined) return undefined;
    const say = (language: Language, from: string, to: string) =>
      [min === undefined ? '' : `${from} ${min}`, max === undefined ? '' : `${to} ${max}`, unit[language]]
        .filter((part) => part !== '')
        .join(' ');
    return min !== undefined && max !== undefined
      ? { en: `${min} to ${max} ${unit.en}`.trimEnd(), ru: `от ${min} до ${max} ${unit.ru}`.trimEnd() }
      : { en: say('en', 'at least', 'at most'), ru: say('ru', 'не меньше', 'не больше') };
  };
  switch (schema.type) {
    case 'integer':
    case 'number':
      return between(schema.minimum, schema.maximum, { en: '', ru: '' });
    case 'string':
      return between(schema.minLength, schema.maxLength, { en: 'characters', ru: 'знаков' });
    case 'array':
      return between(schema.minItems, schema.maxItems, { en: 'entries', ru: 'записей' });
    default:
      return undefined;
  }
}

/** Standard JSON Schema for editors. */
export function jsonSchema(kind: Kind, language: Language): object {
  const schema = kindSchema(kind);
  const { metadata = {} } = schema.properties ?? {};
  const added = Object.fromEntries(serverMetadata.map((name) => [name, ignored]));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind.kind,
    description: kind.description[language],
    ...plain(
      {
        ...schema,
        properties: {
          ...schema.properties,
          metadata: { ...metadata, properties: { ...metadata.properties, ...added } },
          status: ignored,
        },
      },
      language,
    ),
  };
}

const ignored: Schema = {
  notes: { description: { en: 'Set by the API server; ignored.', ru: 'Заполняет сервер API; не учитывается.' } },
};

function plain(schema: Schema, language: Language): object {
  const { notes, properties, items, additionalProperties, ...rest } = schema;
  const { $schema: _, ...kept } = rest as Record<string, unknown>;
  return {
    ...(notes && { description: notes.description[language] }),
    ...kept,
    ...(notes?.example !== undefined && { examples: [notes.example] }),
    ...(properties && { properties: mapValues(properties, (child) => plain(child, language)) }),
    ...(items && { items: plain(items, language) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? plain(additionalProperties, language) : additionalProperties,
    }),
  };
}

/** The kind as a Kubernetes CustomResourceDefinition. */
export function customResourceDefinition(kind: Kind): object {
  const { apiVersion, kind: kindField, spec } = kindSchema(kind).properties ?? {};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
      },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              description: kind.description.en,
              type: 'object',
              required: ['metadata', 'spec'],
              properties: {
                apiVersion: { type: 'string', description: apiVersion?.notes?.description.en },
                kind: { type: 'string', description: kindField?.notes?.description.en },
                // The API server allows restrictions only on the name.
                metadata: { type: 'object', properties: { name: { type: 'string', enum: ['cluster'] } } },
                spec: {
                  ...structural(spec ?? {}),
                  ...(kind.validations.length > 0 && { 'x-kubernetes-validations': kind.validations }),
                },
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
      ],
    },
  };
}

/**
 * Converts to a structural schema of Kubernetes: no const, no additionalProperties beside properties, and bounds within
 * its limits.
 */
function structural(schema: Schema): object {
  const { notes, properties, items, additionalProperties, propertyNames: _names, const: only, ...rest } = schema;
  const { minimum, maximum, ...kept } = rest;
  const open = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const isAnything = open !== undefined && open.type === undefined;
  return {
    ...(notes && { description: notes.description.en }),
    ...kept,
    ...(only !== undefined && { enum: [only] }),
    ...(minimum !== undefined && Number.isSafeInteger(minimum) && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && Number.isSafeInteger(maximum) && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(properties && { properties: mapValues(properties, structural) }),
    ...(items && { items: structural(items) }),
    ...(open &&
      (isAnything ? { 'x-kubernetes-preserve-unknown-fields': true } : { additionalProperties: structural(open) })),
    ...(notes?.unique === 'set' && { 'x-kubernetes-list-type': 'set' }),
    ...(notes?.unique === 'name' && { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    ...(notes?.immutable && {
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'cannot change after installation' }],
    }),
  };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
