/** How the settings find words: without regard to case and accents, every word of the query somewhere. */

export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The words of a query; none = everything matches. */
export function wordsOf(query: string): string[] {
  return fold(query).split(/\s+/).filter(Boolean);
}

export function matchesAll(text: string, words: readonly string[]): boolean {
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

export interface Piece {
  text: string;
  found: boolean;
}

/** A text in pieces, those that a query found among them; together they are the text. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  // Folded letter by letter, so that a place in it is a place in the text.
  const letters = Array.from(text);
  const folded = letters.map(fold);
  const starts = folded.map((_, at) => folded.slice(0, at).join('').length);
  const whole = folded.join('');
  const found = letters.map(() => false);
  for (const word of words) {
    for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + 1)) {
      starts.forEach((start, letter) => {
        if (start >= at && start < at + word.length) found[letter] = true;
      });
    }
  }
  const pieces: Piece[] = [];
  letters.forEach((letter, at) => {
    const last = pieces.at(-1);
    if (last && last.found === found[at]) last.text += letter;
    else pieces.push({ text: letter, found: found[at] ?? false });
  });
  return pieces;
}
