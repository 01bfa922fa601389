import { expect, test } from 'vitest';
import { failureOf, settle } from '../testing/fakes.ts';
import { AndironError } from '../../protocol/errors.ts';
import { createGpuQueue } from './gpu-queue.ts';

function open() {
  const admitted: string[] = [];
  const leave = new Map<string, () => void>();
  const queue = createGpuQueue(() => undefined);
  const come = (name: string, purpose: 'turn' | 'warm', signal?: AbortSignal): Promise<void> =>
    queue.enter({ id: name, model: 'qwen3:8b', purpose, label: name, since: 0 }, signal).then((out) => {
      admitted.push(name);
      return void leave.set(name, out);
    });
  const waiting = (): string[] => queue.waiting().map(({ id }) => id);
  const goes = async (name: string): Promise<void> => {
    leave.get(name)?.();
    await settle();
  };
  return { queue, admitted, come, goes, waiting };
}

test('one is in at a time, in order of arrival', async () => {
  const { admitted, come, goes, waiting } = open();
  for (const name of ['a', 'b', 'c']) void come(name, 'turn');
  await settle();
  expect(admitted).toEqual(['a']);
  expect(waiting()).toEqual(['b', 'c']);
  await goes('a');
  await goes('b');
  expect(admitted).toEqual(['a', 'b', 'c']);
});

test('turns go before warm-ups that came earlier', async () => {
  const { admitted, come, goes, waiting } = open();
  for (const name of ['first', 'warm 1', 'warm 2']) void come(name, name === 'first' ? 'turn' : 'warm');
  void come('turn', 'turn');
  await settle();
  expect(waiting()).toEqual(['turn', 'warm 1', 'warm 2']);
  await goes('first');
  await goes('turn');
  await goes('warm 1');
  expect(admitted).toEqual(['first', 'turn', 'warm 1', 'warm 2']);
});

test('who cancels while waiting is gone, and nobody else moves', async () => {
  const { admitted, come, goes, waiting } = open();
  const controller = new AbortController();
  void come('a', 'turn');
  const cancelled = failureOf(come('b', 'turn', controller.signal));
  void come('c', 'turn');
  await settle();
  controller.abort();
  expect(await cancelled).toMatchObject({ code: 'cancelled' });
  expect(waiting()).toEqual(['c']);
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
  const { admitted, come, waiting } = open();
  const controller = new AbortController();
  await come('a', 'turn', controller.signal);
  void come('b', 'turn');
  controller.abort();
  await settle();
  expect(admitted).toEqual(['a']);
  expect(waiting()).toEqual(['b']);
});

test('who waits for what will not come is told why, and the others keep their order', async () => {
  const { queue, admitted, come, goes, waiting } = open();
  void come('a', 'turn');
  const dismissed = failureOf(come('b', 'turn'));
  void come('c', 'turn');
  queue.dismiss(({ id }) => id === 'b', new AndironError('cancelled', 'It was given up.'));
  expect(await dismissed).toMatchObject({ code: 'cancelled', message: 'It was given up.' });
  expect(waiting()).toEqual(['c']);
  await goes('a');
  expect(admitted).toEqual(['a', 'c']);
});
