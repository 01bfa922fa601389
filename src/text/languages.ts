/** The languages of the window. Another one is one file that fills `Dictionary`, and one line here. */
import { en } from './en/index.ts';

/** The same texts in any words. */
type InAnyWords<T> = T extends string
  ? string
  : T extends (...about: infer About) => infer Text
    ? (...about: About) => InAnyWords<Text>
    : { readonly [Key in keyof T]: InAnyWords<T[Key]> };

/** Every text of the window; what is missing in a language does not compile. */
export type Dictionary = InAnyWords<typeof en>;

const languages = { en };

export type Language = keyof typeof languages;

/** @param wanted BCP 47 tags, the best first, as a browser lists them. English where none of them is here. */
export function languageFor(wanted: readonly string[]): { language: Language; dictionary: Dictionary } {
  const language = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isHere) ?? 'en';
  return { language, dictionary: languages[language] satisfies Dictionary };
}

const isHere = (tag: string): tag is Language => Object.hasOwn(languages, tag);
