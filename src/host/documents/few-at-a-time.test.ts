import { expect, test } from 'vitest';
import { fewAtATime } from './few-at-a-time.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, start, end: (name: string): void => ends.get(name)?.() };
}

test('No more run at a time than may, and the others follow in their order', async () => {
  const { begun, start, end } = works();
  const inTurn = fewAtATime(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => inTurn(start(name), never));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await all[1];
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  end('a');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('One that fails makes room as well', async () => {
  const inTurn = fewAtATime(1);
  await expect(inTurn(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
  expect(await inTurn(() => Promise.resolve('next'), never)).toBe('next');
});

test('One that is stopped before its turn never begins, and holds up nobody', async () => {
  const { begun, start, end } = works();
  const inTurn = fewAtATime(1);
  const first = inTurn(start('first'), never);
  const stop = new AbortController();
  const stopped = inTurn(start('stopped'), stop.signal);
  const last = inTurn(start('last'), never);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  end('first');
  await first;
  await expect.poll(() => begun).toEqual(['first', 'last']);
  end('last');
  expect(await last).toBe('last');
});
