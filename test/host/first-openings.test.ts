/** Whether a model can open a turn is measured over the whole app before it is relied on. */
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import { meetingOpenings } from '../../src/host/models/meeting-openings.ts';
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

const isTurn = ({ messages }: ScriptRequest): boolean =>
  messages.some(({ content }) => content.includes('Hello there'));

/** The act that the message asks for, or another one. */
function openingTo({ lastUser }: ScriptRequest, isRight: boolean): Reply {
  const act = meetingOpenings.find(({ text }) => lastUser.includes(text))?.act ?? 'change';
  return openingReply([{ act: isRight ? act : act === 'look' ? 'run' : 'look', what: 'what was asked' }]);
}

/** Talks where it should call, and under a grammar does what the turn needs. */
function talker(isRight: boolean): Script {
  return (request) => {
    if (request.endpoint !== 'chat') return undefined;
    if (asksForOpening(request)) return openingTo(request, isRight);
    if (request.format === undefined) return reply().text('I would look at the file for you.');
    const hasResult = JSON.stringify(request.messages).includes('Created new.txt');
    if (isTurn(request) && !hasResult) return reply().constrainedCall('write_file', write);
    return JSON.stringify(request.format).includes('"answer"')
      ? reply().constrainedAnswer('It is done.')
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

async function holdsOpens(session: SessionView): Promise<boolean | undefined> {
  const { abilities } = await session.rpc.call('model/abilities', { model });
  return abilities.find(({ ability }) => ability === 'opens')?.holds;
}

async function writes(session: SessionView): Promise<void> {
  const turnId = await session.send(task);
  await session.answer('allow');
  await session.closed(turnId);
}

it('A model that opens the turns of its first meeting rightly opens its first one too', async () => {
  const session = await open(talker(true));
  await writes(session);
  expect(await holdsOpens(session)).toBe(true);
  expect(ofMeeting()).toHaveLength(meetingOpenings.length);
  expect(ofTurn()).toHaveLength(1);
  expect(session.items('tool').map(({ state }) => state)).toEqual(['done']);
});

it('A model that opens the turns of its first meeting wrongly works under a grammar without opening', async () => {
  const session = await open(talker(false));
  await writes(session);
  expect(await holdsOpens(session)).toBe(false);
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

it('A profile with calls in a fixed form has its model open turns at the first meeting, and nothing else', async () => {
  const session = await open(talker(true));
  await session.rpc.call('profile/update', { profileId: 'developer', changes: { calls: 'constrained' } });
  await writes(session);
  expect(ofMeeting()).toHaveLength(meetingOpenings.length);
  expect(chats().filter((body) => !JSON.stringify(body.messages).includes('Hello there'))).toHaveLength(
    meetingOpenings.length,
  );
});

it('What is asked with another head waits until after the turn of a model that opens it', async () => {
  const session = await open(talker(true));
  await writes(session);
  const at = chats().findIndex((body) => last(body) === meetingOpenings.at(-1)?.text);
  expect(last(chats()[at + 1] ?? { messages: [], options: {}, tools: [], format: null })).toContain(
    'Hello there',
  );
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
  expect(await holdsOpens(session)).toBe(true);
});

it('A change of a model that cannot open its turns asks again, whatever was allowed for the session', async () => {
  const session = await open(talker(false));
  await writes(session);
  const [question] = session.items('tool').flatMap(({ approval }) => approval ?? []);
  expect(question?.scopes).toEqual(['once']);
  expect(question?.why).toBe('Andiron does not know this model well enough yet, so every change asks.');
});
