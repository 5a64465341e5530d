import { badValue } from './failure.ts';

// Parses and validates options and arguments.

const secondsOf = { s: 1, m: 60, h: 3600, d: 24 * 3600 } as const;

/** `30s`, `90m`, `12h`, `30d` as seconds. */
export function lifetime(option: string, text: string, longestDays: number): number {
  const [, amount, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * secondsOf[unit as keyof typeof secondsOf];
  if (seconds <= longestDays * secondsOf.d) return seconds;
  throw badValue(option, {
    en: `a duration such as 90m, 12h or 30d, at most ${longestDays}d`,
    ru: `длительность, например 90m, 12h или 30d, не больше ${longestDays}d`,
  });
}

/** A time before now: `12h`, `7d`, or a date with or without a time, in the reader's time zone. */
export function pastTime(option: string, text: string, now: Date): Date {
  const [, date, time = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?))?$/.exec(text) ?? [];
  if (date !== undefined) {
    const found = new Date(`${date}T${time}`);
    if (!Number.isNaN(found.getTime())) return found;
  }
  const [, amount, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined)
    return new Date(now.getTime() - Number(amount) * secondsOf[unit as keyof typeof secondsOf] * 1000);
  throw badValue(option, {
    en: 'a duration such as 12h or 7d, or a time such as 2026-01-31 or 2026-01-31T18:05',
    ru: 'длительность, например 12h или 7d, или время, например 2026-01-31 или 2026-01-31T18:05',
  });
}

/** The maximum number of list entries. */
export function limitOf(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= 500) return number;
  throw badValue('--limit', { en: 'a number from 1 to 500', ru: 'число от 1 до 500' });
}

/** The number of an operation. */
export function numberOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw badValue('ID', {
    en: 'a number such as 17; `nova-ctl operation list` shows the numbers',
    ru: 'номер, например 17; номера показывает `nova-ctl operation list`',
  });
}
