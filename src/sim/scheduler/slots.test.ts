import { expect, test } from 'vitest';

import { Slots } from './slots.ts';

const never = new AbortController().signal;

test('slots are given in order of arrival', async () => {
  const slots = new Slots(1);
  const order: string[] = [];
  await slots.acquire(never);
  const second = slots.acquire(never).then(() => order.push('second'));
  const third = slots.acquire(never).then(() => order.push('third'));
  slots.release();
  await second;
  slots.release();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('a waiter that leaves is skipped', async () => {
  const slots = new Slots(1);
  await slots.acquire(never);
  const leaving = new AbortController();
  const left = slots.acquire(leaving.signal);
  const stays = slots.acquire(never);
  leaving.abort();
  expect(await left).toBe(false);
  slots.release();
  expect(await stays).toBe(true);
  expect(slots.waiting).toBe(0);
});
