/** What a text names to the letter, in whichever language it is written: paths of the workspace, and lines of files. */

/**
 * What goes on with a name: letters, an ending, or what lies in it. Other scripts write on without a blank: memo.txtを. Behind
 * a slash any sign may begin a name, but for those that end a quotation or a sentence.
 */
const goesOn = /^(?:\.?[\p{Script=Latin}\p{N}_]|\/[^\s"'`)\]>,;:!?，、。」』”’»]*[\p{Script=Latin}\p{N}_])/u;
/** Of what comes behind a name: longer names of one file exist nowhere. */
const maxPart = 256;
/** What a longer path has before it. */
const before = /[\p{Script=Latin}\p{N}_./-]/u;

/** The whole path, or the name alone where no other file has it. A folder ends with `/`, and may be named without. */
export function mentioned(texts: readonly string[], entries: readonly string[]): string[] {
  const names = Map.groupBy(entries, nameOf);
  const said = texts.map((text) => text.normalize());
  return entries.filter((entry) => {
    const path = bare(entry);
    const name = nameOf(entry);
    const spoken = names.get(name)?.length === 1 && name.length > 2 ? [path, name] : [path];
    return said.some((text) => spoken.some((words) => stands(words.normalize(), text)));
  });
}

/** Of a folder, without its `/`. */
export const bare = (entry: string): string => entry.replace(/\/$/, '');
/** Without the folders that it lies in. */
export const nameOf = (entry: string): string => bare(entry).slice(bare(entry).lastIndexOf('/') + 1);

/** As words of their own: `a.txt` stands neither in `data.txt` nor in `a.txt.bak`. */
function stands(words: string, text: string): boolean {
  if (words === '') return false;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (begins(at, text) && !goesOn.test(text.slice(at + words.length, at + words.length + maxPart)))
      return true;
  }
  return false;
}

/** A path may be told from the folder of the workspace on: `./a.txt`. */
function begins(at: number, text: string): boolean {
  const start = text.startsWith('./', at - 2) ? at - 2 : at;
  return !before.test(text[start - 1] ?? ' ');
}

/** The same words in another order add up to a little more or less. */
const roundingError = 1e-9;

/**
 * Those lines that share most words with the texts; none, where none does. A word that stands in every line tells nothing,
 * one that stands in a single line tells all. Short words are articles as often as not: they tell something of a line that
 * has little else.
 */
export function linesNamed(texts: readonly string[], lines: readonly string[]): string[] {
  const wanted = new Set(texts.flatMap(wordsOf));
  const words = lines.map((line) => new Set(wordsOf(line)));
  const count = (word: string): number => words.filter((each) => each.has(word)).length;
  const weights = words.map((each) => {
    const shared = [...each].filter((word) => wanted.has(word));
    if (!shared.some(isLong) && shared.length * 2 < each.size) return 0;
    const telling = shared.filter((word) => lines.length === 1 || count(word) < lines.length);
    return telling.reduce((sum, word) => sum + 1 / count(word), 0);
  });
  const most = Math.max(roundingError * 2, ...weights);
  return lines.filter((_, at) => (weights[at] ?? 0) > most - roundingError);
}

/** Letters; a number is never short. */
const minLongWord = 4;
const isLong = (word: string): boolean => word.length >= minLongWord || /\p{N}/u.test(word);

/** What goes on with a word of a file. */
const letter = /[\p{Script=Latin}\p{N}_]/u;
/** Words in a row that are looked for as one piece. */
const maxWords = 6;

/** The longest pieces of a text that stand in the other one too, exactly once: what a change can mean. */
export function sharedPieces(text: string, content: string): string[] {
  const words = wordsIn(text);
  const found: { from: number; to: number }[] = [];
  for (let first = 0; first < words.length; first += 1) {
    for (let last = Math.min(words.length, first + maxWords) - 1; last >= first; last -= 1) {
      const span = { from: words[first]?.from ?? 0, to: words[last]?.to ?? 0 };
      if (!occursOnce(text.slice(span.from, span.to), content)) continue;
      if (!found.some(({ from, to }) => from <= span.from && to >= span.to)) found.push(span);
      break;
    }
  }
  return [...new Set(found.map((span) => text.slice(withSign(span, text, content), span.to)))];
}

/** What stands before a word and belongs to it: #671910, $5. */
const sign = /[^\p{L}\p{N}\s\p{Ps}\p{Pi}\p{Pf}'"`*_,;:!?]/u;

/** Where the piece begins with the sign that both texts have before it. */
function withSign({ from, to }: Span, text: string, content: string): number {
  return sign.test(text[from - 1] ?? '') && content.includes(text.slice(from - 1, to)) ? from - 1 : from;
}

function occursOnce(piece: string, content: string): boolean {
  const at = content.indexOf(piece);
  if (at === -1 || content.includes(piece, at + 1)) return false;
  const [next = ' '] = content.slice(at + piece.length);
  return !letter.test(next) && !letter.test(content[at - 1] ?? ' ');
}

export interface Span {
  from: number;
  to: number;
}

/** A code is one word, with what holds its parts together: KS-5030, 2.0.1. */
const joins = /^[-.:/@+]$/;

/** Of scripts that have no blanks between them, too. */
export function wordsIn(text: string): Span[] {
  const spans: Span[] = [];
  let joined = false;
  for (const { segment, isWordLike, index } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(
    text,
  )) {
    const before = spans.at(-1);
    if (isWordLike && joined && before) before.to = index + segment.length;
    else if (isWordLike) spans.push({ from: index, to: index + segment.length });
    joined = !isWordLike && joins.test(segment) && before?.to === index;
  }
  return spans;
}

/** A name in code is also the words that it is made of: yogurtLimit, yogurt_limit. */
const wordsOf = (text: string): string[] =>
  wordsIn(text)
    .map(({ from, to }) => text.slice(from, to))
    .flatMap((word) => [word, ...word.split(inName)])
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

const inName = /(?<=\p{Ll})(?=\p{Lu})|[_-]/u;
