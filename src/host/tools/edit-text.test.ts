import { describe, expect, test } from 'vitest';
import { inWords } from './advice.ts';
import { replaceOnce } from './edit-text.ts';

const reason = (text: string, found: string, replacement = 'new'): string => {
  const edit = replaceOnce(text, found, replacement);
  return edit.ok ? `edited to ${JSON.stringify(edit.text)}` : inWords(edit.reason, edit.advice).content;
};

describe('a piece that is there once', () => {
  test('is replaced, and its line is told', () => {
    expect(replaceOnce('a\nb\nc\n', 'b\nc', 'x')).toEqual({ ok: true, text: 'a\nx\n', line: 2 });
  });

  test('may be deleted', () => {
    expect(replaceOnce('a\nb\nc\n', 'b\n', '')).toEqual({ ok: true, text: 'a\nc\n', line: 2 });
  });

  test('is matched across line ends, which stay as the file has them', () => {
    expect(replaceOnce('a\r\nb\r\n', 'a\nb', 'x\ny')).toMatchObject({ text: 'x\r\ny\r\n' });
    expect(replaceOnce('a\r\nb\r\n', 'a\r\nb', 'x\r\ny')).toMatchObject({ text: 'x\r\ny\r\n' });
    expect(replaceOnce('a\r\nb\r\n', 'b', 'x')).toMatchObject({ text: 'a\r\nx\r\n' });
  });

  test('becomes several lines with the line ends of the file, though it was only a part of one', () => {
    expect(replaceOnce('a\r\nb\r\n', 'b', 'x\ny')).toMatchObject({ text: 'a\r\nx\r\ny\r\n' });
    expect(replaceOnce('a\r\nb', 'b', 'x\ny')).toMatchObject({ text: 'a\r\nx\r\ny' });
    expect(replaceOnce('a\nb\n', 'b', 'x\r\ny')).toMatchObject({ text: 'a\nx\ny\n' });
    expect(replaceOnce('b', 'b', 'x\r\ny')).toMatchObject({ text: 'x\ny' });
  });

  test('is found in a file of mixed line ends, and its new lines end as those around them', () => {
    const mixed = 'a\r\nb\nc\nd\r\n';
    expect(replaceOnce(mixed, 'a\nb\nc', 'a\nx\nc')).toMatchObject({ text: 'a\r\nx\nc\nd\r\n' });
    expect(replaceOnce(mixed, 'a', 'x\ny')).toMatchObject({ text: 'x\r\ny\r\nb\nc\nd\r\n' });
    expect(replaceOnce(mixed, 'c\n', 'c\nx\n')).toMatchObject({ text: 'a\r\nb\nc\nx\nd\r\n' });
    expect(replaceOnce(mixed, 'c\r\nd', 'e')).toMatchObject({ text: 'a\r\nb\ne\r\n', line: 3 });
  });
});

describe('a piece that cannot be replaced', () => {
  test('is there several times: their lines are told', () => {
    expect(reason('x\ny\nx\nx\n', 'x')).toBe(
      'old_text is in the file 3 times (lines 1, 3, 4). Add the lines around it until it is unique.',
    );
    expect(reason('aaa', 'aa')).toContain('2 times');
  });

  test('differs in white space only: the real lines are shown', () => {
    expect(reason('if (a) {\n\tb();\n}\n', 'if (a) {\n    b();\n}')).toBe(
      'old_text is not in the file. Only its white space differs. Copy these lines exactly:\nif (a) {\n\tb();\n}',
    );
  });

  test('begins with a line that is there: its surroundings are shown', () => {
    expect(
      reason('one\nfunction add(a, b) {\n  return a + b;\n}\n', 'function add(a, b) {\n  return b + a;\n}'),
    ).toBe(
      'old_text is not in the file. Its first line is at line 2; the file has there:\none\nfunction add(a, b) {\n  return a + b;\n}\n',
    );
  });

  test('is nowhere', () => {
    expect(reason('one\n', 'two')).toBe(
      'old_text is not in the file. Read the file again and copy the text exactly.',
    );
    expect(reason('one\n', ' \n \n')).toContain('only white space');
  });

  test('would not change anything', () => {
    expect(reason('one\n', 'one', 'one')).toContain('nothing would change');
  });
});
