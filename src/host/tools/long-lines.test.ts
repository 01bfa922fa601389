import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { diffDisplay } from './diff-display.ts';
import { shortenUnchanged } from './long-lines.ts';

const a = 'a'.repeat(5_000);
const b = 'b'.repeat(5_000);

test('a long line is shown around what changes in it, with how much was left out (audit-S2)', () => {
  const [hunk] = diffDisplay('min.js', `${a};one;${b}\n`, `${a};two;${b}\n`).hunks;
  expect(hunk?.lines).toEqual(
    [';one;', ';two;'].map((middle, at) => `${'-+'.charAt(at)}${'a'.repeat(399)}${middle}${'b'.repeat(399)}`),
  );
  expect(hunk?.same).toEqual(
    [0, 1].flatMap((line) => [
      { line, at: 200, count: 4_601 },
      { line, at: 603, count: 4_601 },
    ]),
  );
});

test('a long line is shown whole where it is new or another one (audit-S2)', () => {
  const evil = `${' '.repeat(20_000)}eval(x)`;
  expect(diffDisplay('a.js', '', evil).hunks[0]).toMatchObject({ lines: [`+${evil}`] });
  expect(diffDisplay('a.js', `${a}\n`, `${evil}\n`).hunks[0]?.lines).toEqual([`-${a}`, `+${evil}`]);
  expect(diffDisplay('a.js', `${a}\n`, `${a}\n${evil}\n`).hunks[0]?.lines[1]).toBe(`+${evil}`);
});

test('with what was left out put back, lines are what they were, and nothing that differs is missing', () => {
  const piece = constantFrom('x'.repeat(900), 'y'.repeat(700), '\u{1F468}'.repeat(300), 'z', '\n', 'q\n');
  const text = array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
  assert(
    property(text, text, string({ maxLength: 3 }), (before, middle, change) => {
      const [old, now] = [`${before}one${middle}`, `${before}${change}${middle}`];
      const lines = [
        ...old.split('\n').map((line) => `-${line}`),
        ...now.split('\n').map((line) => `+${line}`),
        ...middle.split('\n').map((line) => ` ${line}`),
      ];
      const short = shortenUnchanged(lines);
      expect(short.lines).toHaveLength(lines.length);
      for (const [at, line] of short.lines.entries()) {
        const original = lines[at] ?? '';
        let [restored, from, offset] = ['', 0, 0];
        for (const gap of short.same?.filter((each) => each.line === at) ?? []) {
          restored += line.slice(from, gap.at + 1);
          from = gap.at + 1;
          restored += original.slice(gap.at + 1 + offset, gap.at + 1 + offset + gap.count);
          offset += gap.count;
        }
        expect(restored + line.slice(from)).toBe(original);
        expect(line.isWellFormed()).toBe(original.isWellFormed());
      }
    }),
  );
});
