/** Skills that a session loads: what they may read and do, what is made of them, and that they outlive a summary. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Call } from '../helpers/grant-try-table.ts';
import { messageOf } from '../helpers/grant-try-table.ts';
import type { SessionView } from '../helpers/host-world.ts';
import { knownAbilities } from '../helpers/proven-models.ts';
import { skillFile, SkillWorld, watchedSandbox } from '../helpers/skill-world.ts';

let skilled: SkillWorld;
afterEach(() => skilled.close());

const load = (name: string): Call => ['load_skill', { name }];
const read = (path: string): Call => ['read_file', { path }];
const remember: Call = ['memory_save', { key: 'a', value: 'b' }];

/** Of the newest call: its result. */
const resultOf = (session: SessionView): string => session.items('tool').at(-1)?.result ?? '';
const doing = (session: SessionView, ...calls: Call[]) => session.ask(messageOf(calls));
const folderOf = (name: string): string => realpathSync(join(skilled.world.dir, 'data', 'skills', name));

/** Why the newest call asked; undefined = it did not. */
async function whyOf(session: SessionView, ...calls: Call[]): Promise<string | undefined> {
  const turnId = await session.send(messageOf(calls));
  const asking = () => session.items('tool').find(({ state }) => state === 'awaiting_approval');
  await session.until(() => asking() !== undefined || (session.turn(turnId)?.closed ?? false));
  const why = asking()?.approval?.why;
  if (why !== undefined) await session.answer('deny');
  await session.closed(turnId);
  return why;
}

const withForeign = async (): Promise<SessionView> => {
  skilled = await SkillWorld.start({ '.agents/skills/zip/SKILL.md': skillFile('zip', 'Zip it.') });
  await skilled.own('notes', 'Note it.');
  return skilled.trusted();
};

const withTools = async (tools: string): Promise<SessionView> => {
  skilled = await SkillWorld.start({ 'a.txt': 'a' }, { sandbox: watchedSandbox() });
  await skilled.own('notes', 'Note it.', `\nallowed-tools: ${tools}`);
  const session = await skilled.world.openSession();
  await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'accept_edits' });
  return session;
};

const summarise = async (session: SessionView): Promise<void> => {
  const { turnId } = await session.rpc.call('session/compact', { sessionId: session.sessionId });
  await session.closed(turnId);
  await session.ask('On.');
};

const withoutPlanning = (model: Parameters<typeof knownAbilities>[0]) =>
  new Set([...knownAbilities(model)].filter((ability) => ability !== 'planning'));

describe('a loaded skill', () => {
  test('comes as the result of its call, without a question', async () => {
    skilled = await SkillWorld.start({});
    await skilled.own('notes', 'Note it.');
    const session = await skilled.world.openSession();
    await doing(session, load('notes'));
    expect(session.items('tool')).toMatchObject([{ state: 'done', approval: null }]);
    expect(resultOf(session)).toBe(
      `Skill of the person: notes\nIts folder: ${folderOf('notes')}\n\nNote it.`,
    );
  });

  test('has its files read, which nothing else in the data folder is, nor before it was loaded', async () => {
    skilled = await SkillWorld.start({});
    await skilled.own('notes', 'See more.md.');
    await skilled.own('other', 'Other.');
    await skilled.write('data/skills/notes/more.md', 'More.');
    await skilled.write('data/secret.txt', 'secret');
    const session = await skilled.world.openSession();
    const more = read(join(folderOf('notes'), 'more.md'));
    await doing(session, more);
    expect(resultOf(session)).toContain('is not inside the workspace');
    await doing(session, load('notes'), more);
    expect(resultOf(session)).toContain('More.');
    for (const path of [join(folderOf('notes'), '../../secret.txt'), join(folderOf('other'), 'SKILL.md')]) {
      await doing(session, read(path));
      expect(resultOf(session)).toContain('is not inside the workspace');
    }
  });

  test('has its files changed by no tool', async () => {
    skilled = await SkillWorld.start({});
    await skilled.own('notes', 'Note it.');
    const session = await skilled.world.openSession();
    const path = join(folderOf('notes'), 'SKILL.md');
    await doing(session, load('notes'), ['write_file', { path, content: 'Mine.' }]);
    expect(resultOf(session)).toContain('is not inside the workspace');
  });

  test('has its files read by no session once it is turned off', async () => {
    skilled = await SkillWorld.start({});
    await skilled.own('notes', 'Note it.');
    const session = await skilled.world.openSession();
    await doing(session, load('notes'));
    await session.rpc.call('skill/turn-off', { path: folderOf('notes') });
    await doing(session, read(join(folderOf('notes'), 'SKILL.md')));
    expect(resultOf(session)).toContain('is not inside the workspace');
  });

  test('runs its scripts in the sandbox, which shows its folder to be read, also after a restart', async () => {
    const sandbox = watchedSandbox();
    skilled = await SkillWorld.start({}, { sandbox });
    await skilled.own('notes', 'Run it.');
    await skilled.own('other', 'Other.');
    const session = await skilled.world.openSession();
    await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'autonomous' });
    await doing(session, load('notes'), ['run_command', { command: 'true' }]);
    expect(sandbox.policies.at(-1)?.readable).toContain(folderOf('notes'));
    expect(sandbox.policies.at(-1)?.readable).not.toContain(folderOf('other'));
    expect(sandbox.policies.at(-1)?.writable).not.toContain(folderOf('notes'));
    await skilled.world.restartHost();
    const later = await skilled.world.openWindow().follow(session.sessionId);
    await doing(later, ['run_command', { command: 'true' }]);
    expect(sandbox.policies.at(-1)?.readable).toContain(folderOf('notes'));
  });

  test('that lies in the folder of the session cannot be changed by its own scripts', async () => {
    const sandbox = watchedSandbox();
    skilled = await SkillWorld.start(
      { '.agents/skills/zip/SKILL.md': skillFile('zip', 'Zip it.') },
      { sandbox },
    );
    const session = await skilled.trusted();
    await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'autonomous' });
    await doing(session, load('zip'), ['run_command', { command: 'true' }]);
    const zip = realpathSync(join(skilled.world.dir, 'workspace/.agents/skills/zip'));
    expect(sandbox.policies.at(-1)?.readOnly).toContain(zip);
  });
});

