/** The languages of the window, each under the name that its speakers give it. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languageNames;

export const languages = Object.keys(languageNames) as Language[];

/** What a window can show before anything is fetched. */
export const firstLanguage: Language = 'en';

/** @param wanted BCP 47 tags, the best first, as a browser lists them. English where none of them is here. */
export function languageFor(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isHere) ?? firstLanguage;
}

const isHere = (tag: string): tag is Language => Object.hasOwn(languageNames, tag);
