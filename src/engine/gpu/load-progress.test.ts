import { expect, test } from 'vitest';
import type { EngineState, GpuSample } from '../../protocol/model.ts';
import { initialState } from '../base/state.ts';
import { gib } from '../testing/fakes.ts';
import { createLoadProgress } from './load-progress.ts';

const loading = { model: 'qwen3:8b', since: 7, expectedMs: null };

function card(usedGib: number | null): GpuSample[] {
  const vramUsedBytes = usedGib === null ? null : usedGib * gib;
  const gpu = { name: 'A', vramTotalBytes: 24 * gib, vramUsedBytes };
  return [{ ...gpu, utilization: null, temperatureC: null, powerW: null, at: 0 }];
}

const during = (changes: Partial<EngineState>): EngineState => ({ ...initialState, loading, ...changes });

/** Progress at each reading of a card. */
function course(used: readonly (number | null)[], predicted: number | null = 10 * gib) {
  const progress = createLoadProgress(() => predicted);
  return used.map((bytes) => progress.of(during({ gpus: card(bytes) })));
}

test('it is the growth of the memory in use over what the model will take', () => {
  expect(course([2, 2, 4.5, 7, 12])).toEqual([0, 0, 0.25, 0.5, 0.99]);
});

test('it never goes back, and what had to go first is no part of it', () => {
  expect(course([14, 2, 7, 6, 8])).toEqual([0, 0, 0.5, 0.5, 0.6]);
});

test('a reading that fails leaves it as it was; without any it is unknown', () => {
  expect(course([2, 7, null, 8])).toEqual([0, 0.5, 0.5, 0.6]);
  expect(course([null, null])).toEqual([undefined, undefined]);
  expect(course([2, 7], null)).toEqual([undefined, undefined]);
});

test('without a GPU the main memory grows', () => {
  const progress = createLoadProgress(() => 10 * gib);
  const at = (usedBytes: number) =>
    progress.of(during({ gpus: [], memory: { totalBytes: 64 * gib, usedBytes, cpuLoad: null } }));
  expect([at(20 * gib), at(25 * gib)]).toEqual([0, 0.5]);
});

test('the next load begins at nothing', () => {
  const progress = createLoadProgress(() => 10 * gib);
  progress.of(during({ gpus: card(2) }));
  expect(progress.of(during({ gpus: card(7) }))).toBe(0.5);
  expect(progress.of({ ...initialState, gpus: card(7) })).toBeUndefined();
  expect(progress.of(during({ gpus: card(7), loading: { ...loading, since: 8 } }))).toBe(0);
});
