import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noMarks, type ControlMarks } from '../../prompt/card/marks.ts';
import { ReplyScreen, withoutMarks, type Kind } from './reply-screen.ts';

/** As the template of gemma4 writes them. */
const gemma: ControlMarks = {
  tokens: [
    '<bos>',
    '<|turn>',
    '<|turn>model\n',
    '<turn|>',
    '<|channel>',
    '<|"|>',
    '<|tool_call>',
    '<tool_call|>',
  ],
  opens: ['<|channel>thought\n', '<|channel>thought'],
  closes: ['<channel|>'],
  ends: [],
};
/** As that of gpt-oss does: only a whole frame says that it is a thought. */
const harmony: ControlMarks = {
  tokens: ['<|start|>', '<|start|>assistant', '<|message|>', '<|end|>', '<|channel|>', '<|channel|>final'],
  opens: ['<|channel|>analysis<|message|>'],
  closes: [],
  ends: ['<|end|>'],
};
const qwen: ControlMarks = {
  tokens: ['<|im_start|>', '<|im_start|>assistant\n', '<|im_end|>', '<tool_call>', '</tool_call>'],
  opens: ['<think>'],
  closes: ['</think>'],
  ends: [],
};

interface Read {
  thinking: string;
  text: string;
}

/** What a person has before them in the end. */
function read(pieces: readonly string[], marks: ControlMarks, presumed?: Kind, said: Kind = 'text'): Read {
  const screen = new ReplyScreen(marks, presumed);
  const shown: Read = { thinking: '', text: '' };
  for (const piece of [...pieces.flatMap((each) => screen.push(said, each)), ...screen.flush()]) {
    if (piece.type !== 'moved') shown[piece.type] += piece.text;
    else if (piece.to === 'thinking') {
      [shown.thinking, shown.text] = [shown.thinking + shown.text.trim(), ''];
    } else [shown.thinking, shown.text] = ['', shown.text + shown.thinking];
  }
  return shown;
}

const inPieces = (text: string, cuts: readonly number[]): string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [...places, text.length].map((end, at) => text.slice(at === 0 ? 0 : places[at - 1], end));
};

describe('a control mark in a reply', () => {
  it.each<[string, ControlMarks, string, Read]>([
    [
      'a leaked thought',
      gemma,
      'It is 4.\n<channel|>The answer is 4.',
      { thinking: 'It is 4.', text: 'The answer is 4.' },
    ],
    ['a whole thought', gemma, '<|channel>thought\nHm.<channel|>\n\n4', { thinking: 'Hm.', text: '4' }],
    ['an empty thought', gemma, '<channel|>The answer is 4.', { thinking: '', text: 'The answer is 4.' }],
    ['the end of a turn', gemma, 'Done.<turn|>', { thinking: '', text: 'Done.' }],
    ['the next turn with its role', gemma, 'Done.<|turn>model\nAgain', { thinking: '', text: 'Done.Again' }],
    ['a quote of a call', gemma, 'Take <|"|>a<|"|>.', { thinking: '', text: 'Take a.' }],
    [
      'a leaked thought in words',
      qwen,
      'Let me see.\n</think>\n\nHello',
      { thinking: 'Let me see.', text: 'Hello' },
    ],
    [
      'a whole thought in words',
      qwen,
      '\n<think>\nHm.\n</think>\n\nHello',
      { thinking: 'Hm.', text: 'Hello' },
    ],
    [
      'the mark of a thought far to the right',
      qwen,
      `${' '.repeat(250)}Write <think> here.`,
      { thinking: '', text: `${' '.repeat(250)}Write  here.` },
    ],
    ['an unfinished thought', qwen, '<think>\nHm. And', { thinking: 'Hm. And', text: '' }],
    [
      'marks of another family',
      qwen,
      'Hi<|eot_id|> you<｜end▁of▁sentence｜>',
      { thinking: '', text: 'Hi you' },
    ],
    ['an unknown model', noMarks, 'Hm.\n</think>\nHi<|im_end|>', { thinking: 'Hm.', text: 'Hi' }],
    [
      'channels without a mirror',
      harmony,
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi<|end|>',
      { thinking: 'Hm.', text: 'Hi' },
    ],
  ])('is not shown, wherever the pieces are cut: %s (audit-U3)', (_, marks, text, shown) => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 12 }), (cuts) => {
        expect(read(inPieces(text, cuts), marks)).toEqual(shown);
      }),
    );
    expect(read(Array.from(text), marks)).toEqual(shown);
  });

  it('is not shown in a thought that the engine passes on as one (audit-U3)', () => {
    const pieces = ['<|channel>thou', 'ght\nHm', '.<turn', '|>'];
    expect(read(pieces, gemma, 'text', 'thinking')).toEqual({ thinking: 'Hm.', text: '' });
  });

  it.each([
    'The mark `<|im_end|>` ends a message.',
    'Write `<think>` first, then `</think>`.',
    '```\n<|im_start|>assistant\nHi<|im_end|>\n```\nThat is ChatML.',
    '~~~xml\n<tool_call>{}</tool_call>\n~~~',
    'Two ``<|im_end|> ` `` here.',
  ])('stays where it is spoken of in code: %j (audit-U3)', (text) => {
    expect(read(Array.from(text), qwen)).toEqual({ thinking: '', text });
  });

  it('ends a leaked thought also where a backtick or a fence was left open (audit-U3)', () => {
    const shown = { thinking: 'Use `ls\n```\nls', text: 'Done.' };
    expect(read(['Use `ls\n```\nls<channel|>Done.'], gemma)).toEqual(shown);
  });

  it('of a thought that is named in the middle of a sentence moves nothing (audit-U3)', () => {
    expect(read(['Here the </think> mark ends it.'], qwen).thinking).toBe('');
  });

  it('ends only one thought: a second end takes nothing of the answer away (audit-U3)', () => {
    expect(read(['Hm.\n</think>\nFirst.\n</think>\nSecond.'], qwen)).toEqual({
      thinking: 'Hm.',
      text: 'First.\n\nSecond.',
    });
  });
});

