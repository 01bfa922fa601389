import { expect, it } from 'vitest';
import type { TurnEvent } from '../../protocol/events.ts';
import { coalesce } from './coalesce.ts';

const delta = (itemId: string, text: string): TurnEvent => ({ type: 'item/delta', itemId, text });

function setUp() {
  let due: (() => void) | undefined;
  const published: TurnEvent[] = [];
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (_ms: number, run: () => void) => {
      due = run;
      return { cancel: () => void (due = undefined) };
    },
  };
  return { out: coalesce(clock, (event) => published.push(event)), published, tick: () => due?.() };
}

it('sends the first delta of an item at once and joins those that follow', () => {
  const { out, published, tick } = setUp();
  for (const text of ['a', 'b', 'c']) out.emit(delta('i', text));
  expect(published).toEqual([delta('i', 'a')]);
  tick();
  expect(published).toEqual([delta('i', 'a'), delta('i', 'bc')]);
});

it('flushes what waits before any other event, so order is never changed', () => {
  const { out, published } = setUp();
  out.emit(delta('i', 'a'));
  out.emit(delta('i', 'b'));
  out.emit({ type: 'item/completed', itemId: 'i', cut: false });
  expect(published.map((event) => event.type)).toEqual(['item/delta', 'item/delta', 'item/completed']);
});

it('never joins deltas of different items', () => {
  const { out, published, tick } = setUp();
  for (const each of [delta('i', 'a'), delta('i', 'b'), delta('j', 'c'), delta('j', 'd')]) out.emit(each);
  tick();
  expect(published).toEqual([delta('i', 'a'), delta('i', 'b'), delta('j', 'c'), delta('j', 'd')]);
});
