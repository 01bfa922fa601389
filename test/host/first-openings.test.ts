/** Whether a model can open a turn, and answer behind what it said there, is measured before it is relied on. */
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Ability } from '../../src/protocol/abilities.ts';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import { meetingOpenings } from '../../src/host/models/meeting-openings.ts';
import { pickQuestions } from '../../src/host/models/meeting-questions.ts';
import { reply, type Reply, type Script, type ScriptRequest } from '../../src/sim/index.ts';
import { asksForOpening, openingReply } from '../../src/sim/script/scripted-acts.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const model = 'new:9b';
const task = 'Hello there, write new.txt';
const write = { path: 'new.txt', content: 'new' };

async function open(script: Script, options: WorldOptions = {}): Promise<SessionView> {
  const models = [{ name: model, family: 'template-qwen2.5' }] as const;
  world = await World.start({ unproven: true, ...options, sim: { script, models } });
  return world.openSession();
}

const picks = pickQuestions([{ name: 'read_file' }]);

const isTurn = ({ messages }: ScriptRequest): boolean =>
  messages.some(({ content }) => content.includes('Hello there'));

/** The act that the message asks for, or another one. */
function openingTo({ lastUser }: ScriptRequest, isRight: boolean): Reply {
  const act = meetingOpenings.find(({ text }) => lastUser.includes(text))?.act ?? 'change';
  return openingReply([{ act: isRight ? act : act === 'look' ? 'run' : 'look', what: 'what was asked' }]);
}

const itIsDone = (): string => 'It is done.';

/** Talks where it should call, and under a grammar does what the turn needs. */
function talker(
  isRight: boolean,
  answers: (messages: ScriptRequest['messages']) => string = itIsDone,
): Script {
  return (request) => {
    if (request.endpoint !== 'chat') return undefined;
    if (asksForOpening(request)) return openingTo(request, isRight);
    if (request.format === undefined) return reply().text('I would look at the file for you.');
    const hasResult = JSON.stringify(request.messages).includes('Created new.txt');
    if (isTurn(request) && !hasResult) return reply().constrainedCall('write_file', write);
    return JSON.stringify(request.format).includes('"answer')
      ? reply().constrainedAnswer(answers(request.messages))
      : reply().constrainedCall('read_file', { path: 'a.txt' });
  };
}

const chat = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  tools: z.unknown().optional(),
  format: z.unknown().optional(),
  options: z.object({ temperature: z.number().optional(), num_predict: z.number().optional() }),
});
const chats = () =>
  world.sim.truth.requests
    .filter(({ endpoint }) => endpoint === '/api/chat')
    .map(({ body }) => chat.parse(body));
const last = (body: z.infer<typeof chat>): string => body.messages.at(-1)?.content ?? '';
const openings = () => chats().filter(({ format }) => asksForOpening({ format }));
const ofMeeting = () => openings().filter((body) => !last(body).includes('Hello there'));
const ofTurn = () => openings().filter((body) => last(body).includes('Hello there'));

async function holds(session: SessionView, wanted: Ability): Promise<boolean | undefined> {
  const { abilities } = await session.rpc.call('model/abilities', { model });
  return abilities.find(({ ability }) => ability === wanted)?.holds;
}

async function writes(session: SessionView): Promise<void> {
  const turnId = await session.send(task);
  await session.answer('allow');
  await session.closed(turnId);
}

/** Whose profile has no tools for a folder. */
async function openServersAlone(script: Script): Promise<SessionView> {
  const session = await open(script);
  const changes = { tools: ['tool_search', 'tool_call'] };
  await session.rpc.call('profile/update', { profileId: session.state.session.profileId, changes });
  return session;
}

it('A model that talks where it should look for a tool of a server is led there from its first turn on', async () => {
  const session = await openServersAlone(talker(true));
  await session.closed(await session.send('Hello there'));
  expect(session.state.turns.at(-1)?.scope?.mayNotChange).toBe(true);
  expect(await holds(session, 'native')).toBe(false);
  expect(ofTurn()).toHaveLength(1);
  expect(chats().some((body) => JSON.stringify([body.format]).includes('answer_about'))).toBe(true);
});

