import { bytesOf } from './quantity.ts';
import type { Language, Text } from './text.ts';

const units = [
  ['GiB', 'ГиБ', 1024 ** 3],
  ['MiB', 'МиБ', 1024 ** 2],
  ['KiB', 'КиБ', 1024],
] as const;
const smallest = units[2];
const longestAmount = 10_000;

/** A measured size, rounded: `139 MiB`, `6.6 GiB`. Output has these units everywhere. */
export function sizeText(bytes: number, language: Language): string {
  const unit = largestUnit(bytes);
  return textIn(unit, bytes, language, bytes < 1000 * unit[2] ? 1 : 0);
}

/** A declared size such as `8Gi` in both languages. A smaller unit is used if only that one is exact: `1200 MiB`. */
export function quantityText(quantity: string): Text {
  const bytes = bytesOf(quantity);
  const exact = units.find(
    ([, , size]) => bytes >= size && bytes < longestAmount * size && Number.isInteger((bytes * 10) / size),
  );
  const unit = exact ?? largestUnit(bytes);
  return { en: textIn(unit, bytes, 'en', 1), ru: textIn(unit, bytes, 'ru', 1) };
}

type Unit = (typeof units)[number];

function largestUnit(bytes: number): Unit {
  return units.find(([, , size]) => bytes >= size) ?? smallest;
}

/** A measured size in both languages. */
export function sizeTexts(bytes: number): Text {
  return { en: sizeText(bytes, 'en'), ru: sizeText(bytes, 'ru') };
}

function textIn([en, ru, size]: Unit, bytes: number, language: Language, digits: number): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: digits, useGrouping: false });
  return `${format.format(bytes / size)} ${language === 'ru' ? ru : en}`;
}
