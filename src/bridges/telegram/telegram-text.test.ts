import { describe, expect, test } from 'vitest';
import { splitText, telegramPieces, withoutMarks } from './telegram-text.ts';

const within = (max: number) => (part: string) => part.length <= max;
const one = (markdown: string): string => telegramPieces(markdown).join('|');

describe('Markdown in Telegram’s form (X10)', () => {
  test.each([
    ['bold and italic text keep their marks', '**a** *b* ~~c~~', '<b>a</b> <i>b</i> <s>c</s>'],
    ['a heading becomes bold', '## Title\n\ntext', '<b>Title</b>\n\ntext'],
    [
      'characters of HTML are escaped everywhere',
      '<b>x</b> & `a<b`',
      '&lt;b&gt;x&lt;/b&gt; &amp; <code>a&lt;b</code>',
    ],
    [
      'a code block keeps its language',
      '```ts\na < b\n```',
      '<pre><code class="language-ts">a &lt; b</code></pre>',
    ],
    ['a language that is none is left out', '```"><script>\nx\n```', '<pre>x</pre>'],
    ['a list has marks of its own', '- a\n- **b**\n  - c', '• a\n• <b>b</b>\n   • c'],
    ['a numbered list keeps its numbers', '3. a\n4. b', '3. a\n4. b'],
    ['a task shows whether it is done', '- [x] a\n- [ ] b', '☑ a\n☐ b'],
    ['a quote stays one', '> a\n> **b**', '<blockquote>a\n<b>b</b></blockquote>'],
    ['the target of a link is written out', '[bank](https://evil.example)', 'bank (https://evil.example)'],
    ['a link that leads nowhere is text', '[a](javascript:x)', 'a'],
    [
      'a table becomes columns of a fixed width',
      '| a | bb |\n|---|---|\n| ccc | **d** |',
      '<pre>a    bb\n---  --\nccc  d</pre>',
    ],
    ['HTML of the model is text', '<a href="tg://x">x</a>', '&lt;a href="tg://x"&gt;x&lt;/a&gt;'],
  ])('%s (X10)', (_, markdown, html) => {
    expect(one(markdown)).toBe(html);
  });

  test('a message of exactly the limit is one, and one more unit makes two (X10)', () => {
    expect(telegramPieces('a'.repeat(4096))).toHaveLength(1);
    expect(telegramPieces('a'.repeat(4097))).toHaveLength(2);
  });

  test('no piece is too long, and no character is parted or lost (X10)', () => {
    const text = '😀'.repeat(5_000);
    const pieces = telegramPieces(text);
    expect(pieces.join('')).toBe(text);
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(4096);
      expect(piece.isWellFormed()).toBe(true);
    }
  });

  test('a long code block is several whole code blocks, parted between lines (X10)', () => {
    const lines = Array.from(
      { length: 400 },
      (_, n) => `const value${String(n)} = "<${'x'.repeat(n % 40)}>";`,
    );
    const pieces = telegramPieces(`\`\`\`ts\n${lines.join('\n')}\n\`\`\``);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(4096);
      expect(piece).toMatch(/^<pre><code class="language-ts">[^]*<\/code><\/pre>$/);
    }
    expect(pieces.map((piece) => withoutMarks(piece)).join('\n')).toBe(lines.join('\n'));
  });

  test('whatever is parted, each piece has all of its marks closed (X10)', () => {
    const blocks = ['# Title', '- a\n- b', '> q', '```\ncode\n```', '**bold** text', '| a |\n|---|\n| b |'];
    const markdown = Array.from({ length: 60 }, (_, n) => blocks[n % blocks.length]).join('\n\n');
    for (const limit of [80, 120, 200, 333]) {
      for (const piece of telegramPieces(markdown, limit)) {
        expect(piece.length).toBeLessThanOrEqual(limit);
        const open = piece.match(/<(?!\/)[a-z]+/g)?.length ?? 0;
        expect(piece.match(/<\//g)?.length ?? 0).toBe(open);
      }
    }
  });

  test('a text is split after a line, else after a word, else anywhere', () => {
    expect(splitText('one two\nthree', within(9))).toEqual(['one two', 'three']);
    expect(splitText('one two three', within(9))).toEqual(['one two', 'three']);
    expect(splitText('abcdefgh', within(3))).toEqual(['abc', 'def', 'gh']);
  });
});
