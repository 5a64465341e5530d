import type { en } from './en/index.ts';

type English = (typeof en)['messages'];

/** A message that depends on `{count}`: one form for each plural category of the language. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;

/** A language: every English message, translated. */
export interface Translation {
  /** The name of the language in the language itself. */
  name: string;
  /** For numbers and dates. */
  locale: string;
  messages: {
    [Area in keyof English]: { [Name in keyof English[Area]]: English[Area][Name] extends string ? string : Plural };
  };
}

/** `area.name`. */
export type Key = { [Area in keyof English]: `${Area}.${keyof English[Area] & string}` }[keyof English];

type MessageOf<K extends Key> = K extends `${infer Area extends keyof English}.${infer Name}`
  ? Name extends keyof English[Area]
    ? English[Area][Name]
    : never
  : never;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The placeholder names of a message; each needs a value. */
export type Placeholder<K extends Key> =
  MessageOf<K> extends string ? NamesIn<MessageOf<K>> : NamesIn<MessageOf<K>[keyof MessageOf<K>]>;

/** A message without placeholders. */
export type PlainKey = { [K in Key]: [Placeholder<K>] extends [never] ? K : never }[Key];
