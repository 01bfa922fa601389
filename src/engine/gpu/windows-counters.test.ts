import { expect, test } from 'vitest';
import { nothingLive, type GpuReading } from './gpu-reading.ts';
import { parseWindowsCounters, withWindowsCounters } from './windows-counters.ts';

const dedicated = (Name: string, DedicatedUsage: number) => ({ Name, DedicatedUsage });
const card = 'luid_0x00000000_0x0000D1A2';
const display = 'luid_0x00000000_0x00010B77';
const answer = JSON.stringify({
  adapters: [dedicated(`${card}_phys_0`, 9_000), dedicated(`${display}_phys_0`, 0)],
  processes: [dedicated(`pid_91_${card}_phys_0`, 6_000), dedicated(`pid_8_${card}_phys_0`, 1_000)],
});
const arc: GpuReading = { name: 'Arc A770', vramTotalBytes: 16_000, ...nothingLive };
const isOllama = (pid: number): boolean => pid === 91;

test('the only card has what its adapter uses, and what models hold of it', () => {
  expect(withWindowsCounters([arc], parseWindowsCounters(answer), isOllama)).toEqual([
    { ...arc, vramUsedBytes: 9_000, vramModelBytes: 6_000 },
  ]);
});

test("a reader's own figure is worth more", () => {
  const [known] = withWindowsCounters(
    [{ ...arc, vramUsedBytes: 8_000 }],
    parseWindowsCounters(answer),
    isOllama,
  );
  expect(known).toMatchObject({ vramUsedBytes: 8_000, vramModelBytes: 6_000 });
});

test('of two cards nobody knows which is which, and a process holds no more than is used', () => {
  expect(withWindowsCounters([arc, arc], parseWindowsCounters(answer), isOllama)).toEqual([arc, arc]);
  const wrong = { ...parseWindowsCounters(answer), processes: [{ pid: 91, luid: card, bytes: 99_000 }] };
  expect(withWindowsCounters([arc], wrong, isOllama)[0]).not.toHaveProperty('vramModelBytes');
});

test('two busy adapters and no model on either: nothing is known', () => {
  const both = {
    adapters: [
      { luid: card, bytes: 1 },
      { luid: display, bytes: 1 },
    ],
    processes: [],
  };
  expect(withWindowsCounters([arc], both, isOllama)).toEqual([arc]);
});

test('counters of another form are refused', () => {
  expect(() => parseWindowsCounters('')).toThrow('JSON');
  expect(() => parseWindowsCounters('{"adapters":{}}')).toThrow('Invalid input');
});
