/** Room in the window (I, P10): when it is made, by whom, to how much, and what is never lost by it. */
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { AndironError } from '../../src/protocol/errors.ts';
import { estimateHead, estimateTokens } from '../../src/host/prompt/token-estimate.ts';
import {
  windowTokens,
  summary,
  after,
  summaries,
  estimated,
  isSummaryRequest,
} from '../helpers/full-window.ts';
import {
  assertValidHistory,
  call,
  done,
  profile,
  text,
  TurnWorld,
  words,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

describe('before a turn (I4)', () => {
  it('older turns become a summary by the model, asked on the live prefix, and the message is answered', async () => {
    const world = await after(
      [
        [20, 800],
        [20, 800],
      ],
      {},
      summary,
      [text('Hello.'), done()],
    );
    const before = [...world.messages];
    await world.run('And now?');
    expect(world.requests.map(isSummaryRequest)).toEqual([true, false]);
    expect(world.requests[0]?.messages.slice(0, -1)).toEqual(before);
    expect(world.requests[0]?.sampling.temperature).toBe(0.3);
    expect(summaries(world)).toMatchObject([{ by: 'model', text: 'Goal: go on.' }]);
    expect(world.requests[1]?.messages.map(({ role }) => role).slice(0, 2)).toEqual(['user', 'assistant']);
    expect(world.requests[1]?.messages[0]?.content).toBe(
      'Workspace folder: /work\n\nSummary of the conversation so far:\nGoal: go on.',
    );
    expect(world.requests[1]?.messages.at(-1)?.content).toMatch(/^And now\?/);
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
  });

  it('the first message alone says where its opening ends, for a summary that comes when memory says something else', async () => {
    const world = await after([[20, 300]], {}, [text('Hello.'), done()]);
    await world.run('And now?');
    const asked = world.messages.filter((message) => message.role === 'user');
    expect(asked.map(({ opening }) => opening)).toEqual(['Workspace folder: /work\n\n'.length, undefined]);
  });

  it('to at most half of the window, and the person is told from what to what', async () => {
    const world = await after(
      [
        [20, 300],
        [20, 300],
        [20, 300],
        [20, 300],
        [20, 500],
      ],
      {},
      summary,
      [text('Hello.'), done()],
    );
    await world.run('And now?');
    const [item] = summaries(world);
    expect(item?.beforeTokens).toBeGreaterThan(0.75 * windowTokens);
    expect(item?.afterTokens).toBeLessThanOrEqual(0.5 * windowTokens);
    expect(estimated(world)).toBeLessThanOrEqual(0.5 * windowTokens);
    // As many turns as fit stay as they were.
    expect(world.messages.length).toBeGreaterThan(4);
  });

  it('keeps as many turns as the profile says at most', async () => {
    const said = Array.from({ length: 14 }, (): [number, number] => [10, 120]);
    const world = await after(said, { keepRecentTurns: 2 }, summary, [text('Hello.'), done()]);
    await world.run('And now?');
    const asked = world.messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => content.slice(0, 3));
    expect(asked).toEqual(['Wor', '#13', 'And']);
  });

  it('not below the threshold, and never where it is 0 (R)', async () => {
    for (const [said, compactAt] of [
      [[[20, 300]], 0.75],
      [
        [
          [20, 800],
          [20, 800],
        ],
        0,
      ],
    ] as [[number, number][], number][]) {
      const world = await after(said, { compactAt }, [text('Hello.'), done()]);
      await world.run('And now?');
      expect(world.requests.map(isSummaryRequest)).toEqual([false]);
      expect(summaries(world)).toEqual([]);
    }
  });

  it.each<[string, ScriptedReply]>([
    ['fails', [new AndironError('engine_refused', 'No.', 'Wait.')]],
    ['says nothing', [done()]],
    ['calls a tool', [call('touch'), done()]],
    ['writes more than there was', [text(words(3000)), done()]],
  ])('by rules where the model %s', async (_, failed) => {
    const world = await after(
      [
        [20, 800],
        [20, 800],
      ],
      {},
      failed,
      [text('Hello.'), done()],
    );
    await world.run('And now?');
    expect(summaries(world)).toMatchObject([
      { by: 'rules', text: expect.stringMatching(/^- asked: #0 word0/) },
    ]);
    expect(world.executed).toEqual([]);
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
  });

  it('a stop in the middle leaves the log as it was, and the message with it', async () => {
    const world = await after(
      [
        [20, 800],
        [20, 800],
      ],
      {},
      [text('Go'), 'hang'],
      [text('Hello.'), done()],
    );
    const before = [...world.messages];
    world.onEvent = (event) => {
      if (event.type === 'turn/phase' && event.phase === 'compacting') queueMicrotask(() => world.stop());
    };
    await world.run('And now?');
    expect(world.ending()).toBe('turn/stopped');
    expect(world.messages.slice(0, before.length)).toEqual(before);
    expect(world.messages.slice(before.length)).toMatchObject([
      { role: 'user', content: expect.stringMatching(/^And now\?/) },
      { role: 'assistant', content: '(stopped by the user)' },
    ]);
    expect(summaries(world)).toEqual([]);
  });

  it('a second compaction folds the first summary in', async () => {
    const world = await after(
      [
        [20, 800],
        [20, 800],
      ],
      {},
      summary,
      [text('Fine.'), done()],
      [text('Fine.'), done()],
      [text('Goal: both.'), done()],
      [text('Hello.'), done()],
    );
    await world.run('And now?');
    for (const more of ['More', 'Even more']) await world.run(`${more} ${words(850)}`);
    expect(summaries(world).map(({ text: each }) => each)).toEqual(['Goal: go on.', 'Goal: both.']);
    // The model read the first one when it wrote the second.
    const second = world.requests.filter(isSummaryRequest)[1];
    expect(second?.messages[0]?.content).toContain('Goal: go on.');
    const all = world.messages.map(({ content }) => content).join('\n');
    expect(all.match(/Summary of the conversation so far:/g)).toHaveLength(1);
    expect(all.match(/Workspace folder/g)).toHaveLength(1);
  });
});

describe('after a turn (I3)', () => {
  it('between turn/finished and turn/closed, so that the next message need not wait', async () => {
    const world = await after([[20, 800]], {}, [text(words(800)), done()], summary);
    await world.run('Go on');
    const types = world.events.map((event) => (event.type === 'item/started' ? event.item.kind : event.type));
    expect(types.indexOf('summary')).toBeGreaterThan(types.indexOf('turn/finished'));
    expect(types.at(-1)).toBe('turn/closed');
    expect(world.requests.map(isSummaryRequest)).toEqual([false, true]);
    assertValidHistory(world.messages);
    expect(world.messages.at(-1)?.role).toBe('assistant');
  });

  it('one long turn alone gives up its older steps', async () => {
    const steps = Array.from({ length: 7 }, (_, n) => [call('echo', { value: String(n) }), done()]);
    const world = new TurnWorld(...steps, [text('Done.'), done()], summary);
    world.active = profile({ contextTokens: windowTokens });
    world.onExecute = async () => words(250);
    await world.run('Read it all');
    expect(summaries(world)).toMatchObject([{ by: 'model', text: 'Goal: go on.' }]);
    expect(estimated(world)).toBeLessThanOrEqual(0.5 * windowTokens);
    expect(world.messages.map(({ content }) => content)).toContainEqual(
      expect.stringMatching(/^Read it all/),
    );
    assertValidHistory(world.messages);
  });

  it('a stop leaves the log as it was, and the answer is still the answer', async () => {
    const world = await after([[20, 800]], {}, [text(words(800)), done()], ['hang']);
    world.onEvent = (event) => {
      if (event.type === 'turn/phase' && event.phase === 'compacting') queueMicrotask(() => world.stop());
    };
    await world.run('Go on');
    expect(world.types().filter((type) => /^turn\/(?:finished|stopped|failed)/.test(type))).toEqual([
      'turn/finished',
    ]);
    expect(world.messages).toHaveLength(4);
    expect([world.leases, world.released]).toEqual([2, 2]);
    expect(world.internalErrors).toEqual([]);
  });
});

/** So many calls, one a reply. */
const reading = (count: number): ScriptedReply[] => [
  ...Array.from({ length: count }, (_, n): ScriptedReply => [call('echo', { value: String(n) }), done()]),
  [text('Done.'), done()],
];

describe('in the middle of a turn (I1, P10)', () => {
  it('at 95 % by rules, without a request of its own, to at most half of the window', async () => {
    const world = new TurnWorld(...reading(14));
    world.active = profile({ contextTokens: windowTokens, compactAt: 0 });
    world.onExecute = async () => words(200);
    await world.run('Read it all');
    expect(world.requests.some(isSummaryRequest)).toBe(false);
    expect(world.requests).toHaveLength(15);
    expect(summaries(world).length).toBeGreaterThan(0);
    for (const { by, beforeTokens, afterTokens } of summaries(world)) {
      expect(by).toBe('rules');
      expect(beforeTokens).toBeGreaterThanOrEqual(Math.floor(0.95 * windowTokens));
      expect(afterTokens).toBeLessThanOrEqual(0.5 * windowTokens);
    }
    for (const { head, messages } of world.requests) {
      expect(estimateHead(head) + estimateTokens(messages)).toBeLessThan(0.95 * windowTokens);
      assertValidHistory(messages);
      expect(messages.some(({ content }) => content.startsWith('Read it all'))).toBe(true);
    }
    expect(world.ending()).toBe('turn/finished');
  });

  it('X12 i: however long calls and results are, pairs stay whole and the message stays', async () => {
    const step = fc.array(fc.nat(1200), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.nat(500), async (steps, asked) => {
        const lengths = steps.flat();
        const world = new TurnWorld(
          ...steps.map((batch, at): ScriptedReply => [
            ...batch.map((_, n) => call('echo', { value: `${String(at)}.${String(n)}` })),
            done(),
          ]),
          [text('Done.'), done()],
        );
        world.active = profile({ contextTokens: windowTokens, compactAt: 0 });
        world.onExecute = async () => words(lengths.shift() ?? 0);
        const message = `Read it: ${words(asked)}`.trim();
        await world.run(message);
        for (const { messages } of world.requests) {
          assertValidHistory(messages);
          expect(messages.filter(({ content }) => content.startsWith(message))).toHaveLength(1);
        }
        assertValidHistory(world.messages);
        expect(['turn/finished', 'turn/failed']).toContain(world.ending());
        const failure = world.items().find((item) => item.kind === 'error');
        expect(failure === undefined || failure.code === 'context_overflow').toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
