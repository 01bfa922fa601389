import { expect, test } from 'vitest';
import { failureOf, settle } from '../testing/fakes.ts';
import { createGpuQueue, type Rank } from './gpu-queue.ts';

function open() {
  const admitted: string[] = [];
  const leave = new Map<string, () => void>();
  const queue = createGpuQueue(() => undefined);
  const come = (name: string, rank: Rank, signal?: AbortSignal): Promise<void> =>
    queue.enter(rank, signal).then((out) => {
      admitted.push(name);
      return void leave.set(name, out);
    });
  const goes = async (name: string): Promise<void> => {
    leave.get(name)?.();
    await settle();
  };
  return { queue, admitted, come, goes };
}

test('one is in at a time, in order of arrival', async () => {
  const { queue, admitted, come, goes } = open();
  for (const name of ['a', 'b', 'c']) void come(name, 'turn');
  await settle();
  expect(admitted).toEqual(['a']);
  expect(queue.waiting()).toBe(2);
  await goes('a');
  await goes('b');
  expect(admitted).toEqual(['a', 'b', 'c']);
});

test('turns go before warm-ups that came earlier', async () => {
  const { admitted, come, goes } = open();
  for (const name of ['first', 'warm 1', 'warm 2']) void come(name, name === 'first' ? 'turn' : 'warm');
  void come('turn', 'turn');
  await settle();
  await goes('first');
  await goes('turn');
  await goes('warm 1');
  expect(admitted).toEqual(['first', 'turn', 'warm 1', 'warm 2']);
});

test('who cancels while waiting is gone, and nobody else moves', async () => {
  const { queue, admitted, come, goes } = open();
  const controller = new AbortController();
  void come('a', 'turn');
  const cancelled = failureOf(come('b', 'turn', controller.signal));
  void come('c', 'turn');
  await settle();
  controller.abort();
  expect(await cancelled).toMatchObject({ code: 'cancelled' });
  expect(queue.waiting()).toBe(1);
  await goes('a');
  expect(admitted).toEqual(['a', 'c']);
});

test('who came with a cancelled signal never enters', async () => {
  const { admitted, come } = open();
  expect(await failureOf(come('a', 'turn', AbortSignal.abort()))).toMatchObject({ code: 'cancelled' });
  await come('b', 'turn');
  expect(admitted).toEqual(['b']);
});

test('leaving twice lets in one', async () => {
  const { admitted, come, goes } = open();
  for (const name of ['a', 'b', 'c']) void come(name, 'turn');
  await settle();
  await goes('a');
  await goes('a');
  expect(admitted).toEqual(['a', 'b']);
});

test('a signal that fires after the entry changes nothing', async () => {
  const { queue, admitted, come } = open();
  const controller = new AbortController();
  await come('a', 'turn', controller.signal);
  void come('b', 'turn');
  controller.abort();
  await settle();
  expect(admitted).toEqual(['a']);
  expect(queue.waiting()).toBe(1);
});
