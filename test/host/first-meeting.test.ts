/** The first meeting with a model over the whole app: what is asked, what it decides, and who goes first. */
import { afterEach, expect, it } from 'vitest';
import type { AbilityRow } from '../../src/protocol/abilities.ts';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import { reply, type Reply, type Script, type ScriptRequest } from '../../src/sim/index.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const model = 'new:9b';
const pace = { loadSeconds: 0.1, prefillTokensPerSecond: 4_000, decodeTokensPerSecond: 100, noise: 0 };

async function open(script: Script, options: WorldOptions = {}): Promise<SessionView> {
  const models = [{ name: model, family: 'template-qwen2.5', time: pace }] as const;
  world = await World.start({
    unproven: true,
    ...options,
    sim: { script, models, speed: 20, ...options.sim },
  });
  return world.openSession();
}

const rows = async (session: SessionView): Promise<AbilityRow[]> =>
  (await session.rpc.call('model/abilities', { model })).abilities;
const held = async (session: SessionView): Promise<string[]> =>
  (await rows(session)).flatMap(({ ability, holds }) => (holds ? [ability] : []));
const chats = () => world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
const ofTurn = () =>
  chats().filter(({ body }) =>
    JSON.stringify((body as { messages: unknown }).messages).includes('Hello there'),
  );

/** The right call, in the form that is asked for. */
function called({ format }: ScriptRequest, tool: string, args: Record<string, string>): Reply {
  return format === undefined ? reply().toolCall(tool, args) : reply().constrainedCall(tool, args);
}

const said = ({ format }: ScriptRequest, text: string): Reply =>
  format === undefined ? reply().text(text) : reply().constrainedAnswer(text);

/** Calls where a call is needed, works where a plan stands, and else answers. */
const capable: Script = (request) => {
  if (request.endpoint !== 'chat') return undefined;
  const [right] = questions.find(({ text }) => request.lastUser.includes(text))?.right ?? [];
  if (right) return called(request, right.tool, { ...right.args });
  if (request.lastUser.includes('Keep a list of the steps'))
    return called(request, 'read_file', { path: 'README.md' });
  return said(request, 'Good morning.');
};

/** Talks whatever it is asked, and calls only where a grammar leaves nothing else. */
const talker: Script = (request) => {
  if (request.endpoint !== 'chat') return undefined;
  const mayAnswer = request.format === undefined || JSON.stringify(request.format).includes('"answer"');
  return mayAnswer
    ? said(request, 'I would look at the file for you.')
    : reply().constrainedCall('read_file', { path: 'README.md' });
};

it('A model that answers its first questions well works by native calls from its first step on', async () => {
  const session = await open(capable);
  const turn = await session.ask('Hello there');
  const phases = session.events.flatMap(({ event }) => (event.type === 'turn/phase' ? [event.phase] : []));
  expect(turn.status).toBe('finished');
  expect(phases).toContain('checking');
  expect(await held(session)).toEqual(
    expect.arrayContaining(['native', 'settles', 'restraint', 'planning', 'notes']),
  );
  expect(ofTurn().map(({ body }) => (body as { format?: unknown }).format)).toEqual([undefined]);
  expect(session.items('tool')).toEqual([]);
});

it('The models of a demo are asked nothing, and work by native calls with all of their tools', async () => {
  const session = await open(talker, { isDemo: true });
  await session.ask('Hello there');
  const bodies = chats().map(({ body }) => body as { format?: unknown; tools?: unknown });
  expect(bodies).toHaveLength(1);
  expect(bodies[0]?.format).toBeUndefined();
  expect(JSON.stringify(bodies[0]?.tools)).toContain('"todo"');
});

it('A model that only talks stays under a grammar', async () => {
  const session = await open(talker);
  await session.ask('Hello there');
  const now = await held(session);
  expect(now).not.toContain('native');
  expect(now).toContain('grammar');
  expect(ofTurn().every(({ body }) => (body as { format?: unknown }).format !== undefined)).toBe(true);
});

const toolsSent = (of: ReturnType<typeof chats>): boolean[] =>
  of.map(({ body }) => JSON.stringify((body as { tools?: unknown }).tools ?? []).includes('"todo"'));

it('A model that works after a plan at its first meeting is shown the planning tools', async () => {
  const session = await open(capable);
  await session.ask('Hello there');
  expect(toolsSent(ofTurn())).toEqual([true]);
});

