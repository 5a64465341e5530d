import type { Language, Text } from '@nova-platform/api';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

export type { Language, Text };

/** How one language says how many: Russian has three forms, English two. */
interface Plural {
  en: readonly [one: string, many: string];
  ru: readonly [one: string, few: string, many: string];
}

const locales: Record<Language, string> = { en: 'en-GB', ru: 'ru-RU' };
const languageKey = 'nova.language';

export interface Words {
  language: Language;
  setLanguage: (language: Language) => void;
  t: (text: Text) => string;
  /** `3 nodes`, `3 узла`. */
  count: (amount: number, plural: Plural) => string;
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
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(languageKey, language);
  }, [language]);
  const words = useMemo(() => wordsOf(language, setLanguage), [language]);
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function useWords(): Words {
  return useContext(WordsContext);
}

function firstLanguage(): Language {
  const chosen = localStorage.getItem(languageKey);
  if (chosen === 'en' || chosen === 'ru') return chosen;
  return navigator.language.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const binary: Record<Language, readonly string[]> = {
  en: ['B', 'KiB', 'MiB', 'GiB', 'TiB'],
  ru: ['Б', 'КиБ', 'МиБ', 'ГиБ', 'ТиБ'],
};

export function wordsOf(language: Language, setLanguage: (language: Language) => void): Words {
  const locale = locales[language];
  const plural = new Intl.PluralRules(locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const numbers = [0, 1].map((digits) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }));
  const number = (value: number, digits: 0 | 1 = 0) => numbers[digits]?.format(value) ?? '';
  return {
    language,
    setLanguage,
    t: (text) => text[language],
    count: (amount, forms) => {
      const chosen = plural.select(amount);
      const [one, few, many = few] = forms[language];
      return `${number(amount)}\u00a0${chosen === 'one' ? one : chosen === 'few' ? few : many}`;
    },
    number,
    bytes: (value) => {
      const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
      const amount = value / 1024 ** power;
      return `${number(amount, amount < 10 && power > 0 ? 1 : 0)}\u00a0${binary[language][power]}`;
    },
    dateTime: (iso) => dateTime.format(new Date(iso)),
    date: (iso) => date.format(new Date(iso)),
    clock: (iso) => clock.format(new Date(iso)),
    relative: (iso, now = Date.now()) => {
      const seconds = (Date.parse(iso) - now) / 1000;
      const [unit, size] = unitOf(Math.abs(seconds));
      return relative.format(Math.trunc(seconds / size), unit);
    },
    duration: (milliseconds) => durationOf(milliseconds, language),
  };
}

function unitOf(seconds: number): [Intl.RelativeTimeFormatUnit, number] {
  if (seconds < 60) return ['second', 1];
  if (seconds < 3600) return ['minute', 60];
  if (seconds < 48 * 3600) return ['hour', 3600];
  return ['day', 24 * 3600];
}

function durationOf(milliseconds: number, language: Language): string {
  const [ms, s, m, h] = { en: ['ms', 's', 'min', 'h'], ru: ['мс', 'с', 'мин', 'ч'] }[language];
  if (milliseconds < 1000) return `${Math.round(milliseconds)}\u00a0${ms}`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds}\u00a0${s}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}\u00a0${m} ${seconds % 60}\u00a0${s}`;
  return `${Math.floor(minutes / 60)}\u00a0${h} ${minutes % 60}\u00a0${m}`;
}
