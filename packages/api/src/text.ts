/** Every text a person reads exists in both languages. */
export type Language = 'en' | 'ru';

export interface Text {
  en: string;
  ru: string;
}

/** Text from outside as it may be shown: control characters, which could steer a terminal, are replaced. */
export function visible(text: string): string {
  return text.replace(/\t/g, ' ').replace(/\p{Cc}/gu, '\ufffd');
}
