/** The notes that a turn sent to its model, and whether a reply only repeats their words. */
import { noteMarker } from '../../prompt/notes.ts';

/** Fewer of them anybody may write by chance. */
const minWords = 6;

/** What a reply brings into a file, a command or an answer. */
interface ReplyWords {
  text: string;
  calls: readonly { args: Record<string, unknown> }[];
}

export class SentNotes {
  readonly #phrases = new Set<string>();

  /** @param words Andiron's own in a note: what it only quotes may well stand in an answer. */
  add(words: string): void {
    const all = wordsOf(words);
    const last = Math.max(0, all.length - minWords);
    for (let from = 0; from <= last; from += 1) this.#phrases.add(all.slice(from, from + minWords).join(' '));
    this.#phrases.add(noteMarker);
  }

  /** Returns null where no note was sent before that reply. */
  areCopiedIn({ text, calls }: ReplyWords): boolean | null {
    if (this.#phrases.size === 0) return null;
    const written = [text, ...calls.flatMap(({ args }) => textsIn(args))].map((each) =>
      wordsOf(each).join(' '),
    );
    return [...this.#phrases].some((phrase) => written.some((each) => each.includes(phrase)));
  }
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
