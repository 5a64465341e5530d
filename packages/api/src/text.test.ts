import { expect, test } from 'vitest';
import { visible } from './text.ts';

test('control characters are replaced', () => {
  expect(visible('a\u001b[31mb\u009b0m\u007f\r\n\u0000\tc')).toBe('a�[31mb�0m���� c');
});

test('ordinary text is unchanged', () => {
  expect(visible('Кластер «demo» — 10.0.0.0/8 😀')).toBe('Кластер «demo» — 10.0.0.0/8 😀');
});
