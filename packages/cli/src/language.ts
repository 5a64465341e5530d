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
