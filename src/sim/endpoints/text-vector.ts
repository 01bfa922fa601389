/**
 * A vector of a text without any weights: each stretch of three letters falls into one place by its hash, so texts that
 * share parts of words are near each other. No table of words, and the same everywhere.
 */

const PART = 3;

/** L2-normalised, as Ollama's are; of an empty text all nothing. `wanted` cuts it, as `dimensions` of a request does. */
export function vectorOf(text: string, dimensions: number, wanted = 0): number[] {
  const sums = Array.from({ length: dimensions }, () => 0);
  for (const part of partsOf(text)) {
    const hash = hashOf(part);
    const place = (hash >>> 1) % dimensions;
    sums[place] = (sums[place] ?? 0) + (hash & 1 ? 1 : -1);
  }
  const whole = normalised(sums);
  return wanted > 0 && wanted < dimensions ? normalised(whole.slice(0, wanted)) : whole;
}

/** Short words say little in every language, and come often. */
const minLetters = 4;

function partsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter(({ length }) => length >= minLetters)
    .flatMap((word) => {
      const padded = `^${word}$`;
      return Array.from({ length: padded.length - PART + 1 }, (_, at) => padded.slice(at, at + PART));
    });
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // Its low bits are weak.
  return (hash ^ (hash >>> 15)) >>> 0;
}

function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => (length === 0 ? 0 : value / length));
}
