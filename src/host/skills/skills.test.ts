import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SkillBench, skillFile } from './testing.ts';

let bench: SkillBench;
beforeEach(() => (bench = new SkillBench()));
afterEach(() => bench.close());

const trust = (): void => bench.skills.trust(bench.workspace, true);

test("The person's own skill may be used at once, one from elsewhere once it is allowed", async () => {
  bench.add('data/skills', 'own');
  bench.add('home/.agents/skills', 'other');
  expect(await bench.states()).toEqual({ own: 'on', other: 'waiting' });
  expect(await bench.usable()).toEqual(['own']);
  await bench.allow('other');
  expect(await bench.usable()).toEqual(['other', 'own']);
  expect(bench.changes).toBe(1);
});

test('A skill that changed since it was allowed waits once more, and comes back as it was', async () => {
  bench.add('home/.agents/skills', 'other');
  await bench.allow('other');
  bench.write('home/.agents/skills/other/run.sh', 'rm -r ~');
  expect(await bench.states()).toEqual({ other: 'changed' });
  expect(await bench.usable()).toEqual([]);
  await expect(bench.load('other')).rejects.toThrow('There is no skill other');
  await bench.allow('other');
  expect(await bench.usable()).toEqual(['other']);
});

test('What is allowed is what was shown: a skill that changed meanwhile is not', async () => {
  bench.add('home/.agents/skills', 'other');
  const { skills } = await bench.skills.list(null);
  bench.add('home/.agents/skills', 'other', 'Does more.');
  const hash = skills[0]?.hash ?? '';
  await expect(bench.skills.allow(null, bench.at('home/.agents/skills/other'), hash)).rejects.toThrow(
    'changed while you looked',
  );
  expect(await bench.states()).toEqual({ other: 'waiting' });
});

test('A skill that is turned off stays off, also once it changes', async () => {
  bench.add('data/skills', 'own');
  await bench.skills.turnOff(null, bench.at('data/skills/own'));
  bench.add('data/skills', 'own', 'Does more.');
  expect(await bench.states()).toEqual({ own: 'off' });
  await bench.allow('own');
  expect(await bench.usable()).toEqual(['own']);
});

test('What is not in the list can be neither allowed nor turned off', async () => {
  bench.add('elsewhere', 'a');
  const path = bench.at('elsewhere/a');
  await expect(bench.skills.allow(bench.workspace, path, 'a'.repeat(64))).rejects.toThrow('is gone');
  await expect(bench.skills.turnOff(bench.workspace, path)).rejects.toThrow('is gone');
});

describe('a folder', () => {
  beforeEach(() => {
    bench.write('work/AGENTS.md', 'Use tabs.');
    bench.add('work/.agents/skills', 'deploy');
    bench.add('work/.claude/skills', 'review');
  });

  test('that is not trusted says nothing, and only how much waits in it is told', async () => {
    await bench.allow('deploy').catch(() => undefined);
    const { agents, skills, isWaiting } = await bench.skills.guidance(bench.workspace);
    expect({ agents, skills, isWaiting }).toEqual({ agents: null, skills: [], isWaiting: true });
    expect(await bench.skills.list(bench.workspace)).toMatchObject({
      skills: [],
      folder: { isTrusted: false, agentsFile: null, waiting: { agentsFile: true, skills: 2 } },
    });
    bench.write('work/a/AGENTS.md', '');
    expect(await bench.skills.instructionsNear(bench.workspace, bench.at('work/a/b'))).toBeNull();
  });

  test('that is trusted is read, and its skills wait one by one', async () => {
    trust();
    expect(await bench.states()).toEqual({ deploy: 'waiting', review: 'waiting' });
    await bench.allow('review');
    const { agents, skills, isWaiting } = await bench.skills.guidance(bench.workspace);
    expect(agents?.text).toBe('Use tabs.');
    expect(skills).toMatchObject([{ name: 'review', isForeign: true }]);
    expect(isWaiting).toBe(false);
  });

  test('that is trusted no longer says nothing again, whatever of it was allowed', async () => {
    trust();
    await bench.allow('review');
    bench.skills.trust(bench.workspace, false);
    expect(await bench.usable()).toEqual([]);
    await expect(bench.load('review')).rejects.toThrow('There is no skill review');
  });

  test('beneath one that is trusted is not', async () => {
    trust();
    bench.write('work/sub/AGENTS.md', 'Use blanks.');
    expect((await bench.skills.guidance(bench.at('work/sub'))).agents).toBeNull();
  });

  test('tells what its AGENTS.md costs, or why it is not used', async () => {
    trust();
    const { folder } = await bench.skills.list(bench.workspace);
    expect(folder?.agentsFile).toEqual({ shown: 'AGENTS.md', tokens: 23, isCut: false, problem: '' });
    bench.write('work/AGENTS.md', '\0');
    const { folder: broken } = await bench.skills.list(bench.workspace);
    expect(broken?.agentsFile).toMatchObject({ tokens: 0, problem: 'it is not a text' });
  });
});

