import { describe, expect, it } from 'vitest';
import { GrowingCode, groupSize, plainGroups } from './growing-code.ts';
import type { CodeLine, LineState, Tokenizer } from './highlighter.ts';

/** Counts what it is asked to read; its state is how many lines it has seen. */
function countingTokenizer() {
  const read: string[] = [];
  const tokenizer: Tokenizer = {
    lines(code, after) {
      read.push(code);
      const from = after ? Number(after) : 0;
      const lines = code
        .split('\n')
        .map((text, at): CodeLine => [{ text: `${from + at}:${text}`, tone: null }]);
      return { lines, state: (from + lines.length) as number & LineState };
    },
  };
  return { read, tokenizer };
}

const texts = (groups: CodeLine[][]): string[] => groups.flat().map((line) => line[0]?.text ?? '');

describe('code that grows', () => {
  it('reads every finished line once, and goes on in the state of the line before', () => {
    const { read, tokenizer } = countingTokenizer();
    const code = new GrowingCode(tokenizer);
    code.read('a\nb\nc');
    read.length = 0;
    expect(texts(code.read('a\nb\nc\nd'))).toEqual(['0:a', '1:b', '2:c', '3:d']);
    expect(read).toEqual(['c', 'd']);
  });

  it('keeps full groups as they are', () => {
    const code = new GrowingCode(countingTokenizer().tokenizer);
    const lines = Array.from({ length: groupSize * 2 + 3 }, (_, at) => `line ${at}`).join('\n');
    const before = code.read(lines);
    const after = code.read(`${lines} and more\nlast`);
    expect(before).toHaveLength(3);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(texts(after)).toHaveLength(groupSize * 2 + 4);
  });

  it('begins anew with another text', () => {
    const code = new GrowingCode(countingTokenizer().tokenizer);
    code.read('a\nb\n');
    expect(texts(code.read('x\ny'))).toEqual(['0:x', '1:y']);
  });

  it('has the same lines without colours', () => {
    expect(texts(plainGroups('a\n\nb\n'))).toEqual(['a', '', 'b', '']);
  });
});