describe('ordinary text', () => {
  const words = fc.constantFrom(
    'a <| b |> c',
    'x <|> y',
    'List.map f <| xs',
    '<div class="x">',
    '</div>',
    '<T|U>',
    'Promise<string|null>',
    'if (a<b || c>d)',
    '[INFO] started',
    'a[i][j]',
    '1 < 2',
    '`code`',
    '```ts\nconst a = 1;\n```',
    '"<"',
    '|>',
    '<',
    '<|',
    '<a|',
    '<|a',
    '\n',
    ' ',
    '日本',
    '😀',
    '<!-- -->',
    '&lt;',
    '#include <stdio.h>',
    'Map<K, V>',
    '<think-tank>',
    '〈a〉',
    '~]',
  );
  const text = fc
    .array(fc.oneof(words, fc.string({ maxLength: 6 })), { maxLength: 12 })
    .map((parts) => parts.join(''));

  it.each([
    ['gemma4', gemma],
    ['gpt-oss', harmony],
    ['qwen', qwen],
    ['an unknown model', noMarks],
  ])('leaves as it came, of %s too, however it is cut (audit-U3)', (_, marks) => {
    const known = [...marks.tokens, ...marks.opens, ...marks.closes, ...marks.ends];
    fc.assert(
      fc.property(text, fc.array(fc.nat(300), { maxLength: 12 }), (whole, cuts) => {
        fc.pre(!known.some((mark) => whole.includes(mark)) && !/<\/?think(?:ing)?>/.test(whole));
        fc.pre(!/<\|[\w/.-]{2,}\|?>|<[\w/]{2,}\|>/.test(whole));
        expect(read(inPieces(whole, cuts), marks)).toEqual({ thinking: '', text: whole });
      }),
      { numRuns: 400 },
    );
  });

  it('is held back only while it may become a mark (audit-U3)', () => {
    const screen = new ReplyScreen(qwen);
    expect(screen.push('text', 'if a <')).toEqual([{ type: 'text', text: 'if a ' }]);
    expect(screen.push('text', ' b')).toEqual([{ type: 'text', text: '< b' }]);
    expect(screen.push('text', 'x<div')).toEqual([{ type: 'text', text: 'x' }]);
    expect(screen.push('text', '>y')).toEqual([{ type: 'text', text: '<div>y' }]);
  });

  it('never waits long for the rest of a mark, whatever comes (audit-U3)', () => {
    const pieces = fc.array(
      fc.oneof(words, fc.constantFrom('<|im_', '<|abcdefgh', '<th', '<｜tool▁', '<|channel>')),
    );
    fc.assert(
      fc.property(pieces, (whole) => {
        const screen = new ReplyScreen(gemma);
        let waiting = 0;
        for (const piece of whole) {
          waiting += piece.trim().length;
          const out = screen.push('text', piece);
          waiting = out.length > 0 ? 0 : waiting;
          expect(waiting).toBeLessThan(200);
        }
      }),
    );
  });
});

