import type { Language } from '@nova-platform/api';

const units = [
  ['GiB', 'ГиБ', 1024 ** 3],
  ['MiB', 'МиБ', 1024 ** 2],
  ['KiB', 'КиБ', 1024],
] as const;
const smallest = units[2];

/** `139 MiB`, `6.6 GiB`: the units of manifests, everywhere. */
export function sizeText(bytes: number, language: Language): string {
  const [en, ru, size] = units.find(([, , each]) => bytes >= each) ?? smallest;
  const amount = bytes / size;
  const number = new Intl.NumberFormat(language, {
    maximumFractionDigits: amount < 10 ? 1 : 0,
    useGrouping: false,
  }).format(amount);
  return `${number} ${language === 'ru' ? ru : en}`;
}
