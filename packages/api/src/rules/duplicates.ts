import { infrastructure } from '../infrastructure.ts';
import type { Path } from '../problem.ts';
import { kindSchema, type Schema } from '../schema.ts';
import { type Finding, finding, type Rule } from './rule.ts';

/** Lists declared unique have no duplicate entries. */
export const listEntriesAreUnique: Rule = (document) => duplicatesIn(kindSchema(infrastructure), document, []);

function duplicatesIn(schema: Schema, value: unknown, path: Path): Finding[] {
  if (Array.isArray(value)) {
    const { unique } = schema.notes ?? {};
    const seen = new Set<unknown>();
    return value.flatMap((item, index) => {
      const key = unique === 'name' ? (item as { name: string }).name : item;
      const at = unique === 'name' ? [...path, index, 'name'] : [...path, index];
      const isDuplicate = unique !== undefined && seen.has(key);
      seen.add(key);
      const own = isDuplicate ? [finding('NOVA3013', { value: String(key), field: String(path.at(-1)) }, at)] : [];
      return [...own, ...duplicatesIn(schema.items ?? {}, item, [...path, index])];
    });
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    duplicatesIn(schema.properties?.[key] ?? {}, child, [...path, key]),
  );
}
