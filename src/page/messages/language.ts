// The languages of the page, and tables of messages. Each part of the page has its own table.
// English comes with the part; the texts of another language are loaded when it is shown
// (showLanguage.ts).

import { type Signal, signal } from '@preact/signals';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The names of all tables. */
export type TableName =
  | 'account'
  | 'book'
  | 'chart'
  | 'disconnect'
  | 'fee'
  | 'general'
  | 'history'
  | 'hotkey'
  | 'key'
  | 'layout'
  | 'market'
  | 'money'
  | 'order'
  | 'position'
  | 'problem'
  | 'proof'
  | 'referral'
  | 'refusal'
  | 'refusalSentence'
  | 'session'
  | 'table'
  | 'ticket'
  | 'trading'
  | 'typed'
  | 'settings'
  | 'chartAct'
  | 'chartView'
  | 'positionAct'
  | 'wallet'
  | 'access'
  | 'cancelAll'
  | 'disconnectSwitch';

/** The texts of one language: a table without them does not compile. */
export type Texts = Readonly<Record<TableName, object>>;

/** The language that is shown now; its texts are there. */
export const shownLanguage: Signal<Language> = signal('en');

const known = new Map<Language, Texts>();

/** The texts are there from now on; then the language may be shown. */
export function keepTexts(language: Language, texts: Texts): void {
  known.set(language, texts);
}

export const hasTexts = (language: Language): boolean => language === 'en' || known.has(language);

/** The same form with any text: a text for a text, a function for a function. */
type Translation<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer V) => string
    ? (...values: V) => string
    : T[K] extends string
      ? string
      : Translation<T[K]>;
};

/** What another language must have for this table; a text that is missing does not compile. */
export type TextsOf<Messages extends () => object> = ReturnType<Messages>;

/**
 * A table of messages; English gives its form. The result reads the table of the shown language, so
 * a component that calls it is drawn anew when the language changes.
 */
export function translated<T extends object>(name: TableName, english: T): () => Translation<T> {
  return () => (known.get(shownLanguage.value)?.[name] ?? english) as Translation<T>;
}
