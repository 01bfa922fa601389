import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { someOf } from '../../../test/helpers/thorough.ts';
import { growth } from './calls/testing.ts';
import {
  circleAtEnd,
  circleOfCalls,
  createCircleWatch,
  runAtEnd,
  watchForCircles,
  type Written,
} from './repetition.ts';

/** Whether the text would be cut somewhere, in pieces of that size. */
function isCut(text: string, size = 7, written: Written = 'content'): boolean {
  const watch = createCircleWatch(() => written);
  for (let at = 0; at < text.length; at += size) if (watch.push(text.slice(at, at + size))) return true;
  return false;
}

const runEnd = (token: string, times: number): ReturnType<typeof runAtEnd> =>
  runAtEnd(`The sum: ${token.repeat(times)}`);

function watchWords(length: number): void {
  const words = Array.from({ length: length / 8 }, (_, at) => `word${String(at)} `).join('');
  isCut(('ab'.repeat(400) + words).slice(0, length), 40);
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const corpus = ['src', 'test', 'docs', 'scripts', 'resources'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|md|json|css|mjs|svg|txt|csv)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);

describe('a reply that repeats what real texts repeat', () => {
  test('No file of this repository is cut, written as it is or as JSON (audit-E4)', () => {
    expect(corpus.length).toBeGreaterThan(1_000);
    const cut = someOf(corpus, 4).filter((path) => {
      const text = readFileSync(path, 'utf8');
      return isCut(text, 61) || isCut(JSON.stringify(text), 61);
    });
    expect(cut).toEqual([]);
  });

  test.each<[string, string]>([
    ['a wide ruler', `Results\n${'='.repeat(200)}\n`],
    ['a table of zeros', 'int m[] = {\n' + '  0, 0, 0, 0, 0, 0, 0, 0,\n'.repeat(60) + '};\n'],
    ['base64 with padding of zeros', `data:;base64,iVBORw0KGgo${'A'.repeat(1_500)}==`],
    ['closing braces', Array.from({ length: 60 }, (_, at) => ' '.repeat(120 - at * 2) + '}\n').join('')],
    ['equal lines of a log', 'GET /health 200 1 ms\n'.repeat(40)],
    ['dots of a test run', '.'.repeat(800)],
    ['blank lines', 'a\n' + '\n'.repeat(900)],
    ['a Markdown table without content', '| | | |\n|---|---|---|\n' + '| | | |\n'.repeat(80)],
    ['numbers in a row', Array.from({ length: 2_000 }, (_, at) => String(at)).join('\n')],
    ['rows that count', Array.from({ length: 400 }, (_, at) => `${String(at)};item;open;0.00\n`).join('')],
    [
      'lines of a test that is written often',
      '  expect(schema.safeParse("123").success).toEqual(true);\n'.repeat(12),
    ],
    [
      'hexadecimal rows of zeros',
      Array.from(
        { length: 90 },
        (_, at) => `${(at * 16).toString(16).padStart(8, '0')}  ${'00 '.repeat(16)}\n`,
      ).join(''),
    ],
    ['a list of names that ends with padding', `Anna, Bert, Clara, Dora\n${'0'.repeat(2_000)}`],
    ['art of signs', (' '.repeat(40) + '*\n' + ' '.repeat(39) + '***\n').repeat(12)],
  ])('%s', (_, text) => {
    expect(isCut(text)).toBe(false);
  });

  test('Text of words in any order is not cut (audit-E4)', () => {
    const words = fc.array(
      fc.constantFrom('open', 'the', 'file', 'and', 'read', 'it', 'line', 'by', 'then', '.'),
      { minLength: 400, maxLength: 900 },
    );
    fc.assert(
      fc.property(words, (all) => {
        expect(isCut(all.join(' '), 13)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a reply that runs in circles', () => {
  test('It is cut within about 1,000 characters, and its first round is kept (audit-E4)', () => {
    const unit = fc
      .stringMatching(/^[a-zà-ÿ0-9 {}":,.\n-]{20,200}$/u)
      .filter((text) => new Set(text.match(/[\p{L}\p{N}]/gu)).size >= 8);
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 90 }), (round, size) => {
        const before = 'The total is 42, as the file says.\n';
        const text = before + round.repeat(80);
        const watch = createCircleWatch();
        let kept: number | null = null;
        let at = 0;
        for (; at < text.length && kept === null; at += size)
          kept = watch.push(text.slice(at, at + size))?.keep ?? null;
        expect(kept).toBeGreaterThanOrEqual(before.length);
        expect(kept).toBeLessThanOrEqual(before.length + 2 * round.length);
        expect(at).toBeLessThan(before.length + 1_000 + 300);
      }),
    );
  });

  test('A paragraph, a call and a line are all found (audit-E4)', () => {
    const call =
      '```json\n{\n  "name": "read_file",\n  "arguments": {\n    "path": "src/app.ts"\n  }\n}\n```\n';
    const paragraph =
      'Wait, the file has to be read first. ' +
      'Then the total can be written. Let me think about this once more, from the very beginning of the task.\n\n';
    for (const round of [call, paragraph, 'I will read the file now.\n', 'the the the file ']) {
      expect(circleAtEnd(`First. ${round.repeat(60)}`.slice(0, 3_000))).not.toBeNull();
    }
  });

  test('A ruler without an end is cut too, only later (audit-E4)', () => {
    expect(isCut('-'.repeat(2_500))).toBe(false);
    expect(isCut('-'.repeat(3_200))).toBe(true);
  });

  test('A circle that came in one piece is told from its beginning, however long it is (audit-E4)', () => {
    const round = 'I will read the file now.\n';
    expect(circleAtEnd(round.repeat(1_000))).toEqual({ from: 0, keep: round.length });
    expect(circleAtEnd(`First: ${round.repeat(1_000)}`)).toEqual({ from: 7, keep: 7 + round.length });
  });

  test('What was dropped from memory still counts for what is kept (audit-E4)', () => {
    const before = Array.from({ length: 3_000 }, (_, at) => `line ${String(at)}\n`).join('');
    const text = before + 'I will read the file now.\n'.repeat(200);
    const watch = createCircleWatch();
    let kept: number | null = null;
    for (let at = 0; at < text.length && kept === null; at += 10)
      kept = watch.push(text.slice(at, at + 10))?.keep ?? null;
    expect(kept).toBeGreaterThanOrEqual(before.length - 1);
    expect(kept).toBeLessThan(before.length + 60);
  });

  test.each([
    ['a pattern that goes on', 'in 10 days '],
    ['a number on each line', '79\\n'],
    ['two signs', 'w-'],
  ])('In a call that looks for something %s is cut after 300 characters, and nowhere else', (_, round) => {
    const before = '{"call":"search","with":{"pattern":"10 weeks ';
    expect(isCut(before + round.repeat(400 / round.length), 7, 'aim')).toBe(true);
    expect(isCut(before + round.repeat(220 / round.length), 7, 'aim')).toBe(false);
    expect(isCut(before + round.repeat(900 / round.length))).toBe(false);
  });

  test('A call that looks for a longer text with no circle in it is not cut', () => {
    const zeros = '0'.repeat(400);
    expect(isCut(`{"call":"search","with":{"pattern":"${zeros}"}}`, 7, 'aim')).toBe(false);
    const lines = 'GET /health 200 1 ms'.repeat(19);
    expect(isCut(`{"call":"search","with":{"pattern":"${lines}"}}`, 7, 'aim')).toBe(false);
  });

  test.each([
    ['digits', '1234567890'],
    ['a date', '-12'],
  ])('In an answer under a grammar %s over and over are cut after 600 characters', (_, round) => {
    const before = '{"answer":"2018-08-22T';
    expect(isCut(before + round.repeat(700 / round.length), 7, 'answer')).toBe(true);
    expect(isCut(before + round.repeat(500 / round.length), 7, 'answer')).toBe(false);
    expect(isCut(before + round.repeat(900 / round.length))).toBe(false);
  });

  test('In an answer under a grammar equal lines of a log and a ruler are not cut', () => {
    const log = JSON.stringify({ answer: 'GET /health 200 1 ms\n'.repeat(40) });
    expect(isCut(log, 7, 'answer')).toBe(false);
    expect(isCut(JSON.stringify({ answer: '='.repeat(900) }), 7, 'answer')).toBe(false);
  });

  test('In a command twenty rounds of 600 characters are cut, and zeros that go on are not', () => {
    const before = '{"call":"run_command","with":{"command":"';
    expect(isCut(`${before}${'run_with_context_'.repeat(40)}`, 7, 'command')).toBe(true);
    expect(isCut(`${before}${'run_with_context_'.repeat(30)}`, 7, 'command')).toBe(false);
    expect(isCut(`${before}printf '${'0, '.repeat(300)}'`, 7, 'command')).toBe(false);
  });

  test('Of an answer under a grammar, rounds of some words are found at its end too', () => {
    const times = '2018-08-22T10:00:00Z, '.repeat(28);
    expect(circleAtEnd(times)).toBeNull();
    expect(runAtEnd(times)).toBeNull();
    expect(runAtEnd(times, true)).toEqual({ from: 0, keep: 22 });
  });

  test('Where an engine ended the reply, the token that came over and over is kept once', () => {
    expect(runEnd('9', 31)).toEqual({ from: 9, keep: 10 });
    expect(runEnd('ha ', 31)).toEqual({ from: 8, keep: 11 });
    expect(runEnd('9', 29)).toBeNull();
    expect(runAtEnd('')).toBeNull();
  });

  test('Watching takes time in proportion to the text (audit-E4)', () => {
    expect(growth(watchWords)).toBeLessThan(24);
  });
});

test('Calls that repeat themselves four times over are a circle, and others are none (audit-E4)', () => {
  expect(circleOfCalls(['x', 'a', 'a', 'a', 'a'])).toEqual({ from: 1, keep: 2 });
  expect(circleOfCalls(['x', 'a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'])).toEqual({ from: 1, keep: 3 });
  expect(circleOfCalls(['a', 'a', 'a'])).toBeNull();
  expect(circleOfCalls(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toBeNull();
  expect(circleOfCalls([])).toBeNull();
});

/** Four calls whose arguments nobody could read. */
function isCircleOfUnread(written: (nth: number) => string): boolean {
  const see = watchForCircles();
  return Array.from({ length: 4 }, (_, nth) =>
    see({ type: 'call', name: 'read_file', args: {}, id: undefined, unread: written(nth) }),
  ).includes(true);
}

test('Calls whose arguments could not be read are told apart by what was written (audit-E4)', () => {
  expect(isCircleOfUnread((nth) => `{"path": "${String(nth)}.txt`)).toBe(false);
  expect(isCircleOfUnread(() => '{"path": "a.txt')).toBe(true);
});
