import type { Language } from '@nova-platform/api';

const units = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** `139 MB`, `6.6 MB` */
export function sizeText(bytes: number, language: Language): string {
  const [unit, size] = units.find(([, each]) => bytes >= each) ?? units[2];
  const amount = bytes / size;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: amount < 10 ? 1 : 0,
  }).format(amount);
}
