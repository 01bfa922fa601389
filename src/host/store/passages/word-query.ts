/** Words as the index of passages knows them. */

/** More of them find hardly anything else, and take longer. */
const maxWords = 32;

/**
 * Of English: they say how something is asked, not what about. No passage is about "what", and yet few have it, so that it would
 * count as a rare word.
 */
const askingWords = new Set(
  (
    'a about after all also am an and any are as at be because been before being between both but by can could did do does doing ' +
    'done during each few for from had has have having he her here hers him his how i if in into is it its me more most my no nor ' +
    'not of on once only or other our ours out over own same she should so some such than that the their theirs them then there ' +
    'these they this those through to too under until up very was we were what when where which while who whom whose why will ' +
    'with would you your yours'
  ).split(' '),
);

/** Of languages that write without spaces: there a tokenizer would take a sentence for one word. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The text with a space between all words. */
export function spaced(text: string): string {
  return unspaced.test(text) ? words(text).join(' ') : text.replaceAll('\0', ' ').toWellFormed();
}

/** The words of a question that say what it is about, each as FTS5 takes it; all of them where there are no others. */
export function wordTerms(text: string): string[] {
  const found = [...new Set(words(text.toLowerCase()))];
  const telling = found.filter((word) => !askingWords.has(word));
  return (telling.length > 0 ? telling : found)
    .slice(0, maxWords)
    .map((word) => `"${word.replaceAll('"', '""')}"`);
}

function words(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
    text.replaceAll('\0', ' ').toWellFormed(),
  );
  return [...segments].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
