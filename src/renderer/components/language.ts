/** The language in which the window speaks now. Whoever keeps what it has drawn reads it, to draw again in another one. */
import { createContext, useContext, useMemo, type DependencyList } from 'react';
import { firstLanguage, type Language } from '../../text/languages.ts';

export const LanguageContext = createContext<Language>(firstLanguage);

export const useLanguage = (): Language => useContext(LanguageContext);

/** As `useMemo`, and made again for another language: what is made holds texts. */
export function useSpokenMemo<T>(make: () => T, on: DependencyList): T {
  const language = useLanguage();
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(make, [language, ...on]);
}
