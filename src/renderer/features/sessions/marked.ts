/** Where the words that were looked for stand in a text. Pure. */

export interface Piece {
  /** Where it begins in the text. */
  at: number;
  words: string;
  found: boolean;
}

/** The whole text in pieces, every place of the query found; without regard to case, as the search itself. */
export function markedPieces(text: string, query: string): Piece[] {
  const wanted = query.trim().toLowerCase();
  const folded = text.toLowerCase();
  // Few letters change their length with their case: then no place would be right.
  if (wanted === '' || folded.length !== text.length) return [{ at: 0, words: text, found: false }];
  const pieces: Piece[] = [];
  const add = (from: number, to: number, found: boolean): void => {
    if (to > from) pieces.push({ at: from, words: text.slice(from, to), found });
  };
  let from = 0;
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, from)) {
    add(from, at, false);
    from = at + wanted.length;
    add(at, from, true);
  }
  add(from, text.length, false);
  return pieces;
}
