import { z } from 'zod';
import type { Text } from './text.ts';

/** What a field's schema alone cannot say. */
export interface FieldNotes {
  description: Text;
  example?: unknown;
  /** Never shown in plans, logs, errors or stored copies. */
  secret?: boolean;
  /** Of a secret: the fields beside it that say which server gets it. */
  sentTo?: readonly string[];
  /** Cannot change once the cluster is installed. */
  immutable?: boolean;
  /** Values that documents may hold but that do not work yet. Forms do not offer them. */
  planned?: readonly string[];
  /** Entries are unique: by themselves (`set`), or by this key. */
  unique?: 'set' | 'name';
}

export const fieldNotes: z.core.$ZodRegistry<FieldNotes> = z.registry<FieldNotes>();

/** Declares a field: its schema and its description in both languages. Call it outermost, after `.optional()` and `.default()`. */
export function field<S extends z.ZodType>(
  schema: S,
  en: string,
  ru: string,
  notes: Omit<FieldNotes, 'description'> = {},
): S {
  // A clone, so that a schema used by several fields carries the notes of each.
  const own = schema.clone();
  fieldNotes.add(own, { description: { en, ru }, ...notes });
  return own;
}
