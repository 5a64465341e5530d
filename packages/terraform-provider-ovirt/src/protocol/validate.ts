import type { Diagnostic } from './diagnostics.ts';
import type { Block } from './schema.ts';
import { type Fields, isFields, isList } from './values.ts';

/** Values that no engine would accept, found before anything is planned. */
export function validate(block: Block, config: Fields, path: readonly string[] = []): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [name, { check }] of Object.entries(block.attributes)) {
    const value = config[name];
    if (!check || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const reason = check(value);
    const attribute = path.length === 0 ? [name] : path.slice(0, 1);
    if (reason !== undefined)
      found.push({
        severity: 'error',
        summary: `Invalid ${name}`,
        detail: `${name} ${reason}.`,
        attribute,
      });
  }
  for (const [name, { block: inner }] of Object.entries(block.blocks ?? {})) {
    const items = config[name];
    if (isList(items))
      for (const item of items) if (isFields(item)) found.push(...validate(inner, item, [...path, name]));
  }
  return found;
}
