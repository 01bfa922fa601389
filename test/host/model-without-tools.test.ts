/** A model that cannot call tools by itself, over the whole house: its calls are steered by a grammar, and really run. */
import { afterEach, expect, it } from 'vitest';
import { reply, sequence, type Script } from '../../src/sim/index.ts';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import type { HostEvent } from '../../src/protocol/events.ts';
import { World } from '../helpers/host-world.ts';

const model = { name: 'talker:12b', family: 'template-gemma3', card: { parameterSize: '12.2B' } } as const;

let world: World;
afterEach(() => world.close());

const open = async (script: Script): Promise<World> => {
  world = await World.start({
    sim: { script, models: [model] },
    files: { 'README.md': '# Hello\n\nThis is the file.\n' },
  });
  return world;
};

/** As they went out. */
interface Sent {
  tools?: unknown[];
  format?: unknown;
  messages: { role: string; content: string; tool_calls?: unknown }[];
}

const chats = (): Sent[] =>
  world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').map(({ body }) => body as Sent);

const readsAndAnswers = (): Script =>
  sequence(
    reply().constrainedCall('read_file', { path: 'README.md' }),
    reply().constrainedAnswer('It says hello.'),
  );

it('reads a real file and answers, with tools and the form of a call taught in its system text', async () => {
  await open(readsAndAnswers());
  const session = await world.openSession();
  const turn = await session.ask('What does the readme say?');
  expect(turn.status).toBe('finished');
  expect(session.items('tool')).toMatchObject([
    { tool: 'read_file', state: 'done', result: expect.stringContaining('This is the file.') as string },
  ]);
  expect(session.items('text')[0]).toMatchObject({ text: 'It says hello.' });

  const [opening, first, second] = chats();
  // The engine refuses a tool list for it; what a grammar allows was never broken.
  expect(chats().every(({ tools, format }) => tools === undefined && format !== undefined)).toBe(true);
  expect(world.sim.truth.violations).toEqual([]);
  expect(JSON.stringify(first?.messages)).toContain('You can call these tools.');
  expect(JSON.stringify(first?.messages)).toContain('A call is a JSON object');
  // What it was about to do was asked on the same prompt, and stands nowhere in it.
  expect(opening?.messages).toEqual(first?.messages);
  expect(JSON.stringify(opening?.format)).toContain('"steps"');
  // It reads its own call and the result as what both sides said, behind the same beginning.
  expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  const [call, result] = second?.messages.slice(-2) ?? [];
  expect(call).toEqual({ role: 'assistant', content: '{"call":"read_file","with":{"path":"README.md"}}' });
  expect(result?.role).toBe('user');
  expect(result?.content).toContain('This is the file.');
});

it('is refused where its profile insists on native calls, and works in the same session once that is changed', async () => {
  await open(readsAndAnswers());
  const session = await world.openSession();
  const { rpc, sessionId } = session;
  const { profile } = await rpc.call('profile/update', {
    profileId: 'developer',
    changes: { calls: 'native' },
  });
  await rpc.call('session/set-profile', { sessionId, profileId: profile.id });
  expect((await session.ask('What does the readme say?')).status).toBe('failed');
  expect(session.items('error')[0]).toMatchObject({
    code: 'model_without_tools',
    advice: expect.stringContaining('constrained calls') as string,
  });
  expect(chats()).toEqual([]);

  await rpc.call('profile/update', { profileId: profile.id, changes: { calls: 'constrained' } });
  expect((await session.ask('Go on.')).status).toBe('finished');
  expect(session.items('tool')).toMatchObject([{ tool: 'read_file', state: 'done' }]);
});

it('only talks with the profile that has no tools', async () => {
  await open(sequence(reply().text('Good morning.')));
  const session = await world.openSession('talk');
  expect((await session.ask('Good morning')).status).toBe('finished');
  expect(session.items('text')[0]).toMatchObject({ text: 'Good morning.' });
  expect(chats()).toEqual([expect.not.objectContaining({ format: expect.anything() as unknown })]);
  expect(JSON.stringify(chats())).not.toContain('# Tools');
});

it('takes the exam in the way that turns then ask it, and in no other', async () => {
  await open(({ endpoint, lastUser, format }) => {
    if (endpoint !== 'chat') return undefined;
    const [right] = questions.find(({ text }) => lastUser.includes(text))?.right ?? [];
    if (!right || format === undefined)
      return reply().text('one two three four five six seven eight nine ten');
    return reply().constrainedCall(right.tool, { ...right.args });
  });
  const { rpc } = world.openWindow();
  const over = new Promise<HostEvent>((resolve) =>
    rpc.onEvent((topic, _seq, event) => {
      const told = event as HostEvent;
      if (topic === 'host' && told.type === 'exam/changed' && told.exam === null) resolve(told);
    }),
  );
  await rpc.call('host/subscribe', {});
  await world.engineUntil(({ modelsReadAt }) => modelsReadAt !== null);
  const all = questions.length;
  expect(await rpc.call('exam/price', { model: model.name })).toMatchObject({ questions: all });
  await rpc.call('exam/begin', { model: model.name, profileId: 'developer' });
  expect(await over).toMatchObject({
    result: {
      native: null,
      constrained: { valid: all, asked: all },
      byItself: 'constrained',
      complete: true,
    },
  });
  expect(chats().every(({ tools }) => tools === undefined)).toBe(true);
});
