/** Requirements that no other test names. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomId } from '../../src/platform/clock.ts';
import { toWireError } from '../../src/protocol/errors.ts';
import type { Profile } from '../../src/protocol/model.ts';
import { buildHead } from '../../src/host/prompt/head.ts';
import { estimatePrompt } from '../../src/host/prompt/token-estimate.ts';
import { createHeadSource } from '../../src/host/models/head-source.ts';
import type { Store } from '../../src/host/store/store.ts';
import { storeFolder, summary, type StoreFolder } from '../../src/host/store/testing.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { assertValidHistory, call, done, profile, text, TurnWorld } from '../helpers/turn-world.ts';

async function timesTold(tokens: number): Promise<number> {
  const world = new TurnWorld([call('echo'), done()], [call('echo'), done()], [text('Done.'), done()]);
  world.active = profile({ contextTokens: 10_000, compactAt: 0 });
  await world.run('x'.repeat(tokens * 4));
  expect(world.ending()).toBe('turn/finished');
  return world.items().filter((item) => item.kind === 'note' && item.note === 'window').length;
}

it('a window that fills up is told once in a turn, from 80 % on (P23, I1)', async () => {
  expect(await timesTold(7_000)).toBe(0);
  expect(await timesTold(8_200)).toBe(1);
});

it('a call that was run twice says so on its card (Q5)', async () => {
  const world = new TurnWorld([call('echo'), done()], [text('Done.'), done()]);
  let runs = 0;
  world.onExecute = async () => {
    runs += 1;
    if (runs === 1) throw new Error('boom');
    return 'ok';
  };
  await world.run();
  expect(runs).toBe(2);
  expect(world.events).toContainEqual(
    expect.objectContaining({
      type: 'tool/repaired',
      repairs: [expect.stringContaining('run a second time')],
    }),
  );
});

it('a failure that nobody foresaw is told in these words (S5)', () => {
  expect(toWireError(new Error('secret insides')).message).toBe(
    'I encountered an internal error. Please try again.',
  );
});

describe('what a request and its reply leave in the log', () => {
  it('keeps the text beside calls, and what was said up to the step limit, for person and model (Q3, P5)', async () => {
    const world = new TurnWorld(
      [text('I look.'), call('echo'), done()],
      [text('Again.'), call('echo'), done()],
    );
    world.active = profile({ maxIterations: 2 });
    await world.run();
    expect(world.ending()).toBe('turn/capped');
    const said = world.messages.flatMap((each) => (each.role === 'assistant' ? [each.content] : []));
    expect(said.slice(0, 2)).toEqual(['I look.', 'Again.']);
    const deltas = world.events.flatMap((event) => (event.type === 'item/delta' ? [event.text] : []));
    expect(deltas).toEqual(['I look.', 'Again.']);
    assertValidHistory(world.messages);
  });

  it('has no argument that the model did not write: what a tool needs of its session comes beside them (Q1)', async () => {
    const world = new TurnWorld([call('echo', { value: 'x' }), done()], [text('Done.'), done()]);
    const sessions: string[] = [];
    world.onExecute = async (_name, { sessionId }) => {
      sessions.push(sessionId);
      return 'ok';
    };
    await world.run();
    expect(sessions).toEqual(['s']);
    expect(world.messages[1]).toMatchObject({ calls: [{ args: { value: 'x' } }] });
    expect(world.items().find(({ kind }) => kind === 'tool')).toMatchObject({ args: { value: 'x' } });
  });
});

describe('the window', () => {
  it('takes what stays under 95 percent of it', async () => {
    expect((await send(949)).ending()).toBe('turn/finished');
  });

  it('is too small from exactly there on: nothing is sent, both figures are told (I1, N1, Q21)', async () => {
    const world = await send(950);
    expect(world.requests).toEqual([]);
    expect(world.events).toContainEqual({
      type: 'turn/failed',
      error: {
        code: 'context_overflow',
        message: 'The conversation has about 950 tokens, the window holds 1,000.',
        advice: expect.stringContaining('Summarise it'),
      },
    });
  });

  it('of another profile is measured again before the next request, which is made to fit (Q15)', async () => {
    const world = new TurnWorld([call('echo'), done()], [call('touch'), done()], [text('Done.'), done()]);
    world.onExecute = async (tool) => {
      if (tool === 'echo') return 'word '.repeat(1_600);
      world.active = profile({ id: 'small', contextTokens: 1_000 });
      return 'ok';
    };
    await world.run();
    const [, before, after] = world.requests;
    if (!before || !after) throw new Error('A request is missing.');
    expect([before, after].map(({ plan }) => plan.options.num_ctx)).toEqual([16_384, 1_000]);
    expect(estimatePrompt(before.head, before.messages, null)).toBeGreaterThan(2_000);
    expect(estimatePrompt(after.head, after.messages, null)).toBeLessThan(950);
    expect(world.items().map(({ kind }) => kind)).toContain('summary');
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
  });
});

describe('the head', () => {
  let folder: StoreFolder;
  let store: Store;
  beforeEach(() => {
    folder = storeFolder();
    store = folder.open();
    store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  });
  afterEach(() => folder.remove());

  it('is the persona, a line of three dashes, and the prompt of the profile (J1, S)', () => {
    const { system } = buildHead(
      profile({ systemPrompt: 'You write code.\n' }),
      'You are Andiron.\n',
      new Map(),
    );
    expect(system).toBe('You are Andiron.\n\n---\n\nYou write code.');
  });

  it('is made once for a session and again when profile or persona say something else (J2, P8)', () => {
    let inForce: Profile = profile();
    let persona = 'You are Andiron.';
    const profiles = { resolve: () => inForce, list: () => [inForce], persona: () => persona };
    const tools = new Map();
    const head = () =>
      createHeadSource(store, profiles, tools, { holds: () => true }).forTurn('s')('test').head.system;
    const first = head();
    expect(head()).toBe(first);
    expect(store.getHead('s')?.head.system).toBe(first);
    inForce = profile({ systemPrompt: 'You are another test.' });
    expect(head()).toContain('You are another test.');
    persona = 'You are Bob.';
    expect(head()).toContain('You are Bob.');
  });
});

it('ids have twelve hex digits behind their prefix, and do not repeat (S)', () => {
  const ids = Array.from({ length: 100 }, () => randomId('subagent_'));
  for (const id of ids) expect(id).toMatch(/^subagent_[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(100);
  expect(randomId('tool_')).toMatch(/^tool_[0-9a-f]{12}$/);
});

describe('in the background', () => {
  it('a turn goes on and is kept when its only window closes, and the next window finds it (M1)', async () => {
    const world = await World.start({
      sim: { script: script([rule({}, reply().text('I went on alone.'))]) },
    });
    try {
      const first = await world.openSession();
      const turnId = await first.send('Go on without me');
      first.rpc.close();
      const second = await world.openWindow().follow(first.sessionId);
      expect((await second.closed(turnId)).status).toBe('finished');
      expect(second.items('text')[0]).toMatchObject({ text: 'I went on alone.', cut: false });
    } finally {
      await world.close();
    }
  });
});

/** One message whose request is estimated at exactly so many tokens, in a window of 1,000. */
async function send(tokens: number): Promise<TurnWorld> {
  const world = new TurnWorld([text('Yes.'), done()]);
  world.active = profile({ contextTokens: 1_000, iterationBudgetEnabled: false, compactAt: 0 });
  const { head } = world.ports().model.active();
  const sized = (length: number) =>
    estimatePrompt(head, [{ role: 'user', content: 'x'.repeat(length) }], null);
  let length = 0;
  while (sized(length) < tokens) length += 1;
  expect(sized(length)).toBe(tokens);
  await world.run('x'.repeat(length));
  return world;
}
