import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutTo, table, wrappedTable } from './tree.ts';

test('a cut line fits and keeps its colour codes complete', () => {
  expect(cutTo('\u001b[31mabcdef\u001b[39m', 4)).toBe('\u001b[31mabc…\u001b[39m');
  expect(cutTo('abcd', 4)).toBe('abcd');
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), (text, width) => {
      const line = `\u001b[1m${stripVTControlCharacters(text)}\u001b[22m`;
      const cut = cutTo(line, width);
      expect(stripVTControlCharacters(cut).length).toBeLessThanOrEqual(width);
      expect(cut.endsWith('\u001b[22m')).toBe(true);
    }),
  );
});

test('only one column of a too wide table shrinks', () => {
  const rows = [
    ['ID', 'WHAT', 'WHEN'],
    ['1', 'Configure the nodes as declared', '3 min ago'],
  ];
  expect(table(rows, { width: 30, yielding: 1 })).toEqual([
    'ID  WHAT             WHEN',
    '1   Configure the …  3 min ago',
  ]);
  expect(table(rows, { width: undefined, yielding: 1 })[1]).toContain('as declared');
});

test('the last column of a wrapped table continues in its own column', () => {
  expect(
    wrappedTable(
      [
        ['a', 'one two three four five six seven'],
        ['long', '`two words` stay together here'],
      ],
      30,
    ),
  ).toEqual(['a     one two three four five', '      six seven', 'long  `two words` stay', '      together here']);
});
