import { expect, test } from 'vitest';
import { createPace, createRounds, inSlices } from './event-loop.ts';

/** A clock on which every look takes a millisecond. */
function slowClock() {
  let now = 0;
  return { monotonic: () => (now += 1) };
}

test('A slice ends after about 20 ms, and whatever else is due comes first (audit-S21)', async () => {
  const pace = createPace(slowClock());
  let others = 0;
  const wait = (): void => void setImmediate(() => (others += 1) < 100 && wait());
  wait();
  const seen = await inSlices(Array.from({ length: 200 }), pace, () => others);
  const lengths = [...Map.groupBy(seen, (before) => before).values()].map((slice) => slice.length);
  expect(lengths.length).toBeGreaterThan(8);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(20);
});

test('Work that shares a pace does one slice in each round of the event loop (audit-S21)', async () => {
  const pace = createPace(slowClock());
  let round = 0;
  let isDone = false;
  const count = (): void => void setImmediate(() => ((round += 1), isDone || count()));
  count();
  const rounds: number[] = [];
  const work = async (): Promise<void> => {
    for (let slice = 0; slice < 5; slice += 1) {
      await pace.rest();
      rounds.push(round);
    }
  };
  await Promise.all([work(), work(), work()]);
  isDone = true;
  expect(rounds).toHaveLength(15);
  expect(new Set(rounds).size).toBe(15);
});

test('Many things at once are begun in order, about 20 ms of them in a round of the event loop (audit-S21)', async () => {
  const begin = createRounds(slowClock());
  const ended = Promise.withResolvers<void>();
  let round = 0;
  let isDone = false;
  const count = (): void => void setImmediate(() => ((round += 1), isDone || count()));
  count();
  const begun: [number, number][] = [];
  for (let index = 0; index < 100; index += 1)
    begin(() => void (begun.push([index, round]), index === 99 && ended.resolve()));
  expect(begun.length).toBeGreaterThan(0);
  await ended.promise;
  isDone = true;
  expect(begun.map(([index]) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  const lengths = [...Map.groupBy(begun, ([, each]) => each).values()].map((each) => each.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(20);
});
