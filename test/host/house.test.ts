/** The figures of `npm run house`: each finds what it is for, and nothing else. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bagParameters } from '../../scripts/house/bags.ts';
import { equalStems } from '../../scripts/house/lists.ts';
import { messageReaders } from '../../scripts/house/messages.ts';
import { forbiddenNames } from '../../scripts/house/names.ts';
import { danglingReferences } from '../../scripts/house/references.ts';
import { overlong } from '../../scripts/house/tools.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-house-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
/** Without the folder, which is another one each time. */
const short = (lines: readonly string[]): string[] => lines.map((line) => line.replace(`${folder}/`, ''));

test('A declaration is named whose name is not the term of the field, and no use of it', () => {
  const path = write(
    'names.ts',
    `import { mostOther } from './other.ts';
     const mostBytes = mostOther + mostOther;
     export function tellAll(longestLine: number): number { return longestLine + mostBytes; }
     export interface Kept { deepest: number; almost: number; teller: string }
     export class Kept2 { #told = 0; #lend(): number { return this.#told; } }`,
  );
  const names = short(forbiddenNames([path])).map((line) => line.split(' ')[1]);
  expect(new Set(names)).toEqual(new Set(['deepest', 'longestLine', 'mostBytes', 'tellAll', 'told', 'lend']));
});

const members = (count: number, type: string): string =>
  Array.from({ length: count }, (_, at) => `m${String(at)}: ${type};`).join(' ');

test.each([
  ['thirteen members, one of which does something', `${members(12, 'number')} run(): void`, 4, 4],
  ['twelve members', `${members(11, 'number')} run(): void`, 4, 0],
  ['plain data, however much', members(30, 'number'), 4, 0],
  ['a bag in three files only', `${members(12, 'number')} run(): void`, 3, 0],
  ['a bag inside of it', 'inner: Inner', 4, 4],
])('A parameter is a bag by its members and its files: %s', (_, body, files, expected) => {
  write(
    'type.ts',
    `export interface Outer { ${body} } interface Inner { ${members(12, '() => void')} last: 1 }`,
  );
  const users = Array.from({ length: files }, (_, at) =>
    write(
      `user${String(at)}.ts`,
      `import type { Outer } from './type.ts';\nexport const use = (outer: Outer): Outer => outer;`,
    ),
  );
  expect(bagParameters([join(folder, 'type.ts'), ...users])).toHaveLength(expected);
});

const methods = Array.from({ length: 13 }, (_, at) => `m${String(at)}() {}`);

test.each([
  ['a class', `export class Wide { ${methods.join(' ')} }`, './wide.ts', 4],
  [
    'what a factory returns',
    `export function create() { return { ${methods.join(', ')} }; }
     export type Wide = ReturnType<typeof create>;`,
    './wide.ts',
    4,
  ],
  ['a class with private parts', `export class Wide { ${methods.join(' #')} }`, './wide.ts', 0],
  ['another type of that name', `export class Wide { ${methods.join(' ')} }`, './other.ts', 0],
])('A bag is found by what it is and where it is declared: %s', (_, source, from, expected) => {
  const files = Array.from({ length: 4 }, (_, at) =>
    write(
      `wide-user${String(at)}.ts`,
      `import { type Wide } from '${from}';\nexport const use = (wide: Wide): Wide => wide;`,
    ),
  );
  expect(bagParameters([write('wide.ts', source), ...files])).toHaveLength(expected);
});

test('A comment that cites a document or a file that is not here is named (audit-N4)', () => {
  const path = write(
    'cites.ts',
    `/** As drawn (design 3.2), see src/host/loop/run-turn.ts and src/host/loop/no-such-file.ts. */
     // contract 2.3: docs/none.md
     export const text = 'design 4';`,
  );
  expect(short(danglingReferences({ sources: [path], documents: [] }))).toEqual([
    'cites.ts: design 3.2',
    'cites.ts: contract 2.3',
    'cites.ts: src/host/loop/no-such-file.ts',
    'cites.ts: docs/none.md',
  ]);
});

