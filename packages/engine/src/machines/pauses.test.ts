import { expect, test } from 'vitest';
import { Pauses } from './pauses.ts';

/** The seconds at which a machine is started if it exits at once each time. */
function starts(pauses: Pauses, from: number, seconds: number): number[] {
  const found: number[] = [];
  for (let second = from; second < from + seconds; second += 1)
    if (pauses.isOver('m1', second * 1000)) found.push(second);
  return found;
}

test('pauses between restarts double up to a minute', () => {
  expect(starts(new Pauses(), 0, 260)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
});

test('a machine that ran for a long time restarts at once, and others are independent of it', () => {
  const pauses = new Pauses();
  expect(starts(pauses, 0, 20)).toEqual([0, 1, 3, 7, 15]);
  expect(pauses.isOver('m2', 20_000)).toBe(true);
  expect(starts(pauses, 200, 10)).toEqual([200, 201, 203, 207]);
});

test('nothing pauses after a success', () => {
  const pauses = new Pauses();
  expect(starts(pauses, 0, 5)).toEqual([0, 1, 3]);
  pauses.forget('m1');
  expect(pauses.isOver('m1', 4000)).toBe(true);
});