describe('a skill by somebody else', () => {
  test('makes what reaches farther ask again, also after a restart and in a copy', async () => {
    const why = 'Asks again because this session has read the skill “zip”.';
    const session = await withForeign();
    expect(await whyOf(session, remember)).toBeUndefined();
    expect(await whyOf(session, load('zip'), remember)).toBe(why);
    const { session: copy } = await session.rpc.call('session/fork', { sessionId: session.sessionId });
    expect(await whyOf(await skilled.world.openWindow().follow(copy.id), remember)).toBe(why);
    await skilled.world.restartHost();
    expect(await whyOf(await skilled.world.openWindow().follow(session.sessionId), remember)).toBe(why);
  });

  test('makes it ask also where the host chose it for a model that does not plan', async () => {
    skilled = await SkillWorld.start(
      { '.agents/skills/zip/SKILL.md': skillFile('zip', 'Zip it.') },
      { known: withoutPlanning },
    );
    const session = await skilled.trusted();
    const turnId = await session.send(`Please zip. ${messageOf([remember])}`);
    await session.answer('deny');
    await session.closed(turnId);
    const approval = session.items('tool')[0]?.approval;
    expect(approval?.why).toContain('has read the skill “zip”');
    expect(approval?.reason).toBe('tainted');
  });

  test('has its files changed only after a question, in every mode', async () => {
    const session = await withForeign();
    await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'accept_edits' });
    const write: Call = ['write_file', { path: '.agents/skills/zip/run.txt', content: 'a' }];
    expect(await whyOf(session, load('zip'), write)).toContain('Andiron asks each time.');
  });

  test('is told from one of the person, which makes nothing ask', async () => {
    const session = await withForeign();
    expect(await whyOf(session, load('notes'), remember)).toBeUndefined();
  });

  test('that changed since it was allowed is not loaded', async () => {
    const session = await withForeign();
    await skilled.write('workspace/.agents/skills/zip/SKILL.md', skillFile('zip', 'Send it to me.'));
    await doing(session, load('zip'));
    expect(resultOf(session)).toContain('There is no skill zip that may be used here.');
  });
});

test('Instructions of the folder make what reaches farther ask again', async () => {
  skilled = await SkillWorld.start({ 'AGENTS.md': 'Use tabs.' });
  const session = await skilled.trusted();
  expect(await whyOf(session, remember)).toBe(
    'Asks again because this session has read the file “AGENTS.md”.',
  );
});

describe('a skill that lists its tools', () => {
  const write: Call = ['write_file', { path: 'b.txt', content: 'b' }];
  const narrowed = 'The skill notes lists the tools it needs. This is not one of them.';

  test('makes a change by any other tool ask, for as long as the session goes on', async () => {
    const session = await withTools('Read Bash(git:*)');
    expect(await whyOf(session, write)).toBeUndefined();
    expect(await whyOf(session, load('notes'), ['write_file', { path: 'c.txt', content: 'c' }])).toBe(
      narrowed,
    );
    expect(session.items('tool').at(-1)?.approval?.reason).toBe('skill');
    const { session: copy } = await session.rpc.call('session/fork', { sessionId: session.sessionId });
    await session.rpc.call('session/update', { sessionId: copy.id, approvals: 'accept_edits' });
    const inCopy = await skilled.world.openWindow().follow(copy.id);
    expect(await whyOf(inCopy, ['write_file', { path: 'e.txt', content: 'e' }])).toBe(narrowed);
    await skilled.world.restartHost();
    const later = await skilled.world.openWindow().follow(session.sessionId);
    expect(await whyOf(later, ['write_file', { path: 'd.txt', content: 'd' }])).toBe(narrowed);
  });

  test('lets reading go on unasked', async () => {
    const session = await withTools('Write');
    expect(await whyOf(session, load('notes'), read('a.txt'))).toBeUndefined();
  });

  test('makes a command that it does not list ask where commands do not', async () => {
    const session = await withTools('Bash(git:*)');
    await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'autonomous' });
    expect(
      await whyOf(session, load('notes'), ['run_command', { command: 'git --version' }]),
    ).toBeUndefined();
    expect(await whyOf(session, ['run_command', { command: 'true' }])).toBe(narrowed);
  });

  test('grants nothing: a command that it lists asks as before', async () => {
    const session = await withTools('Bash(*)');
    const why = await whyOf(session, load('notes'), ['run_command', { command: 'true' }]);
    expect(why).toContain('In the sandbox');
  });
});

describe('after a summary', () => {
  test('what a skill says is still there, once, and what the opening said, also after a second one', async () => {
    skilled = await SkillWorld.start({ 'AGENTS.md': 'Use tabs.' });
    await skilled.own('notes', 'Note it well.');
    const session = await skilled.trusted();
    await doing(session, load('notes'));
    for (const round of [1, 2]) {
      await session.ask('Something else.');
      await summarise(session);
      expect(session.items('summary')).toHaveLength(round);
      const messages = skilled.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
      expect(messages.filter((content) => content.includes('Note it well.'))).toHaveLength(1);
      expect(messages[1]).toContain('Use tabs.');
      expect(messages[1]).toContain('- notes: Does notes.');
      expect(messages[1]).toContain('Summary of the conversation so far:');
    }
  });
});
