import { expect, it } from 'vitest';
import { passingClock } from '../../../test/helpers/passing-clock.ts';
import { pausing, startLimit } from './time-limit.ts';

it('the time of the person does not count, however many questions are open', () => {
  const { clock, pass } = passingClock();
  let ups = 0;
  const limit = startLimit(100, clock, () => (ups += 1));
  pass(40);
  const [first, second] = [limit.pause(), limit.pause()];
  pass(1_000);
  first();
  pass(1_000);
  second();
  pass(59);
  expect(ups).toBe(0);
  pass(1);
  expect(ups).toBe(1);
});

it('an answer after the end starts nothing again', () => {
  const { clock, pass } = passingClock();
  let ups = 0;
  const limit = startLimit(100, clock, () => (ups += 1));
  const resume = limit.pause();
  limit.cancel();
  resume();
  pass(1_000);
  expect(ups).toBe(0);
});

it('a question that ends without an answer lets the time go on', async () => {
  const { clock, pass } = passingClock();
  let ups = 0;
  const limit = startLimit(100, clock, () => (ups += 1));
  const reach = pausing(limit, () => Promise.reject(new Error('The turn was stopped.')));
  await expect(reach({ host: 'a.example', port: 443, isPrivate: false })).rejects.toThrow('stopped');
  pass(100);
  expect(ups).toBe(1);
});
