import type { Text } from '@nova-platform/api';

const maxNamed = 5;

/** For example `curl, git and 3 more`. */
export function shortened(names: readonly string[]): Text {
  const named = names.slice(0, maxNamed).join(', ');
  const rest = names.length - maxNamed;
  return rest > 0 ? { en: `${named} and ${rest} more`, ru: `${named} и ещё ${rest}` } : { en: named, ru: named };
}
