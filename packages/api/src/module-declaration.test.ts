import { expect, test } from 'vitest';
import { checkValue } from './documents.ts';
import { readModule } from './module-declaration.ts';
import { settingsSchema } from './module-settings.ts';
import { describe, formatPath } from './problem.ts';
import { expectation, type Schema, schemaOf } from './schema.ts';

const about = 'description: { en: About., ru: О чём. }';
const required = `category: additional\n${about}\nnamespace: nova-vault\ncomponents: [vault]\n`;
const read = (text: string) => readModule('vault', { name: 'module.yaml', text });
const problemsOf = (text: string) =>
  read(text).problems.map((each) => `${each.place?.line} ${formatPath(each.path)} ${describe(each, 'en').message}`);

test('a declaration needs a category, a description, a namespace and components', () => {
  expect(read(required)).toEqual({
    declared: {
      name: 'vault',
      category: 'additional',
      description: { en: 'About.', ru: 'О чём.' },
      needs: [],
      roles: [],
      namespace: 'nova-vault',
      publishedPorts: [],
      components: ['vault'],
      files: [],
      settings: {},
      values: {},
    },
    problems: [],
  });
  expect(problemsOf('category: other\n')).toEqual([
    '1 category other is not one of the allowed values.',
    '1 description The field description is missing.',
    '1 namespace The field namespace is missing.',
    '1 components The field components is missing.',
  ]);
});

test('a file with no document or with two documents is refused', () => {
  for (const text of ['', 'a: 1\n---\nb: 2\n'])
    expect(read(text).problems.map(({ code }) => code)).toEqual(['NOVA8406']);
});

test('unknown keys, roles and conditions are reported with their place', () => {
  expect(
    problemsOf(`${required}need: [ingress]\nroles: [edge]\nonlyIf: sunday\nvalues: { a: 1, b: { when: x } }\n`),
  ).toEqual([
    '6 roles[0] edge is not one of the allowed values.',
    '7 onlyIf sunday is not one of the allowed values.',
    '8 values.a Wrong type: a number.',
    '8 values.b.if The field if is missing.',
    '8 values.b.use The field use is missing.',
    '8 values.b.else The field else is missing.',
    '8 values.b.when Unknown field when.',
    '5 need Unknown field need.',
  ]);
});

test('settings must have only keys of their type, and valid defaults and examples', () => {
  const settings = `settings:
  days: { type: integer, minimum: 1, pattern: x, ${about} }
  size: { type: string, format: quantity, minimum: 1, default: much, ${about} }
  level: { type: string, enum: [low, high], example: none, ${about} }
  hosts: { type: array, ${about} }
`;
  expect(problemsOf(required + settings)).toEqual(['6 settings.days.pattern Unknown field pattern.']);
  expect(problemsOf(required + settings.replace(' pattern: x,', ''))).toEqual([
    '7 settings.size.minimum Unknown field minimum.',
    '7 settings.size.default The format of the value is wrong.',
    '8 settings.level.example none is not one of the allowed values.',
    '9 settings.hosts The field items is missing.',
  ]);
});

test('values must refer to existing settings and facts, and quote free text', () => {
  const values = `settings:
  title: { type: string, ${about} }
  home: { type: string, format: url, ${about} }
  level: { type: string, enum: [low], ${about} }
values:
  a: \${settings.titel}
  b: \${plan.weather}
  c: \${title}
  d: \${settings.title}, \${settings.home}
  e: { if: settings.level, use: "\${settings.title}", else: "" }
  f: \${settings.title | quote} \${settings.level}
  g: { if: plan.isIngressShared, use: yes, else: "no" }
`;
  const reasons = read(required + values).problems.map(
    ({ path, params }) => `${formatPath(path)}: ${(params.reason as { en: string }).en}`,
  );
  expect(reasons).toEqual([
    'values.a: there is no settings.titel; known: title, home, level',
    expect.stringContaining('values.b: there is no plan.weather; known: isIngressShared, novaDns'),
    expect.stringContaining('values.c: cannot read title: write settings.NAME or plan.FACT'),
    expect.stringContaining('values.d: settings.title can hold any characters'),
    expect.stringContaining('values.d: settings.home can hold any characters'),
    'values.e.if: settings.level is not true or false',
    expect.stringContaining('values.e.use: settings.title can hold any characters'),
  ]);
});

test('declared settings are validated, described and get defaults like fields of documents', () => {
  const { declared, problems } = read(`${required}settings:
  size: { type: string, format: quantity, default: 1Gi, ${about} }
  days: { type: integer, minimum: 1, maximum: 30, default: 7, ${about} }
  level: { type: string, enum: [low, high], ${about} }
  title: { type: string, minLength: 1, maxLength: 10, ${about} }
  isOpen: { type: boolean, default: false, ${about} }
  hosts: { type: array, items: { type: string, format: domain }, maxItems: 2, default: [], ${about} }
`);
  expect(problems).toEqual([]);
  const schema = settingsSchema(declared?.settings ?? {});
  expect(schema.parse({})).toEqual({ size: '1Gi', days: 7, isOpen: false, hosts: [] });
  const wrong = { size: 'big', days: 31, level: 'none', title: '', isOpen: 1, hosts: ['A'], other: 1 };
  expect(checkValue(schema, wrong, []).map(({ code, path }) => `${code} ${formatPath(path)}`)).toEqual([
    'NOVA2009 size',
    'NOVA2008 days',
    'NOVA2007 level',
    'NOVA2008 title',
    'NOVA2006 isOpen',
    'NOVA2009 hosts[0]',
    'NOVA2004 other',
  ]);
  const fields = Object.values(schemaOf(schema).properties ?? {});
  expect(fields.map(({ notes }) => notes?.description.ru)).toEqual(fields.map(() => 'О чём.'));
  const [size, days, level] = fields as [Schema, Schema, Schema];
  expect([size, days, level].map((each) => expectation(each).en)).toEqual([
    'a Kubernetes quantity, such as 512Mi or 8Gi',
    'a whole number, 1 to 30',
    'one of low, high',
  ]);
});
