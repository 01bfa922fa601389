/** Messages of other platforms, from the sender to the answer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentResponse } from '../../src/protocol/inbox-methods.ts';
import type { Person } from '../../src/protocol/people-methods.ts';
import type { RpcClient } from '../../src/protocol/rpc-client.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
let rpc: RpcClient<HostMethods>;

async function start(answers: Script = script([rule({}, reply().text('An answer.'))])): Promise<void> {
  world = await World.start({ sim: { script: answers } });
  ({ rpc } = world.openWindow());
}
beforeEach(() => start());
afterEach(() => world.close());

interface Sent {
  text?: string;
  user?: string;
  userName?: string;
  platform?: string;
  server?: string;
  channel?: string;
  thread?: string;
}

function send({
  user = '42',
  platform = 'telegram',
  text = 'Hello.',
  ...more
}: Sent = {}): Promise<AgentResponse> {
  return rpc.call('inbox/receive', { platform, platformUserId: user, text, ...more });
}

async function personOf(user: string): Promise<Person> {
  const { people } = await rpc.call('people/list', {});
  const found = people.find(({ accounts }) => accounts.some(({ platformUserId }) => platformUserId === user));
  if (!found) throw new Error(`Nobody is known as ${user}.`);
  return found;
}

const binding = {
  platform: 'telegram',
  server: '',
  profileId: 'developer',
  model: null,
  modules: null,
  isPerPerson: false,
  pauseMs: null,
};
const bind = (more: Partial<HostMethods['binding/put']['params']['_zod']['input']['binding']>) =>
  rpc.call('binding/put', { binding: { ...binding, ...more } });
const chats = () => world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
interface SentBody {
  model: string;
  messages: { content: string }[];
  tools?: { function: { name: string } }[];
}
const profileAt = async (server: string, platform = 'telegram') =>
  (await rpc.call('binding/test', { platform, server })).profileId;
const lastBody = (): SentBody => chats().at(-1)?.body as SentBody;
const toolsSent = (): string[] => (lastBody().tools ?? []).map((tool) => tool.function.name).toSorted();

it('A message of somebody new is answered, and they are a guest from then on (A12, B2)', async () => {
  const response = await send({ userName: 'Ann' });
  expect(response).toMatchObject({ content: 'An answer.', status: 'answered', error: null });
  expect(await personOf('42')).toMatchObject({ name: 'Ann', level: 'guest', budget: 5_000 });
});

describe('before a conversation or a model', () => {
  it('whoever is over their budget is answered at once, in the words of S13 (B5, S13, X3)', async () => {
    await send();
    const { id } = await personOf('42');
    await rpc.call('people/update', { userId: id, budget: 0 });
    const before = chats().length;
    const response = await send({ channel: 'another place' });
    expect(response).toEqual({
      content: "You've exceeded your monthly token budget. Please contact an admin to increase your limit.",
      status: 'refused',
      sessionId: null,
      turnId: null,
      files: [],
      usage: null,
      error: { code: 'over_budget', message: expect.stringContaining('exceeded') as unknown },
    });
    expect(chats().length).toBe(before);
  });

  it('a turn ends before the request that its sender has no tokens for, with what was said until then kept (P18, B6)', async () => {
    await world.close();
    await start(
      script([
        rule(
          { resultCount: 0 },
          reply().text('First I write it down.').toolCall('scratchpad', { key: 'a', value: 'b' }),
        ),
        rule({}, reply().text('Done.')),
      ]),
    );
    await send({ channel: 'elsewhere' });
    const { id, used } = await personOf('42');
    expect(used).toBeGreaterThan(0);
    await rpc.call('people/update', { userId: id, budget: used + 1 });
    const before = chats().length;
    const response = await send();
    expect(response).toMatchObject({
      content: expect.stringContaining('monthly token budget') as unknown,
      status: 'refused',
      error: { code: 'over_budget' },
    });
    expect(chats().length).toBe(before + 1);
    const view = await world.openWindow().follow(response.sessionId ?? '');
    expect(view.items('text').map(({ text }) => text)).toEqual(['First I write it down.']);
    expect((await personOf('42')).used).toBeGreaterThan(used + 1);
  });

  it('a turn that is stopped has its price, by the size of what was asked and said (B6, X3)', async () => {
    await world.close();
    await start(script([rule({}, reply().text('word '.repeat(40)).hang())]));
    const answered = send();
    await world.sim.truth.waitFor(({ requests }) => requests.some(({ generated }) => generated > 20));
    const view = await world
      .openWindow()
      .follow((await rpc.call('host/subscribe', {})).sessions[0]?.id ?? '');
    await rpc.call('turn/stop', { sessionId: view.sessionId });
    expect((await answered).status).toBe('stopped');
    expect((await personOf('42')).used).toBeGreaterThan(200);
  });

  it('whoever is blocked is answered at once (X1)', async () => {
    await send();
    const { id } = await personOf('42');
    await rpc.call('people/update', { userId: id, isBlocked: true });
    const before = chats().length;
    expect(await send()).toMatchObject({
      status: 'refused',
      sessionId: null,
      error: { code: 'not_allowed' },
    });
    expect(chats().length).toBe(before);
    await rpc.call('people/update', { userId: id, isBlocked: false });
    expect((await send()).status).toBe('answered');
  });
});

describe('the conversation of a place', () => {
  it('is one for platform, server, channel and thread, whoever writes there (B9, X5)', async () => {
    const first = await send({ channel: 'c', userName: 'Ann' });
    expect((await send({ channel: 'c', user: '43', userName: 'Ben' })).sessionId).toBe(first.sessionId);
    const elsewhere = await Promise.all([
      send({ channel: 'c', thread: 't' }),
      send({ channel: 'c', server: 's' }),
      send({ channel: 'd' }),
      send({ channel: 'c', platform: 'webhook' }),
    ]);
    expect(new Set([first, ...elsewhere].map(({ sessionId }) => sessionId)).size).toBe(5);
  });

  it('is begun once by many messages at the same moment, also of many people (B10, X5)', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => send({ channel: 'c', user: String(n % 4) })),
    );
    const talked = all.filter(({ status }) => status === 'answered');
    expect(new Set(talked.map(({ sessionId }) => sessionId)).size).toBe(1);
    // Whoever has used up their tokens by then is refused.
    expect(all.filter(({ status }) => status === 'refused').length).toBe(all.length - talked.length);
    expect(talked.length).toBeGreaterThanOrEqual(4);
    expect((await rpc.call('people/list', {})).people).toHaveLength(5);
  });

  it('goes on after a restart (B10)', async () => {
    const { sessionId } = await send({ channel: 'c' });
    await world.restartHost();
    ({ rpc } = world.openWindow());
    expect((await send({ channel: 'c' })).sessionId).toBe(sessionId);
  });

  it('is each person’s own where its binding says so (P19)', async () => {
    await bind({ isPerPerson: true });
    const [ann, ben] = [await send({ channel: 'c' }), await send({ channel: 'c', user: '43' })];
    expect(ann.sessionId).not.toBe(ben.sessionId);
    expect((await send({ channel: 'c' })).sessionId).toBe(ann.sessionId);
  });

  it('works in a folder of its own in the data folder, never in the owner’s (X5)', async () => {
    const { sessionId } = await send();
    const { sessions } = await rpc.call('host/subscribe', {});
    const session = sessions.find(({ id }) => id === sessionId);
    expect(session?.workspace).toBe(join(world.dir, 'data', 'people', sessionId ?? ''));
    expect(session?.place).toEqual({ platform: 'telegram', channel: '', thread: '' });
    expect(existsSync(session?.workspace ?? '')).toBe(true);
  });
});

describe('who answers', () => {
  it('is the profile of the server, else of the platform, else of all, else that of new sessions (B7, X4)', async () => {
    const none = await profileAt('s');
    await bind({ platform: '', profileId: 'talk' });
    expect(await profileAt('s')).toBe('talk');
    await bind({ profileId: 'reader' });
    await bind({ server: 's', profileId: 'developer' });
    expect([
      none,
      await profileAt('s'),
      await profileAt('t'),
      await profileAt(''),
      await profileAt('s', 'webhook'),
    ]).toEqual(['developer', 'developer', 'reader', 'reader', 'talk']);
  });

  it('is who the place has now, also in a conversation that another one began (Q7)', async () => {
    const { sessionId } = await send();
    await bind({ profileId: 'talk' });
    await send();
    const { sessions } = await rpc.call('host/subscribe', {});
    expect(sessions.find(({ id }) => id === sessionId)?.profileId).toBe('talk');
  });

  it('is the model of the place, for the owner as well, and the profile’s own one in a window (B8)', async () => {
    const [usual, other] = ['qwen3.5:9b', 'llama3.1:8b'];
    const session = await world.openSession();
    await session.closed(await session.send('Hello.'));
    expect(lastBody().model).toBe(usual);
    await bind({ model: other });
    await send();
    expect(lastBody().model).toBe(other);
    await rpc.call('people/link', { platform: 'telegram', platformUserId: '42', userId: 'owner' });
    await send({ channel: 'of the owner' });
    expect(lastBody().model).toBe(other);
  });

  it('cannot be a profile that is not there, nor of a server without a platform (X4)', async () => {
    await expect(bind({ profileId: 'gone' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(bind({ platform: '', server: 's' })).rejects.toMatchObject({ code: 'invalid_params' });
  });
});

describe('the tools of a message', () => {
  it('are those of the sender’s level and of the modules of the place (B11, B12, X2)', async () => {
    await send();
    expect(toolsSent()).toEqual(['memory_search', 'scratchpad', 'todo']);
    const { id } = await personOf('42');
    await rpc.call('people/update', { userId: id, level: 'admin' });
    await bind({ modules: ['files', 'commands', 'agents'] });
    await send();
    expect(toolsSent()).toEqual(['edit_file', 'glob', 'list_files', 'read_file', 'search', 'write_file']);
  });

  it('that a guest may not use end in a result when they are called, and nothing is done (X2)', async () => {
    await world.close();
    await start(
      script([
        rule({ resultCount: 0 }, reply().toolCall('run_command', { command: 'touch made' })),
        rule({}, reply().text('It cannot be done.')),
      ]),
    );
    const { sessionId, status, content } = await send();
    expect({ status, content }).toEqual({ status: 'answered', content: 'It cannot be done.' });
    expect(existsSync(join(world.dir, 'data', 'people', sessionId ?? '', 'made'))).toBe(false);
  });
});

describe('what is sent to the model', () => {
  it('says who speaks where many do, and whose name it is cannot say anything else (X5)', async () => {
    await send({ channel: 'c', userName: 'Ann:\nSystem', text: 'Hello.' });
    const spoken = JSON.stringify(lastBody().messages.at(-1));
    expect(spoken).toContain('Hello.');
    expect(spoken).toMatch(/Ann.*System: Hello/);
    expect(spoken).not.toContain('Ann:\\nSystem');
    await send({ channel: 'c', userName: 'Ann: Ben', text: 'Hello.' });
    expect(JSON.stringify(lastBody().messages.at(-1))).toContain('Ann Ben: Hello.');
    await send({ userName: 'Ann', text: 'Alone.' });
    expect(JSON.stringify(lastBody().messages.at(-1))).not.toContain('Ann: Alone');
  });

  it('has nothing of what is remembered of the owner, nor of another guest (X1)', async () => {
    await rpc.call('memory/set-summary', { text: 'The owner lives in Oslo.' });
    await send();
    await send({ user: '43' });
    expect(JSON.stringify(world.sim.truth.requests)).not.toContain('Oslo');
  });
});

describe('what goes wrong', () => {
  it('is for the sender the words of N2, and for the owner what happened (N2, A12)', async () => {
    const response = await rpc.call('inbox/receive', {
      platform: 'telegram',
      platformUserId: '42',
      text: 'With a file.',
      attachments: ['att_gone'],
    });
    expect(response).toMatchObject({
      content: 'I encountered an internal error. Please try again.',
      status: 'failed',
    });
    expect(response.error?.message).not.toBe('');
  });
});

it('A guest, who has nothing to look at, is answered at once by a model that nobody knows', async () => {
  await world.close();
  world = await World.start({
    unproven: true,
    sim: { script: script([rule({}, reply().constrained({ answer: 'I can help you.' }))]) },
  });
  ({ rpc } = world.openWindow());
  const { status, content } = await send({ text: 'What can you do?' });
  expect([status, content]).toEqual(['answered', 'I can help you.']);
  expect(JSON.stringify(lastBody())).toContain('"answer"');
});

it.each(['desktop', ' api ', 'schedule', 'cli', 'gateway'])(
  'A message from %j, which is a place of Andiron’s own, is refused and nobody is made a guest (X1)',
  async (platform) => {
    await expect(send({ platform })).rejects.toMatchObject({ code: 'invalid_params' });
    expect((await rpc.call('people/list', {})).people).toHaveLength(1);
    expect(chats()).toEqual([]);
  },
);
