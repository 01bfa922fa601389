/** The invariants of the loop (X12), each under its letter; j, k and p belong to users and platforms, which come later. */
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AndironError } from '../../src/protocol/errors.ts';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { reply, rule, script, sequence, type Script, type TruthEvent } from '../../src/sim/index.ts';
import { agentTurn, answer } from '../helpers/agent-world.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';
import { houseProblems } from '../helpers/house-checks.ts';
import { People } from '../helpers/people.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import {
  assertValidHistory,
  call,
  done,
  profile,
  text,
  thinking,
  TurnWorld,
  words,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

const cancelled = 'operation cancelled by user';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(answers: Script, options: WorldOptions = {}) {
  const world = await World.start({
    files: { 'notes.txt': 'milk\n' },
    ...options,
    sim: { script: answers, ...options.sim },
  });
  worlds.push(world);
  return { world, session: await world.openSession() };
}

interface Sent {
  messages: { role: string; content: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
}
const bodies = (world: World): Sent[] =>
  world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').map(({ body }) => body as Sent);

const results = (world: TurnWorld): string[] =>
  world.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

/** Two calls at once, one more, an answer. */
const working = (): ScriptedReply[] => [
  [thinking('Both.'), text('I look.'), call('echo', {}, 'a'), call('touch', {}, 'b'), done()],
  [call('echo', { value: 'again' }, 'c'), done()],
  [text('Done.'), done()],
];

describe('X12 a: every call has exactly one result, in order', () => {
  it('whenever the turn is stopped', async () => {
    const whole = new TurnWorld(...working());
    await whole.run();
    for (let at = 1; at < whole.events.length; at += 1) {
      const world = new TurnWorld(...working());
      world.onEvent = () => {
        if (world.events.length === at) world.stop();
      };
      await world.run();
      assertValidHistory(world.messages);
      expect(world.messages.at(-1)?.role).toBe('assistant');
      expect(world.types().at(-1)).toBe('turn/closed');
    }
  });

  it('at the cap', async () => {
    const world = new TurnWorld(...working());
    world.active = profile({ maxIterations: 2 });
    await world.run();
    expect(world.ending()).toBe('turn/capped');
    expect(results(world)).toHaveLength(3);
    assertValidHistory(world.messages);
  });

  it('when the engine fails behind the calls', async () => {
    const [first = []] = working();
    const world = new TurnWorld(first, [text('No'), new AndironError('engine_refused', 'No.', 'Wait.')]);
    await world.run();
    expect(world.ending()).toBe('turn/failed');
    assertValidHistory(world.messages);
  });

  it('after a compaction in the middle of the turn', async () => {
    const steps = Array.from({ length: 12 }, (_, n) => [call('echo', { value: String(n) }), done()]);
    const world = new TurnWorld(...steps, [text('Done.'), done()]);
    world.active = profile({ contextTokens: 4096, maxIterations: 20 });
    world.onExecute = async () => 'word '.repeat(400);
    await world.run();
    expect(world.items().some(({ kind }) => kind === 'summary')).toBe(true);
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
    for (const { messages } of world.requests) assertValidHistory(messages);
  });

  it.each([2, 7, 12, 17, 25])('when the host dies at write %i, and on resume', async (writes) => {
    const people = await People.move(1);
    try {
      await people.crash(writes, null, () => people.send(0, 'two', true));
      await people.send(0, 'read', true);
      // Looks at the stored log and at every request that was sent, and throws what is wrong.
      await expect(people.settle()).resolves.toContain('turn finished');
    } finally {
      await people.house.close();
    }
  });
});

it('X12 b: no system message is ever stored, whatever a turn had to say to the model', async () => {
  const { world } = await open(
    sequence(
      reply().text('Goal: notes.\nREFLECT: no'),
      reply().text('**Steps:**\n1. Read the notes - TOOL: read_file'),
      reply().toolCall('read_file', { path: 'notes.txt' }),
      reply().text('It says milk.'),
    ),
  );
  const { profile: planning } = await world.openWindow().rpc.call('profile/update', {
    profileId: 'developer',
    changes: { planningEnabled: true, goalAnchoringInterval: 1 },
  });
  const session = await world.openSession(planning.id);
  expect((await session.ask('What do the notes say, and why?')).status).toBe('finished');
  const database = openDatabase(`${world.dir}/data/andiron.db`);
  const rows = database.query('SELECT body FROM context', z.object({ body: z.string() })).all();
  database.close();
  const roles = rows.map(({ body }) => z.object({ role: z.string() }).parse(JSON.parse(body)).role);
  expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'tool', 'assistant']);
  for (const { messages } of bodies(world))
    expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1);
});

