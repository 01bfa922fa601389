import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { agentsFileAbove, readAgentsFile } from './agents-file.ts';
import { SkillBench } from './testing.ts';

let bench: SkillBench;
beforeEach(() => (bench = new SkillBench()));
afterEach(() => bench.close());

const read = (folder = 'work') => readAgentsFile(systemFiles, bench.at(folder));

test('The AGENTS.md of the folder is read', async () => {
  bench.write('work/AGENTS.md', 'Use tabs.\n');
  const path = bench.at('work/AGENTS.md');
  expect(await read()).toEqual({ path, shown: 'AGENTS.md', text: 'Use tabs.', isCut: false });
});

test('Without one there is none', async () => {
  expect(await read()).toBeNull();
});

test('The nearest one up to the root of the repository wins', async () => {
  mkdirSync(bench.at('work/.git'));
  bench.write('work/AGENTS.md', 'far');
  bench.write('work/a/b/c/x', '');
  expect(await read('work/a/b/c')).toMatchObject({ shown: '../../../AGENTS.md', text: 'far' });
  bench.write('work/a/AGENTS.md', 'near');
  expect(await read('work/a/b/c')).toMatchObject({ shown: '../../AGENTS.md', text: 'near' });
});

test('One above the repository is not read', async () => {
  bench.write('AGENTS.md', 'of nobody here');
  mkdirSync(bench.at('work/.git'));
  expect(await read()).toBeNull();
});

test('Without a repository only the folder itself counts', async () => {
  bench.write('AGENTS.md', 'of nobody here');
  expect(await read()).toBeNull();
});

test('A link within the repository is followed', async () => {
  mkdirSync(bench.at('work/.git'));
  bench.write('work/CLAUDE.md', 'Use tabs.');
  symlinkSync('CLAUDE.md', bench.at('work/AGENTS.md'));
  expect(await read()).toMatchObject({ shown: 'AGENTS.md', text: 'Use tabs.' });
});

test('A link out of the repository is not read, and no farther one takes its place', async () => {
  mkdirSync(bench.at('work/.git'));
  bench.write('secret', 'key');
  bench.write('work/AGENTS.md', 'far');
  bench.write('work/a/x', '');
  symlinkSync(bench.at('secret'), bench.at('work/a/AGENTS.md'));
  expect(await read('work/a')).toEqual({
    shown: 'AGENTS.md',
    problem: 'it is a link that leads out of the repository',
  });
});

test('Of a long one 16 kB are read, without half a sign at the end', async () => {
  bench.write('work/AGENTS.md', `a${'é'.repeat(20_000)}`);
  const found = await read();
  expect(found).toMatchObject({ isCut: true, text: `a${'é'.repeat(8_191)}` });
});

test('One of exactly 16 kB is read whole', async () => {
  bench.write('work/AGENTS.md', 'a'.repeat(16 * 1024));
  expect(await read()).toMatchObject({ isCut: false });
});

test('One that is not a text is not used', async () => {
  writeFileSync(bench.at('work/AGENTS.md'), Buffer.from([104, 0, 105]));
  expect(await read()).toEqual({ shown: 'AGENTS.md', problem: 'it is not a text' });
});

test('What it hides is shown', async () => {
  bench.write('work/AGENTS.md', 'a\u202Eb\u{E0041}');
  expect(await read()).toMatchObject({ text: String.raw`a\u202eb\u{e0041}` });
});

test('Of a file deeper down the nearest one above it is named, but for that of the workspace', async () => {
  bench.write('work/AGENTS.md', '');
  bench.write('work/a/AGENTS.md', '');
  bench.write('elsewhere/AGENTS.md', '');
  const above = (file: string) => agentsFileAbove(systemFiles, bench.workspace, bench.at(file));
  expect(await above('work/a/b/c.ts')).toBe('a/AGENTS.md');
  expect(await above('work/a/AGENTS.md')).toBeNull();
  expect(await above('work/b/c.ts')).toBeNull();
  expect(await above('work/c.ts')).toBeNull();
  expect(await above('elsewhere/c.ts')).toBeNull();
});
