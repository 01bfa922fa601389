/** Planning in the loop (D, P1): what is asked, what stays in the log, what the person sees, and what skips it. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AndironError } from '../../src/protocol/errors.ts';
import type { Item, ItemOf, Profile } from '../../src/protocol/model.ts';
import {
  directInstruction,
  executeInstruction,
  planInstruction,
  reviewInstruction,
} from '../../src/host/planning/instructions.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from '../../src/host/planning/todo.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { spawnAgentTool } from '../../src/host/tools/spawn-agent.ts';
import { todoTool } from '../../src/host/tools/todo.ts';
import type { Tool } from '../../src/host/tools/tool.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import {
  assertValidHistory,
  call,
  done,
  profile,
  text,
  thinking,
  TurnWorld,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

const said = (...words: string[]): ScriptedReply => [text(words.join('\n')), done()];
const analysis = (reflect: 'yes' | 'no') => said('Goal: greet.', 'Risks: none.', `REFLECT: ${reflect}`);
const plan = said('**Steps:**', '**M1: Greet**', '1. Look - TOOL: echo', '2. Greet - SELF');
const answer = said('Hello.');

function planning(changes: Partial<Profile>, ...replies: ScriptedReply[]): TurnWorld {
  const world = new TurnWorld(...replies);
  world.active = profile({ planningEnabled: true, ...changes });
  return world;
}

const contents = (world: TurnWorld): string[] => world.messages.map(({ content }) => content);
const plans = (world: TurnWorld): ItemOf<'plan'>[] =>
  world.items().filter((item: Item): item is ItemOf<'plan'> => item.kind === 'plan');
const phases = (world: TurnWorld) =>
  world.events.flatMap((event) => (event.type === 'planning/status' ? [event.phase] : []));
const notes = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? [item.text] : []));

const npmTest = (exitCode: number): Tool =>
  defineTool({
    name: 'run',
    description: 'Runs the tests.',
    parameters: z.object({}),
    mutates: true,
    retrySafe: false,
    timeoutMs: 1_000,
    subject: () => 'npm test',
    need: () => ({ risk: 'execute', summary: 'npm test', mutates: '', sandboxed: false, scopes: ['once'] }),
    execute: async () => {
      const display = { kind: 'command' as const, command: 'npm  test', exitCode, signal: null };
      return { ok: exitCode === 0, content: `exit ${String(exitCode)}`, display };
    },
  });

const todo = todoTool({
  rules: { renderTodo, setStatus, setSteps, summarizeTodo },
  mustValidate: () => false,
});

const failure = (): Error => new AndironError('stream_first_token_timeout', 'Nothing came.', 'Wait.');
/** All phases and an answer. */
const whole = (): ScriptedReply[] => [analysis('yes'), said('**Critic:** none'), plan, answer];
const checked = (check: string): ScriptedReply =>
  said('**Steps:**', '1. Make it - TOOL: touch', `   CHECK: ${check}`, '2. Greet - SELF');