const folders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${entry.name}/`] : [],
  );

test('The map of AGENTS.md has a place for each room (audit-N3)', () => {
  const map = readFileSync('AGENTS.md', 'utf8');
  expect(folders('src').filter((name) => !map.includes(`src/${name}`))).toEqual([]);
  expect(folders('src/host').filter((name) => !map.includes(`  ${name}`))).toEqual([]);
});

test('Files of one name in two folders are named, but for those that each folder has', () => {
  const paths = ['src/a/memory.ts', 'src/b/memory.tsx', 'src/a/index.ts', 'src/b/index.ts', 'src/a/one.ts'];
  expect(equalStems(paths)).toEqual(['src/a/memory.ts', 'src/b/memory.tsx']);
});

/** A file in a room of its own: `readers` may read a message, `mentions` may look into it as well. */
function messageFindings(room: 'readers' | 'mentions' | 'plain' | 'elsewhere', body: string): string[] {
  const path = write(`${room}.ts`, `import { read } from '../message.ts';\n${body}`);
  const rules = {
    source: { path: 'src/message.ts', reader: 'read' },
    readers: [join(folder, 'readers.ts')],
    mentions: [join(folder, 'mentions.ts')],
    plain: { folders: [join(folder, 'plain')], names: new Set(['text']) },
  };
  return short(messageReaders([path], rules)).map((line) => line.replace(/^\w+\.ts: /, ''));
}

test.each([
  ['sends it', 'readers', 'export const sent = (m: M) => ({ content: read(m).trim() + notes });', []],
  [
    'cuts it',
    'readers',
    'const text = read(m); export const label = text.length > 9 ? text.slice(9) : text;',
    [],
  ],
  ['asks whether there is any', 'readers', `const text = read(m); export const is = text === '';`, []],
  ['looks up what it names', 'mentions', 'export const has = files.some((f) => read(m).includes(f));', []],
  ['compares something else', 'readers', `export const has = read(m) + (kind === 'user' ? a : b);`, []],
  ['is no reader', 'elsewhere', 'export const sent = read(m);', ['gets read by import']],
  ['gives the reader another name', 'readers', 'const open = read; open(m);', ['gets read by another name']],
  ['hands the reader on', 'readers', 'export { read };', ['gets read by another name']],
])('A reader of messages is right by its place and by what it does: it %s', (_, room, body, expected) => {
  expect(messageFindings(room as 'readers', body)).toEqual(expected);
});

test.each([
  `import { read as open } from '../message.ts'; open(m);`,
  `import * as all from '../message.ts'; all.read(m);`,
  `export * from '../message.ts';`,
  `export { read } from '../message.ts';`,
  `const all = await import('../message.ts');`,
])('A way to the reader of messages that hides its name is named, also in a reader: %s', (body) => {
  const path = write('readers.ts', body);
  const rules = { source: { path: 'src/message.ts', reader: 'read' }, readers: [path], mentions: [path] };
  expect(messageReaders([path], { ...rules, plain: { folders: [], names: new Set() } })).not.toEqual([]);
});

test.each([
  ['/x/.test(read(m))', 'test'],
  ['/x/.exec(clean(read(m)))', 'exec'],
  ['read(m).toLowerCase().includes(word)', 'includes'],
  ['words.some((word) => read(m).startsWith(word))', 'startsWith'],
  ['read(m).split(/x/).length', 'split'],
  [`read(m) === 'yes'`, '==='],
  ['text.trim().match(pattern)', 'match'],
  ['`${text}!`.search(pattern)', 'search'],
  ['new RegExp(text)', 'RegExp'],
])('A reader that decides by the words of a message is named: %s', (how, as) => {
  const body = `const given = read(m); const text = given.trim();\nexport const is = ${how};`;
  expect(messageFindings('readers', body)).toEqual([`decides by words of a message (${as})`]);
});

test('A message that is still plain text is not matched where it comes in', () => {
  const body = `export const is = (turn: T) => read(/x/.test(turn.text), { text } = turn, text === 'stop', turn.text === '');`;
  const found = ['decides by words of a message (test)', 'decides by words of a message (===)'];
  expect(messageFindings('plain', body)).toEqual(['gets read by import', ...found]);
  expect(messageFindings('elsewhere', body)).toEqual(['gets read by import']);
});

const ofLines = (name: string, lines: number): string =>
  `export function ${name}(): void {\n${'  void 0;\n'.repeat(lines - 2)}}\n`;

test('A function of 101 lines is named, one of a hundred is not', async () => {
  const path = write('long.ts', `${ofLines('long', 101)}\n${ofLines('short', 100)}`);
  const found = await overlong('max-lines-per-function', 100, [path]);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('`long`');
});