const isTurn = ({ request }: TruthEvent): boolean => request?.endpoint === '/api/chat';

it('X12 c: a stop during prefill acts within a second, and the model stays loaded', async () => {
  const { world, session } = await open(
    script([rule({ nth: 1 }, reply().prefill(60).text('never')), rule({}, reply().text('Quick.'))]),
  );
  const prefill = world.sim.truth.next('prefill-started', isTurn);
  const turnId = await session.send('Hello there');
  await prefill;
  await session.until(({ turns }) => turns[0]?.phase === 'prefill');
  const clickedAt = Date.now();
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  expect((await session.closed(turnId)).status).toBe('stopped');
  const asked = world.sim.truth.requests.find(({ endpoint }) => endpoint === '/api/chat');
  expect((asked?.closeSeenAt ?? Infinity) - clickedAt).toBeLessThan(1_000);
  expect(session.items('stopped')[0]).toMatchObject({ stillLoaded: true, during: 'prefill' });
  expect((await session.ask('And now?')).status).toBe('finished');
  expect(world.sim.truth.loads).toHaveLength(1);
});

describe('X12 d: a silent engine is given up', () => {
  it('after 120 s without a first token, and the time that its prompt takes to read', async () => {
    const clock = skippableClock();
    const { world, session } = await open(script([rule({}, reply().hang())]), { clock });
    const turnId = await session.send('Hello');
    await world.sim.truth.waitFor((truth) => truth.last()?.phases.at(-1)?.phase === 'prefill');
    clock.skip(119_000);
    expect(session.turn(turnId)?.status).toBe('running');
    clock.skip(120_000);
    expect((await session.closed(turnId)).status).toBe('failed');
    expect(session.items('error')[0]).toMatchObject({ code: 'stream_first_token_timeout' });
  });

  it('after 60 s between tokens', async () => {
    const clock = skippableClock();
    const answers = script([rule({}, reply().text('Half').hang())]);
    const { session } = await open(answers, { clock, sim: { runnerStatus: true } });
    const turnId = await session.send('Hello');
    await session.until(({ items }) => items.some((item) => item.kind === 'text' && item.text === 'Half'));
    clock.skip(58_000);
    expect(session.turn(turnId)?.status).toBe('running');
    clock.skip(2_001);
    expect((await session.closed(turnId)).status).toBe('failed');
    expect(session.items('error')[0]).toMatchObject({ code: 'stream_idle_timeout' });
  });

  it('but not while the runner writes a call, of which nothing comes before its end', async () => {
    const clock = skippableClock();
    const args = {
      path: 'story.txt',
      content: Array.from({ length: 60 }, (_, line) => `line ${String(line)}`).join('\n'),
    };
    const answers = script([
      rule({ resultCount: 0 }, reply().text('I write it.').tokensPerSecond(40).toolCall('write_file', args)),
      rule({}, reply().text('It is written.')),
    ]);
    const { world, session } = await open(answers, { clock, sim: { runnerStatus: true } });
    await world
      .openWindow()
      .rpc.call('session/update', { sessionId: session.sessionId, approvals: 'accept_edits' });
    const turnId = await session.send('Write a story');
    await session.until(({ items }) => items.some((item) => item.kind === 'text'));
    clock.skip(60_001);
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(session.items('error')).toEqual([]);
    expect(session.items('tool')[0]).toMatchObject({ tool: 'write_file', state: 'done' });
  });

  it('after the limits that the environment sets, where the profile sets none (audit-A10, H3)', async () => {
    const clock = skippableClock();
    const env = { LLM_STREAM_FIRST_CHUNK_TIMEOUT: '20', LLM_STREAM_CHUNK_TIMEOUT: '10' };
    const answers = script([
      rule({ user: 'first' }, reply().hang()),
      rule({ user: 'next' }, reply().text('Half').hang()),
    ]);
    const { world, session } = await open(answers, { clock, env, sim: { runnerStatus: true } });
    const first = await session.send('first');
    await world.sim.truth.waitFor((truth) => truth.last()?.phases.at(-1)?.phase === 'prefill');
    clock.skip(19_000);
    expect(session.turn(first)?.status).toBe('running');
    clock.skip(60_000);
    expect((await session.closed(first)).status).toBe('failed');
    expect(session.items('error')[0]).toMatchObject({ code: 'stream_first_token_timeout' });
    const next = await session.send('next');
    await session.until(({ items }) => items.some((item) => item.kind === 'text' && item.text === 'Half'));
    clock.skip(9_000);
    expect(session.turn(next)?.status).toBe('running');
    clock.skip(1_001);
    expect((await session.closed(next)).status).toBe('failed');
    expect(session.items('error')[1]).toMatchObject({ code: 'stream_idle_timeout' });
  });

  it('with the limits of the profile on every request', async () => {
    const world = new TurnWorld([text('Hi'), done()]);
    world.active = profile({ firstTokenTimeoutS: 7, idleTokenTimeoutS: 3 });
    await world.run();
    expect(world.requests[0]?.timeouts).toEqual({ firstTokenMs: expect.any(Number), idleMs: 3_000 });
    expect(world.requests[0]?.timeouts.firstTokenMs).toBeGreaterThanOrEqual(7_000);
    expect(profile()).toMatchObject({ firstTokenTimeoutS: 120, idleTokenTimeoutS: 60 });
  });
});

