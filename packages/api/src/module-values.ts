/** Facts of a cluster's plan that values of modules can use, with their types. Delivery computes them. */
export const planFacts = {
  isIngressShared: 'boolean',
  novaDnsAddress: 'string',
  novaDnsCorefile: 'string',
  novaDnsDigest: 'string',
  novaDnsZone: 'string',
} as const;

type FactTypes = { boolean: boolean; string: string };
export type PlanFacts = { readonly [F in keyof typeof planFacts]: FactTypes[(typeof planFacts)[F]] };

/** A template, or a choice between two. */
export type ModuleValue = string | { if: string; use: string; else: string };

/** The sources of placeholders. */
export interface ValueSources {
  settings: Readonly<Record<string, unknown>>;
  plan: PlanFacts;
}

export interface Reference {
  from: keyof ValueSources;
  name: string;
  isQuoted: boolean;
}

const placeholder = /\$\{([^}]*)\}/g;
const syntax = /^ *(settings|plan)\.([A-Za-z]\w*)( *\| *quote)? *$/;

/** The content of all `${…}`. */
export function placeholdersOf(template: string): string[] {
  return Array.from(template.matchAll(placeholder), ([, inner = '']) => inner);
}

/** Parses `settings.path` or `plan.novaDnsZone | quote`. */
export function parseReference(text: string): Reference | undefined {
  const [, from, name, quote] = syntax.exec(text) ?? [];
  return from === undefined || name === undefined
    ? undefined
    : { from: from as keyof ValueSources, name, isQuoted: quote !== undefined };
}

/** Renders a value for manifests. A setting without a value is an empty string. */
export function renderValue(value: ModuleValue, sources: ValueSources): string {
  if (typeof value !== 'string') {
    return renderValue(resolve(value.if, sources) === 'true' ? value.use : value.else, sources);
  }
  return value.replaceAll(placeholder, (_, inner: string) => resolve(inner, sources));
}

function resolve(text: string, sources: ValueSources): string {
  const reference = parseReference(text);
  if (!reference) throw new Error(`cannot resolve ${text}`);
  const from: Readonly<Record<string, unknown>> = sources[reference.from];
  const found = from[reference.name] ?? '';
  const rendered = typeof found === 'string' ? found : JSON.stringify(found);
  // Kustomize removes quotes around a placeholder, so the value contains its own: `true` stays a string, and so do
  // several lines.
  return reference.isQuoted ? JSON.stringify(rendered) : rendered;
}
