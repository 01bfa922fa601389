import { array, assert, nat, property } from 'fast-check';
import { Lexer } from 'marked';
import { describe, expect, it, vi } from 'vitest';
import { MarkdownReader, type Block } from './reader.ts';

const sample = [
  '# Title\n\n',
  'A paragraph with **bold**, `code` and a [link](https://example.com/a).\nIt goes on.\n\n',
  '- one\n- two\n  - nested\n\n  still two\n- three\n\n',
  '1. first\n2. second\n\n',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n',
  '| a | b |\n|---|--:|\n| 1 | 2 |\n\n',
  '> quoted\n> more\n\n',
  '---\n\nSetext\n======\n\n    indented code\n\n',
  'The end, without a newline',
].join('');

const shape = (blocks: Block[]) => blocks.map(({ start, token }) => [start, token.type, token.raw]);

function readInSteps(text: string, cuts: number[]): Block[] {
  const reader = new MarkdownReader();
  for (const cut of cuts.toSorted((a, b) => a - b)) reader.read(text.slice(0, cut), false);
  return reader.read(text, true);
}

describe('markdown that grows', () => {
  it('reads the same in the end, however it came', () => {
    const whole = shape(new MarkdownReader().read(sample, true));
    expect(whole.length).toBeGreaterThan(9);
    assert(
      property(array(nat(sample.length), { maxLength: 60 }), (cuts) => {
        expect(shape(readInSteps(sample, cuts))).toEqual(whole);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('reads the same one character at a time', () => {
    const cuts = Array.from({ length: sample.length }, (_, at) => at);
    expect(shape(readInSteps(sample, cuts))).toEqual(shape(new MarkdownReader().read(sample, true)));
  });

  it('knows its place: the blocks cover the text they stand for', () => {
    for (const { start, token } of new MarkdownReader().read(sample, true)) {
      expect(sample.slice(start, start + token.raw.length)).toBe(token.raw);
    }
  });

  it('keeps every settled block, and parses none of them again', () => {
    const reader = new MarkdownReader();
    const text = sample.repeat(20);
    const before = reader.read(text, false).filter((block) => block.settled);
    const lex = vi.spyOn(Lexer.prototype, 'lex');
    const after = reader.read(`${text} and more`, false);
    const parsed = lex.mock.calls.map(([source]) => source);
    lex.mockRestore();
    expect(after.slice(0, before.length).every((block, at) => block === before[at])).toBe(true);
    expect(parsed.join('').length).toBeLessThan(sample.length);
  });

  it('hands on a long text in parts, of which only the last changes', () => {
    const reader = new MarkdownReader();
    const text = sample.repeat(40);
    const before = reader.readParts(text, false);
    const after = reader.readParts(`${text}\n\nmore\n\nand more`, false);
    expect(before.length).toBeGreaterThan(3);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(before.slice(0, -1).every((part, at) => part === after[at])).toBe(true);
  });

  it('begins anew with another text', () => {
    const reader = new MarkdownReader();
    reader.read(sample.repeat(3), true);
    expect(shape(reader.read('# Other', true))).toEqual([[0, 'heading', '# Other']]);
    expect(shape(reader.read('shorter', true))).toEqual([[0, 'paragraph', 'shorter']]);
  });

  it('does not lose its place over carriage returns', () => {
    const reader = new MarkdownReader();
    const windows = sample.replaceAll('\n', '\r\n');
    for (let at = 0; at < windows.length; at += 7) reader.read(windows.slice(0, at), false);
    expect(shape(reader.read(windows, true))).toEqual(shape(new MarkdownReader().read(sample, true)));
  });

  it('remembers link definitions for what follows them', () => {
    const reader = new MarkdownReader();
    const text = `[a]: https://example.com/a\n\nOne [a].\n\nTwo.\n\nThree.\n\nFour [a].`;
    for (let at = 0; at < text.length; at += 1) reader.read(text.slice(0, at), false);
    const last = reader.read(text, true).at(-1)?.token;
    expect(JSON.stringify(last)).toContain('https://example.com/a');
  });
});

it.each([
  [300, 'paragraph'],
  [10, 'blockquote'],
])('shows %i quotes within each other as a %s', (depth, kind) => {
  const blocks = new MarkdownReader().read(`${'> '.repeat(depth)}deep`, true);
  expect(blocks.map(({ token }) => token.type)).toEqual([kind]);
});

it('shows text that nests beyond what can be followed as the text it is, finished or not (audit-S11)', () => {
  const text = `${'*'.repeat(5_000)}x${'*'.repeat(5_000)}`;
  for (const complete of [false, true]) {
    const shown = new MarkdownReader().read(text, complete);
    const drawn = shown.flatMap(({ token }) => ('tokens' in token ? (token.tokens ?? []) : []));
    expect(drawn.map(({ raw }) => raw).join('')).toBe(text);
  }
});
