/** Files named in a message: `@path/to/file`, or `@"path with spaces"`. Plain text; nothing else travels with it. */

export interface Mention {
  /** Of the `@`. */
  from: number;
  /** Behind its last character. */
  to: number;
  path: string;
}

/** An address of a letter is none, so it stands at the beginning of a word. */
const opens = String.raw`(?<![^\s([{"'“‘])@`;
const written = new RegExp(`${opens}${String.raw`(?:"([^"\n]+)"|([^\s"@]+))`}`, 'gu');
const beingWritten = new RegExp(`${opens}${String.raw`(?:"([^"\n]*)|([^\s"@]*))$`}`, 'u');
/** What ends a sentence ends no path. */
const ending = /[.,;:!?)\]}'"”’…]+$/u;

export function mentionsIn(text: string): Mention[] {
  const mentions: Mention[] = [];
  for (const { index, 1: quoted, 2: bare } of text.matchAll(written)) {
    if (quoted !== undefined) mentions.push({ from: index, to: index + quoted.length + 3, path: quoted });
    const path = bare?.replace(ending, '') ?? '';
    if (path !== '') mentions.push({ from: index, to: index + path.length + 1, path });
  }
  return mentions;
}

/** The one whose path is being written at `caret`; it reaches to the end of its word. */
export function mentionAt(text: string, caret: number): Mention | null {
  const match = beingWritten.exec(text.slice(0, caret));
  if (!match) return null;
  const { index, 1: quoted, 2: bare } = match;
  const rest = quoted === undefined ? /^[^\s"@]*/u : /^[^"\s]*"?/u;
  const behind = rest.exec(text.slice(caret))?.[0].length ?? 0;
  return { from: index, to: caret + behind, path: quoted ?? bare ?? '' };
}

export function mentionOf(path: string): string {
  return /\s/u.test(path) ? `@"${path}"` : `@${path}`;
}
