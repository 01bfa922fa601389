import { expect, test } from 'vitest';
import { createEnding } from './ending.ts';

/** A process that is ending, with what it said and the code it ended with. */
function ending() {
  let now = 0;
  const closed = Promise.withResolvers<void>();
  const seen = { closes: 0, exits: [] as number[], said: [] as string[] };
  const signal = createEnding({
    clock: { monotonic: () => now },
    close() {
      seen.closes += 1;
      return closed.promise;
    },
    exit: (code) => void seen.exits.push(code),
    complain: (line) => void seen.said.push(line),
  });
  return { signal, closed, seen, wait: (ms: number) => (now += ms) };
}

test('the process ends without a fault once everything has stopped, and not before (audit-A14)', async () => {
  const { signal, closed, seen } = ending();
  signal();
  await Promise.resolve();
  expect(seen).toEqual({ closes: 1, exits: [], said: [] });
  closed.resolve();
  await closed.promise;
  expect(seen).toEqual({ closes: 1, exits: [0], said: [] });
});

test('what could not be stopped is told, and the process ends with a fault (audit-A14)', async () => {
  const { signal, closed, seen } = ending();
  signal();
  closed.reject(new Error('The host hangs.'));
  await closed.promise.catch(() => undefined);
  expect(seen.exits).toEqual([1]);
  expect(seen.said).toEqual(['Andiron did not stop cleanly: Error: The host hangs.']);
});

test('one signal that arrives several times within a second is one (audit-A14)', () => {
  const { signal, seen, wait } = ending();
  signal();
  signal();
  wait(1_000);
  signal();
  expect(seen).toMatchObject({ closes: 1, exits: [] });
});

test('a second signal, more than a second later, ends the process at once (audit-A14)', () => {
  const { signal, seen, wait } = ending();
  signal();
  wait(1_001);
  signal();
  expect(seen).toMatchObject({ closes: 1, exits: [130] });
});
