import { stripVTControlCharacters } from 'node:util';
import type { Style } from './style.ts';

/** A line and the lines below it. */
export interface Branch {
  line: string;
  /** More lines about the same item. */
  notes?: string[];
  children?: Branch[];
}

/** Draws branches with ├─ and └─. */
export function drawTree(branches: readonly Branch[], style: Style, indent = ''): string[] {
  return branches.flatMap(({ line, notes = [], children = [] }, index) => {
    const isLast = index === branches.length - 1;
    const below = `${indent}${style.dim(isLast ? '  ' : '│ ')} `;
    return [
      `${indent}${style.dim(isLast ? '└─' : '├─')} ${line}`,
      ...notes.map((note) => `${below}  ${note}`),
      ...drawTree(children, style, below),
    ];
  });
}

/** Rows as columns of equal width. If they exceed the terminal's width, one column shrinks. */
export function table(
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, yielding = -1 }: { width?: number | undefined; yielding?: number } = {},
): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widthOf(cell), widest[i] ?? 0)),
    [],
  );
  const excess = widths.reduce((sum, each) => sum + each + gap.length, -gap.length) - width;
  const room = Math.max(leastWidth, (widths[yielding] ?? 0) - excess);
  if (excess > 0 && room < (widths[yielding] ?? 0)) widths[yielding] = room;
  return rows.map((row) =>
    row
      .map((cell, index) => (index === yielding ? cutTo(cell, widths[index] ?? 0) : cell))
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)))
      .join(gap)
      .trimEnd(),
  );
}

/** Like table, but the text of the last column continues on further lines of this column. */
export function wrappedTable(rows: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string[] {
  const heads = table(rows.map((row) => [...row.slice(0, -1), '|'])).map((line) => line.slice(0, -1));
  return rows.flatMap((row, index) => {
    const head = heads[index] ?? '';
    const column = widthOf(head);
    const [first = '', ...more] = wrapped(row.at(-1) ?? '', Math.max(leastText, width - column));
    return [`${head}${first}`.trimEnd(), ...more.map((line) => `${' '.repeat(column)}${line}`)];
  });
}

/** Breaks text into lines. Never splits a word or a quoted command, even one longer than a line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const [word] of text.matchAll(/(?:[^\s`]|`[^`]*`|`)+/g)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const gap = '  ';
const leastWidth = 8;
/** A narrower column of text is harder to read than an overlong line. */
const leastText = 24;
const escapeCode = '\u001b';
const colourOrCharacter = new RegExp(`${escapeCode}\\[[\\d;]*m|.`, 'gsu');

/** Cuts a line to `width` columns; its colour codes stay complete. */
export function cutTo(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  let taken = 0;
  return line.replace(colourOrCharacter, (part) => {
    if (part.startsWith(escapeCode)) return part;
    taken += part.length;
    if (taken < width) return part;
    return taken - part.length < width ? '…' : '';
  });
}

/** Colour codes have no width. */
function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
