import { expect, test } from 'vitest';
import { line, measure, perRun, resultLine, statistics } from './measure.ts';

test('the median is the middle sample, or the mean of the middle two of an even number', () => {
  expect(statistics([30, 10, 20]).median).toBe(20);
  expect(statistics([40, 10, 30, 20]).median).toBe(25);
});

test('the spread is the interquartile range relative to the median and ignores an outlier', () => {
  expect(statistics([900, 9, 10, 12, 8])).toEqual({ median: 10, min: 8, max: 900, spread: 0.3 });
  expect(statistics([7])).toEqual({ median: 7, min: 7, max: 7, spread: 0 });
});

test('statistics() does not reorder the samples', () => {
  const samples = Object.freeze([3, 1, 2]);
  expect(statistics(samples)).toMatchObject({ min: 1, max: 3 });
});

test('perRun() divides a sample of several runs by their number', () => {
  expect(perRun({ median: 10, min: 8, max: 20, spread: 0.3 }, 10)).toEqual({
    median: 1,
    min: 0.8,
    max: 2,
    spread: 0.3,
  });
});

test('contenders alternate, and warm-up rounds do not count', async () => {
  const turns: string[] = [];
  const slowAtFirst = () => new Promise<void>((resolve) => setTimeout(resolve, turns.push('a') === 1 ? 1000 : 0));
  const figures = await measure({ a: slowAtFirst, b: () => turns.push('b') }, { warmUp: 1, rounds: 3 });
  expect(turns.join('')).toBe('abababab');
  expect(figures.a.max).toBeLessThan(900);
  expect(figures.b.median).toBeGreaterThanOrEqual(0);
});

test('line() prints the figures in one line', () => {
  expect(line('500 nodes', { median: 3.14, min: 3, max: 4, spread: 0.318 })).toBe(
    '500 nodes: median 3.1 ms, min 3.0, max 4.0, spread 32 %',
  );
});

test('a result shows its figure, its goal, and whether the goal is met', () => {
  expect(resultLine('plan', '9.8x', '<=12x', true)).toBe('RESULT plan 9.8x goal <=12x ok');
  expect(resultLine('plan', '12.1x', '<=12x', false)).toBe('RESULT plan 12.1x goal <=12x short');
});
