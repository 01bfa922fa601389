/** A source of numbers in [0, 1). */
export type Random = () => number;

/** A repeatable source: the same seed (any integer) gives the same numbers. A 32-bit xorshift, not for secrets. */
export function seededRandom(seed: number): Random {
  // Spread neighbouring seeds apart; a zero state would stay zero for ever.
  let state = Math.imul(seed ^ 0x5f3759df, 0x2545f491) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
