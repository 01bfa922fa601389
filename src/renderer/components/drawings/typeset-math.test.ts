// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { threadMs } from '../../../../test/helpers/thread-time.ts';
import { isWithin, type DrawnTree } from './drawn-tree.ts';
import { typesetMath } from './typeset-math.ts';

const set = (tex: string): DrawnTree | null => typesetMath({ tex, display: true });

function elements(tree: DrawnTree | string): string[] {
  return typeof tree === 'string' ? [] : [tree.tag, ...tree.children.flatMap(elements)];
}

function words(tree: DrawnTree | string): string {
  return typeof tree === 'string' ? tree : tree.children.map(words).join('');
}

describe('TeX', () => {
  it('becomes a tree of MathML with its letters', () => {
    const tree = set('\\frac{a}{b_1} \\le \\sqrt{c}');
    expect(tree?.attributes['display']).toBe('block');
    expect(elements(tree ?? '')).toEqual(
      expect.arrayContaining(['math', 'mfrac', 'msub', 'msqrt', 'mi', 'mn']),
    );
    expect(words(tree ?? '')).toBe('ab1≤c');
  });

  it('in a line is set for that line', () => {
    expect(typesetMath({ tex: 'x', display: false })?.attributes).toEqual({});
  });

  it.each(['\\frac{1}{', '\\nosuchcommand', '}', '\\begin{matrix} a', 'x^2^3'])(
    '%j cannot be read, so there is no tree',
    (tex) => {
      expect(set(tex)).toBeNull();
    },
  );

  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{http://evil.example}',
    '\\includegraphics{http://evil.example/x.png}',
    '\\class{dialog}{x}',
    '\\id{root}{x}',
    '\\style{position:fixed}{x}',
    '\\data{x=y}{x}',
  ])('%s is refused', (tex) => {
    expect(set(tex)).toBeNull();
  });

  it.each([
    ['macros that call themselves', '\\def\\a{\\a\\a}\\a'],
    ['macros that double', `\\def\\a#1{#1#1#1#1#1#1}${'\\a{'.repeat(7)}x${'}'.repeat(7)}`],
    ['fractions in fractions', `${'\\frac{1}{'.repeat(200)}x${'}'.repeat(200)}`],
    ['braces that never close', '{'.repeat(100_000)],
    ['braces that close', '{'.repeat(50_000) + '}'.repeat(50_000)],
    ['roots in roots', `${'\\sqrt{'.repeat(300)}x${'}'.repeat(300)}`],
    ['lefts without rights', '\\left('.repeat(2_000)],
    ['matrices in matrices', '\\begin{matrix}'.repeat(500)],
  ])('of %s ends in time, and never as more than a page can draw', (_, tex) => {
    const begun = threadMs();
    const tree = set(tex);
    expect(threadMs() - begun).toBeLessThan(3_000);
    expect(tree === null || isWithin(tree, { maxNodes: 60 + 8 * tex.length, maxDepth: 80 })).toBe(true);
  });

  it('of one formula changes no macro of the next', () => {
    set('\\gdef\\x{y}\\global\\let\\alpha=b \\x');
    expect(words(set('\\alpha') ?? '')).toBe('α');
    expect(set('\\x')).toBeNull();
  });
});
