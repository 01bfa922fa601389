import { describe, expect, it } from 'vitest';
import type { Token } from 'marked';
import { lexMarkdown } from './lex.ts';
import { isMath, mathAt } from './math-marks.ts';
import { MarkdownReader } from './reader.ts';

/** Everything that is set as mathematics, wherever it stands. */
function mathIn(source: string, complete = true): string[] {
  const found: string[] = [];
  const look = (token: Token): void => {
    if (isMath(token) && !token.isOpen) found.push(`${token.display ? 'D' : 'I'} ${token.text}`);
    const parts = token as { tokens?: Token[]; items?: Token[]; rows?: { tokens: Token[] }[][] };
    for (const inner of [...(parts.tokens ?? []), ...(parts.items ?? [])]) look(inner);
    for (const cell of (parts.rows ?? []).flat()) for (const inner of cell.tokens) look(inner);
  };
  const lexed = lexMarkdown({ source, links: {}, complete });
  for (const { token } of lexed.blocks.flatMap(({ pieces }) => pieces)) look(token);
  return found;
}

describe('mathematics in Markdown', () => {
  it.each([
    ['$x^2$', ['I x^2']],
    ['the $n$th of $k$ and $f(x) = \\$5$.', ['I n', 'I k', 'I f(x) = \\$5']],
    ['($a_1 * b_1$ and $a_2 * b_2$)', ['I a_1 * b_1', 'I a_2 * b_2']],
    ['so \\(a + b\\) and \\(k\\)', ['I a + b', 'I k']],
    ['it is $$x = 1$$ here', ['D x = 1']],
    ['$$\nx = 1\n$$', ['D x = 1']],
    ['Therefore:\n$$\na &= b \\\\\n- c\n+ d\n$$\nwhich is it.', ['D a &= b \\\\\n- c\n+ d']],
    ['\\[\n\\frac{1}{2}\n\\]', ['D \\frac{1}{2}']],
    ['\\[ E = mc^2 \\].', ['D E = mc^2.']],
    ['$$\n\nx = 1\n\n- y\n\n$$', ['D x = 1\n\n- y']],
    ['- an item: $x$\n- $$y = 2$$', ['I x', 'D y = 2']],
    ['> $$\n> z_1\n> $$', ['D z_1']],
    ['| a |\n|---|\n| $y_1$ |', ['I y_1']],
    ['# About $\\pi$', ['I \\pi']],
    ['*all of $a*b$ it*', ['I a*b']],
    ['$5 \\text{ km} = 5000 \\text{ m}$', ['I 5 \\text{ km} = 5000 \\text{ m}']],
    ['$\\text{speed} = \\frac{d}{t}$ and $10^{-3}$', ['I \\text{speed} = \\frac{d}{t}', 'I 10^{-3}']],
  ])('%j has %j', (source, expected) => {
    expect(mathIn(source)).toEqual(expected);
  });

  it.each([
    '$5 and $10',
    'It costs $5, or $10.',
    'between $5 and 10$',
    '$5/month or 50$ a year',
    'US$5 (or CA$7)',
    'in A$x$ or 100$x$',
    '$5 + tax is 10$ now',
    '$20-$30',
    '$1,000.50 to $2k',
    '**$5**–**$10**',
    '$HOME and $PATH',
    '$HOME/$USER',
    '${HOME}/x and ${PATH}',
    '$(pwd)/$(ls)',
    '"$a" and "$b"',
    'foo($x, $y)',
    'kill $$ and $$',
    '`$x$` and `\\(y\\)`',
    '```sh\necho $x$\n$$\ny\n$$\n```',
    'an escaped \\$x\\$',
    'in US$. Later in US$.',
    '$ x $',
    'see \\[1\\] and \\[link\\](http://x.example)',
    '\\[optional\\]',
    'the \\[\\[Define\\]\\] of it',
    'see \\[[more](https://a.example/b_c)\\]',
    '\\(not mathematics at all\\)',
    '$$\n\n$$',
    'a $ b',
    '$a\n\nb$',
    '$$ a\n\nb $$',
    '$$\nmany words\n\nand more\n$$',
  ])('%j has none', (source) => {
    expect(mathIn(source)).toEqual([]);
  });

  it('is not looked for beyond what a page can set', () => {
    expect(mathIn(`$${'x'.repeat(1_900)}$`)).toHaveLength(1);
    expect(mathIn(`$${'x'.repeat(2_100)}$`)).toEqual([]);
  });

  it('is not begun by a bracket that a backslash of its own escapes', () => {
    expect(mathAt('\\\\(a\\)', () => '')).toBeNull();
    expect(mathAt('\\(a \\\\) b\\)', () => '')?.text).toBe('a \\\\) b');
  });
});

describe('mathematics whose end has not come', () => {
  it.each(['so $x_1 + ', 'so \\(x_1 + ', '$$\nx = 1\n', '\\[ x'])('%j is none yet', (source) => {
    expect(mathIn(source, false)).toEqual([]);
  });

  it('is one open block, whatever its lines would be alone', () => {
    const { blocks } = lexMarkdown({ source: 'A\n\n$$\n- a\n# b\n> c', links: {}, complete: false });
    expect(blocks.map(({ pieces }) => pieces[0]?.token.type)).toEqual(['paragraph', 'math']);
  });

  it('is Markdown once the answer is complete without it', () => {
    const { blocks } = lexMarkdown({ source: '$$\n- a\n\n# b', links: {}, complete: true });
    expect(blocks.map(({ pieces }) => pieces[0]?.token.type)).toEqual(['paragraph', 'list', 'heading']);
  });

  it('reads the same in pieces of any size as at once', () => {
    const text =
      'One $a*b$ two *c*.\n\n$$\nx\n- y\n# z\n$$\n\n- item $q$\n\n\\[\n\\frac{a}{b}\n\\]\n\nCosts $5 and $10.\n\n$$\n\na\n\n# b\n\n$$\n\n$$ open';
    const whole = new MarkdownReader().read(text, true);
    for (const step of [1, 2, 3, 7, 11]) {
      const reader = new MarkdownReader();
      for (let end = step; end < text.length; end += step) reader.read(text.slice(0, end), false);
      const read = reader.read(text, true);
      expect(read.map(({ start, token }) => [start, token])).toEqual(
        whole.map(({ start, token }) => [start, token]),
      );
    }
  });
});

/** The least of three, in microseconds of this thread alone: what else the machine does is no work of this. */
const costOf = (source: string): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const begun = process.threadCpuUsage();
      lexMarkdown({ source, links: {}, complete: true });
      const { user, system } = process.threadCpuUsage(begun);
      return user + system;
    }),
  );

it.each(['$a ', '\\(a ', '\\[a ', '$$a ', '$a$b'])(
  'the cost of signs of mathematics that never end, %s, grows with their number and not with its square',
  (sign) => {
    const [few, many] = [8_000, 64_000].map((length) => costOf(sign.repeat(length / sign.length)));
    // Linear is 8, quadratic 64. The floor keeps the clock's grain out of it.
    expect((many ?? 0) / Math.max(few ?? 0, 2_000)).toBeLessThan(24);
  },
);
