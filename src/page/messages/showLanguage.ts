// Loads the texts of a language and shows it.

import { hasTexts, keepTexts, type Language, shownLanguage, type Texts } from './language.ts';

const others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>> = {
  de: async () => (await import('../german/german.ts')).german,
};

/** Rejects without the texts. `isWanted`: the person has not chosen another language meanwhile. */
export async function showLanguage(
  language: Language,
  isWanted: () => boolean = () => true,
): Promise<void> {
  if (language !== 'en' && !hasTexts(language)) keepTexts(language, await others[language]());
  if (isWanted()) shownLanguage.value = language;
}
