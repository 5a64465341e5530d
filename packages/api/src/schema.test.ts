import { expect, test } from 'vitest';
import { loadDocuments } from './documents.ts';
import { infrastructure } from './infrastructure.ts';
import { kinds } from './kinds.ts';
import { modules } from './modules.ts';
import {
  bounds,
  customResourceDefinition,
  expectation,
  jsonSchema,
  kindSchema,
  maskSecrets,
  type Schema,
  schemaAt,
  schemaOf,
  typeOf,
  walk,
} from './schema.ts';

const named = kinds.map((kind) => [kind.kind, kind] as const);

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asObject = (value: unknown): Json => (isObject(value) ? value : {});

// All keywords that a structural schema of Kubernetes can have; const, $ref, propertyNames and others are not allowed.
const keywords = new Set(
  `description title type format default enum nullable example externalDocs required properties additionalProperties
  items allOf anyOf oneOf not pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf
  minItems maxItems uniqueItems minProperties maxProperties x-kubernetes-preserve-unknown-fields
  x-kubernetes-int-or-string x-kubernetes-embedded-resource x-kubernetes-list-type x-kubernetes-list-map-keys
  x-kubernetes-map-type x-kubernetes-validations`.split(/\s+/),
);
const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];
const onlyOutsideLogic = ['description', 'type', 'default', 'additionalProperties', 'nullable'];

/**
 * The reasons for the API server to refuse a schema:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
function violations(schema: Json, path = '', within: 'schema' | 'logic' = 'schema'): string[] {
  const found: string[] = [];
  const refuse = (isWrong: unknown, what: string) => isWrong && found.push(`${path || '.'}: ${what}`);
  const { type, properties, items, additionalProperties, default: preset } = schema;
  const isUntyped = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'];

  for (const key of Object.keys(schema)) refuse(!keywords.has(key), `${key} is forbidden`);
  if (within === 'logic') {
    for (const key of Object.keys(schema))
      refuse(onlyOutsideLogic.includes(key) || key.startsWith('x-'), `${key} is forbidden in logic`);
  } else {
    refuse(!isUntyped && !types.includes(String(type)), 'type is missing');
    refuse(type === 'array' && !isObject(items), 'items are missing');
  }
  refuse(properties && type !== undefined && type !== 'object', 'properties need an object');
  refuse(schema.uniqueItems === true, 'uniqueItems is forbidden');
  refuse(additionalProperties === false, 'additionalProperties: false is forbidden');
  refuse(additionalProperties !== undefined && properties, 'additionalProperties beside properties');
  for (const key of ['exclusiveMinimum', 'exclusiveMaximum'])
    refuse(key in schema && typeof schema[key] !== 'boolean', `${key} is not a boolean`);
  refuse(within === 'schema' && preset !== undefined && !accepts(schema, preset), 'default is not valid');
  refuse(typeof schema.pattern === 'string' && !isRe2(schema.pattern), 'pattern is not RE2');
  refuse(Array.isArray(schema.enum) && schema.enum.length === 0, 'enum is empty');

  const entry = asObject(items);
  const isScalar = entry.type !== 'object' && entry.type !== 'array';
  if (schema['x-kubernetes-list-type'] === 'set') refuse(!isScalar, 'a set of entries that are not scalar');
  if (schema['x-kubernetes-list-type'] === 'map') {
    const keys = schema['x-kubernetes-list-map-keys'] as string[] | undefined;
    refuse(!keys?.length, 'a map without keys');
    for (const key of keys ?? []) {
      const field = asObject(entry.properties)[key];
      const isGiven = (entry.required as string[] | undefined)?.includes(key) || asObject(field).default !== undefined;
      refuse(!isObject(field) || ['object', 'array'].includes(String(field.type)), `no scalar for the key ${key}`);
      refuse(!isGiven, `the key ${key} is optional`);
    }
  }

  for (const [name, child] of Object.entries(asObject(properties)))
    found.push(...violations(asObject(child), `${path}.${name}`, within));
  if (isObject(items)) found.push(...violations(items, `${path}[]`, within));
  if (isObject(additionalProperties)) found.push(...violations(additionalProperties, `${path}{}`, within));
  const logic = [schema.allOf, schema.anyOf, schema.oneOf, schema.not].flat().filter(isObject);
  for (const each of logic) {
    found.push(...violations(each, path, 'logic'));
    for (const key of Object.keys(asObject(each.properties)))
      refuse(within === 'schema' && !(key in asObject(properties)), `${key} is named in logic only`);
  }
  return found;
}

/** The root of a resource: an object whose metadata restricts only the name. */
function rootViolations(schema: Json): string[] {
  const { type, properties } = schema;
  const { type: metadataType, properties: metadata = {}, ...more } = asObject(asObject(properties).metadata);
  const others = [
    ...Object.keys(more).filter((key) => key !== 'description'),
    ...Object.keys(asObject(metadata)).filter((key) => key !== 'name' && key !== 'generateName'),
  ];
  return [
    ...violations(schema),
    ...(type === 'object' ? [] : ['the root is not an object']),
    ...(metadataType === undefined || metadataType === 'object' ? [] : ['metadata are not an object']),
    ...others.map((key) => `metadata: ${key} is forbidden`),
  ];
}

