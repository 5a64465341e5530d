import type { Language, Text } from '@nova-platform/api';
import type { Io } from './io.ts';

/** The user's language, by the usual precedence of the locale variables. */
export function languageOf(env: Io['env']): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return locale.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

export type Translate = (text: Text) => string;

export function translator(language: Language): Translate {
  return (text) => text[language];
}

/** A text of ours in the user's language; texts of other programs exist in one language only. */
export function inLanguage(text: string | Text, t: Translate): string {
  return typeof text === 'string' ? text : t(text);
}
