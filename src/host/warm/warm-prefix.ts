/**
 * The text of a warm-up: what two prompts that differ only in the next user text have in common. It is a prefix of
 * every real next prompt on each of 61 recorded template families (engine-truth/renders, 5).
 */
import { commonLength } from '../prompt/card/spelling.ts';
import { toRawPrompt } from '../prompt/template-policy.ts';

/** Stand in for the next message. Their first characters differ, so the common text ends where a message begins. */
export const nextTexts = ['Go on.', 'Why?'] as const;

/** `/api/generate` with `raw:true` takes this one off by itself. */
const takenOffByOllama = '<bos>';
/** A shorter text is not worth a request. */
const minCharacters = 64;
/** A piece that was cut in two is looked for this far back. */
const maxPiece = 64;

export interface BeginOfText {
  /** As the template writes it; '' = it writes none. */
  mark: string;
  /** The tokenizer adds one by itself: a written one would be the second. */
  isAdded: boolean;
}

/** The mark stays in the text although the tokenizer adds one, or there is none: nothing has to be asked about it. */
export function keepsMark(mark: string): boolean {
  return mark === '' || mark === takenOffByOllama;
}

/** null = the two have too little in common. */
export function warmPrefix(one: string, other: string, { mark, isAdded }: BeginOfText): string | null {
  const common = wholePieces(one.slice(0, commonLength(one, other)));
  const cut = toRawPrompt(common, mark, isAdded && !keepsMark(mark));
  return cut.length < minCharacters ? null : cut;
}

/**
 * Up to a border that no token crosses: a template's mark or the end of a line. Blanks before a word belong to the word;
 * where the last line was cut in two its beginning goes too, if a border is near.
 */
function wholePieces(text: string): string {
  const end = text.trimEnd().length;
  const trimmed = text.slice(0, end) + (/^\s*[\r\n]/.exec(text.slice(end))?.[0] ?? '');
  if (/[>\]\n]$/.test(trimmed)) return trimmed;
  const near = trimmed.slice(-maxPiece);
  const border = Math.max(...['>', ']', '\n'].map((mark) => near.lastIndexOf(mark)));
  return border < 0 ? trimmed : trimmed.slice(0, trimmed.length - near.length + border + 1);
}
