import type { z } from 'zod';
import { formats } from './formats.ts';
import type { Infrastructure } from './infrastructure.ts';
import { group, type Kind, withoutServerFields } from './kind.ts';
import { kinds } from './kinds.ts';
import { nearestTo } from './nearest.ts';
import { type Path, type Problem, problem } from './problem.ts';
import type { ProxyDocument } from './proxy.ts';
import {
  allowedValues,
  bounds,
  expectation,
  formatOf,
  kindSchema,
  type Schema,
  schemaAt,
  schemaOf,
  typeName,
  typeOf,
} from './schema.ts';
import type { TerraformLock } from './terraform-lock.ts';
import { isSecretKey, parseYaml, type Source, type YamlDocument } from './yaml.ts';

/** A valid document with defaults. */
export interface LoadedDocument<T = Infrastructure | ProxyDocument | TerraformLock> {
  kind: Kind;
  value: T;
  yaml: YamlDocument;
  /** Invalid fields that were removed, so that rules can still check the rest. */
  invalidPaths: readonly Path[];
}

export interface Loaded {
  documents: LoadedDocument[];
  problems: Problem[];
}

// A user fixes the first problems of a file first, so more than these are not reported.
const maxProblemsPerFile = 100;
const maxProblemsPerDocument = 50;

/** Loads the documents of several files and reports all their problems. */
export function loadDocuments(sources: readonly Source[]): Loaded {
  const documents: LoadedDocument[] = [];
  const problems: Problem[] = [];
  for (const source of sources) {
    const parsed = parseYaml(source);
    const found = [...parsed.problems];
    for (const yaml of parsed.documents) {
      if (found.length >= maxProblemsPerFile) break;
      const loaded = loadDocument(yaml);
      found.push(...loaded.problems);
      if (loaded.document) documents.push(loaded.document);
    }
    problems.push(...found.slice(0, maxProblemsPerFile));
    if (parsed.documents.length === 0 && parsed.problems.length === 0) {
      problems.push({
        ...problem('NOVA1004', {}),
        place: { file: source.name, line: 1, column: 1, snippet: '', caret: 0, length: 1 },
      });
    }
  }
  return { documents, problems };
}

function loadDocument(written: YamlDocument): { document?: LoadedDocument; problems: Problem[] } {
  const kind = kindOf(written.value);
  if ('code' in kind) return { problems: [{ ...kind, place: written.locate(kind.path) }] };
  const yaml = { ...written, value: withoutServerFields(written.value as object) };

  const result = kind.schema.safeParse(yaml.value);
  if (result.success)
    return { document: { kind, value: result.data as Infrastructure, yaml, invalidPaths: [] }, problems: [] };

  const found = problemsOf(result.error, kindSchema(kind), yaml.value, []).slice(0, maxProblemsPerDocument);
  const problems = found.map((each) => placed(each, yaml));
  const invalidPaths = found.map(({ path }) => path);
  const salvaged = kind.schema.safeParse(without(yaml.value, invalidPaths, kindSchema(kind)));
  return salvaged.success
    ? { document: { kind, value: salvaged.data as Infrastructure, yaml, invalidPaths }, problems }
    : { problems };
}

function kindOf(value: unknown): Kind | Problem {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem('NOVA2001', { found: typeOf(value) });
  const { kind, apiVersion } = value as Record<string, unknown>;
  const names = kinds.map((each) => each.kind);
  for (const [field, content] of Object.entries({ kind, apiVersion })) {
    if (content === undefined) return problem('NOVA2005', { field, expected: example(field, kind) }, [field]);
    if (typeof content !== 'string') {
      return problem('NOVA2006', { expected: typeName('string'), found: typeOf(content) }, [field]);
    }
  }
  const known = kinds.find((each) => each.kind === kind);
  if (known === undefined) {
    return problem(
      'NOVA2002',
      { kind: shorten(kind), known: names.join(', '), nearest: nearestTo(String(kind), names) },
      ['kind'],
    );
  }
  const right = `${group}/${known.version}`;
  return apiVersion === right
    ? known
    : problem('NOVA2003', { kind: known.kind, version: shorten(apiVersion), known: right }, ['apiVersion']);
}

function example(field: string, kind: unknown): string {
  if (field === 'kind') return kinds.map((each) => each.kind).join(', ');
  const likely = kinds.find((each) => each.kind === kind) ?? kinds[0];
  return `${group}/${likely?.version}`;
}

const aboutKeys = new Set(['NOVA2004', 'NOVA2005', 'NOVA2010']);

