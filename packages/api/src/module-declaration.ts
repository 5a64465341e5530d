import { z } from 'zod';
import { checkValue, placed } from './documents.ts';
import { string } from './formats.ts';
import { roles } from './infrastructure.ts';
import { isFreeText, type Setting, setting, settingKeys, valueSchema } from './module-settings.ts';
import { parseReference, placeholdersOf, planFacts } from './module-values.ts';
import { nearestTo } from './nearest.ts';
import { type Path, type Problem, problem } from './problem.ts';
import type { Text } from './text.ts';
import { parseYaml, type Source } from './yaml.ts';

/** Conditions for a cluster to get a module; `modules.ts` evaluates them. */
export const conditions = ['internalDns'] as const;

const name = string('label');
/** Fixed addresses of the service network that modules can have; plans contain them by these names. */
const fixedAddresses = ['novaDns'] as const;

const reservedService = z.strictObject({
  name,
  address: z.enum(fixedAddresses),
  selector: z.record(z.string(), z.string()),
  ports: z.array(z.strictObject({ name, port: z.int(), protocol: z.enum(['TCP', 'UDP']), targetPort: z.int() })).min(1),
});

/** Names of values in manifests. */
const identifier = z.string().regex(/^[A-Za-z]\w*$/);
const choice = z.strictObject({ if: z.string(), use: z.string(), else: z.string() });

/** `release/modules/<name>/module.yaml`, the only declaration of a module. */
const declaration = z.strictObject({
  /** Base modules are part of every cluster; additional ones are enabled by name. */
  category: z.enum(['base', 'additional']),
  description: setting.shape.description,
  /** Modules that must be ready first. */
  needs: z.array(name).default([]),
  /** Roles that at least one node of the cluster must have. */
  roles: z.array(z.enum(roles)).default([]),
  /** Only clusters that meet this condition get the module. */
  onlyIf: z.enum(conditions).optional(),
  /** The namespace of its pods. */
  namespace: name,
  /** Ports that are reachable from outside, on nodes with one of its roles. */
  publishedPorts: z.array(string('port')).default([]),
  /**
   * The Service with its fixed address. It is created with the cluster: Kubernetes assigns all but the lowest addresses at
   * random. Flux adopts the Service with the module.
   */
  reservedService: reservedService.optional(),
  /** A Secret with a certificate for the base domain, which Universe creates before the module and renews. */
  certificateSecret: name.optional(),
  /** Folders of `distro` whose images it runs. The first one sets its version. */
  components: z.array(name).min(1),
  /** Files from the source of its components. */
  files: z.array(z.strictObject({ component: z.string(), from: z.string(), to: z.string() })).default([]),
  settings: z.record(identifier, setting).default({}),
  /** Its own values for `${…}` in its manifests, in addition to the common ones. */
  values: z.record(identifier, z.union([z.string(), choice])).default({}),
});

export type ModuleDeclaration = { name: string } & z.output<typeof declaration>;

/** Reads a module.yaml and reports all its problems. */
export function readModule(module: string, source: Source): { declared?: ModuleDeclaration; problems: Problem[] } {
  const { documents, problems } = parseYaml(source);
  const [yaml] = documents;
  if (problems.length > 0) return { problems };
  if (!yaml || documents.length > 1) {
    const reason = { en: 'write one YAML document', ru: 'нужен один документ YAML' };
    return { problems: [problem('NOVA8406', { file: source.name, reason })] };
  }
  const result = declaration.safeParse(yaml.value);
  const found = result.success
    ? [...settingProblems(result.data.settings), ...valueProblems(source.name, result.data)]
    : checkValue(declaration, yaml.value, []).flatMap((each) => explained(each, yaml.value));
  return {
    ...(result.success && { declared: { name: module, ...result.data } }),
    problems: found.map((each) => placed(each, yaml)),
  };
}

