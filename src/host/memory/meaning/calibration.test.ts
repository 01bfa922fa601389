import { expect, test } from 'vitest';
import { boundOf, calibrationTexts } from './calibration.ts';

const facts = 20;

/** Facts lie along axes of their own; a message lies `apart` from all of them, a question nearer to its own fact. */
const vectors = (apart: number): Float32Array[] =>
  calibrationTexts.map((_, at) => {
    const vector = new Float32Array(facts + 1);
    if (at < facts) vector[at] = 1;
    else {
      vector.fill(1 - apart);
      if (at < 2 * facts) vector[at - facts] = 1 - apart / 2;
    }
    return vector;
  });

test('the bound of a model lies where its texts that do not belong together begin', () => {
  expect(boundOf(vectors(0.3))).toBeCloseTo(0.3);
  expect(boundOf(vectors(0.6))).toBeCloseTo(0.6);
});

test('no model is believed that texts further apart than 0.75 are related', () => {
  expect(boundOf(vectors(0.95))).toBe(0.75);
});

test('single pairs that a model takes for related do not pull the bound down to them', () => {
  const odd = vectors(0.6);
  const last = odd.at(-1);
  last?.fill(0.9, 0, 2);
  expect(boundOf(odd)).toBeCloseTo(0.6);
});
