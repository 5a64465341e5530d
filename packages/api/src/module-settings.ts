import { z } from 'zod';
import { field } from './field.ts';
import { type Format, formats, string } from './formats.ts';

const bound = z.int().optional();
const formatNames = Object.keys(formats) as Format[];
const scalar = {
  /** For a string: one of `formats`. */
  format: z.enum(formatNames).optional(),
  enum: z.array(z.string()).min(1).optional(),
  minLength: bound,
  maxLength: bound,
  minimum: bound,
  maximum: bound,
};

/** A setting as `module.yaml` declares it: a subset of JSON Schema, with descriptions in both languages. */
export const setting = z.strictObject({
  type: z.enum(['string', 'integer', 'boolean', 'array']),
  description: z.strictObject({ en: z.string().min(1), ru: z.string().min(1) }),
  ...scalar,
  items: z.strictObject({ type: z.enum(['string', 'integer']), ...scalar }).optional(),
  minItems: bound,
  maxItems: bound,
  default: z.unknown().optional(),
  example: z.unknown().optional(),
});

export type Setting = z.output<typeof setting>;
type Values = Omit<Setting, 'description' | 'default' | 'example'>;

/** The keys of each type, in addition to those of all settings. */
export const settingKeys: Record<Setting['type'], readonly (keyof Values)[]> = {
  string: ['format', 'enum', 'minLength', 'maxLength'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
};

// Without a limit, one string could fill its document.
const maxTextLength = 4096;
const maxListLength = 256;

/** The settings as a document schema. A setting without a default is optional: a module works without settings. */
export function settingsSchema(settings: Readonly<Record<string, Setting>>): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(settings).map(([name, declared]) => {
        const { description, default: fallback, example } = declared;
        const values = valueSchema(declared);
        return [
          name,
          field(
            fallback === undefined ? values.optional() : values.default(fallback),
            description.en,
            description.ru,
            example === undefined ? {} : { example },
          ),
        ];
      }),
    ),
  );
}

/** The schema of a setting's values. */
export function valueSchema(declared: Values): z.ZodType {
  const { type, format, enum: allowed, minLength = 0, maxLength, minimum, maximum, items } = declared;
  switch (type) {
    case 'boolean':
      return z.boolean();
    case 'integer':
      return z
        .int()
        .min(minimum ?? Number.MIN_SAFE_INTEGER)
        .max(maximum ?? Number.MAX_SAFE_INTEGER);
    case 'array':
      return z
        .array(items ? valueSchema(items) : z.never())
        .min(declared.minItems ?? 0)
        .max(declared.maxItems ?? maxListLength);
    case 'string':
      if (allowed) return z.enum(allowed);
      if (format) return string(format, maxLength);
      return z
        .string()
        .min(minLength)
        .max(maxLength ?? maxTextLength);
  }
}

// These formats allow line breaks and quotes.
const freeFormats: readonly Format[] = ['url', 'certificates'];

/** Whether values of a setting can contain characters that end a YAML string. */
export function isFreeText({ type, format, enum: allowed }: Setting): boolean {
  return type === 'string' && !allowed && (format === undefined || freeFormats.includes(format));
}
