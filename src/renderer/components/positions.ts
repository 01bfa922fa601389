/**
 * Pieces of parsed text with their place, which is their key: text grows at its end only, so a place never
 * passes to another piece.
 */
export function positions<T>(pieces: readonly T[]): { at: number; piece: T }[] {
  return pieces.map((piece, at) => ({ at, piece }));
}
