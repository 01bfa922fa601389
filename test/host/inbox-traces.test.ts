/** The traces of the source documents that have a platform (O2, O3), and what is on the disk while a model is asked. */
import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { Messenger } from '../helpers/messenger.ts';

let to: Messenger;
afterEach(() => to.world.close());
const start = async (answers: Script): Promise<void> => {
  to = await Messenger.start({
    files: { 'links.txt': 'python tutorials: one, two, three' },
    sim: { script: answers },
  });
};
/** As a process beside the host reads it. */
const beside = <T>(read: (database: Sqlite.Database) => T): T => {
  const database = new Sqlite(join(to.world.dir, 'data', 'andiron.db'));
  try {
    return read(database);
  } finally {
    database.close();
  }
};

it('O2: a simple message of a guest who has used 100 of 5,000 tokens, in one iteration without a tool', async () => {
  const answer = "I'm doing well, thank you! How can I help you today?";
  await start(script([rule({ user: 'how are you' }, reply().text(answer)), rule({}, reply().text('Hi.'))]));
  await to.send({ channel: 'elsewhere', text: 'Hi.' });
  const { id } = await to.personOf('42');
  beside((database) => database.prepare('UPDATE users SET used = 100 WHERE id = ?').run(id));
  expect(await to.personOf('42')).toMatchObject({ level: 'guest', budget: 5_000, used: 100 });
  const asked = to.bodies().length;

  const response = await to.send({ channel: '42', text: 'Hello, how are you?' });

  expect(response).toMatchObject({ content: answer, status: 'answered', files: [], error: null });
  expect(to.bodies().slice(asked)).toHaveLength(1);
  expect(to.lastBody().messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(to.lastBody().messages.at(-1)?.content).toContain('\n\nHello, how are you?');
  const view = await to.world.openWindow().follow(response.sessionId ?? '');
  const turn = view.turn(response.turnId ?? '');
  expect(turn?.iterations).toBe(1);
  expect(view.items('tool')).toEqual([]);
  expect(view.items('text').map(({ text }) => text)).toEqual([answer]);
  const [usage] = turn?.usage ?? [];
  expect((await to.personOf('42')).used).toBe(100 + (usage?.promptTokens ?? 0) + (usage?.outputTokens ?? 0));
});

it('O3: a search that makes a file, in three iterations with two tools, answered with the file', async () => {
  const answer = "I've searched for Python tutorials and saved the top 3 links to python_tutorials.md";
  const document = { title: 'Python tutorials', content: '# Python Tutorials\n1. one' };
  await start(
    script([
      rule({ user: 'Hi.' }, reply().text('Hi.')),
      rule({ resultCount: 0 }, reply().toolCall('search', { pattern: 'Python tutorials' })),
      rule({ resultCount: 1 }, reply().toolCall('create_document', document)),
      rule({}, reply().text(answer)),
    ]),
  );
  await to.bind({ modules: ['files'] });
  await to.send({ text: 'Hi.' });
  await to.makeLevel('42', 'admin');
  const tools = ['search', 'create_document'];
  await to.rpc.call('profile/update', {
    profileId: 'developer',
    changes: { approvals: 'accept_edits', tools },
  });

  const response = await to.send({
    text: 'Search for Python tutorials and save the top 3 links to a file',
  });

  expect(response).toMatchObject({
    content: answer,
    status: 'answered',
    files: [
      { name: 'python_tutorials.md', url: expect.stringMatching(/\/python_tutorials\.md$/) as unknown },
    ],
  });
  const view = await to.world.openWindow().follow(response.sessionId ?? '');
  expect(view.turn(response.turnId ?? '')?.iterations).toBe(3);
  expect(view.items('tool').map(({ tool, state }) => [tool, state])).toEqual([
    ['search', 'done'],
    ['create_document', 'done'],
  ]);
});

it('While a model is asked, another process already reads the conversation, its turn and its file (B13)', async () => {
  await start(script([rule({ user: 'Wait' }, reply().hang()), rule({}, reply().text('Hi.'))]));
  const { attachment } = await to.rpc.call('attachment/add', {
    name: 'list.txt',
    data: Buffer.from('Rice').toString('base64'),
  });
  await to.send({ channel: 'c' });
  const answered = to.send({ channel: 'c', text: 'Wait.', attachments: [attachment.id] });
  const running = await to.untilAsked('c');
  const [session, turn, file] = beside((database) => [
    database.prepare("SELECT id, platform, user_id FROM sessions WHERE channel = 'c'").get(),
    database.prepare("SELECT session_id FROM turns WHERE body LIKE '%Wait.%'").get(),
    database.prepare('SELECT session_id FROM attachment_claims').get(),
  ]) as [{ id: string; platform: string; user_id: string }, { session_id: string }, { session_id: string }];
  expect(session).toMatchObject({ platform: 'telegram', user_id: (await to.personOf('42')).id });
  expect([turn.session_id, file.session_id]).toEqual([session.id, session.id]);
  expect(running).toBe(session.id);
  await to.rpc.call('turn/stop', { sessionId: running });
  expect((await answered).status).toBe('stopped');
});
