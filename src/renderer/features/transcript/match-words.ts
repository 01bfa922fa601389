/** Where a search's pattern stands in a line that it found. For display alone, and never at a price. Pure. */

/** Longer lines are marked as far as this. */
const longest = 400;
/** Marks in one line; more would be noise. */
const maxMarks = 20;

export interface MarkedPiece {
  text: string;
  hit: boolean;
}

/**
 * The pattern as this engine may run it, or null. It came from a model and the search ran it in linear time; here one
 * that could backtrack for long (a repeated group, two repetitions) is not run at all.
 */
export function safePattern(pattern: string): RegExp | null {
  const repeats = pattern.replaceAll(/\\./g, '').match(/[*+{]/g)?.length ?? 0;
  if (pattern === '' || repeats > 1 || /\)[*+?{]|\\[1-9]|\(\?/.test(pattern)) return null;
  // Smart case: capitals in the pattern mean it.
  const flags = /[A-Z]/.test(pattern.replaceAll(/\\./g, '')) ? 'g' : 'gi';
  try {
    return new RegExp(pattern, flags);
  } catch {
    // No expression, so it was searched as the plain text that it is.
    return new RegExp(pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), flags);
  }
}

export function markMatches(text: string, pattern: RegExp | null): MarkedPiece[] {
  if (!pattern) return [{ text, hit: false }];
  const pieces: MarkedPiece[] = [];
  let at = 0;
  for (const match of text.slice(0, longest).matchAll(pattern)) {
    if (match[0] === '') continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), hit: false });
    pieces.push({ text: match[0], hit: true });
    at = match.index + match[0].length;
    if (pieces.length > maxMarks * 2) break;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}
