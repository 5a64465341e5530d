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

/** `2026-01-31 18:05:00`, in the reader's time zone. */
export function clock(time: string): string {
  return new Date(time).toLocaleString('sv-SE');
}

/** `45 s`, `6 min 15 s`, `1 h 20 min` */
export function duration(seconds: number, language: Language): string {
  const [hour, minute, second] = language === 'ru' ? ['ч', 'мин', 'с'] : ['h', 'min', 's'];
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} ${second}`;
  if (whole < 3600) return `${Math.floor(whole / 60)} ${minute} ${whole % 60} ${second}`;
  return `${Math.floor(whole / 3600)} ${hour} ${Math.floor((whole % 3600) / 60)} ${minute}`;
}
