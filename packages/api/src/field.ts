import { z } from 'zod';
import type { Text } from './text.ts';

/** Properties of a field that its schema cannot express. */
export interface FieldNotes {
  description: Text;
  example?: unknown;
  /** Never shown in plans, logs, errors or stored copies. */
  secret?: boolean;
  /** For a secret: the sibling fields that name the server it is sent to. */
  sentTo?: readonly string[];
  /** Cannot change once the cluster is installed. */
  immutable?: boolean;
  /** Values that documents can contain but that do not work yet. Forms do not offer them. */
  planned?: readonly string[];
  /** Entries are unique: as a whole (`set`), or by this key. */
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
  // A clone, so that a schema shared by several fields has separate notes for each.
  const own = schema.clone();
  fieldNotes.add(own, { description: { en, ru }, ...notes });
  return own;
}
