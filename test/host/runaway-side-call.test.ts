/** Side calls that run in circles or past their bound: each is closed, and what stood before that is used. */
import { expect, test } from 'vitest';
import type { ItemOf } from '../../src/protocol/model.ts';
import { directInstruction } from '../../src/host/planning/instructions.ts';
import type { ReplyEvent } from '../../src/host/providers/provider.ts';
import { after, summaries } from '../helpers/full-window.ts';
import { analysis, contents, notes, planning } from '../helpers/planned-turns.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import {
  assertValidHistory,
  call,
  done,
  text,
  thinking,
  type ScriptedReply,
  type TurnWorld,
} from '../helpers/turn-world.ts';

/** So many events that a client which never cuts would take them all. */
const endless = 20_000;
const answer: ScriptedReply = [text('Hello.'), done()];
const steps = '**Steps:**\n1. Look - TOOL: echo\n2. Greet - SELF\n';
/** A step that no other is like. */
const anotherStep = (nth: number): ReplyEvent =>
  text(`${String(nth + 1)}. Do part ${String(nth)} of it - SELF\n`);

interface Stream {
  /** Events that the client took. */
  taken: number;
  /** By the client, as it closes what it stops. */
  closed: boolean;
}

/** What comes before the reply that does not end, and after it. */
function runOn(world: TurnWorld, before: ScriptedReply[], event: (nth: number) => ReplyEvent): Stream {
  const stream: Stream = { taken: 0, closed: false };
  const others = [...before, null, answer];
  world.provider = {
    async *stream(_request, signal) {
      const reply = others.shift();
      yield { type: 'opened' };
      if (reply !== null) {
        yield* (reply ?? answer) as ReplyEvent[];
        return;
      }
      try {
        for (; stream.taken < endless; stream.taken += 1) yield event(stream.taken);
        yield done({}, 'length');
      } finally {
        stream.closed = signal.aborted;
      }
    },
  };
  return stream;
}

const plans = (world: TurnWorld): ItemOf<'plan'>[] =>
  world.shown().filter((item): item is ItemOf<'plan'> => item.kind === 'plan');
const stepsOf = (world: TurnWorld): string[] => world.data.todo().steps.map((step) => step.text);

test('A plan that repeats a step without end is cut, and its steps are used (audit-E4)', async () => {
  const world = planning({}, answer);
  const stream = runOn(world, [analysis('no')], (nth) =>
    text(nth === 0 ? steps : '3. Check the greeting once more - SELF\n'),
  );
  await world.run('Say hello');
  expect(stream.closed).toBe(true);
  expect(stream.taken).toBeLessThan(60);
  expect(stepsOf(world)).toEqual(['Look', 'Greet', 'Check the greeting once more']);
  expect(plans(world)).toMatchObject([{ cut: false, steps: world.data.todo().steps }]);
  expect(plans(world)[0]?.text.length).toBeLessThan(200);
  expect(world.messages.at(-1)).toMatchObject({ content: 'Hello.' });
  assertValidHistory(world.messages);
});

test('A plan of an engine that does not count tokens is cut at its bound, and used (audit-E4)', async () => {
  const world = planning({}, answer);
  const stream = runOn(world, [analysis('no')], anotherStep);
  await world.run('Say hello');
  expect(stream.closed).toBe(true);
  expect(stream.taken).toBeLessThan(1_000);
  expect(stepsOf(world)).toHaveLength(15);
  expect(world.ending()).toBe('turn/finished');
});

test('A plan that is not written to its end in two minutes is used as far as it came (audit-E4, R)', async () => {
  const world = planning({}, analysis('no'), [text(steps), 'hang'], answer);
  const clock = skippableClock();
  world.clock = clock;
  let shown = 0;
  world.onEvent = (event) => {
    if (event.type === 'turn/phase' && event.phase === 'text' && (shown += 1) === 2)
      queueMicrotask(() => clock.skip(120_000));
  };
  await world.run('Say hello');
  expect(stepsOf(world)).toEqual(['Look', 'Greet']);
  expect(world.ending()).toBe('turn/finished');
});

