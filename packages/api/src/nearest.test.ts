import { expect, test } from 'vitest';
import { nearest, nearestTo } from './nearest.ts';

test.each<[word: string, known: string[], found: string | undefined]>([
  ['podNetwrok', ['nodeNetwork', 'podNetwork'], 'podNetwork'],
  ['PODNETWORK', ['nodeNetwork', 'podNetwork'], 'podNetwork'],
  ['infrastucture', ['Infrastructure', 'Proxy'], 'Infrastructure'],
  ['prxoy', ['Proxy'], 'Proxy'],
  ['something', ['nodeNetwork', 'podNetwork'], undefined],
  ['x', [], undefined],
  ['x'.repeat(101), ['x'.repeat(100)], undefined],
])('the nearest word to %s among %j is %s', (word, known, found) => {
  expect(nearest(word, known)).toBe(found);
});

test('the suggestion is in both languages, and empty without a similar word', () => {
  expect(nearestTo('Prxy', ['Proxy'])).toEqual({
    en: 'Did you mean Proxy? ',
    ru: 'Возможно, имелось в виду Proxy? ',
  });
  expect(nearestTo('Deployment', ['Proxy'])).toEqual({ en: '', ru: '' });
});
