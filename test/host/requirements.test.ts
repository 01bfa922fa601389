/** Requirements that no other test names: small behaviours of the loop, ids, and the defaults of a profile. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomId } from '../../src/platform/clock.ts';
import { profileFileSchema, type Profile } from '../../src/protocol/model.ts';
import { buildHead } from '../../src/host/prompt/head.ts';
import { estimatePrompt } from '../../src/host/prompt/token-estimate.ts';
import { createHeadSource } from '../../src/host/sessions/head-source.ts';
import type { Store } from '../../src/host/store/store.ts';
import { storeFolder, summary, type StoreFolder } from '../../src/host/store/testing.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { assertValidHistory, call, done, profile, text, thinking, TurnWorld } from '../helpers/turn-world.ts';

describe('what a request and its reply leave in the log', () => {
  it('is one user message, one message per reply with all its calls, then their results in order (F6, Q2)', async () => {
    const world = new TurnWorld(
      [call('echo', {}, 'a'), call('echo', {}, 'b'), done()],
      [call('echo', {}, 'c'), done()],
      [text('Done.'), done()],
    );
    await world.run();
    const pairs = world.messages.map((message) =>
      message.role === 'tool' ? `result ${message.callId}` : message.role,
    );
    expect(pairs).toEqual([
      'user',
      'assistant',
      'result a',
      'result b',
      'assistant',
      'result c',
      'assistant',
    ]);
  });

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

  it("has the model's own call ids where they are new, else an id of tool_ and 12 hex digits (P14)", async () => {
    const world = new TurnWorld(
      [call('echo', {}, 'own'), call('echo', {}, 'own'), call('echo', {}, ''), call('echo'), done()],
      [text('Done.'), done()],
    );
    await world.run();
    const ids = world.messages.flatMap((each) => (each.role === 'tool' ? [each.callId] : []));
    expect(ids[0]).toBe('own');
    expect(new Set(ids).size).toBe(4);
    for (const id of ids.slice(1)) expect(id).toMatch(/^tool_[0-9a-f]{12}$/);
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

describe('a tool that breaks', () => {
  it('is run once more where that can do no harm, and its second result counts (G8, P6)', async () => {
    const { runs, result } = await broken('echo', new Error('a hiccup'), 'fine');
    expect(runs).toEqual(['echo', 'echo']);
    expect(result).toMatch(/^fine/);
  });

  it('is not run a third time: the model reads the second error (G8)', async () => {
    const { runs, result } = await broken('echo', new Error('first'), new Error('second'));
    expect(runs).toEqual(['echo', 'echo']);
    expect(result).toMatch(/^Tool error: second/);
  });

  it('is run once where it changes something (P6)', async () => {
    const { runs, result } = await broken('touch', new Error('half written'));
    expect(runs).toEqual(['touch']);
    expect(result).toMatch(/^Tool error: half written/);
  });
});

describe('thinking', () => {
  it('is asked for as the profile says with every request of the loop, and left to the model where it says nothing (E1)', async () => {
    for (const think of [true, false, undefined]) {
      const world = new TurnWorld([thinking('Hm.'), call('echo'), done()], [text('Done.'), done()]);
      world.active = { ...profile(), think };
      await world.run();
      expect(world.requests.map((request) => request.think)).toEqual([think, think]);
    }
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
        message: 'The conversation has about 950 tokens, the window holds 1000.',
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
    const head = () => createHeadSource(store, profiles, tools).forTurn('s')('test').head.system;
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

it('a profile that says nothing has the defaults of the list (E1, E2, E3, E4, E5, E6, E7, E8, F1, P4, R)', () => {
  expect(profileFileSchema.parse({ name: 'Plain', tools: [] })).toEqual({
    name: 'Plain',
    description: '',
    models: [],
    tools: [],
    approvals: 'auto_read',
    maxIterations: 20,
    contextTokens: 16_384,
    sampling: {},
    firstTokenTimeoutS: 120,
    idleTokenTimeoutS: 60,
    planningEnabled: false,
    planningPhase2Enabled: false,
    planningMandatory: false,
    iterationBudgetEnabled: true,
    goalAnchoringEnabled: true,
    goalAnchoringInterval: 5,
    antiStallEnabled: true,
    antiStallThreshold: 8,
    stepValidationEnabled: false,
    adaptiveReplanEnabled: false,
    subagentPlanningEnabled: false,
    subagentTools: [],
    subagentMaxIterations: 40,
    subagentTimeoutS: 300,
    compactAt: 0.75,
    keepRecentTurns: 8,
    memoryEnabled: true,
    calls: 'auto',
  });
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

/** A turn that calls this tool once; what it brings or throws at each of its runs. */
async function broken(tool: string, ...outcomes: (string | Error)[]) {
  const world = new TurnWorld([call(tool), done()], [text('Done.'), done()]);
  world.onExecute = async () => {
    const next = outcomes.shift() ?? new Error('run too often');
    if (next instanceof Error) throw next;
    return next;
  };
  await world.run();
  return { runs: world.executed, result: world.messages[2]?.content };
}

/** One message whose request is estimated at exactly so many tokens, in a window of 1,000. */
async function send(tokens: number): Promise<TurnWorld> {
  const world = new TurnWorld([text('Yes.'), done()]);
  world.active = profile({ contextTokens: 1_000, iterationBudgetEnabled: false, compactAt: 0 });
  const { head } = world.deps().active();
  const sized = (length: number) =>
    estimatePrompt(head, [{ role: 'user', content: 'x'.repeat(length) }], null);
  let length = 0;
  while (sized(length) < tokens) length += 1;
  expect(sized(length)).toBe(tokens);
  await world.run('x'.repeat(length));
  return world;
}
