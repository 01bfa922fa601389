/**
 * Vectors of one model, in memory for as long as somebody searches: bytes in place of floats, all of them compared at each
 * search. Rounded so, a vector is a hundredth off at most, which moves none among the first.
 */

export interface ByteVector {
  /** Of length `bytes.length`. */
  bytes: Int8Array;
  /** A number of the vector is its byte times this. */
  scale: number;
}

/** @param vector of length 1 */
export function toBytes(vector: Float32Array): ByteVector {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = largest / 127 || 1;
  return { bytes: Int8Array.from(vector, (value) => Math.round(value / scale)), scale };
}

export interface Nearness {
  passage: number;
  /** Cosine: 1 = the same direction. */
  nearness: number;
}

/** @param rows all of one model, so of one length. They are copied: a hundred thousand small arrays would take twice as much. */
export function createVectorTable(rows: readonly { passage: number; vector: ByteVector }[]) {
  const size = rows[0]?.vector.bytes.length ?? 0;
  const matrix = new Int8Array(rows.length * size);
  rows.forEach(({ vector }, at) => matrix.set(vector.bytes, at * size));
  const scales = Float64Array.from(rows, ({ vector }) => vector.scale);
  const passages = Float64Array.from(rows, ({ passage }) => passage);

  const nearnessAt = (at: number, asked: Float32Array): number => {
    const from = at * size;
    let sum = 0;
    for (let place = 0; place < size; place += 1) sum += (matrix[from + place] ?? 0) * (asked[place] ?? 0);
    return sum * (scales[at] ?? 0);
  };

  return {
    /** Of each vector, in no order of use. */
    all: (asked: Float32Array): Nearness[] =>
      Array.from(passages, (passage, at) => ({ passage, nearness: nearnessAt(at, asked) })),
  };
}

export type VectorTable = ReturnType<typeof createVectorTable>;
