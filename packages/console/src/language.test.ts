import { expect, test } from 'vitest';
import { wordsOf } from './language.tsx';

const en = wordsOf('en', () => undefined);
const ru = wordsOf('ru', () => undefined);
const plain = (text: string) => text.replace(/\s/g, ' ');

test('plurals follow the rules of each language', () => {
  expect([1, 2, 5, 21, 5000].map((count) => plain(en.t('common.nodeCount', { count })))).toEqual([
    '1 node',
    '2 nodes',
    '5 nodes',
    '21 nodes',
    '5,000 nodes',
  ]);
  expect([1, 2, 5, 11, 21, 22].map((count) => plain(ru.t('common.nodeCount', { count })))).toEqual([
    '1 узел',
    '2 узла',
    '5 узлов',
    '11 узлов',
    '21 узел',
    '22 узла',
  ]);
});

test('sizes, durations and times follow the language', () => {
  expect([0, 1023, 1536, 20 * 1024 ** 3].map((size) => plain(en.bytes(size)))).toEqual([
    '0 B',
    '1,023 B',
    '1.5 KiB',
    '20 GiB',
  ]);
  expect(plain(ru.bytes(1536))).toBe('1,5 КиБ');
  expect([250, 59_400, 61_000, 3_660_000].map((each) => plain(en.duration(each)))).toEqual([
    '250 ms',
    '59 s',
    '1 min 1 s',
    '1 h 1 min',
  ]);
  const now = Date.parse('2026-11-15T12:00:00Z');
  expect(en.relative('2026-11-15T11:55:00Z', now)).toBe('5 minutes ago');
  expect(ru.relative('2026-11-18T12:00:00Z', now)).toBe('через 3 дня');
});
