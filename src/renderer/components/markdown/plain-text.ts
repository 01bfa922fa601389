/** Text that is shown as it is, line by line, in pieces that scroll apart. */
import type { Tokens } from 'marked';

export interface PlainPiece {
  /** Place of its first character in the text. */
  start: number;
  token: Tokens.Paragraph;
}

const maxLength = 6_000;
const maxLines = 400;

/** A text that grows at its end: a full piece is made once and stays the same object. */
export class PlainText {
  readonly start: number;
  #full: PlainPiece[] = [];
  /** Where the last piece, which may still grow, begins. */
  #offset = 0;

  /** `start`: the place of its first character in a longer text. */
  constructor(start: number) {
    this.start = start;
  }

  read(text: string): PlainPiece[] {
    for (;;) {
      const end = endOfPiece(text, this.#offset);
      if (end === null) break;
      this.#full = [...this.#full, this.#piece(text, end)];
      this.#offset = end;
    }
    return this.#offset < text.length ? [...this.#full, this.#piece(text)] : this.#full;
  }

  #piece(text: string, end?: number): PlainPiece {
    return { start: this.start + this.#offset, token: plainToken(text.slice(this.#offset, end)) };
  }
}

function endOfPiece(text: string, from: number): number | null {
  const limit = from + maxLength;
  let lineEnd = from;
  for (let lines = 0; lines < maxLines; lines += 1) {
    const next = text.indexOf('\n', lineEnd) + 1;
    if (next === 0 || next > limit) {
      if (text.length <= limit) return null;
      return lineEnd > from ? lineEnd : beforeHalfCharacter(text, limit);
    }
    lineEnd = next;
  }
  return lineEnd;
}

function beforeHalfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc_00 && code <= 0xdf_ff ? at - 1 : at;
}

function plainToken(raw: string): Tokens.Paragraph {
  const lines = raw.trimEnd().split('\n');
  const tokens = lines.flatMap((line, at): (Tokens.Text | Tokens.Br)[] => [
    ...(at > 0 ? [{ type: 'br' as const, raw: '\n' }] : []),
    { type: 'text', raw: line, text: line, escaped: true },
  ]);
  return { type: 'paragraph', raw, text: raw, tokens };
}
