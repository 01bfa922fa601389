import { describe, expect, test } from 'vitest';
import { addCheckpoint, BatchPlan, MAX_CHECKPOINTS, type Checkpoint } from './checkpoints.ts';

const at = (tokens: number, request: number): Checkpoint => ({ tokens, lowest: tokens - 1, request });
const positions = (checkpoints: readonly Checkpoint[]) => checkpoints.map(({ tokens }) => tokens);

/** Ends of all batches and positions of all checkpoints of one prompt evaluated from `start`. */
function evaluate(promptLength: number, numBatch: number, userStarts: number[], start = 0) {
  const plan = new BatchPlan(promptLength, numBatch, true, userStarts);
  const ends: number[] = [];
  let checkpoints: Checkpoint[] = [];
  for (let position = start; position < promptLength;) {
    const end = plan.batchEnd(position, checkpoints.at(-1));
    if (plan.takesCheckpoint(position, end, checkpoints.at(-1))) {
      checkpoints = addCheckpoint(checkpoints, at(position, 1));
    }
    position = end;
    ends.push(end);
  }
  return { ends, checkpoints: positions(checkpoints) };
}

describe('addCheckpoint', () => {
  test('drops checkpoints of earlier requests that lie within 8,192 tokens of an older one', () => {
    const existing = [at(300, 1), at(1300, 1), at(8492, 1), at(8493, 1), at(9000, 1)];
    expect(positions(addCheckpoint(existing, at(10_000, 2)))).toEqual([300, 8493, 10_000]);
  });

  test('keeps all checkpoints of the running request', () => {
    const existing = [at(300, 1), at(400, 2), at(1400, 2)];
    expect(positions(addCheckpoint(existing, at(1420, 2)))).toEqual([300, 400, 1400, 1420]);
  });

  test('gives up the oldest beyond 32', () => {
    let checkpoints: Checkpoint[] = [];
    for (let index = 1; index <= MAX_CHECKPOINTS + 3; index += 1) {
      checkpoints = addCheckpoint(checkpoints, at(index * 10_000, index));
    }
    expect(checkpoints).toHaveLength(32);
    expect(checkpoints[0]?.tokens).toBe(40_000);
  });
});

describe('BatchPlan', () => {
  test('cuts a prompt num_batch and 4 tokens before its end and saves both', () => {
    expect(evaluate(2500, 1024, [])).toEqual({ ends: [1024, 1476, 2496, 2500], checkpoints: [1476, 2496] });
  });

  test('saves the start of what it evaluates when that is near the end', () => {
    expect(evaluate(2500, 1024, [], 2300)).toEqual({ ends: [2496, 2500], checkpoints: [2300, 2496] });
  });

  test('stops at the last user message, and at others 8,192 tokens apart', () => {
    const { checkpoints } = evaluate(20_000, 1024, [500, 600, 9000, 19_500]);
    expect(checkpoints).toEqual([500, 9000, 18_976, 19_500, 19_996]);
  });

  test('without checkpoints only num_batch counts', () => {
    const plan = new BatchPlan(2500, 1024, false, [500]);
    expect([0, 1024, 2048].map((start) => plan.batchEnd(start, undefined))).toEqual([1024, 2048, 2500]);
    expect(plan.takesCheckpoint(2048, 2500, undefined)).toBe(false);
  });

  test('a prompt shorter than the last split is one batch', () => {
    expect(evaluate(3, 1024, [])).toEqual({ ends: [3], checkpoints: [] });
  });
});
