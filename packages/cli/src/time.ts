import type { Language } from '@nova-platform/api';

const units = [
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `2 min ago` */
export function ago(time: string, language: Language): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1000));
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? units[3];
  return new Intl.RelativeTimeFormat(language, { style: 'short' })
    .format(-Math.floor(seconds / size), unit)
    .replace('.', '');
}

/** `2026-01-31 18:05:00`, by the reader's clock. */
export function clock(time: string): string {
  return new Date(time).toLocaleString('sv-SE');
}
