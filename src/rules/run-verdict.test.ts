import { expect, it } from 'vitest';
import type { TurnStatus } from '../protocol/model.ts';
import { absenceBetween, skipReason, verdictOf } from './run-verdict.ts';

const run = { plannedAt: 1_000_000, startedAt: 1_000_000, reason: null };
const turn = (status: TurnStatus) => ({ status, words: 'Ollama does not answer.' });

it.each<[TurnStatus, string, string | null, string]>([
  ['finished', 'ran', null, ''],
  ['max_iterations', 'failed', 'step_limit', ''],
  ['stopped', 'failed', 'stopped', ''],
  ['interrupted', 'failed', 'interrupted', ''],
  ['failed', 'failed', 'error', 'Ollama does not answer.'],
  ['running', 'failed', 'error', 'Ollama does not answer.'],
])('A turn that ended as %s is a run that %s', (status, state, reason, detail) => {
  expect(verdictOf(turn(status), run)).toEqual({ state, reason, detail });
});

const begun = (startedAt: number, reason: 'asleep' | null = null) =>
  verdictOf(turn('finished'), { ...run, startedAt, reason });

it('A run is late from more than a minute after its time, and says why', () => {
  expect(begun(1_060_000)).toMatchObject({ state: 'ran' });
  expect(begun(1_060_001)).toMatchObject({ state: 'late', reason: 'waited' });
  expect(begun(1_060_001, 'asleep')).toMatchObject({ state: 'late', reason: 'asleep' });
});

it('A message that was taken back before it began did not run', () => {
  expect(verdictOf(null, run)).toMatchObject({ state: 'failed', reason: 'withdrawn' });
});

it('A run that is due is skipped for the first reason that holds', () => {
  const free = { isRunning: false, isGpuReleased: false, isOverBudget: false };
  expect(skipReason(free)).toBeNull();
  expect(skipReason({ ...free, isGpuReleased: true })).toBe('gpu_released');
  expect(skipReason({ ...free, isOverBudget: true })).toBe('over_budget');
  expect(skipReason({ isRunning: true, isGpuReleased: true, isOverBudget: true })).toBe('still_running');
});

it('Sleep and a clock that was set forward are told apart by the time since the system started', () => {
  const hour = 3_600_000;
  const before = { now: 10 * hour, sinceBoot: 100_000 };
  expect(absenceBetween(null, before)).toBe('closed');
  expect(absenceBetween(before, { now: 12 * hour, sinceBoot: 100_000 + 2 * hour })).toBe('asleep');
  expect(absenceBetween(before, { now: 12 * hour, sinceBoot: 130_000 })).toBe('clock');
  expect(absenceBetween({ ...before, sinceBoot: null }, { now: 12 * hour, sinceBoot: null })).toBe('asleep');
});
