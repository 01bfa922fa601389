import { expect, test } from 'vitest';
import { copies, intentOf, programsFor, type Intent } from './intent.ts';

const told = (message: string): string[] =>
  Object.entries(intentOf(message) satisfies Intent).flatMap(([name, is]) => (is ? [name] : []));

test.each([
  ['Run sh build.sh and tell me the output', ['runs', 'asks']],
  ['Put the total into total.txt', ['writes']],
  ['Replace red by green in style.css', ['changes']],
  ['Please delete tmp.log', ['changes', 'removes']],
  ['Ersetze rot durch grün in style.css', ['changes']],
  ['Which files are in the box folder?', ['asks', 'lists']],
  ['Hello there', []],
])('%s', (message, expected) => {
  expect(told(message)).toEqual(expected);
});

test('a question as a whole asks for no change', () => {
  expect(intentOf('What would change if we set the port?')).toMatchObject({ writes: false, changes: false });
});

test('what somebody did is told, not asked for', () => {
  expect(intentOf('It is in the letter where I put everything.').writes).toBe(false);
  expect(intentOf('The program prints a line when it is run').runs).toBe(false);
});

test('the programs that a message names are meant, else whatever runs a file', () => {
  expect(programsFor('count the lines of a.txt with wc')).toEqual(['wc']);
  expect(programsFor('run node.js')).toContain('python3');
  expect(programsFor('run build.sh')).not.toContain('ls');
});

test('A file is found in a message whatever characters its name has (audit-E1)', () => {
  for (const name of ['my file.txt', 'a"b.txt', 'x [1].txt', 'a+b(c).txt', 'Ж-😀.txt', "it's.txt"]) {
    expect(copies(`copy ${name} to b.txt`, name)).toBe(true);
    expect(copies('copy c.txt to b.txt', name)).toBe(false);
  }
});
