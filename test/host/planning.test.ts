/** Planning in the loop (D, P1): what is asked, what stays in the log, what the person sees, and what skips it. */
import type { ReplyEvent } from '../../src/host/providers/provider.ts';
import { describe, expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import type { ItemOf } from '../../src/protocol/model.ts';
import {
  directInstruction,
  executeInstruction,
  planInstruction,
  proposeInstruction,
  reviewInstruction,
} from '../../src/host/planning/instructions.ts';
import { newStep } from '../../src/host/planning/todo-list.ts';
import { spawnAgentTool } from '../../src/host/tools/spawn-agent.ts';
import { said, analysis, plan, answer, planning, contents, phases } from '../helpers/planned-turns.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import {
  assertValidHistory,
  call,
  done,
  text,
  thinking,
  type TurnWorld,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

const plans = (world: TurnWorld): ItemOf<'plan'>[] =>
  world.shown().filter((item): item is ItemOf<'plan'> => item.kind === 'plan');

const failure = (): Error => new AndironError('stream_first_token_timeout', 'Nothing came.', 'Wait.');
const unread = (words: string): ReplyEvent => ({
  type: 'call',
  name: 'echo',
  args: {},
  id: undefined,
  unread: words,
});
/** All phases and an answer. */
const whole = (): ScriptedReply[] => [analysis('yes'), said('**Critic:** none'), plan, answer];

describe('the phases', () => {
  it('DIRECT stays in the log with its trigger, and out of the chat (D7)', async () => {
    const world = planning({}, said('DIRECT'), answer);
    await world.run('Say hello');
    expect(contents(world)).toEqual([
      expect.stringMatching(/^Say hello\n\n\[andiron note\] .*\n\n\[andiron note\] Do not start yet\./s),
      'DIRECT',
      directInstruction,
      'Hello.',
    ]);
    expect(world.items().map((item) => item.kind)).toEqual(['user', 'text']);
    expect(phases(world)).toEqual([1, null]);
  });

  it('an analysis is followed by the plan and its trigger, each growing the same prompt (D5, D7, D9)', async () => {
    const world = planning({}, analysis('no'), plan, answer);
    await world.run('Say hello');
    expect(contents(world).slice(1)).toEqual([
      'Goal: greet.\nRisks: none.\nREFLECT: no',
      planInstruction(false, []),
      '**Steps:**\n**M1: Greet**\n1. Look - TOOL: echo\n2. Greet - SELF',
      executeInstruction(null, false),
      'Hello.',
    ]);
    expect(phases(world)).toEqual([1, 3, null]);
    const sent = world.requests.map(({ messages }) => messages);
    for (const [index, messages] of sent.slice(1).entries())
      expect(messages.slice(0, sent[index]?.length)).toEqual(sent[index]);
  });

  it('the plan becomes an item with its analysis, and fills the todo list (D5, D6, D12)', async () => {
    const world = planning({}, analysis('no'), plan, answer);
    await world.run('Say hello');
    expect(plans(world)).toMatchObject([
      { analysis: 'Goal: greet.\nRisks: none.', review: null, text: expect.stringContaining('**Steps:**') },
    ]);
    expect(world.data.todo().steps).toMatchObject([
      { text: 'Look', milestone: 'M1: Greet', executor: { kind: 'tool', tool: 'echo' }, status: 'pending' },
      { text: 'Greet', milestone: 'M1: Greet', executor: { kind: 'self' }, status: 'pending' },
    ]);
    expect(plans(world)[0]?.steps).toEqual(world.data.todo().steps);
  });

  it.each([
    ['yes', true, true],
    ['no', true, false],
    ['yes', false, false],
  ] as const)('REFLECT %s with the flag at %s reviews: %s (D8, E3)', async (reflect, flag, reviewed) => {
    const review = said('**Critic:** none', '**Plan Adjustments:** be brief');
    const world = planning(
      { planningPhase2Enabled: flag },
      analysis(reflect),
      ...(reviewed ? [review] : []),
      plan,
      answer,
    );
    await world.run('Say hello');
    expect(contents(world).includes(reviewInstruction)).toBe(reviewed);
    expect(contents(world)).toContain(planInstruction(reviewed, []));
    expect(plans(world)[0]?.review).toBe(
      reviewed ? '**Critic:** none\n**Plan Adjustments:** be brief' : null,
    );
    expect(world.ending()).toBe('turn/finished');
  });

  it('a mandatory plan has no way past it, whatever the model says (W18)', async () => {
    const world = planning({ planningMandatory: true }, said('DIRECT'), plan, answer);
    await world.run('Say hello');
    expect(contents(world)[0]).not.toContain('DIRECT');
    expect(plans(world)).toHaveLength(1);
  });

  it('all of it is asked at 0.3 with the head of the profile, so that only the instruction is read (D4)', async () => {
    const sampling = { temperature: 0.9, top_p: 0.5 };
    const world = planning(
      { planningPhase2Enabled: true, sampling },
      analysis('yes'),
      said('Fine.'),
      plan,
      answer,
    );
    await world.run('Say hello');
    expect(world.requests.map((request) => request.sampling.temperature)).toEqual([0.3, 0.3, 0.3, 0.9]);
    expect(new Set(world.requests.map(({ head }) => JSON.stringify(head))).size).toBe(1);
    expect(new Set(world.requests.map((request) => JSON.stringify(request.plan))).size).toBe(1);
  });

  it('subagents are named where the model can start one, with what they are for (D9)', async () => {
    const world = planning({ tools: ['echo', 'spawn_agent'] }, analysis('no'), plan, answer);
    world.moreTools.push(spawnAgentTool());
    world.delegates = [{ id: 'reader', name: 'Reader', description: 'Reads.', current: false }];
    const ports = world.ports();
    world.ports = () => ({ ...ports, tools: { ...ports.tools, agents: noAgents } });
    await world.run('Say hello');
    expect(contents(world).some((each) => each.includes('- reader: Reads.'))).toBe(true);
  });

  it('the analysis and the plan are never taken for the answer (W17)', async () => {
    const world = planning({}, analysis('no'), plan, answer);
    await world.run('Say hello');
    expect(world.items().filter((item) => item.kind === 'text')).toHaveLength(1);
    expect(world.shown().flatMap((item) => (item.kind === 'text' ? [item.text] : []))).toEqual(['Hello.']);
    expect(world.messages.at(-2)).toMatchObject({ role: 'user' });
  });

  it('roles alternate from the first message to the answer', async () => {
    const world = planning({ planningPhase2Enabled: true }, analysis('yes'), said('Fine.'), plan, answer);
    await world.run('Say hello');
    const roles = world.messages.map(({ role }) => role);
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
    assertValidHistory(world.messages);
  });
});

describe('a call in phase 1', () => {
  it('means DIRECT: it is run as iteration 1, with its text and thinking as items', async () => {
    const first = [thinking('Easy.'), text('I look.'), call('echo', {}, 'a'), done()];
    const world = planning({ maxIterations: 2 }, first, answer);
    await world.run('Say hello');
    expect(world.executed).toEqual(['echo']);
    expect(world.items().map(({ kind }) => kind)).toEqual([
      'user',
      'thinking',
      'text',
      'tool',
      'note',
      'text',
    ]);
    expect(world.requests).toHaveLength(2);
    expect(contents(world).slice(1)).toEqual(['I look.', expect.stringMatching(/^echo was run/), 'Hello.']);
    expect(world.ending()).toBe('turn/finished');
  });

  it('that cannot be run is explained to the model like any other', async () => {
    const world = planning({}, [call('nope'), done()], answer);
    await world.run('Say hello');
    expect(contents(world)[2]).toContain('no tool named nope');
    assertValidHistory(world.messages);
  });

  it('whose arguments could not be read is not run without them, however many there are', async () => {
    const world = planning({}, [unread('{"value": a'), unread('{"value": b'), done()], answer);
    await world.run();
    expect(world.executed).toEqual([]);
    const cards = world.items().filter((item) => item.kind === 'tool');
    expect(cards.map(({ args }) => args)).toEqual(['{"value": a', '{"value": b']);
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
  });
});

it('A verdict whose thought is blank skips the plan without a word (audit-A14)', async () => {
  const world = planning({}, [thinking(' \n'), done()], answer);
  await world.run('Say hello');
  expect(world.items().map(({ kind }) => kind)).toEqual(['user', 'text']);
});

describe('planning is skipped without a word (X12 e)', () => {
  it.each<[string, ScriptedReply[]]>([
    ['an empty verdict', [[done()]]],
    ['a verdict that never came', [[failure()]]],
    ['a refused verdict', [[new AndironError('engine_refused', 'No.', 'Wait.')]]],
    ['an empty plan', [analysis('no'), [done()]]],
    ['a plan that never came', [analysis('no'), [failure()]]],
    ['a call in place of the plan', [analysis('no'), [call('touch'), done()]]],
  ])('%s', async (_, replies) => {
    const world = planning({}, ...replies, answer);
    await world.run('Say hello');
    expect(world.items().map(({ kind }) => kind)).toEqual(['user', 'text']);
    expect(contents(world)).toContain(directInstruction);
    expect(world.executed).toEqual([]);
    expect(world.data.todo().steps).toEqual([]);
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
    expect(phases(world).at(-1)).toBeNull();
  });

  it.each<[string, ScriptedReply[], string, 'stop' | 'length']>([
    ['a verdict', [], 'only thought', 'stop'],
    ['a verdict at its limit', [], 'thought until its output limit', 'length'],
    ['a plan', [analysis('no')], 'only thought', 'stop'],
  ])('%s of thoughts alone says why there is no plan (audit-A5, D4)', async (_, before, why, reason) => {
    const world = planning({}, ...before, [thinking('Hm.'), done({}, reason)], answer);
    await world.run('Say hello');
    const problem = `The model ${why} and wrote no plan, so the work began without one.`;
    expect(plans(world)).toMatchObject([{ steps: [], problem }]);
    expect(contents(world)).toContain(directInstruction);
    expect(world.data.todo().steps).toEqual([]);
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
  });

  it.each([
    [['completion', 'tools', 'thinking'], undefined, 6_000],
    [['completion', 'tools', 'thinking'], false, 2_000],
    [['completion', 'tools'], undefined, 2_000],
  ])('the limit of a plan counts its text alone: %j, think %s (audit-A5, D4)', async (can, think, limit) => {
    const world = planning({ think }, analysis('no'), plan, answer);
    world.leased = { capabilities: can };
    await world.run('Say hello');
    expect(world.requests.slice(0, 2).map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([limit, limit]);
  });

  it.each<[string, ScriptedReply, string, boolean]>([
    ['a plan without numbers', said('- look', '- greet'), 'The plan has no steps that could be read', false],
    [
      'a plan that broke off',
      [text('**Steps:**\n1. Lo'), new AndironError('stream_cut', 'cut')],
      'The plan broke off',
      true,
    ],
  ])('%s stays as it was written and says why it is none (audit-A12, D3)', async (_, reply, why, cut) => {
    const world = planning({}, analysis('no'), reply, answer);
    await world.run('Say hello');
    const problem = `${why}, so the work began without one.`;
    expect(plans(world)).toMatchObject([{ steps: [], problem, cut }]);
    expect(plans(world)[0]?.completedAt).not.toBeNull();
    expect(plans(world)[0]?.text).toMatch(cut ? /^\*\*Steps:\*\*\n$/ : /^- look\n- greet$/);
    expect(contents(world)).toContain(directInstruction);
    expect(world.data.todo().steps).toEqual([]);
  });

  it('a failed review leaves the plan', async () => {
    const world = planning({ planningPhase2Enabled: true }, analysis('yes'), [failure()], plan, answer);
    await world.run('Say hello');
    expect(plans(world)).toMatchObject([{ review: null }]);
    expect(contents(world)).toContain(planInstruction(false, []));
    assertValidHistory(world.messages);
  });

  it('a plan that is written for more than two minutes (R)', async () => {
    const world = planning({}, analysis('no'), [text('**Steps:**'), 'hang'], answer);
    const clock = skippableClock();
    world.clock = clock;
    let shown = 0;
    world.onEvent = (event) => {
      if (event.type === 'turn/phase' && event.phase === 'text' && (shown += 1) === 2)
        queueMicrotask(() => clock.skip(120_000));
    };
    await world.run('Say hello');
    expect(contents(world)).toContain(directInstruction);
    expect(world.ending()).toBe('turn/finished');
  });
});

const noAgents = () => ({ spawn: () => Promise.reject(new Error('not here')) });

describe('Stop while it plans', () => {
  it('in each phase, and at each event, leaves a history that goes on (H1, X12 a)', async () => {
    const all = planning({ planningPhase2Enabled: true }, ...whole());
    await all.run('Say hello');
    const stoppedIn = new Set<number | null>();
    for (let at = 1; at < all.events.length - 1; at += 1) {
      const world = planning({ planningPhase2Enabled: true }, ...whole());
      world.onEvent = () => {
        if (world.events.length === at) world.stop();
      };
      await world.run('Say hello');
      assertValidHistory(world.messages);
      expect(world.messages.at(-1)?.role).toBe('assistant');
      if (world.ending() !== 'turn/stopped') continue;
      stoppedIn.add(phases(world).findLast((phase) => phase !== null) ?? null);
      expect(world.items().at(-1)).toMatchObject({ kind: 'stopped', stillLoaded: true });
      expect([world.leases, world.released]).toEqual([1, 1]);
    }
    expect(stoppedIn).toEqual(new Set([null, 1, 2, 3]));
  });
});

describe('a plan as it is written', () => {
  const lines = ['**Steps:**\n1. Lo', 'ok - TOOL: echo\n2. Gr', 'eet - SELF'];

  it('shows its lines as they come, and its steps at the end (audit-A12)', async () => {
    const world = planning({}, analysis('no'), [...lines.map(text), done()], answer);
    await world.run('Say hello');
    const told = world.events.flatMap((event) => {
      if (event.type === 'item/started') return event.item.kind === 'plan' ? ['started'] : [];
      if (event.type === 'item/delta') return [event.text];
      return event.type === 'item/rewritten' ? [`${String(event.steps?.length)} steps`] : [];
    });
    expect(told).toEqual(['started', '**Steps:**\n', '1. Look - TOOL: echo\n', '2 steps', 'Hello.']);
    const at = (type: string): number => world.types().indexOf(type);
    expect(at('item/delta')).toBeLessThan(at('item/rewritten'));
    expect(plans(world)).toMatchObject([
      { text: lines.join(''), cut: false, steps: world.data.todo().steps },
    ]);
  });

  it('is closed and keeps its lines when it is stopped in the middle (audit-A12)', async () => {
    const world = planning({}, analysis('no'), [text('**Steps:**\n1. Lo'), 'hang']);
    world.onEvent = (event) => {
      if (event.type === 'item/delta') world.stop();
    };
    await world.run('Say hello');
    expect(world.ending()).toBe('turn/stopped');
    expect(plans(world)).toMatchObject([{ text: '**Steps:**\n', steps: [], cut: true }]);
    assertValidHistory(world.messages);
  });
});

const onlyPlans = (...replies: ScriptedReply[]): TurnWorld => {
  const world = planning({}, ...replies);
  world.input = { plansOnly: true };
  return world;
};

describe('a turn of a session that only plans', () => {
  it('says so to the model, and asks for the plan once it has answered', async () => {
    const world = onlyPlans(answer, plan);
    await world.run('Say hello');
    expect(contents(world)).toEqual([
      expect.stringMatching(/^Say hello\n\n(?!.*Do not start yet).*Only plan: nothing may be changed/s),
      'Hello.',
      proposeInstruction([]),
      expect.stringContaining('**Steps:**'),
    ]);
    expect(plans(world)).toMatchObject([{ proposed: true, steps: [{ text: 'Look' }, { text: 'Greet' }] }]);
    expect(phases(world)).toEqual([3, null]);
    assertValidHistory(world.messages);
  });

  it('asks for no plan behind an answer that its limit cut', async () => {
    const world = onlyPlans([text('Hel'), done({}, 'length')]);
    await world.run('Say hello');
    expect(world.requests).toHaveLength(1);
    expect(plans(world)).toEqual([]);
  });

  it.each([
    ['breaks off', [failure()], 'The plan broke off.'],
    [
      'is one line that is neither a plan nor DIRECT',
      said('Sure.'),
      'The plan has no steps that could be read.',
    ],
  ])('tells of a plan that %s', async (_what, reply, problem) => {
    const world = onlyPlans(answer, reply);
    await world.run('Say hello');
    expect(plans(world)).toMatchObject([{ steps: [], problem: expect.stringContaining(problem) }]);
    expect(world.ending()).toBe('turn/finished');
  });

  it('leaves no card open when it is stopped in the middle of its plan', async () => {
    const world = onlyPlans(answer, plan);
    world.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text.includes('Steps')) world.stop();
    };
    await world.run('Say hello');
    const [card] = plans(world);
    expect(world.events).toContainEqual({ type: 'item/completed', itemId: card?.id, cut: true });
    expect(world.ending()).toBe('turn/stopped');
  });

  it('is planned by nobody else where it carries a plan out', async () => {
    const world = planning({}, answer);
    world.input = { steps: [newStep('step_1', 'Greet')] };
    await world.run('Carry out the plan.');
    expect(world.requests).toHaveLength(1);
    expect(plans(world)).toMatchObject([{ steps: [{ text: 'Greet' }] }]);
  });
});
