/** What a session is told of its folder and of skills: once, in its opening, which never changes after that. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { messageOf } from '../helpers/grant-try-table.ts';
import { knownAbilities } from '../helpers/proven-models.ts';
import { openOthers } from '../helpers/open-others.ts';
import { skillFile, SkillWorld } from '../helpers/skill-world.ts';

let skilled: SkillWorld;
afterEach(() => skilled.close());

const files = {
  'AGENTS.md': 'Use tabs.',
  '.agents/skills/zip/SKILL.md': skillFile('zip', 'Zip it.'),
  '.claude/skills/deploy/SKILL.md': skillFile('deploy', 'Deploy it.'),
};
const system = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }[process.platform as 'linux'];
const facts = (): string =>
  `Workspace folder: ${realpathSync(join(skilled.world.dir, 'workspace'))}\nSystem: ${system}\nPaths in tool calls are relative to the workspace folder.\n\n`;
const instructions =
  'Instructions for this folder (AGENTS.md):\nUse tabs.\nEnd of the instructions for this folder.\n\n';
const list =
  'Skills, each with instructions for one kind of task. Load the one that fits with load_skill before you begin:\n';

const withoutPlanning = (model: Parameters<typeof knownAbilities>[0]) =>
  new Set([...knownAbilities(model)].filter((ability) => ability !== 'planning'));

test('An opening has the folder, its instructions and the skills, sorted, to the byte', async () => {
  skilled = await SkillWorld.start(files);
  await skilled.own('notes', 'Note it.');
  const session = await skilled.trusted();
  await session.ask('Go.');
  const skills = '- deploy: Does deploy.\n- notes: Does notes.\n- zip: Does zip.\n\n';
  expect(skilled.opening).toBe(`${facts()}${instructions}${list}${skills}Go.`);
});

test('A head is the same with skills and without', async () => {
  skilled = await SkillWorld.start(files);
  const before = await skilled.world.openSession();
  await before.ask('Go.');
  await (await skilled.trusted()).ask('Go.');
  const [first, second] = skilled.requests.map(({ messages, tools }) => JSON.stringify([messages[0], tools]));
  expect(skilled.requests).toHaveLength(2);
  expect(second).toBe(first);
});

test('What was said stays as it was sent, whatever becomes of the folder and its skills', async () => {
  skilled = await SkillWorld.start(files);
  const session = await skilled.trusted();
  const { rpc, sessionId } = session;
  await session.ask('One.');
  await skilled.write('workspace/AGENTS.md', 'Use blanks.');
  const { skills } = await skilled.list(session);
  for (const { path } of skills) await rpc.call('skill/turn-off', { workspace: skilled.workspace, path });
  await session.ask('Two.');
  await skilled.world.restartHost();
  const later = await skilled.world.openWindow().follow(sessionId);
  await later.ask('Three.');
  const [one, two, three] = skilled.requests.map(({ messages }) => messages.map((each) => each.content));
  expect(two?.slice(0, one?.length)).toEqual(one);
  expect(three?.slice(0, two?.length)).toEqual(two);
});

test('A folder that is not trusted stays silent, and the person is told once that it has something to say', async () => {
  skilled = await SkillWorld.start(files);
  const session = await skilled.world.openSession();
  await session.ask('Go.');
  await session.ask('On.');
  expect(skilled.opening).toBe(`${facts()}Go.`);
  expect(session.items('note').map(({ note }) => note)).toEqual(['instructions']);
});

test('A folder without instructions is said nothing of', async () => {
  skilled = await SkillWorld.start({ 'a.txt': '' });
  const session = await skilled.world.openSession();
  await session.ask('Go.');
  expect(skilled.opening).toBe(`${facts()}Go.`);
  expect(session.items('note')).toEqual([]);
});

test('A profile without tools hears nothing of a folder in which it does nothing', async () => {
  skilled = await SkillWorld.start(files);
  const session = await skilled.trusted('talk');
  await session.ask('Go.');
  expect(skilled.opening).toBe(`${facts()}Go.`);
});

test('A profile without load_skill hears of its folder, and of no skill', async () => {
  skilled = await SkillWorld.start(files);
  const session = await skilled.trusted('reader');
  await session.ask('Go.');
  expect(skilled.opening).toBe(`${facts()}${instructions}Go.`);
});

test('A model that does not plan gets the one skill that fits its message, and no list', async () => {
  skilled = await SkillWorld.start(files, { known: withoutPlanning });
  const session = await skilled.trusted();
  await session.ask('Please zip the folder.');
  expect(skilled.opening).toContain('\n\nSkill of somebody else: zip\n');
  expect(skilled.opening).toContain('\n\nZip it.\n\nPlease zip');
  expect(skilled.opening).not.toContain('deploy');
  expect(skilled.requests.at(-1)?.tools.map((tool) => tool.function.name)).not.toContain('load_skill');
});

test('A model that does not plan gets no skill where none fits its message', async () => {
  skilled = await SkillWorld.start(files, { known: withoutPlanning });
  const session = await skilled.trusted();
  await session.ask('Hello.');
  expect(skilled.opening).toBe(`${facts()}${instructions}Hello.`);
});

test('A skill that nobody asked for takes at most 15 % of the context', async () => {
  const long = Array.from({ length: 20_000 }, (_, at) => `Line ${String(at)}.`).join('\n');
  skilled = await SkillWorld.start({}, { known: withoutPlanning });
  await skilled.own('zip', long);
  const session = await skilled.world.openSession();
  await session.ask('Please zip it.');
  const context = session.state.context?.windowTokens ?? 0;
  const skill = skilled.opening.slice(facts().length);
  expect(skill).toContain('[truncated]');
  expect(skill.length / 4).toBeLessThan(0.15 * context);
  expect(skill.length / 4).toBeGreaterThan(0.13 * context);
});

test('Instructions deeper down are named once, when a file beneath them is first read', async () => {
  skilled = await SkillWorld.start({ ...files, 'a/AGENTS.md': 'Deep.', 'a/b/c.txt': 'c', 'a/d.txt': 'd' });
  const session = await skilled.trusted();
  const reads = ['AGENTS.md', 'a/b/c.txt', 'a/d.txt'].map((path): [string, object] => [
    'read_file',
    { path },
  ]);
  await session.ask(messageOf(reads as Parameters<typeof messageOf>[0]));
  const named = session.items('tool').map(({ result }) => result.split('[andiron note]')[1]?.trim());
  expect(named).toEqual([
    undefined,
    'a/AGENTS.md has instructions for this folder. Read it before you change anything here.',
    undefined,
  ]);
  expect(skilled.opening).not.toContain('Deep.');
});

test('Instructions deeper down are not named again in a session that left the memory and came back', async () => {
  skilled = await SkillWorld.start({ ...files, 'a/AGENTS.md': 'Deep.', 'a/b.txt': 'b' });
  const session = await skilled.trusted();
  const { rpc, sessionId } = session;
  const reading = messageOf([['read_file', { path: 'a/b.txt' }]]);
  await session.ask(reading);
  await rpc.call('session/unsubscribe', { sessionId });
  await openOthers(skilled.world, 20);
  const again = await skilled.world.openWindow().follow(sessionId);
  await again.ask(reading);
  const named = again.items('tool').map(({ result }) => result.includes('a/AGENTS.md has instructions'));
  expect(named).toEqual([true, false]);
});

test('Instructions deeper down are not named in a folder that is not trusted', async () => {
  skilled = await SkillWorld.start({ 'a/AGENTS.md': 'Deep.', 'a/b.txt': 'b' });
  const session = await skilled.world.openSession();
  await session.ask(messageOf([['read_file', { path: 'a/b.txt' }]]));
  expect(session.items('tool')[0]?.result).not.toContain('AGENTS.md');
});

test('A copy of a session that goes on in another folder is not told what the first one said', async () => {
  skilled = await SkillWorld.start(files);
  const session = await skilled.trusted();
  await session.ask('Go.');
  const elsewhere = join(skilled.world.dir, 'elsewhere');
  await skilled.write('elsewhere/a.txt', '');
  const { sessionId, rpc } = session;
  const { session: copy } = await rpc.call('session/fork', { sessionId, workspace: elsewhere });
  const there = await skilled.world.openWindow().follow(copy.id);
  await there.ask('On.');
  expect(skilled.opening).toContain('/elsewhere\n');
  expect(skilled.opening).not.toContain('Use tabs.');
});