/** A problem with its place in the document: at the key if the key itself is wrong. */
export function placed(found: Problem, yaml: YamlDocument): Problem {
  const place = yaml.locate(found.path, aboutKeys.has(found.code) ? 'key' : 'value');
  // An unknown field has the name from its message: the key itself may contain a secret.
  const { field } = found.params;
  const isRenamed = found.code === 'NOVA2004' && typeof field === 'string';
  const path = isRenamed ? [...found.path.slice(0, -1), field] : found.path;
  return { ...found, path, place };
}

/** Translates issues of the validator to problems. `prefix` is the path of the validated value in its document. */
function problemsOf(error: z.core.$ZodError, schema: Schema, value: unknown, prefix: Path): Problem[] {
  return error.issues
    .flatMap((issue) => problemsOfIssue(issue, schema, value))
    .map((found) => ({ ...found, path: [...prefix, ...found.path] }));
}

function problemsOfIssue(issue: z.core.$ZodIssue, root: Schema, value: unknown): Problem[] {
  const path = issue.path as Path;
  const schema = schemaAt(root, path) ?? {};
  const field = String(path.at(-1) ?? '');
  const found = valueAt(value, path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = Object.keys(schema.properties ?? {});
      return issue.keys.slice(0, maxProblemsPerDocument).map((key) => {
        const shown = shownKey(key, found);
        return problem(
          'NOVA2004',
          { field: shorten(shown), known: known.join(', '), nearest: nearestTo(shown, known) },
          [...path, key],
        );
      });
    }
    case 'invalid_type':
      if (found === undefined) return [problem('NOVA2005', { field, expected: expectation(schema) }, path)];
      return [problem('NOVA2006', { expected: expectation(schema), found: typeOf(found) }, path)];
    case 'invalid_value': {
      if (found === undefined) return [problem('NOVA2005', { field, expected: expectation(schema) }, path)];
      const allowed = (allowedValues(schema) ?? issue.values).map(String);
      const shown = isSecretKey(field) ? '******' : shorten(found);
      return [
        problem(
          'NOVA2007',
          { found: shown, allowed: allowed.join(', '), nearest: nearestTo(shorten(found), allowed) },
          path,
        ),
      ];
    }
    case 'too_small':
    case 'too_big':
      return [problem('NOVA2008', { expected: bounds(schema) ?? expectation(schema) }, path)];
    case 'invalid_key':
      return [
        problem('NOVA2010', { expected: expectation(schemaAt(root, path.slice(0, -1))?.propertyNames ?? {}) }, path),
      ];
    default: {
      const format = formatOf(schema);
      return [problem('NOVA2009', { expected: format ? formats[format].expected : expectation(schema) }, path)];
    }
  }
}

/** Validates the settings of a module at `prefix` of a document. */
export function checkValue(zod: z.ZodType, value: unknown, prefix: Path): Problem[] {
  const result = zod.safeParse(value);
  return result.success ? [] : problemsOf(result.error, schemaOf(zod), value, prefix);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, step) => {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    return (here as Record<string | number, unknown>)[step];
  }, value);
}

/** A key may contain a secret: `{password:x}`, or the part after a comma in `{password: a,b}`. */
function shownKey(key: string, holder: unknown): string {
  const [name = '', ...more] = key.split(':');
  if (more.length > 0 && isSecretKey(name)) return name;
  const hasSecret = typeof holder === 'object' && holder !== null && Object.keys(holder).some(isSecretKey);
  return hasSecret && !isSecretKey(key) && valueAt(holder, [key]) === null ? '******' : key;
}

/**
 * A copy without the values at the paths. Scalar entries of lists are removed; other entries stay, so that indices
 * remain valid.
 */
function without(value: unknown, paths: readonly Path[], schema: Schema): unknown {
  const copy = structuredClone(value);
  for (const path of paths.toSorted((a, b) => Number(b.at(-1)) - Number(a.at(-1)))) {
    const parent = valueAt(copy, path.slice(0, -1));
    const last = path.at(-1);
    const only = schemaAt(schema, path)?.const;
    if (Array.isArray(parent)) {
      if (typeof last === 'number' && typeof parent[last] !== 'object') parent.splice(last, 1);
    } else if (typeof parent === 'object' && parent !== null && last !== undefined) {
      const holder = parent as Record<string | number, unknown>;
      if (only === undefined) delete holder[last];
      else holder[last] = only;
    }
  }
  return copy;
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
