import type { Text } from '@nova-platform/api';

const mostNamed = 5;

/** For example `curl, git and 3 more`. */
export function shortened(names: readonly string[]): Text {
  const named = names.slice(0, mostNamed).join(', ');
  const rest = names.length - mostNamed;
  return rest > 0 ? { en: `${named} and ${rest} more`, ru: `${named} и ещё ${rest}` } : { en: named, ru: named };
}
