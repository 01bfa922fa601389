import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { readSkills, type SkillRoot } from './read-skills.ts';
import { SkillBench, skillFile } from './testing.ts';

let bench: SkillBench;
beforeEach(() => (bench = new SkillBench()));
afterEach(() => bench.close());

const root = (): SkillRoot => ({ place: 'home', path: bench.at('home/skills') });
const inWork = (): SkillRoot => ({
  place: 'workspace',
  path: bench.at('work/.agents/skills'),
  within: bench.workspace,
});
const read = (...roots: SkillRoot[]) => readSkills(systemFiles, roots);
/** What is wrong with each, or null. */
const problems = async (...roots: SkillRoot[]) =>
  (await read(...roots)).map(({ name, read: found }) => [name, 'problem' in found ? found.problem : null]);
const hashOf = async (): Promise<string | undefined> => {
  const [found] = await read(root());
  return found && 'hash' in found.read ? found.read.hash : undefined;
};

test('Skills are found by name, with the files beside SKILL.md; what holds none is passed over', async () => {
  bench.add('home/skills', 'b');
  bench.add('home/skills', 'a');
  bench.write('home/skills/a/scripts/run.sh', 'echo');
  bench.write('home/skills/a/notes.md', '');
  bench.write('home/skills/empty/notes.md', '');
  bench.write('home/skills/README.md', '');
  bench.add('home/skills', '.hidden');
  const found = await read(root());
  expect(found).toMatchObject([
    { name: 'a', folder: bench.at('home/skills/a'), read: { files: ['notes.md', 'scripts/run.sh'] } },
    { name: 'b', read: { files: [] } },
  ]);
});

test('Where no skills are, none are found', async () => {
  expect(await read(root(), inWork())).toEqual([]);
});

test.each<[string, () => void]>([
  ['a byte of SKILL.md', () => bench.add('home/skills', 'a', 'Does b.')],
  ['a byte of a script', () => bench.write('home/skills/a/run.sh', 'echo b')],
  ['a file more', () => bench.write('home/skills/a/b/c.txt', '')],
  [
    'another name of a file',
    () => renameSync(bench.at('home/skills/a/run.sh'), bench.at('home/skills/a/x.sh')),
  ],
])('Another hash comes of %s', async (_what, change) => {
  bench.add('home/skills', 'a');
  bench.write('home/skills/a/run.sh', 'echo a');
  const before = await hashOf();
  expect(await hashOf()).toBe(before);
  change();
  expect(await hashOf()).not.toBe(before);
});

test('A sign that moves from the content of a file to its name makes another hash', async () => {
  bench.add('home/skills', 'a');
  bench.write('home/skills/a/x', 'yz');
  const before = await hashOf();
  renameSync(bench.at('home/skills/a/x'), bench.at('home/skills/a/xy'));
  bench.write('home/skills/a/xy', 'z');
  expect(await hashOf()).not.toBe(before);
});

test('A folder that is a link out of the workspace is no skill, whatever lies there', async () => {
  bench.add('elsewhere', 'a');
  mkdirSync(bench.at('work/.agents/skills'), { recursive: true });
  symlinkSync(bench.at('elsewhere/a'), bench.at('work/.agents/skills/a'));
  expect(await problems(inWork())).toEqual([['a', 'its folder is a link that leads elsewhere']]);
});

test('A folder of skills that is a link out of the workspace holds none', async () => {
  bench.add('elsewhere', 'a');
  mkdirSync(bench.at('work/.agents'));
  symlinkSync(bench.at('elsewhere'), bench.at('work/.agents/skills'));
  expect(await read(inWork())).toEqual([]);
});

test('A skill that two folders of the workspace lead to comes once', async () => {
  bench.add('work/.agents/skills', 'a');
  mkdirSync(bench.at('work/.claude/skills'), { recursive: true });
  symlinkSync(bench.at('work/.agents/skills/a'), bench.at('work/.claude/skills/a'));
  const other = { ...inWork(), path: bench.at('work/.claude/skills') };
  expect(await problems(inWork(), other)).toEqual([['a', null]]);
});

test.each(['SKILL.md', 'notes.md'])('A skill whose %s is a link is refused', async (name) => {
  bench.add('home/skills', 'a');
  bench.write('secret', skillFile('a'));
  renameSync(bench.at('home/skills/a/SKILL.md'), bench.at('home/skills/a/kept.md'));
  if (name !== 'SKILL.md') bench.add('home/skills', 'a');
  symlinkSync(bench.at('secret'), bench.at('home/skills/a', name));
  const [[, problem] = []] = await problems(root());
  expect(problem).toBe(`its folder holds a link (${name})`);
});

test('A skill with a giant SKILL.md is refused, and its neighbours are not', async () => {
  bench.add('home/skills', 'a');
  bench.add('home/skills', 'b');
  truncateSync(bench.at('home/skills/a/SKILL.md'), 3 * 1024 ** 3);
  expect(await problems(root())).toEqual([
    ['a', 'SKILL.md is too large'],
    ['b', null],
  ]);
});

test('A skill with more bytes than are checked is refused', async () => {
  bench.add('home/skills', 'a');
  bench.write('home/skills/a/data.bin', '');
  truncateSync(bench.at('home/skills/a/data.bin'), 16 * 1024 * 1024);
  expect(await problems(root())).toEqual([['a', 'its folder is too large to check']]);
});

test('A skill with more files than are checked is refused', async () => {
  bench.add('home/skills', 'a');
  for (let file = 0; file <= 1_000; file += 1) writeFileSync(bench.at('home/skills/a', String(file)), '');
  expect(await problems(root())).toEqual([['a', 'its folder is too large to check']]);
});

test('A skill with folders in folders without end is refused', async () => {
  bench.add('home/skills', 'a');
  mkdirSync(bench.at('home/skills/a', ...Array.from({ length: 9 }, () => 'd')), { recursive: true });
  expect(await problems(root())).toEqual([['a', 'its folders are nested too deeply']]);
});

test('A name shows what it hides', async () => {
  bench.write('home/skills/a\u202Eb\n/SKILL.md', skillFile('a'));
  expect(await problems(root())).toMatchObject([
    [String.raw`a\u202eb\n`, 'its name is a, and its folder has another one'],
  ]);
});

test('Of a folder with thousands of skills 200 are looked at', async () => {
  for (let skill = 0; skill < 210; skill += 1) bench.add('home/skills', `s${String(skill)}`);
  expect(await read(root())).toHaveLength(200);
});
