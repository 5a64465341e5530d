import { closest, distance } from 'fastest-levenshtein';
import type { Text } from './text.ts';

/** The known word that is most similar, if it is similar enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || word.length > 100) return undefined;
  const candidate = closest(
    word.toLowerCase(),
    known.map((each) => each.toLowerCase()),
  );
  const match = known.find((each) => each.toLowerCase() === candidate);
  return match !== undefined && distance(word.toLowerCase(), candidate) <= Math.max(2, word.length / 3)
    ? match
    : undefined;
}

/** A question that precedes a remedy; empty if no known word is similar. */
export function nearestTo(word: string, known: readonly string[]): Text {
  const match = nearest(word, known);
  return match === undefined
    ? { en: '', ru: '' }
    : { en: `Did you mean ${match}? `, ru: `Возможно, имелось в виду ${match}? ` };
}
