import { expect, test } from 'vitest';
import { sizeText } from './size.ts';

test.each([
  [512, '0.5 KiB', '0,5 КиБ'],
  [6.6 * 1024 ** 2, '6.6 MiB', '6,6 МиБ'],
  [139 * 1024 ** 2, '139 MiB', '139 МиБ'],
  [24 * 1024 ** 3, '24 GiB', '24 ГиБ'],
  [2 * 1024 ** 4, '2048 GiB', '2048 ГиБ'],
])('%d bytes are shown in the units of manifests', (bytes, en, ru) => {
  expect([sizeText(bytes, 'en'), sizeText(bytes, 'ru')]).toEqual([en, ru]);
});