/** Whether a value is valid for a schema, and the API server would not prune any part of it. */
function accepts(schema: Json, value: unknown): boolean {
  const { type, enum: allowed, properties, additionalProperties, items, required, pattern } = schema as Schema & Json;
  if (allowed && !allowed.includes(value as string)) return false;
  const within = (size: number, min: unknown, max: unknown) =>
    size >= Number(min ?? 0) && size <= Number(max ?? Infinity);
  if (Array.isArray(value)) {
    if (type !== 'array' || !within(value.length, schema.minItems, schema.maxItems)) return false;
    return value.every((item) => accepts(asObject(items), item));
  }
  if (isObject(value)) {
    if (type !== 'object' || required?.some((key) => !(key in value) && !('default' in asObject(properties?.[key]))))
      return false;
    const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
    return Object.entries(value).every(([key, child]) => {
      const field = asObject(properties)[key] ?? additionalProperties;
      return isObject(field) ? accepts(field, child) : isOpen;
    });
  }
  if (typeof value === 'string') {
    const isLike = pattern === undefined || new RegExp(pattern).test(value);
    return type === 'string' && isLike && within(value.length, schema.minLength, schema.maxLength);
  }
  if (typeof value === 'number') {
    const isRight = type === 'number' || (type === 'integer' && Number.isInteger(value));
    return isRight && value >= Number(schema.minimum ?? -Infinity) && value <= Number(schema.maximum ?? Infinity);
  }
  return typeof value === type;
}

