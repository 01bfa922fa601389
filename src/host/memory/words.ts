/** How memory parts text into words: the same for what is stored and for what is asked. */

import { tellingWordsOf } from '../../rules/telling-words.ts';

/** No more of a text is looked at: a question is short, and a pasted file is no question. */
const maxCharacters = 4_000;

/** Every word, lower case, in order. */
export function wordsOf(text: string, cap = maxCharacters): string[] {
  const plain = text.slice(0, cap).normalize('NFKC').toLowerCase().replaceAll('_', ' ');
  // Made here: the first one takes longer than all else that the host does at its start.
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(plain)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Each word that means something, once; all words where none does. */
export const tellingWords = (text: string, cap = maxCharacters): readonly string[] =>
  tellingWordsOf([...new Set(wordsOf(text, cap))]);
