/** What only templates write is never shown, and a thought that comes as text is shown as a thought. */
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { FAMILY_MODELS, reply, rule, script, type Script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { analysis, answer, plan, planning } from '../helpers/planned-turns.ts';
import { call, done, text, thinking, TurnWorld } from '../helpers/turn-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(name: string, answers: Script, profileId?: string) {
  const models = FAMILY_MODELS.filter((model) => model.name === name);
  const world = await World.start({
    files: { 'notes.txt': 'milk\n' },
    sim: { models, script: answers },
  });
  worlds.push(world);
  return { world, session: await world.openSession(profileId) };
}

const mark = /<[|｜]|[|｜]>|<\/?think>|<\/?(?:start|end)_of_turn>|\[\/?[A-Z_]{4,}\]/;

/** All that was ever written into items of this kind, also what was taken back. */
const everWritten = (events: readonly SessionEvent[], kind: 'text' | 'thinking'): string[] => {
  const ids = events.flatMap(({ event }) =>
    event.type === 'item/started' && event.item.kind === kind ? [event.item.id] : [],
  );
  return ids.map((id) =>
    events
      .flatMap(({ event }) => (event.type === 'item/delta' && event.itemId === id ? [event.text] : []))
      .join(''),
  );
};

const shown = (session: SessionView, kind: 'text' | 'thinking'): string[] =>
  session.items(kind).flatMap((item) => (item.text === '' ? [] : [item.text]));

describe('gemma4, whose thoughts behind a result Ollama passes on as text', () => {
  const work = script([
    rule({ resultCount: 0 }, reply().thinking('I should look.').toolCall('read_file', { path: 'notes.txt' })),
    rule({}, reply().thinking('It is one line: milk.').text('The notes say milk.')),
  ]);

  it('shows its thought as one and its answer without a mark (audit-U3)', async () => {
    const { session } = await open('gemma4:8b', work);
    await session.ask('What do the notes say?');
    expect(shown(session, 'text')).toEqual(['The notes say milk.']);
    expect(shown(session, 'thinking').at(-1)).toBe('It is one line: milk.');
    expect(JSON.stringify(session.items('text'))).not.toMatch(mark);
  });

  it('from the second such reply on, not a word of the thought is ever shown as the answer (audit-U3)', async () => {
    const { session } = await open('gemma4:8b', work);
    await session.ask('What do the notes say?');
    const before = session.events.length;
    await session.ask('And now?');
    expect(everWritten(session.events.slice(before), 'text')).toEqual(['The notes say milk.']);
    expect(shown(session, 'thinking').at(-1)).toBe('It is one line: milk.');
  });

  it('keeps the thought as one for the next request (audit-U3)', async () => {
    const { world, session } = await open('gemma4:8b', work);
    await session.ask('What do the notes say?');
    await session.ask('And now?');
    const last = world.sim.truth.requests.findLast(({ endpoint }) => endpoint === '/api/chat')?.body;
    const { messages } = last as { messages: { role: string; content: string; thinking?: string }[] };
    const answered = messages.find(({ content }) => content.includes('The notes say milk.'));
    expect(answered).toMatchObject({ content: 'The notes say milk.', thinking: 'It is one line: milk.' });
  });
});

it.each(FAMILY_MODELS.map(({ name }) => name))(
  '%s shows no mark that its engine passes on (audit-U3)',
  async (name) => {
    const marks = ['<|im_end|>', '<turn|>', '<|eot_id|>', '<｜end▁of▁sentence｜>'];
    const { session } = await open(
      name,
      script([rule({}, reply().text(`It is 4${marks.join('')}. \`a <| b\``))]),
      'talk',
    );
    await session.ask('What is 2 + 2?');
    expect(shown(session, 'text')).toEqual(['It is 4. `a <| b`']);
  },
);

describe('a reply whose thought came as text', () => {
  const marks = { tokens: ['<channel|>'], opens: [], closes: ['<channel|>'], ends: [] };
  const open = (...replies: ConstructorParameters<typeof TurnWorld>): TurnWorld => {
    const world = new TurnWorld(...replies);
    world.marks = marks;
    return world;
  };

  it('empties the item that had it, and is one thought in the log (audit-U3)', async () => {
    const world = open([text('Let me'), text(' see.<chan'), text('nel|>It is 4.'), done()]);
    await world.run();
    const items = world.shown();
    expect(items.map(({ kind, text: said }) => [kind, said])).toEqual([
      ['user', 'Hello'],
      ['text', ''],
      ['thinking', 'Let me see.'],
      ['text', 'It is 4.'],
    ]);
    expect(items.every(({ completedAt }) => completedAt !== null)).toBe(true);
    expect(world.messages.at(-1)).toMatchObject({ content: 'It is 4.', thinking: 'Let me see.' });
  });

  it('before a call is a thought too, and the call runs (audit-U3)', async () => {
    const world = open([text('I look.<channel|>'), call('echo'), done()], [text('Done.'), done()]);
    await world.run();
    expect(world.executed).toEqual(['echo']);
    expect(world.messages[1]).toMatchObject({ content: '', thinking: 'I look.' });
  });

  it('that was presumed and was an answer is shown as that in the end (audit-U3)', async () => {
    const world = open([text('It is 4.'), done()]);
    world.leaks.user = true;
    await world.run();
    expect(world.shown().map(({ kind, text: said }) => [kind, said])).toEqual([
      ['user', 'Hello'],
      ['thinking', ''],
      ['text', 'It is 4.'],
    ]);
    expect(world.messages.at(-1)).toMatchObject({ content: 'It is 4.', thinking: '' });
    expect(world.leaks.user).toBe(false);
  });

  it('stopped in the middle of a presumed thought, it is kept as it came (audit-U3)', async () => {
    const world = open([text('Let me see'), 'hang']);
    world.leaks.user = true;
    world.onEvent = (event) => {
      if (event.type === 'item/delta') world.stop();
    };
    await world.run();
    expect(world.ending()).toBe('turn/stopped');
    expect(world.shown().some(({ text: said }) => said === 'Let me see')).toBe(true);
  });

  it('teaches nothing where the engine tells thoughts by itself (audit-U3)', async () => {
    const world = open([thinking('Hm.'), text('It is 4.'), done()]);
    await world.run();
    expect(world.leaks).toEqual({ user: false, tool: false });
  });

  it('A leaked thought of nothing but marks leaves no empty item behind (audit-A14)', async () => {
    const world = open([text('<|im_end|><channel|>It is 4.'), done()]);
    await world.run();
    expect(world.items().map(({ kind }) => kind)).toEqual(['user', 'text']);
  });

  it('An analysis that was presumed a thought stays in the log as what was said (audit-A14)', async () => {
    const world = planning({}, analysis('no'), plan, answer);
    world.marks = marks;
    world.leaks.user = true;
    await world.run('Say hello');
    expect(world.messages[1]).toMatchObject({
      content: expect.stringContaining('Goal: greet.'),
      thinking: '',
    });
  });

  it('An answer that was presumed a thought is cut where it runs in circles (audit-A14)', async () => {
    const world = open();
    world.leaks.user = true;
    const circle = 'I will read the file now and tell you what it says. ';
    world.provider = {
      async *stream() {
        yield { type: 'opened' };
        yield text('The total is 42. ');
        for (let nth = 0; nth < 100; nth += 1) yield text(circle);
        yield done();
      },
    };
    await world.run();
    expect(world.requests).toHaveLength(1);
    expect(world.messages.at(-1)).toMatchObject({ content: `The total is 42. ${circle}`.trim() });
  });
});
