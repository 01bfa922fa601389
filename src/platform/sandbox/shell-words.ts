/** The words of a line for a shell that a library wrote for us. Pure. */

/** What such a line is made of: blanks, plain signs, all between single quotes, and a single quote between double ones. */
const piece = /(?<blank> +)|(?<plain>[\w./:=@+,-]+)|'(?<quoted>[^']*)'|"(?<quote>')"/gy;

/** Throws where a shell would do more than split it: nothing in it may be read otherwise than we read it. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const { groups = {}, index, 0: text } of line.matchAll(piece)) {
    end = index + text.length;
    if (groups['blank'] === undefined)
      word = (word ?? '') + (groups['plain'] ?? groups['quoted'] ?? groups['quote'] ?? '');
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (end !== line.length) throw new Error('A line of words has something else in it.');
  return word === undefined ? words : [...words, word];
}

/** One word of a line, whatever is in it. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`;
