/** A long text in pieces that are drawn one after the other. Pure. */

export interface TextPiece {
  /** Where it begins. */
  at: number;
  text: string;
}

const usualLength = 4_000;
/** Beyond the usual length a piece ends where a line with something in it begins, if one comes this soon. */
const slack = 4_000;

/** All of the text, in its order; no piece is cut inside of a character or, where that can be helped, of a run of blanks. */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  while (at < text.length) {
    const end = endOf(text, at + usualLength);
    pieces.push({ at, text: text.slice(at, end) });
    at = end;
  }
  return pieces;
}

function endOf(text: string, from: number): number {
  if (from >= text.length) return text.length;
  const lineEnd = /\n(?=\S)/g;
  lineEnd.lastIndex = from;
  const found = lineEnd.exec(text.slice(0, from + slack));
  if (found) return found.index + 1;
  const code = text.charCodeAt(from);
  return code >= 0xdc_00 && code <= 0xdf_ff ? from + 1 : from;
}