test('Of two skills with one name the nearer one is used, once it may be', async () => {
  trust();
  bench.add('work/.agents/skills', 'notes', 'Of the folder.');
  bench.add('data/skills', 'notes', 'Of the person.');
  const used = async () =>
    (await bench.skills.guidance(bench.workspace)).skills.map((each) => each.description);
  expect(await used()).toEqual(['Of the person.']);
  await bench.skills.allow(
    bench.workspace,
    bench.at('work/.agents/skills/notes'),
    (await bench.skills.list(bench.workspace)).skills.find(({ place }) => place === 'workspace')?.hash ?? '',
  );
  expect(await used()).toEqual(['Of the folder.']);
  const { skills } = await bench.skills.list(bench.workspace);
  expect(skills.map(({ place, state }) => [place, state])).toEqual([
    ['workspace', 'on'],
    ['data', 'shadowed'],
  ]);
});

test('A skill comes with its folder, its files and its body, and is noted before it is read', async () => {
  bench.add('data/skills', 'own');
  bench.write('data/skills/own/scripts/run.sh', 'echo');
  expect(await bench.load('own')).toBe(
    `Skill of the person: own\nIts folder: ${bench.at('data/skills/own')}\nIts files: scripts/run.sh\n\nHow to do own.`,
  );
  expect(bench.loaded).toMatchObject([['ses_1', { name: 'own', isForeign: false, allowedTools: null }]]);
});

test('A skill that is not there is answered with those that are', async () => {
  bench.add('data/skills', 'own');
  await expect(bench.load('none')).rejects.toMatchObject({
    message: 'There is no skill none that may be used here.',
    advice: 'The skills are: own.',
  });
  expect(bench.loaded).toEqual([]);
});

test('Of a long skill as much is read as a result holds, in whole lines, with where to read on', async () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `Step ${String(at)}.`);
  bench.add('data/skills', 'own', 'Long.', lines.join('\n'));
  const text = await bench.load('own');
  expect(text.length).toBeLessThan(8_000);
  const [, last] = /\nStep (\d+)\.\n\.\.\. \[truncated\]/.exec(text) ?? [];
  // Front matter and a blank line stand above the body.
  const next = Number(last) + 1 + 6;
  expect(text).toContain(
    `Read on with read_file: ${bench.at('data/skills/own')}/SKILL.md, start_line ${String(next)}.`,
  );
  expect(skillFile('own', 'Long.', lines.join('\n')).split('\n')[next - 1]).toBe(
    `Step ${String(Number(last) + 1)}.`,
  );
});

test('Files of a skill may be read as long as it may be used', async () => {
  bench.add('data/skills', 'own');
  bench.add('home/.agents/skills', 'other');
  const [own, other] = [bench.at('data/skills/own'), bench.at('home/.agents/skills/other')];
  const may = (): boolean[] => [own, other].map((folder) => bench.skills.mayRead(folder));
  expect(may()).toEqual([true, false]);
  await bench.allow('other');
  await bench.skills.turnOff(null, own);
  expect(may()).toEqual([false, true]);
});

test('A price is that of the line in an opening', async () => {
  bench.add('data/skills', 'own', 'x'.repeat(392));
  const { skills } = await bench.skills.list(null);
  expect(skills).toMatchObject([{ tokens: 100 }]);
});
