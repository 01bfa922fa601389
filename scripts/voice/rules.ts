/** How Andiron speaks, as rules that a program can hold. */
import type { PersonText } from './person-texts.ts';

/** What is not said, and what is said instead. */
export type Rule = readonly [RegExp, string];

/** A native speaker would not say it. */
const forbidden: readonly Rule[] = [
  [/\banew\b/i, 'again'],
  [/\bstands?\b(?! for\b)/i, 'is'],
  [/\blies\b/i, 'is'],
  [/\bdear(?:est|er)?\b/i, 'slow, expensive'],
  [/\bpay(?:s|ing)?\b/i, 'help, cost'],
  [/\bof (?:its|their|your|his) own\b/i, 'own'],
  [/\bby (?:itself|themselves|oneself)\b/i, 'automatically'],
  [/\bso that\b/i, 'so, to'],
  [/\bas the profile says\b/i, 'as set in the profile'],
  [/\bparting\b/i, 'difference'],
  [/\bmended\b/i, 'repaired'],
  [/:[^.]*;/, 'two sentences'],
];

/** One thing has one word. */
const oneWord: readonly Rule[] = [
  [/\bexams?\b/i, 'model test'],
  [/\beject(?:s|ed)?\b/i, 'unload'],
  [/\b(?:lend|lent|lending)\b/i, 'free the GPU'],
  [/\bworkspaces?\b/i, 'folder'],
  [/\biterations?\b/i, 'step'],
  [/\bcompact(?:s|ed|ing|ion)?\b/i, 'summarise'],
  [/\b(?:fixed form|guided)\b/i, 'constrained'],
  [/\bread (?:again|anew)\b/i, 're-read'],
  [/\bthe engine\b(?! room)/i, 'Ollama'],
  [/\bloaded window\b/i, 'context'],
];

/** Nobody does it: the sentence has no subject. */
const noSubject: readonly Rule[] = [[/(?:^|[.!?] )Being \w+/, 'who does it']];

/** British, as most of the texts are. */
const spelling: readonly Rule[] = [
  [/\b(?!(?:re)?sized?\b|sizes\b|prizes?\b|seize)\w+iz(?:e[sd]?|ing|ations?)\b/i, '-ise'],
  [/\b(?:color|behavior|favorite|center|gray|labeled|canceled|canceling)\w*\b/i, 'British'],
];

/** One sign for one thing; code that a person types keeps its own. */
const signs: readonly Rule[] = [
  [/\p{L}'\p{L}/u, '’'],
  [/\p{L}\.\.\./u, '…'],
  [/[\p{L}\d] (?:--?|[–—]) \p{L}/u, 'two sentences'],
];

export const maxWords = 20;

export const forbiddenIn = (texts: readonly PersonText[]): string[] => offences(texts, forbidden);
export const withoutSubject = (texts: readonly PersonText[]): string[] => offences(texts, noSubject);
export const mixedSpelling = (texts: readonly PersonText[]): string[] => offences(texts, spelling);
export const mixedSigns = (texts: readonly PersonText[]): string[] =>
  offences(
    texts.filter(({ place }) => place.startsWith('src/text/')),
    signs,
  );
export const twoWordsForOne = (texts: readonly PersonText[]): string[] => offences(texts, oneWord);

export function offences(texts: readonly PersonText[], rules: readonly Rule[]): string[] {
  return texts.flatMap(({ place, text }) =>
    rules
      .filter(([pattern]) => pattern.test(text))
      .map(([pattern, better]) => `${place}: ${pattern.exec(text)?.[0] ?? ''} (${better}): ${text}`),
  );
}

export interface Sentence extends PersonText {
  words: number;
}

export function sentencesOf(texts: readonly PersonText[]): Sentence[] {
  return texts.flatMap(({ place, text }) =>
    text
      .split(/(?<=[.!?])\s+(?=[\p{Lu}“"‹])/u)
      .map((sentence) => ({
        place,
        text: sentence,
        words: sentence.match(/[\p{L}\p{N}‹][^\s]*/gu)?.length ?? 0,
      }))
      .filter(({ words }) => words > 0),
  );
}