/** Reports an invalid value as an invalid string or as an invalid choice, depending on how it is written. */
function explained(found: Problem, value: unknown): Problem[] {
  const [first, key, ...rest] = found.path;
  if (first !== 'values' || key === undefined || rest.length > 0) return [found];
  const { values } = value as { values: Record<string, unknown> };
  const written = values[String(key)];
  const problems = checkValue(typeof written === 'object' ? choice : z.string(), written, found.path);
  return problems.length > 0 ? problems : [found];
}

function settingProblems(settings: Record<string, Setting>): Problem[] {
  return Object.entries(settings).flatMap(([key, declared]) => {
    const path = ['settings', key];
    const { items } = declared;
    if (declared.type === 'array' && !items) {
      const expected = { en: 'the type of the entries', ru: 'тип элементов' };
      return [problem('NOVA2005', { field: 'items', expected }, path)];
    }
    const values = valueSchema(declared);
    return [
      ...unknownKeys(declared, ['type', 'description', 'default', 'example'], path),
      ...(items ? unknownKeys(items, ['type'], [...path, 'items']) : []),
      ...(['default', 'example'] as const).flatMap((each) =>
        declared[each] === undefined ? [] : checkValue(values, declared[each], [...path, each]),
      ),
    ];
  });
}

/** Keys that do not apply to the type. */
function unknownKeys(declared: Pick<Setting, 'type'>, common: readonly string[], path: Path): Problem[] {
  const known = [...common, ...settingKeys[declared.type]];
  return Object.keys(declared)
    .filter((key) => !known.includes(key))
    .map((key) =>
      problem('NOVA2004', { field: key, known: known.join(', '), nearest: nearestTo(key, known) }, [...path, key]),
    );
}

type Declared = Pick<ModuleDeclaration, 'settings' | 'values'>;

function valueProblems(file: string, { settings, values }: Declared): Problem[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const refuse = (reasons: Text[], ...path: string[]) =>
      reasons.map((reason) => problem('NOVA8406', { file, reason }, ['values', key, ...path]));
    if (typeof value === 'string') return refuse(templateReasons(value, settings));
    return [
      ...refuse(wrongReference(value.if, settings, 'condition'), 'if'),
      ...refuse(templateReasons(value.use, settings), 'use'),
      ...refuse(templateReasons(value.else, settings), 'else'),
    ];
  });
}

function templateReasons(template: string, settings: Declared['settings']): Text[] {
  return placeholdersOf(template).flatMap((inner) => wrongReference(inner, settings, 'text'));
}

/** The problems of a reference in a template or in a condition. */
function wrongReference(text: string, settings: Declared['settings'], use: 'text' | 'condition'): Text[] {
  const reference = parseReference(text);
  if (!reference) {
    return [
      {
        en: `cannot read ${text}: write settings.NAME or plan.FACT, with “| quote” after it for a quoted text`,
        ru: `не удаётся прочитать ${text}: нужно settings.ИМЯ или plan.ФАКТ, а для текста в кавычках ещё «| quote»`,
      },
    ];
  }
  const { from, name: key, isQuoted } = reference;
  const facts: Readonly<Record<string, string>> = planFacts;
  const declared = from === 'settings' ? settings[key] : undefined;
  const type = from === 'settings' ? declared?.type : facts[key];
  if (type === undefined) {
    const known = Object.keys(from === 'settings' ? settings : planFacts).join(', ');
    return [{ en: `there is no ${from}.${key}; known: ${known}`, ru: `нет ${from}.${key}; известны: ${known}` }];
  }
  if (use === 'condition' && (type !== 'boolean' || isQuoted))
    return [{ en: `${text} is not true or false`, ru: `значение ${text} — не true и не false` }];
  if (use === 'text' && !isQuoted && declared && isFreeText(declared)) {
    return [
      {
        en: `${text} can hold any characters, which could add fields to a manifest: write ${text} | quote`,
        ru: `${text} может содержать любые знаки, и они могли бы добавить поля в манифест: напишите ${text} | quote`,
      },
    ];
  }
  return [];
}
