import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines } from './line-reader.ts';

const { signal } = new AbortController();

test('lines that come together are given one after the other', async () => {
  const input = new PassThrough();
  const lines = readLines(input);
  input.write('one\ntwo\n');
  expect([await lines.next(signal), await lines.next(signal)]).toEqual(['one', 'two']);
});

test('who asks for a line from now on gets none that waits, and those that wait are kept', async () => {
  const input = new PassThrough();
  const lines = readLines(input);
  input.write('message\ny\ns\n');
  expect(await lines.next(signal)).toBe('message');
  const answer = lines.nextFromNow(signal);
  input.write('n\n');
  expect(await answer).toBe('n');
  expect([await lines.next(signal), await lines.next(signal)]).toEqual(['y', 's']);
});

test('who asks for a line from now on hears that none can come any more', async () => {
  const input = new PassThrough();
  const lines = readLines(input);
  input.end('message\ny\n');
  expect(await lines.next(signal)).toBe('message');
  expect(await lines.nextFromNow(signal)).toBeNull();
});

test('nobody waits for a line once the signal fires', async () => {
  const stop = new AbortController();
  const lines = readLines(new PassThrough());
  const waiting = lines.nextFromNow(stop.signal);
  stop.abort();
  expect(await waiting).toBeNull();
  expect(await lines.nextFromNow(stop.signal)).toBeNull();
});