it('A model that looks for a tool of a server by itself is not led', async () => {
  const session = await openServersAlone((request) => {
    if (request.endpoint !== 'chat') return undefined;
    return isTurn(request) ? reply().text('Good.') : reply().toolCall('tool_search', { query: 'that' });
  });
  await session.ask('Hello there');
  expect(await holds(session, 'native')).toBe(true);
  expect(ofTurn()).toHaveLength(0);
  await world.rest();
  const { profileId } = session.state.session;
  await session.rpc.call('profile/update', { profileId, changes: { tools: ['read_file', 'list_files'] } });
  await (await world.openSession()).ask('Hello there again');
  const inFolder = new Set(questions.map(({ text }) => text));
  const asked = chats().filter(({ format }) => format === undefined);
  expect(asked.filter((body) => inFolder.has(last(body)))).toEqual([]);
});

it.each([
  [['read_file', 'list_files'], true],
  [['read_file', 'run_command'], undefined],
  [['read_file', 'edit_file'], undefined],
])('A turn with %j says whether anything could be changed or run in it', async (tools, mayNotChange) => {
  const session = await open(talker(true));
  const { profileId } = session.state.session;
  await session.rpc.call('profile/update', { profileId, changes: { tools } });
  await session.closed(await session.send('Hello there'));
  expect(session.state.turns.at(-1)?.scope).toMatchObject({ steps: expect.any(Array) });
  expect(session.state.turns.at(-1)?.scope?.mayNotChange).toBe(mayNotChange);
});

it('A model that looks up nothing by itself is asked anew whether it calls the tools of a folder', async () => {
  const session = await openServersAlone((request) => {
    if (request.endpoint !== 'chat') return undefined;
    if (asksForOpening(request)) return openingTo(request, true);
    const [right] = questions.find(({ text }) => request.lastUser.includes(text))?.right ?? [];
    const { format } = request;
    if (right && format === undefined) return reply().toolCall(right.tool, { ...right.args });
    return format === undefined ? reply().text('I cannot know.') : reply().constrainedAnswer('Good.');
  });
  await session.closed(await session.send('Hello there'));
  expect(await holds(session, 'native')).toBe(false);
  const { profileId } = session.state.session;
  await session.rpc.call('profile/update', { profileId, changes: { tools: ['read_file', 'list_files'] } });
  await (await world.openSession()).ask('Hello there again');
  expect(await holds(session, 'native')).toBe(true);
});

it('A model that is first met in a profile of servers alone may open them as it does elsewhere', async () => {
  const session = await openServersAlone(talker(true));
  await session.closed(await session.send('Hello there'));
  const acts = ofMeeting().map(({ format }) => JSON.stringify(format));
  expect(acts).toHaveLength(meetingOpenings.length);
  for (const format of acts) expect(format).toContain('"look"');
  expect(await holds(session, 'opens')).toBe(true);
});

it('A model that opens the turns of its first meeting rightly opens its first one too', async () => {
  const session = await open(talker(true));
  await writes(session);
  expect(await holds(session, 'opens')).toBe(true);
  expect(session.state.turns.at(-1)?.scope?.mayNotChange).toBeUndefined();
  expect(ofMeeting()).toHaveLength(meetingOpenings.length);
  expect(ofTurn()).toHaveLength(1);
  expect(session.items('tool').map(({ state }) => state)).toEqual(['done']);
});

it('A model that opens the turns of its first meeting wrongly works under a grammar without opening', async () => {
  const session = await open(talker(false));
  await writes(session);
  expect(await holds(session, 'opens')).toBe(false);
  expect(ofMeeting()).toHaveLength(meetingOpenings.length);
  expect(ofTurn()).toHaveLength(0);
  expect(session.items('tool').map(({ state }) => state)).toEqual(['done']);
});

it('A model that makes its own calls is not asked to open turns', async () => {
  const session = await open((request) => {
    if (request.endpoint !== 'chat') return undefined;
    const [right] = questions.find(({ text }) => request.lastUser.includes(text))?.right ?? [];
    const { format } = request;
    if (right)
      return format === undefined
        ? reply().toolCall(right.tool, { ...right.args })
        : reply().constrainedCall(right.tool, { ...right.args });
    return format === undefined ? reply().text('Good.') : reply().constrainedAnswer('Good.');
  });
  await session.ask('Hello there');
  await world.rest();
  expect(openings()).toHaveLength(0);
});

