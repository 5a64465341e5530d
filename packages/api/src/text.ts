/** Every text a person reads exists in both languages. */
export type Language = 'en' | 'ru';

export interface Text {
  en: string;
  ru: string;
}
