import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenise } from './tokenise.ts';

const character = constantFrom(
  'a',
  'B',
  '7',
  ' ',
  '\n',
  '.',
  '{',
  '"',
  '<',
  '>',
  'é',
  '日',
  '🙂',
  '\t',
  '\u0301',
);
const anyText = string({ unit: character, maxLength: 60 });

describe('tokenise', () => {
  it('loses nothing', () => {
    assert(
      property(anyText, (text) => {
        expect(tokenise(text).join('')).toBe(text);
      }),
    );
  });

  it('gives a prefix the same tokens, its last one excepted', () => {
    assert(
      property(anyText, anyText, (prefix, rest) => {
        const stable = tokenise(prefix).slice(0, -1);
        expect(tokenise(prefix + rest).slice(0, stable.length)).toEqual(stable);
      }),
    );
  });

  it.each([
    '<|im_start|>',
    '<|turn>',
    '<turn|>',
    '<|"|>',
    '<bos>',
    '<think>',
    '</think>',
    '<|eot_id|>',
    '<tool_call>',
    '<start_of_turn>',
    '</s>',
    '[INST]',
    '[/TOOL_RESULTS]',
  ])('keeps %s whole wherever it stands', (mark) => {
    expect(tokenise(`word${mark}\n${mark}word`)).toEqual(['word', mark, '\n', mark, 'word']);
  });

  it('lets no punctuation swallow the beginning of a mark', () => {
    expect(tokenise('it?[/INST]a[0]')).toEqual(['it', '?', '[/INST]', 'a', '[', '0', ']']);
  });

  it('takes words with the space before them and cuts long ones', () => {
    expect(tokenise('the    considerably <b')).toEqual(['the', '   ', ' consid', 'erably', ' <', 'b']);
  });
});
