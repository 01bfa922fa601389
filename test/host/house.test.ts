/** The figures of `npm run house`: each finds what it is for, and nothing else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bagParameters } from '../../scripts/house/bags.ts';
import { equalStems } from '../../scripts/house/lists.ts';
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

test('A comment that cites a document or a file that is not here is named', () => {
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

test('Files of one name in two folders are named, but for those that each folder has', () => {
  const paths = ['src/a/memory.ts', 'src/b/memory.tsx', 'src/a/index.ts', 'src/b/index.ts', 'src/a/one.ts'];
  expect(equalStems(paths)).toEqual(['src/a/memory.ts', 'src/b/memory.tsx']);
});

const ofLines = (name: string, lines: number): string =>
  `export function ${name}(): void {\n${'  void 0;\n'.repeat(lines - 2)}}\n`;

test('A function of 101 lines is named, one of a hundred is not', async () => {
  const path = write('long.ts', `${ofLines('long', 101)}\n${ofLines('short', 100)}`);
  const found = await overlong('max-lines-per-function', 100, [path]);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('`long`');
});
