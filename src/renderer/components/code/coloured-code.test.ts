import { describe, expect, it } from 'vitest';
import { ColouredCode, groupSize } from './coloured-code.ts';
import type { Coloured, Highlighter } from './highlighter.ts';
import { plainLines, type CodeLine } from './tones.ts';

/** Colours every line as a comment when the test says so; its state is how many lines it has seen. */
function handHighlighter() {
  const asked: { code: string; after: number | null; answer: (coloured: Coloured | null) => void }[] = [];
  const idle: (() => void)[] = [];
  const kept = new Map<string, CodeLine[]>();
  const highlighter: Highlighter = {
    known: (_language, code) => kept.get(code) ?? null,
    remember: (_language, code, lines) => void kept.set(code, lines),
    colour: (_language, code, after = null) =>
      new Promise((resolve) => void asked.push({ code, after, answer: resolve })),
    whenIdle: (callback) => {
      idle.push(callback);
      return () => void idle.splice(idle.indexOf(callback), 1);
    },
  };
  /** Answers the oldest question, and lets the window be idle. */
  const answer = async (coloured?: Coloured | null): Promise<void> => {
    const question = asked.shift();
    const lines = plainLines(question?.code ?? '').map((line): CodeLine =>
      line.map(({ text }) => ({ text, tone: 'c' })),
    );
    question?.answer(
      coloured === undefined ? { lines, state: (question.after ?? 0) + lines.length } : coloured,
    );
    await Promise.resolve();
    await Promise.resolve();
    for (const callback of idle.splice(0)) callback();
  };
  return { highlighter, asked, idle, kept, answer };
}

function codeIn(hand: ReturnType<typeof handHighlighter>) {
  const timers: (() => void)[] = [];
  const code = new ColouredCode(hand.highlighter, 'typescript', (_ms, callback) => {
    timers.push(callback);
    return () => void timers.splice(timers.indexOf(callback), 1);
  });
  const pass = (): void => {
    for (const timer of timers.splice(0)) timer();
  };
  return { code, timers, pass };
}

const texts = (groups: CodeLine[][]): string[] =>
  groups.flat().map((line) => line.map(({ text }) => text).join(''));
const tones = (groups: CodeLine[][]) => groups.flat().map((line) => line[0]?.tone);

describe('code on the screen', () => {
  it('is plain at once, and coloured when the worker has answered and the window is idle', async () => {
    const hand = handHighlighter();
    const { code } = codeIn(hand);
    expect(texts(code.read('a\nb', false))).toEqual(['a', 'b']);
    code.colour();
    expect(tones(code.read('a\nb', false))).toEqual([null, null]);
    await hand.answer();
    expect(tones(code.read('a\nb', false))).toEqual(['c', 'c']);
    expect(texts(code.read('a\nb', false))).toEqual(['a', 'b']);
  });

  it('is coloured at once when it comes back into view', async () => {
    const hand = handHighlighter();
    const first = codeIn(hand).code;
    first.read('a\nb\n', false);
    first.colour();
    await hand.answer();
    const second = codeIn(hand).code;
    expect(tones(second.read('a\nb\n', false)).slice(0, 2)).toEqual(['c', 'c']);
    second.colour();
    expect(hand.asked).toHaveLength(0);
  });

  it('asks for every finished line once while it grows, after a pause, in the state of the line before', async () => {
    const hand = handHighlighter();
    const { code, pass, timers } = codeIn(hand);
    for (const text of ['a', 'a\n', 'a\nb', 'a\nb\nc']) {
      code.read(text, true);
      code.colour();
    }
    expect([hand.asked.length, timers.length]).toEqual([0, 1]);
    pass();
    expect(hand.asked[0]).toMatchObject({ code: 'a\nb', after: null });
    await hand.answer();
    code.read('a\nb\nc\nd', true);
    code.colour();
    pass();
    expect(hand.asked[0]).toMatchObject({ code: 'c', after: 2 });
    await hand.answer();
    const groups = code.read('a\nb\nc\nd', false);
    expect(tones(groups)).toEqual(['c', 'c', 'c', null]);
    code.colour();
    await hand.answer();
    expect(tones(code.read('a\nb\nc\nd', false))).toEqual(['c', 'c', 'c', 'c']);
  });

  it('keeps full groups as they are while it grows', () => {
    const { code } = codeIn(handHighlighter());
    const lines = Array.from({ length: groupSize * 2 + 3 }, (_, at) => `line ${at}`).join('\n');
    const before = code.read(lines, true);
    const after = code.read(`${lines} and more\nlast`, true);
    expect(before).toHaveLength(3);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(texts(after)).toHaveLength(groupSize * 2 + 4);
  });

  it('begins anew with another text, and drops what was asked about the last one', async () => {
    const hand = handHighlighter();
    const { code } = codeIn(hand);
    code.read('a\nb\n', false);
    code.colour();
    expect(texts(code.read('x\ny', false))).toEqual(['x', 'y']);
    await hand.answer();
    expect(tones(code.read('x\ny', false))).toEqual([null, null]);
    await hand.answer();
    expect(tones(code.read('x\ny', false))).toEqual(['c', 'c']);
  });

  it('stays plain when there is no answer, and asks no more', async () => {
    const hand = handHighlighter();
    const { code } = codeIn(hand);
    code.read('a\nb', false);
    code.colour();
    await hand.answer(null);
    expect([tones(code.read('a\nb', false)), hand.asked.length]).toEqual([[null, null], 0]);
  });

  it('asks once more from the beginning when the worker has forgotten the lines before', async () => {
    const hand = handHighlighter();
    const { code, pass } = codeIn(hand);
    code.read('a\nb', true);
    code.colour();
    pass();
    await hand.answer();
    code.read('a\nb\nc', false);
    code.colour();
    expect(hand.asked[0]).toMatchObject({ after: 1 });
    await hand.answer(null);
    expect(hand.asked[0]).toMatchObject({ code: 'a\nb\nc', after: null });
    await hand.answer();
    expect(tones(code.read('a\nb\nc', false))).toEqual(['c', 'c', 'c']);
  });
});
