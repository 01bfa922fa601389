/** How memory parts text into words: the same for what is stored and for what is asked. */

/** No more of a text is looked at: a question is short, and a pasted file is no question. */
const maxCharacters = 4_000;

/** English words that say nothing about what is meant. */
const stopWords = new Set(
  `a about after again all also am an and any are as at be because been before but by can could did do does doing done
  for from get give go had has have he her here him his how i if in into is it its just know let like make may me more
  most my need no not now of on one only or other our out over please she should so some than that the their them then
  there these they this those to too under up us use user very want was we were what when where which while who why
  will with would yes you your s t m re ve ll d don didn doesn isn won`.split(/\s+/),
);

/** Every word, lower case, in order. */
export function wordsOf(text: string, cap = maxCharacters): string[] {
  const plain = text.slice(0, cap).normalize('NFKC').toLowerCase().replaceAll('_', ' ');
  // Made here: the first one takes longer than all else that the host does at its start.
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(plain)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** Each word that means something, once; all words where none does. */
export function tellingWords(text: string, cap = maxCharacters): string[] {
  const words = [...new Set(wordsOf(text, cap))];
  const telling = words.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : words;
}
