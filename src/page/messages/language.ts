// The languages of the page, and tables of messages. Each part of the page has its own table, so
// that a message that is missing in one language does not compile.

import { type Signal, signal } from '@preact/signals';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The language that is shown now; the settings own it. */
export const shownLanguage: Signal<Language> = signal('en');

/** The same form with any text: a text for a text, a function for a function. */
type Translation<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer V) => string
    ? (...values: V) => string
    : T[K] extends string
      ? string
      : Translation<T[K]>;
};

/**
 * A table of messages in every language; English gives its form. The result reads the table of the
 * shown language, so a component that calls it is drawn anew when the language changes.
 */
export function translated<T extends object>(
  tables: { readonly en: T } & Readonly<Record<Exclude<Language, 'en'>, Translation<T>>>,
): () => Translation<T> {
  const all = tables as Readonly<Record<Language, Translation<T>>>;
  return () => all[shownLanguage.value];
}