it.each([
  ['DIRECT', 'DIRECT'],
  ['a plan without steps', 'Goal: greet.\nREFLECT: no'],
  ['nothing', ''],
])('X12 e: %s as an answer to planning is skipped without a word', async (_, said) => {
  const planning =
    said === 'DIRECT' || said === ''
      ? [[text(said), done()]]
      : [
          [text(said), done()],
          [text('I will just do it.'), done()],
        ];
  const world = new TurnWorld(...planning, [text('Hello.'), done()]);
  world.active = profile({ planningEnabled: true });
  await world.run('Hello');
  expect(world.items().map(({ kind }) => kind)).toEqual(['user', 'text']);
  expect(world.items().at(-1)).toMatchObject({ kind: 'text' });
  expect(world.ending()).toBe('turn/finished');
  assertValidHistory(world.messages);
});

it('X12 f: with all flags off the model reads what the person wrote and what the tools said, and not a byte more', async () => {
  const { world } = await open(
    sequence(
      ...Array.from({ length: 11 }, (_, n) => reply().toolCall('list_files', { path: n % 2 ? '.' : './' })),
      reply().text('Done.'),
    ),
  );
  const { profile: quiet } = await world.openWindow().rpc.call('profile/update', {
    profileId: 'developer',
    changes: {
      iterationBudgetEnabled: false,
      goalAnchoringEnabled: false,
      antiStallEnabled: false,
      adaptiveReplanEnabled: false,
      memoryEnabled: false,
      maxIterations: 12,
    },
  });
  const session = await world.openSession(quiet.id);
  await session.ask('Look around');
  const last = bodies(world).at(-1)?.messages ?? [];
  expect(last.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    expect.stringMatching(
      /^Workspace folder: \S+\nSystem: \w+\nPaths in tool calls are relative to the workspace folder\.\n\nLook around$/,
    ),
  ]);
  const shown = session.items('tool').map(({ result }) => result);
  expect(last.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual(shown);
});

it('X12 g: a profile that is switched in the middle changes the tools of the next request and stays after the last save', async () => {
  const { world, session } = await open(
    sequence(reply().toolCall('write_file', { path: 'a.txt', content: 'a' }), reply().text('Done.')),
  );
  const turnId = await session.send('Write it');
  await session.until(({ turns }) => turns[0]?.phase === 'approval');
  await session.rpc.call('session/set-profile', { sessionId: session.sessionId, profileId: 'reader' });
  await session.answer('allow');
  await session.closed(turnId);
  const names = bodies(world).map(({ tools = [] }) => tools.map((tool) => tool.function.name));
  expect(names[0]).toContain('write_file');
  expect(names[1]).not.toContain('write_file');
  await world.restartHost();
  const again = await world.openWindow().follow(session.sessionId);
  expect(again.state.session.profileId).toBe('reader');
});

it.each([1, 2, 5])('X12 h: a cap of %i is exactly so many requests', async (cap) => {
  const world = new TurnWorld(
    ...Array.from({ length: cap }, (_, n) => [call('echo', { value: String(n) }), done()]),
  );
  world.active = profile({ maxIterations: cap });
  await world.run();
  expect(world.requests).toHaveLength(cap);
  expect(world.events).toContainEqual({ type: 'turn/capped', iterations: cap });
});

it.each([
  [8000, 'x'.repeat(8000)],
  [8001, `${'x'.repeat(8000)}\n... [truncated]`],
])('X12 l: the model reads a result of %i characters so', async (length, read) => {
  const world = new TurnWorld([call('echo'), done()], [text('Long.'), done()]);
  world.onExecute = async () => 'x'.repeat(length);
  world.active = profile({ iterationBudgetEnabled: false });
  await world.run();
  expect(results(world)).toEqual([read]);
});

