/** What values of modules can take from the plan of a cluster, and of which type it is. Delivery computes it. */
export const planFacts = {
  isIngressShared: 'boolean',
  novaDnsAddress: 'string',
  novaDnsCorefile: 'string',
  novaDnsDigest: 'string',
  novaDnsZone: 'string',
} as const;

type FactTypes = { boolean: boolean; string: string };
export type PlanFacts = { readonly [F in keyof typeof planFacts]: FactTypes[(typeof planFacts)[F]] };

/** A text with placeholders, or one of two. */
export type ModuleValue = string | { if: string; use: string; else: string };

/** What placeholders refer to. */
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

/** The texts between `${` and `}`. */
export function placeholdersOf(template: string): string[] {
  return Array.from(template.matchAll(placeholder), ([, inner = '']) => inner);
}

/** `settings.path`, `plan.novaDnsZone | quote` */
export function parseReference(text: string): Reference | undefined {
  const [, from, name, quote] = syntax.exec(text) ?? [];
  return from === undefined || name === undefined
    ? undefined
    : { from: from as keyof ValueSources, name, isQuoted: quote !== undefined };
}

/** A value as manifests get it. A setting that has no value is an empty text. */
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
  // Kustomize removes quotes around a placeholder, so the value brings its own: `true` stays a text, and a text of
  // several lines stays one.
  return reference.isQuoted ? JSON.stringify(rendered) : rendered;
}
