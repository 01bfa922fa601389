/**
 * A small model that is to copy what it read writes down what stands behind it as well: the line of the next step, the
 * figures that Andiron worked out, the marks of its template around both. None of it belongs into a file.
 */

const betweenMarks = /^\s*<([\w|:-]{1,40})>\n?([\s\S]*?)\n?<\/\1>\s*$/;

/** A step is cut where it is long, and a model that copies it writes it to its end. */
const minCopied = 12;

/** In front of a note. A short line that stands right below another may be the file's own. */
const gaps = [
  { gap: '\n\n', minLength: 0 },
  { gap: '\n', minLength: minCopied },
];

/** For the card. */
export const noteLeftOut = 'left out a note that Andiron had added to a result';

/** What stands behind the newest result. */
export interface NoteBehind {
  /** All of it; '' = nothing. */
  words: string;
  /** Those pieces of it that a model may copy, each as a whole. */
  pieces: readonly string[];
}

export const noNote: NoteBehind = { words: '', pieces: [] };

/**
 * @param facts what Andiron worked out, each on a line of its own; one of them alone may be copied
 * @param line of the step. Of several paragraphs it is a message, and those are the person's: they may belong into the file.
 */
export function noteBehind(facts: string | null, line: string | null): NoteBehind {
  const said = [facts, line].filter((text) => text !== null && text !== '');
  const figures = (facts ?? '').split('\n').filter((each) => each.length >= minCopied);
  const own = line === null ? [] : paragraphsOf(line);
  const pieces = [...paragraphsOf(facts ?? ''), ...figures, ...(own.length > 1 ? [] : own)];
  return { words: said.join('\n\n'), pieces };
}

/** The same object where nothing is left out. */
export function argsWithoutNote(
  args: Record<string, unknown>,
  { pieces }: Pick<NoteBehind, 'pieces'>,
): Record<string, unknown> {
  const left = (key: string, text: string): string => {
    const rest = withoutNote(text, pieces);
    // A file ends with a line; a text that replaces another one ends as that did.
    return rest === text || key === 'content' ? rest : rest.trimEnd();
  };
  const entries = Object.entries(args).map(
    ([key, value]) => [key, typeof value === 'string' ? left(key, value) : value] as const,
  );
  return entries.every(([key, value]) => args[key] === value) ? args : Object.fromEntries(entries);
}

/**
 * `text` without the pieces of a note at its end, which a model may write right below its last line; `text` itself where it
 * ends with none, or has nothing else.
 */
export function withoutNote(text: string, pieces: readonly string[]): string {
  const isOwn = (words: string): boolean =>
    pieces.some((each) => each === words || (each.length >= minCopied && words.startsWith(each)));
  const beginOfNote = (words: string): number | undefined =>
    gaps
      .map(({ gap, minLength }) => ({ at: words.lastIndexOf(gap), minLength }))
      .find(({ at, minLength }) => {
        const end = words.slice(at).trim();
        return at >= 0 && end.length >= minLength && isOwn(end);
      })?.at;
  const inside = (betweenMarks.exec(text)?.[2] ?? text).trimEnd();
  let kept = inside;
  for (let at = beginOfNote(kept); at !== undefined; at = beginOfNote(kept))
    kept = kept.slice(0, at).trimEnd();
  return kept === inside || kept === '' || isOwn(kept.trim()) ? text : `${kept}\n`;
}

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