describe('a reply of an engine that passed thoughts on as text before', () => {
  it('is a thought from its first word on, and an answer behind its end (audit-U3)', () => {
    const screen = new ReplyScreen(gemma, 'thinking');
    expect(screen.push('text', 'It is 4. ')).toEqual([{ type: 'thinking', text: 'It is 4.' }]);
    expect(screen.push('text', 'So\n<channel|>The')).toEqual([
      { type: 'thinking', text: ' So' },
      { type: 'text', text: 'The' },
    ]);
    expect(screen.flush()).toEqual([]);
    expect(screen.isLeaked).toBe(true);
    expect(screen.raw).toBe('The');
  });

  it('becomes an answer after all where no thought ended (audit-U3)', () => {
    const screen = new ReplyScreen(gemma, 'thinking');
    screen.push('text', 'The answer is 4.\n');
    expect(screen.flush()).toEqual([
      { type: 'moved', to: 'text' },
      { type: 'text', text: '\n' },
    ]);
    expect(screen.isLeaked).toBe(false);
    expect(screen.raw).toBe('The answer is 4.\n');
  });

  it('is an answer at once where the engine tells the thought from it now (audit-U3)', () => {
    const screen = new ReplyScreen(gemma, 'thinking');
    expect(screen.push('thinking', 'Hm.')).toEqual([{ type: 'thinking', text: 'Hm.' }]);
    expect(screen.push('text', '4')).toEqual([{ type: 'text', text: '4' }]);
    expect(screen.isLeaked).toBe(false);
  });
});

it('what looks for calls reads the marks of the answer, and nothing of a leaked thought (audit-U3)', () => {
  const screen = new ReplyScreen(gemma);
  screen.push('text', 'I call it.<channel|>So: <|tool_call>call:x{}<tool_call|>');
  screen.flush();
  expect(screen.raw).toBe('So: <|tool_call>call:x{}<tool_call|>');
});

it('a whole text loses its marks and its leaked thought (audit-U3)', () => {
  expect(withoutMarks('Hm.<channel|>It is 4.<turn|>', gemma)).toBe('It is 4.');
});

it.each([
  ['with its frame', '<think>\nHm.\n</think>\nIt is 4.'],
  ['without its beginning', 'Hm.\n</think>\nIt is 4.'],
])('a whole text loses a thought %s, and nothing takes its place (audit-A14)', (_, text) => {
  expect(withoutMarks(text, qwen)).toBe('It is 4.');
});

it('a mark is hidden again behind a block of code that has ended (audit-A14)', () => {
  expect(read(['```\nls\n```\nDone.<|im_end|>'], qwen)).toEqual({
    thinking: '',
    text: '```\nls\n```\nDone.',
  });
});

it('a thought right behind a call is one, without a line break before it (audit-A14)', () => {
  const screen = new ReplyScreen(qwen);
  screen.push('text', 'I look.');
  screen.flush();
  expect(screen.push('text', '<think>Hm.</think>It is 4.')).toEqual([
    { type: 'thinking', text: 'Hm.' },
    { type: 'text', text: 'It is 4.' },
  ]);
});

it('the rest of a mark that its prompt began is hidden at the beginning of a reply alone (audit-A14)', () => {
  const marks = { ...noMarks, tokens: ['<|start|>assistant to=user', ' to=user'] };
  expect(read([' to=', 'user<|message|>Set to=user.'], marks)).toEqual({
    thinking: '',
    text: 'Set to=user.',
  });
});
