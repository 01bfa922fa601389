import { expect, test } from 'vitest';
import { createProgramUse, type FromServer } from './program-use.ts';

function used() {
  let ends = 0;
  const reported: FromServer[] = [];
  const use = createProgramUse(
    () => (ends += 1),
    (message) => reported.push(message),
  );
  return { ...use, ends: () => ends, reported };
}

test('a server without a page ends once its parent has left and the last program is gone', () => {
  const { clients, left, ends } = used();
  clients(2);
  left();
  expect(ends()).toBe(0);
  clients(1);
  expect(ends()).toBe(0);
  clients(0);
  expect(ends()).toBe(1);
});

test('a server without a page waits for a parent that has not connected yet, and for one between two messages', () => {
  const { clients, left, ends } = used();
  clients(0);
  clients(1);
  clients(0);
  expect(ends()).toBe(0);
  left();
  expect(ends()).toBe(1);
});

test('a server without a page ends once, and reports each change to its parent', () => {
  const { clients, left, ends, reported } = used();
  left();
  left();
  clients(1);
  clients(0);
  expect(ends()).toBe(1);
  expect(reported).toEqual([
    { type: 'clients', count: 1 },
    { type: 'clients', count: 0 },
  ]);
});
