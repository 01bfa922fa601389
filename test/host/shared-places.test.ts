/** Several people in one conversation: each message has the rights, the budget and the rules of whoever wrote it. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import type { SessionView } from '../helpers/host-world.ts';
import { Messenger } from '../helpers/messenger.ts';

let to: Messenger;
afterEach(() => to.world.close());

const answers = script([rule({}, reply().text('An answer.'))]);
const start = async (source: Script = answers, sandbox?: Sandbox): Promise<void> => {
  to = await Messenger.start({ ...(sandbox && { sandbox }), sim: { script: source } });
};
const everything = ['files', 'commands', 'work', 'agents', 'memory'];

describe('in a conversation of several people', () => {
  it('a guest gets none of the tools of the owner who wrote before, nor of their level (X2)', async () => {
    await start();
    await to.bind({ modules: everything });
    await to.send({ channel: 'elsewhere' });
    await to.makeLevel('42', 'owner');
    const first = await to.send({ channel: 'c' });
    expect(to.toolsSent()).toContain('run_command');
    const second = await to.send({ channel: 'c', user: '43' });
    expect(second.sessionId).toBe(first.sessionId);
    expect(to.toolsSent()).toEqual(['scratchpad', 'todo']);
    await to.send({ channel: 'c' });
    expect(to.toolsSent()).toContain('run_command');
  });

  it('each message counts in the budget of whoever wrote it (B6, X3)', async () => {
    await start();
    await to.send({ channel: 'c' });
    const { used } = await to.personOf('42');
    await to.send({ channel: 'c', user: '43' });
    expect((await to.personOf('42')).used).toBe(used);
    expect((await to.personOf('43')).used).toBeGreaterThan(0);
  });

  it('a summary counts in the budget of whoever asked for it (B6, S14)', async () => {
    await start(
      script([
        rule({ user: 'Write a summary' }, reply().text('Goal: food.')),
        rule({}, reply().text('Yes.')),
      ]),
    );
    const long = 'We talk about food. '.repeat(60);
    for (const text of [long, 'And now?']) await to.send({ channel: 'c', text });
    await to.send({ channel: 'elsewhere', user: '43' });
    const [ann, ben] = [await to.personOf('42'), await to.personOf('43')];
    expect((await to.send({ channel: 'c', user: '43', text: '/compact' })).status).toBe('answered');
    expect((await to.personOf('42')).used).toBe(ann.used);
    expect((await to.personOf('43')).used).toBeGreaterThan(ben.used);
  });

  it('nothing that is remembered of one is read by all, and a direct message still has it (X1)', async () => {
    await start();
    await to.send();
    await to.makeLevel('42', 'owner');
    await to.rpc.call('memory/set-summary', { text: 'The owner lives in Oslo.' });
    await to.send({ channel: 'c' });
    expect(JSON.stringify(to.lastBody())).not.toContain('Oslo');
    expect(to.toolsSent().filter((tool) => tool.startsWith('memory'))).toEqual([]);
    for (const channel of ['', '42']) {
      await to.send({ channel, server: 'direct' });
      expect(JSON.stringify(to.lastBody())).toContain('Oslo');
      expect(to.toolsSent()).toContain('memory_search');
    }
  });

  it('two people whose platform names no channel are never in one (B9, X1)', async () => {
    await start();
    const [ann, ben] = [await to.send(), await to.send({ user: '43' })];
    expect(ann.sessionId).not.toBe(ben.sessionId);
  });
});

/** Keeps nothing in, and says that it does. */
const trusting: Sandbox = {
  status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
  hidden: [],
  keep: async (begin) => begin,
};
const writing: Script = ({ results, lastUser }) => {
  const path = /write (\w)/.exec(lastUser)?.[1];
  if (results.length > 0 || path === undefined) return reply().text('Done.');
  return reply().toolCall('write_file', { path: `${path}.txt`, content: 'Text.' });
};
const running: Script = ({ results, lastUser }) =>
  results.length > 0 || !lastUser.includes('run')
    ? reply().text('Done.')
    : reply().toolCall('run_command', { command: 'echo one two' });

const questions = (session: SessionView) =>
  session.events.flatMap(({ event }) => (event.type === 'approval/requested' ? [event.approval] : []));

async function follow(sessionId: string | null): Promise<SessionView> {
  return to.world.openWindow().follow(sessionId ?? '');
}

async function answerNext(session: SessionView, answered: number, more: object = {}) {
  await session.until(() => questions(session).length > answered);
  const approval = questions(session).at(-1);
  if (!approval) throw new Error('Nothing was asked.');
  const { sessionId } = session;
  await session.rpc.call('approval/answer', {
    sessionId,
    approvalId: approval.id,
    decision: 'allow',
    ...more,
  });
  return approval;
}

describe('what the owner allows', () => {
  it('for good in their own turn asks no more there (X2)', async () => {
    await start(running, trusting);
    await to.bind({ modules: everything });
    const ann = await to.send({ channel: 'c' });
    await to.makeLevel('42', 'owner');
    const session = await follow(ann.sessionId);
    const rule = { words: ['echo', 'one', 'two'], isExact: true };
    const [first] = await Promise.all([
      to.send({ channel: 'c', text: 'run it' }),
      answerNext(session, 0, { rule }),
    ]);
    expect(first.status).toBe('answered');
    await to.send({ channel: 'c', text: 'run it' });
    expect(questions(session)).toHaveLength(1);
  });

  it('for the rest of a session is offered to nobody where several write (X2)', async () => {
    await start(writing);
    await to.bind({ modules: everything });
    const { sessionId } = await to.send({ channel: 'c' });
    await to.makeLevel('42', 'admin');
    const session = await follow(sessionId);
    const [, approval] = await Promise.all([
      to.send({ channel: 'c', text: 'write a' }),
      answerNext(session, 0, { scope: 'session' }),
    ]);
    expect(approval.scopes).toEqual(['once']);
    await Promise.all([to.send({ channel: 'c', text: 'write b' }), answerNext(session, 1)]);
    expect(questions(session)).toHaveLength(2);
  });

  it('at the window for the rest of such a session is nobody else’s there (X2)', async () => {
    await start(writing);
    await to.bind({ modules: everything });
    const { sessionId } = await to.send({ channel: 'c' });
    await to.makeLevel('42', 'admin');
    const session = await follow(sessionId);
    const turnId = await session.send('write a');
    await answerNext(session, 0, { scope: 'session' });
    await session.closed(turnId);
    await session.closed(await session.send('write b'));
    expect(questions(session)).toHaveLength(1);
    await Promise.all([to.send({ channel: 'c', text: 'write c' }), answerNext(session, 1)]);
    expect(questions(session)).toHaveLength(2);
  });
});
