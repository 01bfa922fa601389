import { expect, test } from 'vitest';
import { fakeMachine, gib } from '../testing/fakes.ts';
import { sampleMemory } from './main-memory.ts';

test('memory is used or available; the first reading knows no load', () => {
  const { memory } = sampleMemory(fakeMachine(), null);
  expect(memory).toEqual({ totalBytes: 64 * gib, usedBytes: 16 * gib, cpuLoad: null });
});

test('the load is that of the time since the last reading, in percent', () => {
  const machine = fakeMachine({ cpuTimes: () => ({ idle: 1_150, total: 2_200 }) });
  expect(sampleMemory(machine, { idle: 1_100, total: 2_000 }).memory.cpuLoad).toBe(75);
});

function used(bytes: number): number | null {
  return sampleMemory(fakeMachine({ availableMemory: () => 64 * gib - bytes }), null).memory.usedBytes;
}

test('small movements are no news', () => {
  expect(used(16 * gib + 20_000_000)).toBe(used(16 * gib));
  expect(used(17 * gib)).not.toBe(used(16 * gib));
});

test('on a Mac free pages are not what is available, so use is unknown', () => {
  const { memory } = sampleMemory(fakeMachine({ platform: 'darwin' }), null);
  expect(memory).toMatchObject({ totalBytes: 64 * gib, usedBytes: null });
});
