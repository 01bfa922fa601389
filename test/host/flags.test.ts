/** Every flag of a profile (E), on and off. Off is compared as whole requests: not one injected byte (X12 f). */
import { describe, expect, it } from 'vitest';
import { profileFileSchema, type Profile } from '../../src/protocol/model.ts';
import { setStatus, setSteps, renderTodo, summarizeTodo } from '../../src/host/planning/todo-list.ts';
import { todoOf } from '../../src/host/planning/testing.ts';
import { withoutNotes } from '../../src/host/prompt/notes.ts';
import type { ModelRequest } from '../../src/host/providers/provider.ts';
import { todoTool } from '../../src/host/tools/todo.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { agentTurn, answer as agentAnswer, other } from '../helpers/agent-world.ts';
import { World } from '../helpers/host-world.ts';
import { call, done, profile, text, TurnWorld, type ScriptedReply } from '../helpers/turn-world.ts';

const off = {
  planningEnabled: false,
  iterationBudgetEnabled: false,
  goalAnchoringEnabled: false,
  antiStallEnabled: false,
  adaptiveReplanEnabled: false,
  stepValidationEnabled: false,
} satisfies Partial<Profile>;

const message = 'Bring everything in order';
const failed = call('todo', { action: 'fail', step: 1, validation: 'no such file' }, 'fail');

/** A failed step, then nothing that moves the list on, until two steps are left. */
const replies = (): ScriptedReply[] => [
  [failed, done()],
  ...Array.from({ length: 10 }, (_, n): ScriptedReply => [
    call('echo', { value: String(n) }, `echo${String(n)}`),
    done(),
  ]),
  [text('I stop here.'), done()],
];

async function run(changes: Partial<Profile>, script = replies()): Promise<TurnWorld> {
  const world = new TurnWorld(...script);
  world.active = profile({ tools: ['echo', 'touch', 'todo'], maxIterations: 12, ...off, ...changes });
  const mustValidate = (): boolean => world.active.stepValidationEnabled;
  world.moreTools.push(todoTool({ rules: { renderTodo, setStatus, setSteps, summarizeTodo }, mustValidate }));
  world.data.setTodo(todoOf({}, {}, {}));
  await world.run(message);
  return world;
}

const contents = ({ messages }: Pick<ModelRequest, 'messages'>): string[] =>
  messages.map(({ content }) => content);
const noteKinds = (world: TurnWorld): string[] => [
  ...new Set(world.items().flatMap((item) => (item.kind === 'note' ? [item.note] : []))),
];

