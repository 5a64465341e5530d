import type { Language } from '@nova-platform/api';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import * as all from './messages/languages.ts';
import type { Key, Placeholder, PlainKey, Plural, Translation } from './messages/types.ts';

export type { Language, PlainKey };

type LanguageCode = keyof typeof all;

export const languages: Readonly<Record<LanguageCode, Translation>> = { ...all };
export const languageCodes = Object.keys(languages) as LanguageCode[];
const languageKey = 'nova.language';
const serverLanguages: readonly Language[] = ['en', 'ru'];

type Values<Name extends string> = [Name] extends [never] ? [] : [values: Record<Name, string | number>];

export interface Words {
  /** The language of the console. */
  code: LanguageCode;
  setCode: (code: LanguageCode) => void;
  /** The language of texts that the server provides in several languages: descriptions, operation titles, errors. */
  language: Language;
  /** A message; its numbers are formatted for the language. */
  t: <K extends Key>(key: K, ...values: Values<Placeholder<K>>) => string;
  /** A message with its placeholders. */
  template: (key: Key) => string;
  number: (value: number, digits?: 0 | 1) => string;
  bytes: (value: number) => string;
  dateTime: (iso: string) => string;
  date: (iso: string) => string;
  clock: (iso: string) => string;
  /** `5 minutes ago`, `in 3 days`. */
  relative: (iso: string, now?: number) => string;
  duration: (milliseconds: number) => string;
}

const WordsContext = createContext<Words>(wordsOf('en', () => undefined));

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [code, setCode] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = code;
    localStorage.setItem(languageKey, code);
  }, [code]);
  const words = useMemo(() => wordsOf(code, setCode), [code]);
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function useWords(): Words {
  return useContext(WordsContext);
}

/** The previously chosen language, else the first browser language that the console supports. */
function firstLanguage(): LanguageCode {
  const wanted = [localStorage.getItem(languageKey), ...navigator.languages];
  const codes = wanted.map((each) => each?.toLowerCase().split('-')[0]);
  return codes.find((each): each is LanguageCode => languageCodes.some((code) => code === each)) ?? 'en';
}

const sizes = ['units.bytes', 'units.kibibytes', 'units.mebibytes', 'units.gibibytes', 'units.tebibytes'] as const;

export function wordsOf(code: LanguageCode, setCode: (code: LanguageCode) => void): Words {
  const { locale, messages } = languages[code];
  const plural = new Intl.PluralRules(locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const numbers = [0, 1].map((digits) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }));
  const number = (value: number, digits: 0 | 1 = 0) => numbers[digits]?.format(value) ?? '';
  const template = (key: Key, count = 0) => {
    const [area = '', name = ''] = key.split('.');
    const found = (messages as Record<string, Record<string, string | Plural>>)[area]?.[name] ?? key;
    // A number and its noun stay on one line.
    return typeof found === 'string'
      ? found
      : (found[plural.select(count)] ?? key).replace('{count} ', '{count}\u00a0');
  };
  const t = (key: Key, values: Record<string, string | number> = {}) =>
    template(key, Number(values.count ?? 0)).replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
      const value = values[name] ?? '';
      return typeof value === 'number' ? number(value) : value;
    });
  return {
    code,
    setCode,
    language: serverLanguages.find((each) => each === code) ?? 'en',
    t,
    template,
    number,
    bytes: (value) => {
      const power = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
      const amount = value / 1024 ** power;
      return `${number(amount, amount < 10 && power > 0 ? 1 : 0)}\u00a0${t(sizes[power] ?? sizes[0])}`;
    },
    dateTime: (iso) => dateTime.format(new Date(iso)),
    date: (iso) => date.format(new Date(iso)),
    clock: (iso) => clock.format(new Date(iso)),
    relative: (iso, now = Date.now()) => {
      const seconds = (Date.parse(iso) - now) / 1000;
      const [unit, size] = unitOf(Math.abs(seconds));
      return relative.format(Math.trunc(seconds / size), unit);
    },
    duration: (milliseconds) => durationOf(milliseconds, t),
  };
}

function unitOf(seconds: number): [Intl.RelativeTimeFormatUnit, number] {
  if (seconds < 60) return ['second', 1];
  if (seconds < 3600) return ['minute', 60];
  if (seconds < 48 * 3600) return ['hour', 3600];
  return ['day', 24 * 3600];
}

function durationOf(milliseconds: number, t: (key: PlainKey) => string): string {
  const part = (amount: number, unit: PlainKey) => `${amount}\u00a0${t(unit)}`;
  if (milliseconds < 1000) return part(Math.round(milliseconds), 'units.milliseconds');
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return part(seconds, 'units.seconds');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${part(minutes, 'units.minutes')} ${part(seconds % 60, 'units.seconds')}`;
  return `${part(Math.floor(minutes / 60), 'units.hours')} ${part(minutes % 60, 'units.minutes')}`;
}
