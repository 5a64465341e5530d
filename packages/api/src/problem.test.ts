import { expect, test } from 'vitest';
import { describe, formatPath, ProblemError, problem, reportedProblems } from './problem.ts';
import { isTransient, RetryableError, untilRestarted } from './retry.ts';

test('a problem is described in both languages, with its parameters', () => {
  const found = problem('NOVA2006', { expected: { en: 'text', ru: 'текст' }, found: { en: 'a list', ru: 'список' } });
  expect(describe(found, 'en')).toEqual({ message: 'Wrong type: a list.', remedy: 'Write text.' });
  expect(describe(found, 'ru')).toEqual({ message: 'Неверный тип: список.', remedy: 'Укажите: текст.' });
});

test('a placeholder in a parameter is not replaced', () => {
  const found = problem('NOVA3013', { value: '{field}', field: '$& {value}' });
  expect(describe(found, 'en').message).toBe('Duplicate value {field} in $& {value}.');
});

test('a path is formatted like in JavaScript', () => {
  expect(formatPath([])).toBe('');
  expect(formatPath(['spec', 'nodeGroups', 0, 'labels', 'example.com/zone'])).toBe(
    'spec.nodeGroups[0].labels["example.com/zone"]',
  );
  expect(formatPath([0, 'a-b'])).toBe('[0].a-b');
});

test('a ProblemError contains all problems', () => {
  const found = [problem('NOVA1004', {}), problem('NOVA1102', {})];
  const thrown = new ProblemError(...found);
  expect(thrown.problems).toEqual(found);
  expect(thrown.message).toBe('NOVA1004 No documents found.\nNOVA1102 The indentation contains a tab.');
});

test('a problem with the code of a newer release is shown with its data', () => {
  const known = { code: 'NOVA7031', params: {}, path: [] };
  const [first, second] = reportedProblems([known, { code: 'NOVA0000', params: { size: 3 } }]);
  expect(first).toEqual(known);
  expect(second).toMatchObject({ code: 'NOVA9001', params: { reason: 'NOVA0000 {"size":3}' } });
});

test('an error is transient only if each of its problems has a retry policy', () => {
  const [unreachable, refused] = [problem('NOVA7030', {}), problem('NOVA7031', {})];
  expect(new ProblemError(unreachable).retry).toBe(untilRestarted);
  expect(isTransient(new ProblemError(unreachable, unreachable))).toBe(true);
  expect(isTransient(new ProblemError(unreachable, refused))).toBe(false);
  expect(isTransient(new Error('unknown'))).toBe(false);
  const cause = new Error('connection refused');
  const wrapped = new RetryableError(cause, untilRestarted);
  expect([isTransient(wrapped), wrapped.message, wrapped.cause]).toEqual([true, cause.message, cause]);
});
