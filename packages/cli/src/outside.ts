import { stripVTControlCharacters } from 'node:util';
import { visible } from '@nova-platform/api';

/** Text from a node as it may be shown: on one line, without anything that steers a terminal. */
export function oneLine(text: string, longest = 160): string {
  const line = visible(
    stripVTControlCharacters(text)
      .trim()
      .replace(/\s*\r?\n\s*/g, ' ↵ '),
  );
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
