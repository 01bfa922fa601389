/** What a model is sent hangs on what it was seen to do: not on its size, and not on the words of the person. */
import { afterEach, expect, it } from 'vitest';
import { reply, script, rule } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World | undefined;
afterEach(() => world?.close());

interface SentBody {
  messages: { content: string }[];
  tools?: unknown;
  format?: unknown;
  options?: unknown;
}

/** All that a model which nobody knows is sent for one message, first meeting and all. */
async function sentFor(text: string, parameterSize: string): Promise<string[]> {
  const model = { name: 'one:1b', family: 'template-qwen2.5', card: { parameterSize } } as const;
  const answers = script([rule({}, reply().text('It is so.'))]);
  world = await World.start({
    unproven: true,
    files: { 'a.txt': 'milk' },
    sim: { models: [model], script: answers },
  });
  const session = await world.openSession();
  await session.ask(text);
  await world.rest();
  const bodies = world.sim.truth.requests
    .filter(({ endpoint }) => endpoint === '/api/chat')
    .map(({ body }) => body as SentBody);
  const { workspace } = world;
  await world.close();
  world = undefined;
  return bodies.map(({ messages, tools, format, options }) =>
    JSON.stringify({ messages, tools, format, options })
      .replaceAll(workspace, 'the folder')
      .replaceAll(text, 'the message'),
  );
}

it.each(['494M', '1.8B', '70.6B'])(
  'A model of %s is sent what any other of which nothing is known is sent (audit-E5)',
  async (size) => {
    const sent = await sentFor('Write tea into a.txt.', size);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent).toEqual(await sentFor('Write tea into a.txt.', '9.0B'));
  },
);

it.each(['Delete a.txt.', 'Ezabatu a.txt fitxategia.', 'Zer dio a.txt fitxategiak?'])(
  'The tools that are offered for “%s” are those for any other message (audit-E9)',
  async (text) => {
    expect(await sentFor(text, '1.8B')).toEqual(await sentFor('How are you?', '1.8B'));
  },
);
