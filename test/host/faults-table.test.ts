/** docs/faults.md promises a test for every fault. Each of them is looked up here. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const rows = read('docs/faults.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  .filter(([, , tests]) => tests !== 'Test');

const named = /^`([^`]+)`(?: › (.+))?$/;

/** The file and the helpers that it imports, and theirs: some names come from a table there. */
function textOf(path: string, depth = 2): string {
  const own = read(path);
  const helpers = [...own.matchAll(/from '(\.\.?\/[^']+)'/g)]
    .map(([, from = '']) => relative(root, join(root, dirname(path), from)))
    .filter((imported) => depth > 0 && imported.startsWith(join('test', 'helpers')));
  return [own, ...helpers.map((helper) => textOf(helper, depth - 1))]
    .join('\n')
    .replaceAll(String.raw`\'`, "'");
}

test('every fault says what the person sees and names its test', () => {
  expect(rows.length).toBeGreaterThan(90);
  for (const cells of rows) {
    expect(cells).toHaveLength(3);
    expect(cells.every((cell) => cell !== '')).toBe(true);
  }
});

test('every test that it names is there', () => {
  const missing = rows.flatMap(([, , tests = '']) =>
    tests.split('<br>').filter((each) => {
      const [, path = '', name = ''] = named.exec(each.trim()) ?? [];
      return !existsSync(join(root, path)) || path === '' || !textOf(path).includes(name);
    }),
  );
  expect(missing).toEqual([]);
});