describe('the phases', () => {
  it('DIRECT stays in the log with its trigger, and out of the chat (D7, design 4)', async () => {
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

  it('all of it is asked at 0.3 with the head of the profile, so that only the instruction is read (D4, design 5.5)', async () => {
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
    const deps = world.deps();
    world.deps = () => ({ ...deps, agents: () => ({ spawn: () => Promise.reject(new Error('not here')) }) });
    await world.run('Say hello');
    expect(contents(world).some((each) => each.includes('- reader: Reads.'))).toBe(true);
  });

  it('the analysis and the plan are never taken for the answer (W17)', async () => {
    const world = planning({}, analysis('no'), plan, answer);
    await world.run('Say hello');
    expect(world.items().filter((item) => item.kind === 'text')).toHaveLength(1);
    const deltas = world.events.flatMap((event) => (event.type === 'item/delta' ? [event.text] : []));
    expect(deltas).toEqual(['Hello.']);
    expect(world.messages.at(-2)).toMatchObject({ role: 'user' });
  });

  it('roles alternate from the first message to the answer (design 5.3)', async () => {
    const world = planning({ planningPhase2Enabled: true }, analysis('yes'), said('Fine.'), plan, answer);
    await world.run('Say hello');
    const roles = world.messages.map(({ role }) => role);
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
    assertValidHistory(world.messages);
  });
});

describe('a call in phase 1', () => {
  it('means DIRECT: it is run as iteration 1, with its text and thinking as items (design 4)', async () => {
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
});

describe('planning is skipped without a word (X12 e)', () => {
  it.each<[string, ScriptedReply[]]>([
    ['an empty verdict', [[done()]]],
    ['a verdict of thoughts alone', [[thinking('Hm.'), done()]]],
    ['a verdict that never came', [[failure()]]],
    ['a refused verdict', [[new AndironError('engine_refused', 'No.', 'Wait.')]]],
    ['a plan without numbers (D3)', [analysis('no'), said('- look', '- greet')]],
    ['an empty plan', [analysis('no'), [done()]]],
    ['a plan that never came', [analysis('no'), [failure()]]],
    [
      'a plan that broke off',
      [analysis('no'), [text('**Steps:**\n1. Lo'), new AndironError('stream_cut', 'cut')]],
    ],
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
    const deps = world.deps();
    world.deps = () => ({ ...deps, clock });
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

describe('the steps', () => {
  it('are ticked by the file that the host saw, not by what the model says (design 4)', async () => {
    const world = planning({}, analysis('no'), checked('file a.txt'), [call('touch'), done()], answer);
    let there = false;
    world.onExecute = async () => ((there = true), 'made');
    world.onLook = async () => ({ passed: there, text: there ? 'exists, 3 bytes' : 'is not there' });
    await world.run('Make a.txt');
    expect(world.data.todo().steps[0]).toMatchObject({
      status: 'done',
      evidence: { text: 'exists, 3 bytes' },
    });
    expect(notes(world)).toContain('Step 1 (Make it) is done: exists, 3 bytes.');
  });

  it('are ticked by the very command that ran, and never by one that nobody asked for', async () => {
    for (const [exitCode, evidence] of [
      [0, { text: 'exit 0' }],
      [1, null],
    ] as const) {
      const world = planning(
        { tools: ['run'] },
        analysis('no'),
        checked('command npm test'),
        [call('run'), done()],
        answer,
      );
      world.moreTools.push(npmTest(exitCode));
      await world.run('Test it');
      expect(world.data.todo().steps[0]).toMatchObject({ status: evidence ? 'done' : 'pending', evidence });
    }
    const unasked = planning({}, analysis('no'), checked('command npm test'), answer);
    await unasked.run('Test it');
    expect(unasked.data.todo().steps[0]?.evidence).toBeNull();
  });

  it('that hold before any work lose their check, which would prove nothing', async () => {
    const world = planning({}, analysis('no'), checked('file a.txt'), [call('touch'), done()], answer);
    world.onLook = async () => ({ passed: true, text: 'exists, 3 bytes' });
    await world.run('Make a.txt');
    expect(world.data.todo().steps[0]).toMatchObject({ status: 'pending', check: null, evidence: null });
  });

  it('that the model calls done without evidence are shown as unproved (design 4)', async () => {
    const world = planning(
      { tools: ['touch', 'todo'] },
      analysis('no'),
      checked('file a.txt'),
      [call('todo', { action: 'done', step: 1 }), done()],
      answer,
    );
    world.moreTools.push(todo);
    await world.run('Make a.txt');
    const [step] = world.data.todo().steps;
    expect(step).toMatchObject({ status: 'done', evidence: null });
    expect(renderTodo(world.data.todo())).toContain('unproved');
    expect(contents(world)).toContain(executeInstruction(null, true));
  });
});

describe('plans as models write them', () => {
  it('never come without somebody who watches (A1, D1)', async () => {
    const world = planning({ planningMandatory: true }, answer);
    world.mayPlan = false;
    await world.run('Say hello');
    expect(world.requests).toHaveLength(1);
    expect(contents(world)[0]).not.toContain('Do not start yet');
    expect(phases(world)).toEqual([]);
  });

  it('of 40 steps keep the first 15, and say so (D10)', async () => {
    const long = said(
      '**Steps:**',
      ...Array.from({ length: 40 }, (_, n) => `${String(n + 1)}. Do thing ${String(n + 1)} - SELF`),
    );
    const world = planning({}, analysis('no'), long, answer);
    await world.run('Do 40 things');
    expect(world.data.todo().steps).toHaveLength(15);
    expect(notes(world)).toContainEqual(
      expect.stringContaining('The plan had 40 steps; the first 15 were kept.'),
    );
    expect(world.ending()).toBe('turn/finished');
  });

  it("with tools that do not exist are the agent's own there, and say so", async () => {
    const world = planning(
      {},
      analysis('no'),
      said('**Steps:**', '1. Fly - TOOL: fly_away', '2. Look - TOOL: echo'),
      answer,
    );
    await world.run('Fly');
    expect(world.data.todo().steps.map(({ executor }) => executor.kind)).toEqual(['self', 'tool']);
    expect(notes(world).join(' ')).toMatch(/Step 1: .*fly_away.*agent's own/);
  });

  it('that contradict themselves are kept as they are, in order, without what is said twice', async () => {
    const odd = said(
      '**Steps:**',
      '3. Delete a.txt - SELF',
      '1. Create a.txt - SELF',
      '2. Never touch a.txt - SELF',
      '2. Create a.txt - SELF',
    );
    const world = planning({}, analysis('no'), odd, answer);
    await world.run('Do it');
    expect(world.data.todo().steps.map(({ text: each }) => each)).toEqual([
      'Delete a.txt',
      'Create a.txt',
      'Never touch a.txt',
    ]);
    // Its numbers are not those of the list, so the model reads the list.
    expect(contents(world)).toContain(executeInstruction(renderTodo(world.data.todo()), false));
    expect(notes(world)).toContainEqual(expect.stringContaining('repeated'));
  });
});

it('a planned turn goes through the whole house and is ticked from the file that it wrote (D, design 4)', async () => {
  const world = await World.start({
    sim: {
      script: sequence(
        reply().text('Goal: a note.\nREFLECT: no'),
        reply().text('**Steps:**\n1. Write the note - TOOL: write_file\n   CHECK: text "milk" in note.txt'),
        reply().toolCall('write_file', { path: 'note.txt', content: 'eggs\nmilk\n' }),
        reply().text('It is written.'),
      ),
    },
  });
  try {
    const { rpc } = world.openWindow();
    await rpc.call('profile/update', { profileId: 'developer', changes: { planningEnabled: true } });
    const session = await world.openSession();
    const turnId = await session.send('Note milk');
    await session.answer('allow');
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(session.items('plan')).toHaveLength(1);
    expect(session.state.todo?.steps).toMatchObject([
      { status: 'done', evidence: { text: 'found in line 2' } },
    ]);
  } finally {
    await world.close();
  }
});
