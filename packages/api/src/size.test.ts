import { expect, test } from 'vitest';
import { quantityText, sizeText } from './size.ts';

test.each([
  [512, '0.5 KiB', '0,5 КиБ'],
  [6.6 * 1024 ** 2, '6.6 MiB', '6,6 МиБ'],
  [15.6 * 1024 ** 3, '15.6 GiB', '15,6 ГиБ'],
  [139.4 * 1024 ** 2, '139.4 MiB', '139,4 МиБ'],
  [24 * 1024 ** 3, '24 GiB', '24 ГиБ'],
  [2.0001 * 1024 ** 4, '2048 GiB', '2048 ГиБ'],
])('%d measured bytes are shown in the units of manifests', (bytes, en, ru) => {
  expect([sizeText(bytes, 'en'), sizeText(bytes, 'ru')]).toEqual([en, ru]);
});

test.each([
  ['0', '0 KiB', '0 КиБ'],
  ['3Gi', '3 GiB', '3 ГиБ'],
  ['512Mi', '512 MiB', '512 МиБ'],
  ['2048Mi', '2 GiB', '2 ГиБ'],
  ['1.5Gi', '1.5 GiB', '1,5 ГиБ'],
  ['523.5Gi', '523.5 GiB', '523,5 ГиБ'],
  ['1200Mi', '1200 MiB', '1200 МиБ'],
  ['8G', '7.5 GiB', '7,5 ГиБ'],
])('the declared size %s is shown exactly, if a unit can', (quantity, en, ru) => {
  expect(quantityText(quantity)).toEqual({ en, ru });
});
