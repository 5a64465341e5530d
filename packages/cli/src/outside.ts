import { stripVTControlCharacters } from 'node:util';
import { visible } from '@nova-platform/api';

/** A line from outside that is safe to print: without terminal control sequences. */
export function printable(line: string): string {
  return visible(stripVTControlCharacters(line.trimEnd()));
}

/** Makes text from a node safe to print: one line, without terminal control sequences. */
export function oneLine(text: string, longest = 160): string {
  const line = visible(
    stripVTControlCharacters(text)
      .trim()
      .replace(/\s*\r?\n\s*/g, ' ↵ '),
  );
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