it('A first meeting asks for an opening as a turn does, with less room for it', async () => {
  const session = await open(talker(true));
  await writes(session);
  const [asked] = ofMeeting();
  const [turn] = ofTurn();
  expect(asked?.messages.slice(0, -1)).toEqual(turn?.messages.slice(0, -1));
  expect(asked?.tools).toEqual(turn?.tools);
  expect(asked?.format).toEqual(turn?.format);
  expect([asked?.options.temperature, turn?.options.temperature]).toEqual([0, 0]);
  expect(asked?.options.num_predict).toBe(100);
});

it('A profile with calls in a fixed form has its model open turns and answer behind that, and nothing else', async () => {
  const session = await open(talker(true));
  await session.rpc.call('profile/update', { profileId: 'developer', changes: { calls: 'constrained' } });
  await writes(session);
  expect(ofMeeting()).toHaveLength(meetingOpenings.length);
  expect(chats().filter((body) => !JSON.stringify(body.messages).includes('Hello there'))).toHaveLength(
    meetingOpenings.length + picks.length,
  );
});

it('What is asked with another head waits until after the turn of a model that opens it', async () => {
  const session = await open(talker(true));
  await writes(session);
  const at = chats().findIndex((body) => last(body).endsWith(picks.at(-1)?.text ?? '?'));
  expect(last(chats()[at + 1] ?? { messages: [], options: {}, tools: [], format: null })).toContain(
    'Hello there',
  );
});

it('A model that picks out what was asked at its first meeting is asked for that behind its own words', async () => {
  const right = ['Bo', 'Porto', '12'];
  const session = await open(
    talker(true, (messages) => {
      const at = picks.findIndex(({ text }) => messages.some(({ content }) => content.endsWith(text)));
      return right[at] ?? 'It is done.';
    }),
  );
  await writes(session);
  expect(await holds(session, 'picks')).toBe(true);
  const asked = chats().find((body) => JSON.stringify([body.format]).includes('answer_about'));
  expect(last(asked ?? { messages: [], options: {} })).toContain('Bo brings the tent.');
  expect(asked?.messages.slice(0, -3)).toEqual(ofTurn()[0]?.messages.slice(0, -1));
});

it('A model that tells something else as well is not given its own words in front of its answers', async () => {
  const session = await open(talker(true));
  await writes(session);
  expect(await holds(session, 'picks')).toBe(false);
});

it('A model that cannot open its turns is not asked to answer behind what it said there', async () => {
  const session = await open(talker(false));
  await writes(session);
  expect(JSON.stringify(chats().map(({ format }) => format))).not.toContain('answer_about');
});

it('A turn whose meeting had no time for openings is opened and asks, and they are asked when nobody works', async () => {
  const clock = skippableClock();
  let asked = 0;
  const script = talker(true);
  const session = await open(
    (request) => {
      if (request.endpoint === 'chat' && !isTurn(request) && (asked += 1) === 4) clock.skip(10_000);
      return script(request);
    },
    { clock },
  );
  await writes(session);
  expect(ofMeeting()).toHaveLength(0);
  expect(ofTurn()).toHaveLength(1);
  const [question] = session.items('tool').flatMap(({ approval }) => approval ?? []);
  expect(question?.scopes).toEqual(['once']);
  await world.rest();
  const isMeasured = new Promise<void>((resolve) => {
    session.rpc.onEvent((_topic, _seq, event) => {
      if ((event as { type: string }).type === 'abilities/changed' && ofMeeting().length >= 4) resolve();
    });
  });
  await session.rpc.call('host/subscribe', {});
  clock.skip(5_000);
  await isMeasured;
  expect(await holds(session, 'opens')).toBe(true);
});

it('A change of a model that cannot open its turns asks again, whatever was allowed for the session', async () => {
  const session = await open(talker(false));
  await writes(session);
  const [question] = session.items('tool').flatMap(({ approval }) => approval ?? []);
  expect(question?.scopes).toEqual(['once']);
  expect(question?.why).toBe('Andiron does not know this model well enough yet, so every change asks.');
});