it('X12 m: after the answer only the work behind a turn is told, and then its close', async () => {
  const answers = script([
    rule({ user: 'Write a summary of this conversation' }, reply().text('Goal: words.')),
    rule({}, reply().text(words(1000))),
  ]);
  const world = await World.start({ sim: { speed: 2000, script: answers } });
  worlds.push(world);
  const { profile: small } = await world
    .openWindow()
    .rpc.call('profile/update', { profileId: 'developer', changes: { contextTokens: 8192 } });
  const session = await world.openSession(small.id);
  await session.ask('First');
  await session.ask('Second');
  await session.ask('Third');
  const behindAnswers: string[] = [];
  for (const turn of session.state.turns) {
    const own = session.events.filter(({ turnId }) => turnId === turn.id).map(({ event }) => event);
    const after = own.slice(own.findIndex(({ type }) => type === 'turn/finished') + 1);
    expect(after.at(-1)).toEqual({ type: 'turn/closed' });
    const kinds = after.map((event) => (event.type === 'item/started' ? event.item.kind : event.type));
    const behind = new Set(['turn/phase', 'usage/measured', 'context/measured', 'summary', 'turn/closed']);
    expect(kinds.filter((kind) => !behind.has(kind))).toEqual([]);
    behindAnswers.push(...kinds);
  }
  // The answer is told first, and the summary is made behind it (audit-A14).
  expect(behindAnswers).toContain('summary');
});

describe('X12 n: a subagent leaves everything of its parent as it was', () => {
  it.each<[string, ScriptedReply[], boolean]>([
    ['that answers', [answer], false],
    ['whose engine refuses', [[new AndironError('engine_refused', 'No.', 'Wait.')]], false],
    ['that meets a bug', [[text('Half'), new TypeError('a bug')]], true],
  ])('%s', async (_, subagent, isBug) => {
    const world = agentTurn(subagent);
    const sessions: (string | null)[] = [];
    world.onExecute = async (_name, context) => {
      sessions.push(context.sessionId);
      return 'ok';
    };
    const before = { profile: world.active, todo: world.data.todo() };
    await world.run();
    const [first, ...rest] = world.requests;
    const last = rest.at(-1);
    expect(last?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
    expect([last?.head, last?.model, last?.plan, last?.sampling]).toEqual([
      first?.head,
      first?.model,
      first?.plan,
      first?.sampling,
    ]);
    expect({ profile: world.active, todo: world.data.todo() }).toEqual(before);
    expect(world.ending()).toBe('turn/finished');
    expect([world.leases - world.released, world.internalErrors.length > 0]).toEqual([0, isBug]);
    assertValidHistory(world.messages);
  });
});

/** A session whose first message is being answered. */
async function busy(): Promise<{ world: World; session: SessionView; first: string }> {
  const { world, session } = await open(
    script([
      rule({ nth: 1 }, reply().text('One').pause(200).text(' and done.')),
      rule({}, reply().text('Two.')),
    ]),
  );
  const first = await session.send('First');
  await session.until(({ items }) => items.some(({ kind }) => kind === 'text'));
  return { world, session, first };
}

describe('X12 o: a session runs one message at a time', () => {
  it('a second message waits for the end of the first', async () => {
    const { world, session, first } = await busy();
    const second = await session.send('Second');
    expect(session.turn(second)?.status).toBe('queued');
    await session.closed(second);
    const [one, two] = [session.turn(first), session.turn(second)];
    expect(two?.startedAt).toBeGreaterThanOrEqual(one?.endedAt ?? Infinity);
    await world.rest();
    expect(houseProblems(world, session)).toEqual([]);
  });

  it('without the queue it is refused as busy, and nothing is changed', async () => {
    const { session, first } = await busy();
    await expect(
      session.rpc.call('turn/start', { sessionId: session.sessionId, text: 'x', queue: false }),
    ).rejects.toMatchObject({ code: 'busy' });
    await session.closed(first);
    expect(session.state.turns).toHaveLength(1);
  });
});

it(`${cancelled} stands in every result that a stop reached (H6, Q16)`, async () => {
  const world = new TurnWorld([call('echo', {}, 'a'), call('touch', {}, 'b'), call('echo', {}, 'c'), done()]);
  world.onExecute = async () => {
    world.stop();
    return 'too late';
  };
  await world.run();
  expect(results(world)).toEqual([cancelled, cancelled, cancelled]);
});