it('have the defaults of the requirements (E, R)', () => {
  expect(profileFileSchema.parse({ name: 'A', tools: [] })).toEqual({
    name: 'A',
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

it('all of them off: the requests hold what was said and what the tools answered, and nothing else (X12 f)', async () => {
  const world = await run({});
  expect(noteKinds(world)).toEqual([]);
  const results = world.events.flatMap((event) => (event.type === 'tool/finished' ? [event.result] : []));
  const last = world.requests.at(-1);
  expect(last && contents(last)).toEqual([message, ...results.flatMap((result) => ['', result])]);
  for (const { sampling, format } of world.requests)
    expect({ sampling, format }).toEqual({ sampling: {}, format: undefined });
});

describe.each<[string, Partial<Profile>, string, RegExp[]]>([
  [
    'the iteration budget (E2)',
    { iterationBudgetEnabled: true },
    'budget',
    [/You have 12 steps for this\./, /7 steps are left/, /3 steps are left/, /This is the last step/],
  ],
  [
    'the goal anchor (E4)',
    { goalAnchoringEnabled: true, goalAnchoringInterval: 5 },
    'goal',
    [/The goal is still: Bring everything in order/, /The goal is still: Bring everything in order/],
  ],
  [
    'the stall warning (E5)',
    { antiStallEnabled: true, antiStallThreshold: 8 },
    'stall',
    [/No step was finished in the last 8 iterations/],
  ],
  ['the replan (E7)', { adaptiveReplanEnabled: true }, 'replan', [/Step 1 \(Do 1\) failed: no such file/]],
])('%s', (_, on, kind, texts) => {
  it('on: speaks at its time, at the end of the newest message, and never again elsewhere', async () => {
    const world = await run(on);
    const notes = contents({ messages: world.messages }).flatMap((each) =>
      each.split('\n\n[andiron note] ').slice(1),
    );
    expect(notes).toEqual(texts.map((each) => expect.stringMatching(each)));
    // The first words stand in the message itself; all later ones are shown as lines of their own.
    expect(noteKinds(world)).toEqual([kind]);
    const sent = world.requests.map(contents);
    for (const [index, each] of sent.slice(1).entries())
      expect(each.slice(0, sent[index]?.length)).toEqual(sent[index]);
  });

  it('off: the requests are the same but for its words', async () => {
    const [with_, without] = [await run(on), await run({})];
    const bare = with_.requests.map((request) => ({
      ...request,
      messages: request.messages.map((each) => ({ ...each, content: withoutNotes(each.content) })),
      timeouts: null,
      maxOutputTokens: 0,
    }));
    expect(bare).toEqual(
      without.requests.map((request) => ({ ...request, timeouts: null, maxOutputTokens: 0 })),
    );
  });
});

describe('the edges of the steering flags', () => {
  it('an interval of 0 is off, and no anchor comes before the first interval is over (Q12)', async () => {
    const never = await run({ goalAnchoringEnabled: true, goalAnchoringInterval: 0 });
    expect(noteKinds(never)).toEqual([]);
    const world = await run({ goalAnchoringEnabled: true, goalAnchoringInterval: 5 });
    const first = world.requests.findIndex((request) =>
      contents(request).some((each) => each.includes('The goal is')),
    );
    expect(first).toBe(5);
  });

  it('without a todo list only equal calls are a stall, and the warning is armed anew (Q11)', async () => {
    const same = Array.from({ length: 6 }, (): ScriptedReply => [call('echo', { value: 'a' }), done()]);
    const world = new TurnWorld(...same, [text('Done.'), done()]);
    world.active = profile({ ...off, antiStallEnabled: true, antiStallThreshold: 3 });
    await world.run(message);
    const warned = world
      .items()
      .flatMap((item) => (item.kind === 'note' && item.note === 'stall' ? [item.text] : []));
    expect(warned).toEqual([
      expect.stringContaining('3 times in a row'),
      expect.stringContaining('3 times in a row'),
    ]);
  });

  it('two steps that fail in one iteration are one prompt that names both (Q13)', async () => {
    const second = call('todo', { action: 'fail', step: 2, validation: 'locked' });
    const world = await run({ adaptiveReplanEnabled: true }, [
      [failed, second, done()],
      [text('So.'), done()],
    ]);
    const [note] = world.items().flatMap((item) => (item.kind === 'note' ? [item.text] : []));
    expect(note).toMatch(/Step 1 .*no such file.*Step 2 .*locked/s);
    expect(world.requests).toHaveLength(2);
  });

  it('notes are never system messages, and never messages of their own (P9, Q11)', async () => {
    const all = {
      iterationBudgetEnabled: true,
      goalAnchoringEnabled: true,
      antiStallEnabled: true,
      adaptiveReplanEnabled: true,
    };
    const [loud, quiet] = [await run(all), await run({})];
    expect(noteKinds(loud).toSorted()).toEqual(['budget', 'goal', 'replan', 'stall']);
    expect(loud.messages.map(({ role }) => role)).toEqual(quiet.messages.map(({ role }) => role));
  });
});

describe('thinking (E1)', () => {
  it.each([true, false, 'high'])('%s goes with every request of the loop', async (think) => {
    const world = await run({ think });
    expect(new Set(world.requests.map((request) => request.think))).toEqual(new Set([think]));
  });

  it('left out is the default of the model', async () => {
    const world = await run({});
    expect(new Set(world.requests.map((request) => request.think))).toEqual(new Set([undefined]));
  });
});

describe('planning (D1, E3, E8)', () => {
  it('off: no phase and not a byte of it', async () => {
    const world = await run({ planningPhase2Enabled: true, planningMandatory: true });
    expect(world.types()).not.toContain('planning/status');
    expect(world.requests.map(contents)).toEqual((await run({})).requests.map(contents));
  });

  it('of subagents off: its briefing is the same with planning on and off', async () => {
    const briefings = [];
    for (const changes of [
      {},
      { planningEnabled: true, planningPhase2Enabled: true, planningMandatory: true },
    ]) {
      const world = agentTurn([agentAnswer], { profile_id: 'other' });
      world.use(other(changes));
      await world.run();
      briefings.push(world.requests[1]?.messages);
    }
    expect(briefings[0]).toEqual(briefings[1]);
  });

  it('of subagents on: asks the subagent for a plan', async () => {
    const world = agentTurn([[text('DIRECT'), done()], agentAnswer], { profile_id: 'other' });
    world.use(other({ planningEnabled: true, subagentPlanningEnabled: true }));
    await world.run();
    expect(world.requests[1]?.messages[0]?.content).toContain('DIRECT');
  });
});

/** The model marks step 1. */
const mark = (action: string, validation?: string): ScriptedReply => [
  call('todo', { action, step: 1, ...(validation !== undefined && { validation }) }),
  done(),
];

describe('step validation (E6, Q14)', () => {
  const end: ScriptedReply = [text('So.'), done()];

  it.each<[boolean, string, string | undefined, string]>([
    [true, 'done', undefined, 'pending'],
    [true, 'done', 'saw the file', 'done'],
    [true, 'fail', undefined, 'failed'],
    [true, 'skip', undefined, 'skipped'],
    [false, 'done', undefined, 'done'],
  ])('at %s: %s with %s leaves the step %s', async (stepValidationEnabled, action, validation, status) => {
    const world = await run({ stepValidationEnabled }, [mark(action, validation), end]);
    expect(world.data.todo().steps[0]?.status).toBe(status);
    const [result = ''] = world.messages.flatMap((each) => (each.role === 'tool' ? [each.content] : []));
    expect(result.startsWith('Error:')).toBe(status === 'pending');
    expect(result.includes('validation is missing')).toBe(status === 'pending');
  });

  it('a done without words after a fail with words is refused (audit-A1, E6)', async () => {
    const replies = [mark('fail', 'no such file'), mark('done'), end];
    const world = await run({ stepValidationEnabled: true }, replies);
    expect(world.data.todo().steps[0]).toMatchObject({ status: 'failed', validation: 'no such file' });
    const results = world.messages.flatMap((each) => (each.role === 'tool' ? [each.content] : []));
    expect(results[1]).toContain('validation is missing');
  });
});

it('a flag that is switched in the middle of a turn is in force from the next iteration on (F10, E2)', async () => {
  const world = await World.start({
    files: { 'a.txt': 'a' },
    sim: {
      script: sequence(
        reply().toolCall('write_file', { path: 'b.txt', content: 'b' }),
        reply().toolCall('read_file', { path: 'a.txt' }),
        reply().text('Done.'),
      ),
    },
  });
  try {
    const { rpc } = world.openWindow();
    const session = await world.openSession();
    const turnId = await session.send('Write b');
    await session.until(({ turns }) => turns[0]?.phase === 'approval');
    await rpc.call('profile/update', { profileId: 'developer', changes: { maxIterations: 5 } });
    await session.answer('allow');
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(session.items('note').map(({ text: each }) => each)).toEqual([
      expect.stringMatching(/^3 steps are left/),
    ]);
  } finally {
    await world.close();
  }
});
