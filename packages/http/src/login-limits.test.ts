import { ProblemError } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { LoginLimits } from './login-limits.ts';

const minute = 60_000;

/** Guesses as often as allowed; returns the number of allowed guesses in the given time. */
function guessesWithin(milliseconds: number, guess: () => void, now: () => number, tick: () => void): number {
  let count = 0;
  for (const end = now() + milliseconds; now() < end; tick()) {
    try {
      guess();
      count += 1;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
    }
  }
  return count;
}

function clock() {
  let time = 1_000_000;
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { now: () => time, tick: () => pass(500), pass };
}

test('guesses for one user from one address become slower and slower', () => {
  const { now, tick } = clock();
  const limits = new LoginLimits(now);
  expect(guessesWithin(60 * minute, () => void limits.try('admin', 'a'), now, tick)).toBeLessThan(18);
  expect(guessesWithin(60 * minute, () => void limits.try('admin', 'a'), now, tick)).toBeLessThan(6);
});

test('guesses for many users from one address become slower too, even with successful logins in between', () => {
  const { now, tick } = clock();
  const limits = new LoginLimits(now);
  let names = 0;
  const guess = () => {
    limits.try('mallory', 'a')();
    names += 1;
    limits.try(`user-${names}`, 'a');
  };
  expect(guessesWithin(60 * minute, guess, now, tick)).toBeLessThan(35);
});

test('successful logins do not count, and reset the failures of their user and address', () => {
  const limits = new LoginLimits(() => 1);
  for (let round = 0; round < 1000; round += 1) limits.try('admin', 'a')();
  for (let round = 0; round < 4; round += 1) limits.try('admin', 'a');
  limits.try('admin', 'a')();
  for (let round = 0; round < 4; round += 1) limits.try('admin', 'a');
});

test('concurrent attempts count as failed until they succeed', () => {
  const limits = new LoginLimits(() => 1);
  for (let round = 0; round < 5; round += 1) limits.try('admin', 'a');
  expect(() => limits.try('admin', 'a')).toThrow('NOVA8313');
});

test('an attacker cannot lock a user out from other addresses', () => {
  const { now, tick } = clock();
  const limits = new LoginLimits(now);
  let refused = 0;
  let tries = 0;
  const attack = () => {
    try {
      limits.try('admin', 'stranger');
    } catch {
      // The attacker must wait.
    }
    tries += 1;
    try {
      limits.try('admin', `owner-${tries}`)();
    } catch {
      refused += 1;
    }
  };
  guessesWithin(8 * 60 * minute, attack, now, tick);
  expect(refused / tries).toBeLessThan(0.02);
});

test('many attackers delay logins from new addresses by seconds, and logins from known ones not at all', () => {
  const { now, pass } = clock();
  const limits = new LoginLimits(now);
  limits.try('admin', 'office')();
  let refused = 0;
  for (let stranger = 0; stranger < 1000; stranger += 1) {
    try {
      limits.try('admin', `stranger-${stranger}`);
    } catch {
      refused += 1;
    }
    pass(500);
  }
  expect(refused).toBeGreaterThan(500);
  limits.try('admin', 'office')();
  // A new address waits no longer than the others.
  pass(10_000);
  limits.try('admin', 'home')();
});

test('failures expire, and their number is limited', () => {
  const { now, pass } = clock();
  const limits = new LoginLimits(now);
  for (let round = 0; round < 5; round += 1) limits.try('admin', 'a');
  pass(61 * minute);
  for (let round = 0; round < 4; round += 1) limits.try('admin', 'a');
  for (let index = 0; index < 15_000; index += 1) {
    pass(11_000);
    limits.try(`user-${index}`, `address-${index}`);
  }
});
