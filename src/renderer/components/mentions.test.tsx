import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mentionAt, mentionOf, mentionsIn } from './mentions.ts';
import { MessageText } from './message-text.tsx';

const paths = (text: string): string[] => mentionsIn(text).map(({ path }) => path);

describe('files that a message names', () => {
  it('stand at the beginning of a word, bare or in quotation marks', () => {
    expect(paths('@a.ts and (@src/b.ts) "@c.ts"')).toEqual(['a.ts', 'src/b.ts', 'c.ts']);
    expect(paths('see @"my notes.md" now')).toEqual(['my notes.md']);
    expect(paths('line\n@x')).toEqual(['x']);
  });

  it('are no addresses of letters', () => {
    expect(paths('write to ada@example.org')).toEqual([]);
  });

  it('do not end with the sentence', () => {
    expect(paths('Look at @src/lease.ts. And @b, too!')).toEqual(['src/lease.ts', 'b']);
  });

  it('are written so that they are found again', () => {
    for (const path of ['src/a.ts', 'with some spaces/a b.ts', 'ünïcode/ß.md', 'a-b_c.d']) {
      expect(paths(`x ${mentionOf(path)} y`)).toEqual([path]);
    }
  });

  it('are shown as quiet code with all else as it was written', () => {
    const text = '  See @a.ts,\n and @"b c.md" ';
    const { container } = render(<MessageText text={text} />);
    expect(container.textContent).toBe(text);
    expect([...container.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
      '@a.ts',
      '@"b c.md"',
    ]);
  });
});

describe('a file that is being named', () => {
  it('is what stands between the sign and the caret, to the end of its word', () => {
    expect(mentionAt('see @src/le', 11)).toEqual({ from: 4, to: 11, path: 'src/le' });
    expect(mentionAt('see @src/lease now', 8)).toEqual({ from: 4, to: 14, path: 'src' });
    expect(mentionAt('@', 1)).toEqual({ from: 0, to: 1, path: '' });
    expect(mentionAt('@"my no" x', 7)).toEqual({ from: 0, to: 8, path: 'my no' });
  });

  it('is none behind a space, in an address, or where nothing is named', () => {
    expect(mentionAt('@a.ts ', 6)).toBeNull();
    expect(mentionAt('ada@ex', 6)).toBeNull();
    expect(mentionAt('plain', 3)).toBeNull();
  });
});
