/** All user-facing texts exist in both languages. */
export type Language = 'en' | 'ru';

export interface Text {
  en: string;
  ru: string;
}

/** Replaces control characters in text from outside: they could control a terminal. */
export function visible(text: string): string {
  return text.replace(/\t/g, ' ').replace(/\p{Cc}/gu, '\ufffd');
}
