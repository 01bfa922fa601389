import { describe, expect, it } from 'vitest';
import { array, assert, constantFrom, property, tuple } from 'fast-check';
import { diffChanges } from '../../rules/diff-changes.ts';
import { beginsChange, diffText, type Diff, type DiffLine } from './diff-lines.ts';
import { changedWords } from './diff-words.ts';

const diff = (...hunks: Diff['hunks']): Diff => ({ kind: 'diff', path: 'a.ts', added: 0, removed: 0, hunks });
const linesOf = (shown: Diff): DiffLine[] =>
  diffText(shown).parts.flatMap((part) => ('lines' in part ? part.lines : part.gap.lines));

const parts = (text: string, stretches: readonly (readonly [number, number])[]): string[] =>
  stretches.map(([from, to]) => text.slice(from, to));

describe('what changed within a line', () => {
  it('is told word by word, neighbours together', () => {
    const [before, after] = ['  this.expiresAt = Date.now() + ttl;', '  this.expiresAt = now + ttl;'];
    const changed = changedWords(before, after);
    expect(parts(before, changed.before)).toEqual(['Date.', '()']);
    expect(parts(after, changed.after)).toEqual([]);
    expect(parts('let a b = 1', changedWords('let x y = 1', 'let a b = 1').after)).toEqual(['a b']);
  });

  it('is nothing where the two lines have little in common, or are too long to compare', () => {
    expect(changedWords('return null;', 'const total = sum(values);')).toEqual({ before: [], after: [] });
    const long = 'word '.repeat(500);
    expect(changedWords(long, `${long}more`)).toEqual({ before: [], after: [] });
    expect(changedWords('', '')).toEqual({ before: [], after: [] });
  });
});

describe('a diff', () => {
  it('has the numbers of its side, and each line its place in the text that is coloured', () => {
    const shown = diff({ oldStart: 10, newStart: 12, lines: [' a', '-b', '+c', '+d', ' e'] });
    expect(linesOf(shown).map(({ sign, number, place }) => [sign, number, place])).toEqual([
      [' ', 12, 0],
      ['-', 11, 1],
      ['+', 13, 1],
      ['+', 14, 2],
      [' ', 15, 3],
    ]);
    expect(diffText(shown)).toMatchObject({ before: 'a\nb\ne', after: 'a\nc\nd\ne' });
  });

  it('marks the words of a removed line and of the one in its place', () => {
    const [removed, added, more] = linesOf(
      diff({ oldStart: 1, newStart: 1, lines: ['-const a = 1;', '+const a = 2;', '+other();'] }),
    );
    expect(parts(removed?.text ?? '', removed?.changed ?? [])).toEqual(['1']);
    expect(parts(added?.text ?? '', added?.changed ?? [])).toEqual(['2']);
    expect(more?.changed).toEqual([]);
  });

  it('folds long unchanged stretches and says what lies between two hunks; no line is lost', () => {
    const same = Array.from({ length: 20 }, (_, at) => ` same ${at}`);
    const shown = diff(
      { oldStart: 1, newStart: 1, lines: ['-a', '+b', ...same, '-c', '+d'] },
      { oldStart: 100, newStart: 100, lines: [...same, '+e', ' f'] },
    );
    const gaps = diffText(shown).parts.flatMap((part) => ('gap' in part ? [part.gap] : []));
    expect(gaps.map(({ count, lines }) => [count, lines.length])).toEqual([
      [14, 14],
      [77, 0],
      [17, 17],
    ]);
    expect(linesOf(shown)).toHaveLength(24 + 22);
  });

  it('shows a short unchanged stretch', () => {
    const lines = ['-a', ...Array.from({ length: 9 }, () => ' s'), '+b'];
    expect(diffText(diff({ oldStart: 1, newStart: 1, lines })).parts).toHaveLength(1);
  });
});

it('The changes that are gone through are those that can be undone one by one, whatever is folded', () => {
  const line = tuple(constantFrom(' ', ' ', ' ', '+', '-'), constantFrom('', '', 'a', 'b'));
  assert(
    property(array(line, { maxLength: 60 }), (lines) => {
      const shown = diff({ oldStart: 1, newStart: 1, lines: lines.map(([sign, text]) => sign + text) });
      const begun = diffText(shown).parts.flatMap((part) => {
        const drawn = 'lines' in part ? part.lines : part.gap.lines;
        return drawn.filter((_, at) => beginsChange(drawn, at));
      });
      expect(begun).toHaveLength(diffChanges(shown.hunks).length);
    }),
  );
});
