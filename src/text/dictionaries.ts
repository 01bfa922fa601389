/** The texts of each language. Another language is a folder that fills `Dictionary`, a case here and a name beside. */
import { en } from './en/index.ts';
import type { InAnyWords } from './in-any-words.ts';
import type { Language } from './languages.ts';

/** Every text of the window; what is missing in a language does not compile. */
export type Dictionary = InAnyWords<typeof en>;

/** English comes with the window itself. */
export const firstDictionary: Dictionary = en;

/** Rejects where the file of a language cannot be fetched. */
export async function dictionaryOf(language: Language): Promise<Dictionary> {
  switch (language) {
    case 'en':
      return firstDictionary;
    case 'de':
      return (await import('./de/index.ts')).de;
  }
}
