/** Which lines of what was read a change can mean: a small model picks the first line where it may pick any. */

const maxLineLength = 200;
const maxLines = 100;
const word = /[\p{L}\p{N}_#.-]{2,}/gu;

/** `texts`: results of read_file. Those lines that share most words with the message; all, where none does. */
export function linesToChange(texts: readonly string[], message: string): string[] {
  const all = texts.flatMap((text) => text.split('\n').slice(1));
  const lines = all.filter(
    (line) =>
      line.trim() !== '' && line.length <= maxLineLength && all.indexOf(line) === all.lastIndexOf(line),
  );
  const wanted = new Set(wordsOf(message));
  const count = (text: string): number => lines.filter((line) => wordsOf(line).includes(text)).length;
  // A word that stands in every line tells nothing; one that stands in a single line tells all.
  const weight = (line: string): number =>
    [...new Set(wordsOf(line))].reduce((sum, text) => sum + (wanted.has(text) ? 1 / count(text) : 0), 0);
  const weighed = lines.slice(0, maxLines).map((line) => ({ line, weight: weight(line) }));
  const most = Math.max(0, ...weighed.map((each) => each.weight));
  return weighed.filter((each) => each.weight === most).map(({ line }) => line);
}

const wordsOf = (text: string): string[] =>
  [...text.toLowerCase().matchAll(word)].map(([found]) => found.replace(/^[.-]+|[.-]+$/g, ''));
