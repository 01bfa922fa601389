/** A grammar that the engine refuses, over the whole app: the step goes on with less of one, and nothing is learnt from it. */
import { afterEach, expect, it } from 'vitest';
import { reply, sequence, type Script } from '../../src/sim/index.ts';
import { asksForOpening } from '../../src/sim/script/scripted-acts.ts';
import { World } from '../helpers/host-world.ts';

const model = { name: 'small:0.5b', family: 'native-llama3.1', card: { parameterSize: '494M' } } as const;
const words = 'Failed to initialize samplers: failed to parse grammar';
const refused = reply().error(
  400,
  JSON.stringify({ error: { code: 400, message: words, type: 'invalid_request_error' } }),
);

const odd = 'Ж (😀) {x}.txt';

let app: World;
afterEach(() => app.close());

const open = async (script: Script): Promise<World> => {
  app = await World.start({
    sim: { script, models: [model] },
    files: { 'a-b [1].txt': 'hello', [odd]: 'hello', 'файл-1.txt': 'hello' },
  });
  return app;
};

/** Of the steps; what a turn opens with has a grammar of its own. */
const formats = (): string[] => sentFormats().filter((format) => !format.includes('"steps"'));

const sentFormats = (): string[] =>
  app.sim.truth.requests.flatMap(({ endpoint, body }) =>
    endpoint === '/api/chat' ? JSON.stringify((body as { format?: unknown }).format ?? null) : [],
  );

it('A refused grammar is an incident with the words of the engine, and the turn goes on (audit-E2)', async () => {
  await open(
    sequence(
      refused,
      reply().constrainedCall('read_file', { path: 'a-b [1].txt' }),
      reply().constrainedAnswer('It says hello.'),
      reply().constrainedCall('read_file', { path: 'a-b [1].txt' }),
      reply().constrainedAnswer('Still hello.'),
    ),
  );
  const session = await app.openSession();
  expect((await session.ask('What does a-b [1].txt say?')).status).toBe('finished');
  expect(session.items('note').map(({ text }) => text)).toContainEqual(
    `Ollama refused the grammar of the reply: ${words}. Asked again without lists of values.`,
  );
  await app.engineUntil(({ incidents }) =>
    incidents.some(
      ({ kind, model: name, message }) =>
        kind === 'refused_grammar' && name === model.name && message.includes(words),
    ),
  );
  expect((await session.ask('What does a-b [1].txt say now?')).status).toBe('finished');
  const [first, narrower, answer, next] = formats();
  expect(first).toContain('"enum":["a-b [1].txt"');
  expect(narrower).not.toContain('a-b [1].txt');
  expect(answer).toContain('"answer_found"');
  expect(next).toBe(first);
});

it('An opening whose grammar is refused is left out, and the turn goes on without steps (audit-E2)', async () => {
  await open((request) => {
    if (request.endpoint !== 'chat') return undefined;
    if (asksForOpening(request)) return refused;
    return request.messages.some(({ role, content }) => role === 'tool' || content.startsWith('Result of'))
      ? reply().constrainedAnswer('It says hello.')
      : reply().constrainedCall('read_file', { path: 'a-b [1].txt' });
  });
  const session = await app.openSession();
  expect((await session.ask('What does a-b [1].txt say?')).status).toBe('finished');
  expect(session.items('note').map(({ text }) => text)).toContainEqual(
    `Ollama refused the grammar of the reply: ${words}. Asked again without saying first what it is about to do.`,
  );
  expect(session.items('tool').map(({ state }) => state)).toEqual(['done']);
  expect(session.state.turns.at(-1)).not.toHaveProperty('scope');
  // What it cannot say, it shows: it looks before it answers.
  expect(formats()[0]).not.toContain('"answer"');
});

it('Files with awkward names make a grammar that the engine takes (audit-E1)', async () => {
  const names = ['файл-1.txt', 'a-b [1].txt', odd];
  await open(
    sequence(
      ...names.map((path) => reply().constrainedCall('read_file', { path })),
      reply().constrainedAnswer('All say hello.'),
    ),
  );
  const session = await app.openSession();
  await session.ask(`What do ${names.join(' and ')} say?`);
  for (const name of names) expect(formats()[0]).toContain(JSON.stringify(name));
  expect(session.items('tool').map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(app.engine.state().incidents.filter(({ kind }) => kind === 'refused_grammar')).toEqual([]);
});
