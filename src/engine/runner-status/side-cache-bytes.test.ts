import { expect, test } from 'vitest';
import type { RunnerSlot } from '../../protocol/model.ts';
import { createSideCache } from './side-cache-bytes.ts';

const mib = 1024 ** 2;

function slot(taskId: number | null): RunnerSlot {
  const counts = { promptTokens: 0, processedTokens: 0, cachedTokens: 0, decodedTokens: 0 };
  return { id: 0, taskId, isProcessing: false, ...counts };
}

function open(sawLoad = false) {
  const world = { loaded: ['m'], pid: 91 as number | null, task: null as number | null, mib: 0 };
  const cache = createSideCache({
    loaded: () => world.loaded,
    pid: async () => world.pid,
    slots: async () => [slot(world.task)],
    sawLoad: () => sawLoad,
    allocatedBytes: async () => world.mib * mib,
  });
  const at = async (task: number | null, held: number): Promise<number | null> => {
    Object.assign(world, { task, mib: held });
    const bytes = await cache.estimate();
    return bytes === null ? null : bytes / mib;
  };
  return { world, at, cache };
}

test('what a runner allocates after its first request is what it keeps of others (a recorded course)', async () => {
  const { at } = open();
  // SmolLM2 on a real runner, conversations of 1,010 tokens; its log says 0, 22, 44, 67 and 133 MiB.
  expect(await at(null, 204)).toBe(0);
  expect(await at(0, 212)).toBe(0);
  expect(await at(9, 235)).toBe(16);
  expect(await at(14, 257)).toBe(48);
  expect(await at(19, 280)).toBe(64);
  expect(await at(39, 369)).toBe(160);
});

test('a runner whose beginning is unknown is unknown, one whose load was seen is not', async () => {
  const late = open();
  expect(await late.at(5, 900)).toBeNull();
  expect(await late.at(6, 999)).toBeNull();
  const seen = open(true);
  expect(await seen.at(5, 900)).toBe(0);
  expect(await seen.at(6, 964)).toBe(64);
});

test('another process begins anew, and an unloaded model keeps nothing', async () => {
  const { world, at } = open();
  await at(null, 200);
  await at(1, 200);
  expect(await at(2, 264)).toBe(64);
  world.pid = 92;
  expect(await at(null, 300)).toBe(0);
  world.loaded = [];
  expect(await at(null, 300)).toBeNull();
});

test('where no process or memory can be read nothing is known', async () => {
  const { world, at } = open();
  world.pid = null;
  expect(await at(null, 1)).toBeNull();
  const broken = createSideCache({
    loaded: () => ['m'],
    pid: async () => 1,
    slots: async () => null,
    sawLoad: () => true,
    allocatedBytes: () => Promise.reject(new Error('gone')),
  });
  expect(await broken.estimate()).toBeNull();
});
