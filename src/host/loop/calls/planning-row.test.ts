import { expect, test } from 'vitest';
import { PlanningRow } from './planning-row.ts';

type Ended = readonly [tool: string, isDone?: boolean];

/** Whether each was work that followed a plan, and whether the row is full after all of them. */
function after(...calls: readonly Ended[]) {
  const row = new PlanningRow();
  return { followed: calls.map(([tool, isDone = true]) => row.ended(tool, isDone)), isFull: row.isFull };
}

test('A row of planning calls is full after two of them, whichever tools they call', () => {
  expect(after(['todo']).isFull).toBe(false);
  expect(after(['todo'], ['scratchpad']).isFull).toBe(true);
  expect(after(['list_profiles'], ['switch_profile']).isFull).toBe(true);
});

test('A call of any other tool ends a row of planning calls, whatever came of it', () => {
  expect(after(['todo'], ['read_file'], ['todo']).isFull).toBe(false);
  expect(after(['todo'], ['todo'], ['weather', false]).isFull).toBe(false);
});

test('A planning call that failed counts in its row', () => {
  expect(after(['todo', false], ['todo', false]).isFull).toBe(true);
});

test('A subagent that did its task ends a row of planning calls, and one that failed does not', () => {
  expect(after(['todo'], ['spawn_agent'], ['todo'], ['spawn_agent'])).toEqual({
    followed: [false, true, false, true],
    isFull: false,
  });
  expect(after(['todo'], ['spawn_agent', false]).isFull).toBe(true);
});

test('Work that succeeded follows a planning call, once', () => {
  expect(after(['read_file'], ['todo'], ['read_file'], ['read_file']).followed).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(after(['todo'], ['read_file', false]).followed).toEqual([false, false]);
});
