import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coversCommand, isSameRule, offeredRules, plainWords } from './command-rule.ts';

test.each([
  ['npm test', ['npm test']],
  ['npm run build -- --watch=false', ['npm run build -- --watch=false', 'npm run …']],
  ['git  log   -5', ['git log -5', 'git log …']],
  ['ls', ['ls']],
])('of "%s" may be allowed for good: %j', (command, offered) => {
  const shown = offeredRules(command).map(({ words, isExact }) => words.join(' ') + (isExact ? '' : ' …'));
  expect(shown).toEqual(offered);
});

test.each([
  'npm test && rm -rf x',
  'npm test; ls',
  'npm test | tee x',
  'npm test > x',
  'npm test\nls',
  'npm test &',
  'echo $HOME',
  'echo `ls`',
  'echo $(ls)',
  '(ls)',
  '{ ls; }',
  'ls *',
  'ls ~',
  'ls "a b"',
  "ls 'a'",
  'ls a\\ b',
  'A=1 npm test',
  'ls # all',
  '!ls',
  'ls\u00a0a',
  'npm\ttest',
  'nрm test',
  'npm test\u202e',
  '',
  'sh -c ls',
  'bash -lc ls',
  'node -e 1',
  'perl -E 1',
  'python3 -c 1',
  'node --eval=1',
  'ruby -e1 -e 2',
  'find . -exec rm x',
  'node --import ./x.js a.js',
  'x'.repeat(81),
])('%j always asks', (command) => {
  expect(offeredRules(command)).toEqual([]);
});

test('a command of 80 characters has room on a button, and a longer one has not', () => {
  const command = `echo ${'x'.repeat(75)}`;
  expect(offeredRules(command)).toHaveLength(1);
  expect(offeredRules(`${command}x`)).toEqual([]);
});

describe('a command that is always allowed', () => {
  const exact = { words: ['npm', 'test'], isExact: true };
  const begins = { words: ['npm', 'run'], isExact: false };

  test('by its words alone is that one and no other', () => {
    expect(coversCommand(exact, 'npm test')).toBe(true);
    expect(coversCommand(exact, ' npm  test ')).toBe(true);
    for (const other of ['npm test x', 'npm', 'npm tests', 'npm test;', 'npm test && ls', 'NPM test'])
      expect([other, coversCommand(exact, other)]).toEqual([other, false]);
  });

  test('by how it begins has more words behind it, and only words', () => {
    for (const other of ['npm run', 'npm run build', 'npm run build -- --watch'])
      expect([other, coversCommand(begins, other)]).toEqual([other, true]);
    for (const other of [
      'npm',
      'npm runx',
      'npm run build; ls',
      'npm run -c ls',
      'npm run $(ls)',
      'npm run a\nls',
    ])
      expect([other, coversCommand(begins, other)]).toEqual([other, false]);
  });

  test('is the same as another by words and kind', () => {
    expect(isSameRule(exact, { words: ['npm', 'test'], isExact: true })).toBe(true);
    expect(isSameRule(exact, { words: ['npm', 'test'], isExact: false })).toBe(false);
    expect(isSameRule(exact, { words: ['npm', 'start'], isExact: true })).toBe(false);
  });
});

/** Pieces of which shells make something else than words, among plain ones. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('npm', 'test', 'run', 'a', 'b=c', './x', '-v', '--all', 'src/a.ts', '1'),
  },
  fc.constantFrom(...'$`\\"\'*?[]{}()<>|&;#!~^\t\n ='.split('')),
  fc.constantFrom(
    '$HOME',
    '$(echo x)',
    '`echo x`',
    '${A}',
    '~',
    '/*',
    'A=1',
    '&&',
    '||',
    '2>&1',
    '#x',
    '-c',
    '-e',
  ),
);
const command = fc
  .array(fc.tuple(piece, fc.constantFrom('', ' ', '  ')), { maxLength: 8 })
  .map((pieces) => pieces.flat().join('').trim());

describe.skipIf(process.platform === 'win32')('what a real shell makes of it', () => {
  test('of 300 commands, those that a rule may cover are to a shell the same words and nothing more', () => {
    fc.assert(
      fc.property(command, (given) => {
        const words = plainWords(given);
        if (words === null) return;
        // Its words are printed by a function of the name of its first one.
        const script = `set -- ${given}\nfor word do printf '%s\\n' "$word"; done`;
        const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', cwd: '/' });
        expect(printed.split('\n').slice(0, -1)).toEqual(words);
      }),
      { numRuns: 300 },
    );
  });

  test('of 300 commands and 40 rules, one covers another only by the words that stand on its button', () => {
    const rules = fc.array(command, { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(rules, fc.array(command, { minLength: 30, maxLength: 30 }), (ruled, given) => {
        for (const rule of ruled.flatMap(offeredRules))
          for (const each of given.filter((text) => coversCommand(rule, text))) {
            const said = rule.words.join(' ');
            const words = each.trim().replaceAll(/ +/g, ' ');
            expect(rule.isExact ? words === said : words === said || words.startsWith(`${said} `)).toBe(true);
            expect(each).not.toMatch(/[$`\\"'*?[\]{}()<>|&;#!~^\t\n]/);
          }
      }),
      { numRuns: 10 },
    );
  });
});
