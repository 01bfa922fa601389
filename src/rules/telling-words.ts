/** Which words of a question say what it is about. */

/**
 * Of English: they say how something is asked, or that something is wanted. No text is about "what", and yet some have it, so that
 * it would count as a rare word.
 */
const askingWords = new Set(
  `a about after again all also am an and any are as at be because been before being between both but by can could did do
  does doing done during each few for from get give go had has have having he her here hers him his how i if in into is it
  its just know let like make may me more most my need no nor not now of on once one only or other our ours out over own
  please same she should so some such than that the their theirs them then there these they this those through to too
  under until up us use user very want was we were what when where which while who whom whose why will with would yes you
  your yours s t m re ve ll d don didn doesn isn won`.split(/\s+/),
);

/** @param words in lower case. All of them where there are no others. */
export function tellingWordsOf(words: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !askingWords.has(word));
  return telling.length > 0 ? telling : words;
}