it('A model that plans and does not work is asked with all tools, and then shown none that plans', async () => {
  const session = await open((request) =>
    request.endpoint === 'chat' && request.lastUser.includes('Keep a list of the steps')
      ? called(request, 'todo', { action: 'show' })
      : capable(request),
  );
  await session.ask('Hello there');
  const meeting = chats().filter((each) => !ofTurn().includes(each));
  expect(toolsSent(meeting)).not.toContain(false);
  expect(toolsSent(ofTurn())).toEqual([false]);
});

it('A model that has learnt to plan is shown the planning tools in a new session, not in the running one', async () => {
  let plans = false;
  const session = await open((request) =>
    request.endpoint === 'chat' && request.lastUser.includes('Keep a list of the steps') && !plans
      ? called(request, 'todo', { action: 'show' })
      : capable(request),
  );
  await session.ask('Hello there');
  plans = true;
  await session.rpc.call('model/forget-abilities', { model });
  const other = await world.openSession();
  await other.ask('Hello there, anew');
  await session.ask('Hello there, again');
  expect(toolsSent(ofTurn())).toEqual([false, true, false]);
});

it('A model is met once: neither the next turn nor a restart asks it again', async () => {
  const session = await open(capable);
  await session.ask('Hello there');
  const asked = chats().length - ofTurn().length;
  expect(asked).toBeGreaterThan(0);
  await session.ask('Hello there, again');
  await world.restartHost();
  const again = await world.openSession();
  await again.ask('Hello there once more');
  expect(chats().length - ofTurn().length).toBe(asked);
});

it('A model that was forgotten is met again', async () => {
  const session = await open(capable);
  await session.ask('Hello there');
  await session.rpc.call('model/forget-abilities', { model });
  expect((await rows(session)).every(({ at }) => at === null)).toBe(true);
  const before = chats().length;
  const other = await world.openSession();
  await other.ask('Hello there');
  expect(chats().length - before).toBeGreaterThan(10);
});

it('A profile that names the way to call leaves nothing to ask', async () => {
  const session = await open(capable);
  await session.rpc.call('profile/update', { profileId: 'developer', changes: { calls: 'native' } });
  await session.ask('Hello there');
  expect(chats()).toHaveLength(1);
});

it('An answer that ends in thinking counts for nothing', async () => {
  const session = await open(
    (request) =>
      request.endpoint !== 'chat'
        ? undefined
        : request.lastUser.includes('Hello there')
          ? said(request, 'Good morning.')
          : reply().thinking('Let me see what this is about, word by word.'),
    { sim: { models: [{ name: model, family: 'template-gpt-oss', time: pace }] } },
  );
  await session.ask('Hello there');
  const seen = (await rows(session)).filter(({ ability }) =>
    ['native', 'settles', 'planning'].includes(ability),
  );
  expect(seen.map(({ good, bad }) => good + bad)).toEqual([0, 0, 0]);
});

it('A model that thinks before each call, whatever it is told, gets room for that in its first meeting', async () => {
  const thought = Array.from({ length: 40 }, (_, at) => `thought${String(at * 7919)}`).join(' ');
  const session = await open(
    (request) => {
      const [right] = questions.find(({ text }) => request.lastUser.includes(text))?.right ?? [];
      if (!right || request.endpoint !== 'chat' || request.format !== undefined) return capable(request);
      return reply()
        .thinking(thought)
        .toolCall(right.tool, { ...right.args });
    },
    { sim: { models: [{ name: model, family: 'template-gpt-oss', time: pace }] } },
  );
  await session.ask('Hello there');
  expect(await held(session)).toContain('native');
});

it('The first meeting takes ten seconds of a turn at most, and what is left is asked when nobody works', async () => {
  const clock = skippableClock();
  const asked: string[] = [];
  const session = await open(
    (request) => {
      if (request.endpoint === 'chat' && !request.lastUser.includes('Hello there')) {
        asked.push(request.lastUser);
        if (asked.length === 3) clock.skip(10_000);
      }
      return capable(request);
    },
    { clock },
  );
  await session.ask('Hello there');
  expect(asked).toHaveLength(3);
  expect(await held(session)).not.toContain('native');
  await world.rest();
  const later = new Promise<void>((resolve) => {
    session.rpc.onEvent((_topic, _seq, event) => {
      const { type } = event as { type: string };
      if (type === 'abilities/changed') void held(session).then((all) => all.includes('notes') && resolve());
    });
  });
  await session.rpc.call('host/subscribe', {});
  clock.skip(5_000);
  await later;
  expect(await held(session)).toEqual(
    expect.arrayContaining(['native', 'settles', 'restraint', 'planning', 'notes']),
  );
});