test('A verdict that only thinks in circles is cut, and the work begins without a plan (audit-E4)', async () => {
  const world = planning({}, answer);
  const stream = runOn(world, [], () => thinking('Wait, that is not right, so once more. '));
  await world.run('Say hello');
  expect(stream.closed).toBe(true);
  expect(stream.taken).toBeLessThan(60);
  expect(plans(world)).toMatchObject([
    { problem: 'The model thought in circles and wrote no plan, so the work began without one.' },
  ]);
  expect(contents(world)).toContain(directInstruction);
  expect(world.ending()).toBe('turn/finished');
});

test('A call that phase 1 repeats without end runs once (audit-E4, D4)', async () => {
  const world = planning({}, answer);
  const stream = runOn(world, [], () => call('echo', { value: 'a' }));
  await world.run('Say hello');
  expect(stream.taken).toBeLessThan(12);
  expect(world.executed).toEqual(['echo']);
  expect(world.messages.at(-1)).toMatchObject({ content: 'Hello.' });
  assertValidHistory(world.messages);
});

test('Calls of phase 1 that could not be read differ by what was written (audit-E4)', async () => {
  const world = planning({}, answer);
  runOn(world, [], (nth) => ({
    type: 'call',
    name: 'echo',
    args: {},
    id: undefined,
    unread: nth % 2 === 0 ? '{"value": a' : '{"value": b',
  }));
  await world.run('Say hello');
  expect(world.executed).toEqual([]);
  const cards = world.items().filter((item) => item.kind === 'tool');
  expect(cards.map(({ args }) => args)).toEqual(['{"value": a', '{"value": b']);
});

test('A call of phase 1 before thinking that runs in circles runs, and the thinking is short (audit-E4)', async () => {
  const round = 'Wait, that is not right, so once more. ';
  const world = planning({}, answer);
  runOn(world, [], (nth) => (nth === 0 ? call('echo') : thinking(round)));
  await world.run('Say hello');
  expect(world.executed).toEqual(['echo']);
  expect(world.messages.find(({ role }) => role === 'assistant')).toMatchObject({ thinking: round.trim() });
});

test('A summary that runs in circles is cut, and kept up to its first round (audit-E4)', async () => {
  const world = await after(
    [
      [20, 800],
      [20, 800],
    ],
    {},
    answer,
  );
  const round = 'The file was read and then it was read again. ';
  const stream = runOn(world, [], (nth) => text(nth === 0 ? 'Goal: go on. ' : round));
  await world.run('And now?');
  expect(stream.closed).toBe(true);
  expect(stream.taken).toBeLessThan(60);
  expect(summaries(world)).toMatchObject([{ by: 'model', text: `Goal: go on. ${round}`.trim() }]);
  expect(world.ending()).toBe('turn/finished');
});

test('The slot of a side call that was cut is proved, and a lost one is cured (audit-E4)', async () => {
  const world = planning({}, answer);
  runOn(world, [analysis('no')], (nth) =>
    text(nth === 0 ? steps : '3. Check the greeting once more - SELF\n'),
  );
  const proofs = ['silent', 'answered'] as const;
  let proved = 0;
  world.onProve = async () =>
    proofs[proved++] === 'silent' ? { found: 'silent' } : { found: 'answered', promptTokens: 9 };
  await world.run('Say hello');
  expect(proved).toBe(2);
  expect(world.slots.suspect('test-model')).toBe(false);
  expect(notes(world)).toContainEqual(expect.stringContaining('was reloaded in 9 s'));
});

test('A plan whose steps are alike but not the same is not cut before its bound (audit-E4)', async () => {
  const world = planning({}, answer);
  const stream = runOn(world, [analysis('no')], (nth) => (nth < 40 ? anotherStep(nth) : done()));
  await world.run('Say hello');
  expect(stream.taken).toBeGreaterThanOrEqual(40);
  expect(plans(world)[0]?.text).toContain('40. Do part 39 of it');
});
