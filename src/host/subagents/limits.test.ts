import { expect, it } from 'vitest';
import { skippableClock } from '../../../test/helpers/skippable-clock.ts';
import type { TurnEvent } from '../../protocol/events.ts';
import { createLimits } from './limits.ts';

const started = (id: string, kind: 'thinking' | 'text'): TurnEvent => ({
  type: 'item/started',
  item: { id, turnId: 't', index: 0, startedAt: 0, completedAt: null, cut: false, kind, text: '' },
});
const delta = (itemId: string, text: string): TurnEvent => ({ type: 'item/delta', itemId, text });

function setUp() {
  const clock = skippableClock();
  const turn = new AbortController();
  return { clock, turn, limits: createLimits(300_000, clock, turn.signal) };
}

it('the wall clock runs from the first request on, not while the GPU is waited for', () => {
  const { clock, limits } = setUp();
  clock.skip(1_000_000);
  limits.start();
  clock.skip(290_000);
  expect(limits.ended()).toBeUndefined();
  clock.skip(10_000);
  expect(limits.ended()).toBe('timeout');
  expect(limits.signal.aborted).toBe(true);
});

it('the wall clock stands still while the person is asked, and goes on with what was left', async () => {
  const { clock, limits } = setUp();
  limits.start();
  clock.skip(200_000);
  await limits.whilePaused(async () => clock.skip(1_000_000));
  clock.skip(90_000);
  expect(limits.ended()).toBeUndefined();
  clock.skip(10_000);
  expect(limits.ended()).toBe('timeout');
});

it('thinking stalls after 60 s without text or a call, also when it is asked for once more', () => {
  const { clock, limits } = setUp();
  limits.saw(started('a', 'thinking'));
  clock.skip(59_000);
  limits.saw(started('b', 'thinking'));
  expect(limits.ended()).toBeUndefined();
  clock.skip(1_000);
  limits.saw(delta('b', 'x'));
  expect(limits.ended()).toBe('stalled');
});

it('silence after a thought is no thought: a call may be written in it', () => {
  const { clock, limits } = setUp();
  limits.saw(started('a', 'thinking'));
  limits.saw(delta('a', 'x'));
  clock.skip(120_000);
  expect(limits.ended()).toBeUndefined();
  limits.saw(started('b', 'text'));
  limits.saw(started('c', 'thinking'));
  expect(limits.ended()).toBeUndefined();
});

it('a call that is being written ends a stall', () => {
  const { clock, limits } = setUp();
  limits.saw(started('a', 'thinking'));
  limits.saw({ type: 'turn/phase', phase: 'call' });
  clock.skip(120_000);
  limits.saw(started('b', 'thinking'));
  expect(limits.ended()).toBeUndefined();
});

it('text ends a stall, and what was thought before counts no more', () => {
  const { clock, limits } = setUp();
  limits.saw(started('a', 'thinking'));
  limits.saw(delta('a', 'x'.repeat(11_999)));
  limits.saw(started('b', 'text'));
  clock.skip(60_000);
  limits.saw(started('c', 'thinking'));
  limits.saw(delta('c', 'x'.repeat(11_999)));
  expect(limits.ended()).toBeUndefined();
  limits.saw(delta('c', 'x'));
  expect(limits.ended()).toBe('stalled');
});

it('a stop of the turn is no end of its own, and the first end is the one that is told', () => {
  const { turn, limits } = setUp();
  limits.end('stalled');
  limits.end('stopped');
  expect(limits.ended()).toBe('stalled');
  const other = setUp();
  other.turn.abort();
  other.limits.end('stopped');
  expect([other.limits.ended(), other.limits.signal.aborted, turn.signal.aborted]).toEqual([
    undefined,
    true,
    false,
  ]);
});

it('nothing fires after it was closed', () => {
  const { clock, limits } = setUp();
  limits.start();
  limits.saw(started('a', 'thinking'));
  limits.close();
  clock.skip(10_000_000);
  expect(limits.signal.aborted).toBe(false);
});
