/** Words as the index of passages knows them. */
import { tellingWordsOf } from '../../../rules/telling-words.ts';

/** More of them find hardly anything else, and take longer. */
const maxWords = 32;

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
  return tellingWordsOf(found)
    .slice(0, maxWords)
    .map((word) => `"${word.replaceAll('"', '""')}"`);
}

function words(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
    text.replaceAll('\0', ' ').toWellFormed(),
  );
  return [...segments].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
