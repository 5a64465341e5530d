import { expectation, type Language, offeredValues, type Schema, schemaAt } from '@nova-platform/api';

interface Option {
  label: string;
  apply: string;
  detail: string;
  info: string;
}

/** Completions for the end of a line, based on the indentation of the lines above. */
export function completionsAt(
  schema: Schema,
  above: readonly string[],
  typed: string,
  language: Language,
): { word: string; options: Option[] } | undefined {
  const [, indent = '', dash = '', rest = ''] = /^(\s*)(- )?(.*)$/.exec(typed) ?? [];
  const value = /^([\w-]+):\s*(.*)$/.exec(rest);
  const path = pathAbove(above, indent.length + dash.length);
  if (value) {
    const field = schemaAt(schema, [...path, value[1] ?? '']);
    return field && { word: value[2] ?? '', options: valuesOf(field, language) };
  }
  const here = schemaAt(schema, path);
  const object = here?.items ?? here;
  if (!object?.properties)
    return here?.items && dash !== '' ? { word: rest, options: valuesOf(here.items, language) } : undefined;
  const required = new Set(object.required);
  return {
    word: rest,
    options: Object.entries(object.properties).map(([name, field]) => ({
      label: name,
      apply: field.type === 'object' || field.type === 'array' ? `${name}:` : `${name}: `,
      detail: required.has(name) ? '*' : '',
      info: aboutField(field, language),
    })),
  };
}

/** The description of the field on a line. */
export function descriptionAt(
  schema: Schema,
  above: readonly string[],
  line: string,
  language: Language,
): string | undefined {
  const [, indent = '', dash = '', name] = /^(\s*)(- )?([\w-]+):/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const field = schemaAt(schema, [...pathAbove(above, indent.length + dash.length), name]);
  return field?.notes && aboutField(field, language);
}

function aboutField(field: Schema, language: Language): string {
  const expected = expectation(field.items ?? field)[language];
  return [field.notes?.description[language] ?? '', expected].filter((part) => part !== '').join(' · ');
}

function valuesOf(field: Schema, language: Language): Option[] {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof field.default);
  const values =
    field.type === 'boolean' ? [true, false] : (offeredValues(field) ?? (isScalar ? [field.default as string] : []));
  return values.map((value) => ({
    label: String(value),
    apply: String(value),
    detail: value === field.default ? '✓' : '',
    info: field.notes?.description[language] ?? '',
  }));
}

/** The path of fields that contain a line with this indent. */
export function pathAbove(lines: readonly string[], indent: number): string[] {
  const path: string[] = [];
  let level = indent;
  for (const line of lines.toReversed()) {
    if (line.startsWith('---')) break;
    const [, spaces = '', dash = '', name] = /^(\s*)(- )?([\w-]+):/.exec(line) ?? [];
    if (name === undefined) continue;
    const own = spaces.length + dash.length;
    if (own < level) {
      path.unshift(name);
      level = own;
    }
    // The dash itself belongs to the list's field.
    if (dash !== '' && own === level && spaces.length < level) level = spaces.length + 1;
  }
  return path;
}