/** RE2 has no look-around and no back references, and repeats at most 1000 times. */
function isRe2(pattern: string): boolean {
  const bare = pattern.replace(/\\\\/g, '');
  const repeats = [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, min, max]) => [
    Number(min),
    Number(max ?? 0),
  ]);
  return !/\(\?<?[=!]|\(\?>|\\[1-9]|\\k</.test(bare) && Math.max(0, ...repeats) <= 1000;
}

const text = { type: 'string' };
const wrong: [what: string, schema: Json, violations: string[]][] = [
  ['no type', { properties: { a: {} }, type: 'object' }, ['.a: type is missing']],
  ['an unknown type', { type: 'null' }, ['.: type is missing']],
  ['a list of anything', { type: 'array' }, ['.: items are missing']],
  ['const', { ...text, const: 'a' }, ['.: const is forbidden']],
  ['an unknown keyword', { ...text, notes: {} }, ['.: notes is forbidden']],
  ['a type in logic', { ...text, anyOf: [{ type: 'string', minLength: 1 }] }, ['.: type is forbidden in logic']],
  [
    'a default deep in logic',
    { type: 'object', properties: { a: text }, not: { properties: { a: { default: 'b' } } } },
    ['.a: default is forbidden in logic'],
  ],
  ['a field in logic only', { type: 'object', anyOf: [{ properties: { a: {} } }] }, ['.: a is named in logic only']],
  ['unique items', { type: 'array', items: text, uniqueItems: true }, ['.: uniqueItems is forbidden']],
  ['a closed object', { type: 'object', additionalProperties: false }, ['.: additionalProperties: false is forbidden']],
  [
    'properties with additionalProperties',
    { type: 'object', properties: { a: text }, additionalProperties: text },
    ['.: additionalProperties beside properties'],
  ],
  ['bounds of JSON Schema 2020', { type: 'integer', exclusiveMinimum: 0 }, ['.: exclusiveMinimum is not a boolean']],
  ['a default of another type', { type: 'integer', default: 'a' }, ['.: default is not valid']],
  ['a default that is not allowed', { ...text, enum: ['a'], default: 'b' }, ['.: default is not valid']],
  [
    'a default that would be pruned',
    { type: 'object', properties: { a: text }, default: { b: 'c' } },
    ['.: default is not valid'],
  ],
  [
    'a default without a required field',
    { type: 'object', properties: { a: text }, required: ['a'], default: {} },
    ['.: default is not valid'],
  ],
  ['look-around', { ...text, pattern: '^(?!a)b$' }, ['.: pattern is not RE2']],
  ['a back reference', { ...text, pattern: '(a)\\1' }, ['.: pattern is not RE2']],
  ['more than 1000 repetitions', { ...text, pattern: 'a{0,1001}' }, ['.: pattern is not RE2']],
  [
    'a set of objects',
    { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' },
    ['.: a set of entries that are not scalar'],
  ],
  [
    'a map without keys',
    { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
    ['.: a map without keys'],
  ],
  [
    'a map by an optional key',
    {
      type: 'array',
      items: { type: 'object', properties: { a: text } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    ['.: the key a is optional'],
  ],
];

test.each(wrong)('the API server refuses %s', (_, schema, expected) => {
  expect(violations(schema)).toEqual(expected);
});

test('the API server refuses metadata that restrict more than the name, and a root that is not an object', () => {
  const metadata = { type: 'object', properties: { name: text, labels: { type: 'object' } } };
  expect(rootViolations({ type: 'object', properties: { metadata } })).toEqual(['metadata: labels is forbidden']);
  expect(rootViolations(text)).toEqual(['the root is not an object']);
});

test.each(named)('the API server accepts the CRD of %s', (_, kind) => {
  const definition = JSON.parse(JSON.stringify(customResourceDefinition(kind)));
  const { group, names, versions } = definition.spec;
  expect(
    versions.flatMap((version: { schema: { openAPIV3Schema: Json } }) =>
      rootViolations(version.schema.openAPIV3Schema),
    ),
  ).toEqual([]);
  expect(versions).toMatchObject([{ name: kind.version, served: true, storage: true }]);
  expect(definition.metadata.name).toBe(`${names.plural}.${group}`);
  expect([names.plural, names.singular].filter((name) => !/^[a-z]+$/.test(name))).toEqual([]);
});

test('the CRD of a kind matches its declaration', () => {
  const definition = customResourceDefinition(kinds[0] ?? expect.fail()) as {
    spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
  };
  const root = definition.spec.versions[0]?.schema.openAPIV3Schema ?? {};
  const config = schemaAt(root, ['spec', 'clusterConfiguration']);
  expect(config?.required).toEqual(['dnsBaseDomain']);
  expect(config?.properties?.podNetworkNodePrefix).toMatchInlineSnapshot(`
    {
      "default": 24,
      "description": "Prefix length of the pod CIDR of each node.",
      "maximum": 28,
      "minimum": 16,
      "type": "integer",
      "x-kubernetes-validations": [
        {
          "message": "cannot change after installation",
          "rule": "self == oldSelf",
        },
      ],
    }
  `);
  expect(schemaAt(root, ['metadata', 'name'])).toEqual({ type: 'string', enum: ['cluster'] });
  expect(schemaAt(config ?? {}, ['modules', 'settings'])).toMatchObject({
    'x-kubernetes-preserve-unknown-fields': true,
  });
  expect(schemaAt(root, ['spec', 'nodeGroups', 'labels', 'any'])).toMatchObject({ type: 'string', maxLength: 63 });
});

test('the CRD of an Infrastructure refuses the changes between fields that validation refuses', () => {
  const transitions = infrastructure.validations.filter(({ rule }) => rule.includes('oldSelf'));
  expect(transitions.map(({ message }) => message)).toEqual([
    'the name of the cluster cannot change',
    'delivery cannot change to none after installation',
    'the role control-plane cannot be added to installed nodes or removed from them',
    'DNS cannot change to external mode after installation',
  ]);
});

/** Every field of every kind and of all settings of modules. */
const fields = [
  ...kinds.map((kind) => ({ name: kind.kind, schema: kindSchema(kind) })),
  ...modules.map((module) => ({ name: module.name, schema: schemaOf(module.settings) })),
].flatMap(({ name, schema }) => {
  const found: { path: string; key: string; field: Schema }[] = [];
  walk(schema, (path, field) => found.push({ path: [name, ...path].join('.'), key: path.at(-1) ?? '', field }));
  return found;
});

test('every field is described in both languages', () => {
  const isDescribed = ({ notes }: Schema) =>
    /^[^а-яё]*[a-z][^а-яё]*\.$/i.test(notes?.description.en ?? '') && /[а-яё].*\.$/i.test(notes?.description.ru ?? '');
  expect(fields.length).toBeGreaterThan(80);
  expect(fields.filter(({ field }) => !isDescribed(field)).map(({ path }) => path)).toEqual([]);
});

test('every kind and every module is described in both languages', () => {
  for (const { description } of [...kinds, ...modules]) {
    expect(description.en).toMatch(/^[^а-яё]+\.$/i);
    expect(description.ru).toMatch(/[а-яё].*\.$/i);
  }
});

test('exactly the fields with names of secrets are secrets', () => {
  const sounds = (key: string) => /passw|passphrase|secret|token|credential|private|apikey/i.test(key);
  expect(
    fields.filter(({ key, field }) => sounds(key) !== Boolean(field.notes?.secret)).map(({ path }) => path),
  ).toEqual([]);
});

test('the example of every field is valid', () => {
  const given = fields.filter(({ field }) => field.notes?.example !== undefined);
  expect(given.filter(({ field }) => !accepts(field as Json, field.notes?.example)).map(({ path }) => path)).toEqual(
    [],
  );
});

test.each(named)('the example of %s is valid', (_, kind) => {
  const { documents, problems } = loadDocuments([{ name: 'example.yaml', text: kind.example }]);
  expect(problems).toEqual([]);
  expect(documents.map((document) => document.kind)).toEqual([kind]);
});

/** A value with every field of a schema. */
function full(schema: Schema): unknown {
  if (schema.items) return [full(schema.items), full(schema.items)];
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([key, child]) => [key, full(child)]));
  return schema.notes?.secret ? 'hunter2' : 'shown';
}

test.each(named)('exactly the secrets of %s are masked', (_, kind) => {
  const schema = kindSchema(kind);
  const value = JSON.stringify(full(schema));
  expect(JSON.stringify(maskSecrets(schema, JSON.parse(value)))).toBe(value.replaceAll('hunter2', '******'));
});

test('a secret of any type is masked, and unknown fields are kept', () => {
  const schema = kindSchema(kinds[1] ?? expect.fail());
  const value = { spec: { httpProxy: { password: { a: ['hunter2'] }, x: [null, 1] } } };
  expect(maskSecrets(schema, value)).toEqual({ spec: { httpProxy: { password: '******', x: [null, 1] } } });
  expect(value.spec.httpProxy.password).toEqual({ a: ['hunter2'] });
});

test.each(['en', 'ru'] as const)('the schema for editors is plain JSON Schema, described in %s', (language) => {
  for (const kind of kinds) {
    const schema = JSON.parse(JSON.stringify(jsonSchema(kind, language)));
    expect(schema).toMatchObject({ title: kind.kind, description: kind.description[language], type: 'object' });
    const unknown: string[] = [];
    walk(schema, (path, field: Schema & { description?: string }) => {
      if ('notes' in field || !field.description) unknown.push(path.join('.'));
    });
    expect(unknown).toEqual([]);
  }
});

test('the schema for editors has the constraints of the declaration', () => {
  const schema = jsonSchema(kinds[0] ?? expect.fail(), 'en') as Schema;
  expect(schemaAt(schema, ['spec'])).toMatchObject({ additionalProperties: false });
  expect(schemaAt(schema, ['spec', 'nodeGroups', 'labels'])).toMatchInlineSnapshot(`
    {
      "additionalProperties": {
        "maxLength": 63,
        "pattern": "^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$",
        "type": "string",
      },
      "default": {},
      "description": "Labels of the nodes in Kubernetes, in addition to those of their roles.",
      "examples": [
        {
          "example.com/zone": "a",
        },
      ],
      "propertyNames": {
        "maxLength": 317,
        "pattern": "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$",
        "type": "string",
      },
      "type": "object",
    }
  `);
});

test('walk visits every field, and reports which are required', () => {
  const met: string[] = [];
  walk(kindSchema(kinds[1] ?? expect.fail()), (path, _, required) =>
    met.push(`${path.join('.')}${required ? '' : '?'}`),
  );
  expect(met).toMatchInlineSnapshot(`
    [
      "apiVersion",
      "kind",
      "metadata",
      "metadata.name",
      "metadata.labels?",
      "metadata.annotations?",
      "spec",
      "spec.httpProxy?",
      "spec.httpProxy.server",
      "spec.httpProxy.port?",
      "spec.httpProxy.username?",
      "spec.httpProxy.password?",
      "spec.httpsProxy?",
      "spec.httpsProxy.server",
      "spec.httpsProxy.port?",
      "spec.httpsProxy.username?",
      "spec.httpsProxy.password?",
      "spec.noProxy?",
      "spec.trustedCA?",
    ]
  `);
});

test('schemaAt finds a field by its path, with or without indices', () => {
  const schema = kindSchema(kinds[0] ?? expect.fail());
  expect(schemaAt(schema, ['spec', 'nodeGroups', 0, 'cpu'])).toBe(schemaAt(schema, ['spec', 'nodeGroups', 'cpu']));
  expect(schemaAt(schema, ['spec', 'nodeGroups', 'nothing'])).toBeUndefined();
  expect(schemaAt(schema, ['spec', 'constructor'])).toBeUndefined();
});

test.each<[schema: Schema, en: string, ru: string]>([
  [{ type: 'string' }, 'text', 'текст'],
  [{ type: 'boolean' }, 'true or false', 'true или false'],
  [{ type: 'integer', minimum: 1, maximum: 9 }, 'a whole number, 1 to 9', 'целое число, от 1 до 9'],
  [{ type: 'string', minLength: 8 }, 'text, at least 8 characters', 'текст, не меньше 8 знаков'],
  [{ type: 'array', maxItems: 9 }, 'a list, at most 9 entries', 'список, не больше 9 записей'],
  [{ enum: ['a', 'b'] }, 'one of a, b', 'одно из: a, b'],
  [{ const: 'a' }, 'a', 'a'],
])('the schema %j is described as: %s', (schema, en, ru) => {
  expect(expectation(schema)).toEqual({ en, ru });
});

test('the type of a value is described', () => {
  expect([null, undefined, [], {}, 'a', 1, true].map((value) => typeOf(value).en)).toEqual([
    'nothing',
    'nothing',
    'a list',
    'a mapping',
    'text',
    'a number',
    'true or false',
  ]);
});

test('a mapping has no bounds', () => {
  expect(bounds({ type: 'object' })).toBeUndefined();
});
