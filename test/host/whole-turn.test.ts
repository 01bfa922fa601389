/** The house as a user meets it: a message goes in, tools run, the answer streams out, Stop stops. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { reply, rule, script, sequence, type Script, type SimOptions } from '../../src/sim/index.ts';
import { World, type WorldOptions } from '../helpers/host-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(script: Script, options: WorldOptions & { sim?: SimOptions } = {}) {
  const world = await World.start({ ...options, sim: { ...options.sim, script } });
  worlds.push(world);
  return { world, session: await world.openSession() };
}

const chats = (world: World) =>
  world.sim.truth.requests.filter((request) => request.endpoint === '/api/chat');

describe('a turn through the whole house', () => {
  it('runs a real tool on a real file and answers (O1)', async () => {
    const { session } = await open(
      sequence(
        reply().thinking('I should read it.').toolCall('read_file', { path: 'README.md' }),
        reply().text('It says hello.'),
      ),
      { files: { 'README.md': '# Hello\n\nThis is the file.\n' } },
    );
    const turn = await session.ask('What does the readme say?');
    expect(turn.status).toBe('finished');
    expect(session.items('tool')[0]).toMatchObject({
      state: 'done',
      subject: 'README.md',
      result: expect.stringContaining('This is the file.'),
    });
    expect(session.items('text')[0]).toMatchObject({ text: 'It says hello.', cut: false });
    expect(turn.usage).toHaveLength(2);
    expect(turn.usage[1]?.cachedTokens).toBeGreaterThan(0);
  });

  it('asks before it writes, and writes what was allowed', async () => {
    const { world, session } = await open(
      sequence(reply().toolCall('write_file', { path: 'note.txt', content: 'milk' }), reply().text('Done.')),
    );
    const turnId = await session.send('Note: milk');
    await session.answer('allow');
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(await readFile(join(world.workspace, 'note.txt'), 'utf8')).toBe('milk');
  });

  it('does nothing that was declined and goes on', async () => {
    const { session } = await open(
      sequence(reply().toolCall('run_command', { command: 'touch no.txt' }), reply().text('Then not.')),
    );
    const turnId = await session.send('Do it');
    await session.answer('deny');
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(session.items('tool')[0]).toMatchObject({
      state: 'declined',
      approval: { scopes: ['once'], sandboxed: false },
    });
  });

  it('queues a second message and runs it when the first is over (X12 o)', async () => {
    const { session } = await open(sequence(reply().text('One.'), reply().text('Two.')));
    const first = await session.send('First');
    const second = await session.send('Second');
    await session.closed(second);
    expect(session.turn(first)?.status).toBe('finished');
    expect(session.items('text').map((item) => item.text)).toEqual(['One.', 'Two.']);
    await expect(
      (async () => {
        await session.send('Third');
        await session.rpc.call('turn/start', { sessionId: session.sessionId, text: 'x', queue: false });
      })(),
    ).rejects.toMatchObject({ code: 'busy' });
  });

  it('shows a second window the same state, also in mid-turn', async () => {
    const { world, session } = await open(
      sequence(reply().text('A long '.repeat(40)).pause(300).text('answer.')),
    );
    const turnId = await session.send('Go');
    await session.until((state) => state.items.some((item) => item.kind === 'text' && item.text !== ''));
    const second = await world.openWindow().follow(session.sessionId);
    await Promise.all([session.closed(turnId), second.closed(turnId)]);
    expect(second.state).toEqual(session.state);
  });

  it('keeps everything over a restart of the host', async () => {
    const { world, session } = await open(sequence(reply().text('Kept.'), reply().text('And on.')));
    await session.ask('Remember');
    const before = session.state;
    await world.restartHost();
    const again = await world.openWindow().follow(session.sessionId);
    expect(again.state.items).toEqual(before.items);
    expect(before.tokens?.promptTokens).toBeGreaterThan(0);
    expect(again.state.tokens).toEqual(before.tokens);
    expect((await again.ask('Still there?')).status).toBe('finished');
    const sent = chats(world).at(-1)?.body as { messages: { role: string }[] };
    expect(sent.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('says what to do when the engine fails, and the session goes on', async () => {
    const { session } = await open(sequence(reply().error(500, 'Compute error.'), reply().text('Better.')));
    expect((await session.ask('Try')).status).toBe('failed');
    expect(session.items('error')[0]?.message).toContain('Compute error.');
    expect((await session.ask('Again')).status).toBe('finished');
  });
});

describe('Stop in a 60-second prefill', () => {
  it('closes the connection within 100 ms, keeps the model and what was read', async () => {
    const { world, session } = await open(
      script([rule({ nth: 1 }, reply().prefill(60).text('never')), rule({}, reply().text('Quick.'))]),
    );
    const text = 'word '.repeat(9000);
    const prefill = world.sim.truth.next('prefill-started');
    const turnId = await session.send(text);
    await prefill;
    await world.sim.truth.waitFor((truth) => (truth.last()?.evaluated ?? 0) > 300);
    const clickedAt = Date.now();
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    const turn = await session.closed(turnId);

    expect(turn.status).toBe('stopped');
    const [stopped] = chats(world);
    expect((stopped?.closeSeenAt ?? Infinity) - clickedAt).toBeLessThan(100);
    expect(session.items('stopped')[0]).toMatchObject({ stillLoaded: true, during: 'prefill' });

    const next = await session.ask('Shorter, please');
    expect(next.status).toBe('finished');
    expect(next.usage[0]?.cachedTokens).toBe((stopped?.cached ?? 0) + (stopped?.evaluated ?? 0));
    expect(world.sim.truth.violations).toEqual([]);
    expect(world.sim.truth.loads).toHaveLength(1);
  });
});

describe('switching the profile while a turn runs', () => {
  it('sends the new head next and the card says what was read anew', async () => {
    const { world, session } = await open(
      sequence(reply().toolCall('write_file', { path: 'a.txt', content: 'a' }), reply().text('Done.')),
    );
    const turnId = await session.send('Write it');
    await session.until((state) => state.turns[0]?.phase === 'approval');
    await session.rpc.call('session/set-profile', { sessionId: session.sessionId, profileId: 'reader' });
    await session.answer('allow');
    const turn = await session.closed(turnId);

    const [first, second] = chats(world).map(
      (request) => request.body as { messages: { role: string; content: string }[]; tools: unknown[] },
    );
    expect(second?.messages[0]?.content).not.toBe(first?.messages[0]?.content);
    expect(second?.tools.length).toBeLessThan(first?.tools.length ?? 0);
    const card = session.items('switch')[0];
    expect(card?.usage?.evaluatedTokens).toBe(turn.usage[1]?.evaluatedTokens);
    expect(card?.usage?.evaluatedTokens).toBe(chats(world)[1]?.evaluated);
  });

  it('says unknown where the dialect counts nothing as cached', async () => {
    const { session } = await open(
      sequence(reply().toolCall('write_file', { path: 'a.txt', content: 'a' }), reply().text('Done.')),
      { sim: { dialect: '0.33.2' } },
    );
    const turnId = await session.send('Write it');
    await session.until((state) => state.turns[0]?.phase === 'approval');
    await session.rpc.call('session/set-profile', { sessionId: session.sessionId, profileId: 'reader' });
    await session.answer('allow');
    await session.closed(turnId);
    expect(session.items('switch')[0]?.usage).toEqual({
      promptTokens: expect.any(Number),
      evaluatedTokens: null,
    });
  });
});
