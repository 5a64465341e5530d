import { stripVTControlCharacters } from 'node:util';
import type { Style } from './style.ts';

/** A line and what hangs below it. */
export interface Branch {
  line: string;
  children?: Branch[];
}

/** Draws branches with ├─ and └─. */
export function drawTree(branches: readonly Branch[], style: Style, indent = ''): string[] {
  return branches.flatMap(({ line, children = [] }, index) => {
    const isLast = index === branches.length - 1;
    return [
      `${indent}${style.dim(isLast ? '└─' : '├─')} ${line}`,
      ...drawTree(children, style, `${indent}${style.dim(isLast ? '  ' : '│ ')} `),
    ];
  });
}

/** Rows as columns of equal width. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widthOf(cell), widest[i] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** Colours take no room. */
function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
