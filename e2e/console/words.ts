import { en, ru } from '../../packages/console/src/messages/languages.ts';
import type { Key } from '../../packages/console/src/messages/types.ts';
import type { Language } from './browser.ts';

/** The console's own texts, so that a test can use it in every language. */
export function wordsOf(language: Language): (key: Key, values?: Record<string, string>) => string {
  const messages = { en, ru }[language].messages as Record<string, Record<string, unknown>>;
  return (key, values = {}) => {
    const [area = '', name = ''] = key.split('.');
    return String(messages[area]?.[name]).replace(/\{(\w+)\}/g, (_whole, value: string) => values[value] ?? '');
  };
}
