/** What a text is while it comes: every beginning of every malicious text, as the window would draw it. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkdownBlocks } from '../../src/renderer/components/markdown/markdown.tsx';
import { MarkdownReader } from '../../src/renderer/components/markdown/reader.ts';
import { someOf } from '../helpers/thorough.ts';
import { maliciousTexts, type MaliciousText } from './malicious-texts.ts';

const texts = someOf(
  maliciousTexts({ js: 'ran()', url: 'http://127.0.0.1:9' }).filter(({ kind }) => kind !== 'lengths'),
  3,
);

const tag = /<\/?([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/g;
const elements = new Set(
  `div p h2 h3 h4 strong em del code br a span ul ol li blockquote hr table thead tbody tr th td figure header section
  button pre svg path rect circle polyline line`.split(/\s+/),
);
const attributes = new Set(
  `class role focusable dir data-icon title href target rel start aria-label aria-hidden aria-busy aria-pressed tabindex type disabled width height viewBox fill stroke
  stroke-width stroke-linecap stroke-linejoin d x y rx ry cx cy r points xmlns x1 x2 y1 y2`.split(/\s+/),
);

/** What of the markup Andiron would never write; its text is escaped, so all tags in it are elements. */
function oddities(html: string): string[] {
  const rest = html.replaceAll(tag, '');
  const odd = [...html.matchAll(tag)].flatMap(([whole, name = '', given = '']) => {
    const names = [...given.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)];
    const isOdd =
      !elements.has(name) ||
      names.some(
        ([, key = '', value = '']) => !attributes.has(key) || (key === 'href' && !/^https?:\/\//.test(value)),
      );
    return isOdd ? [whole] : [];
  });
  return rest.includes('<') ? [...odd, rest] : odd;
}

/** Of a long text not every beginning, but every hundredth. */
const closely = 250;

/** As it streams: the reader remembers what came before. */
function drawBeginnings({ text }: MaliciousText, draw: (html: string) => void): void {
  const reader = new MarkdownReader();
  const characters = Array.from(text);
  for (let end = 1; end <= characters.length; end += 1) {
    if (end > closely && end < characters.length && end % 100 !== 0) continue;
    const writing = end < characters.length;
    const blocks = reader.read(characters.slice(0, end).join(''), !writing);
    draw(renderToStaticMarkup(createElement(MarkdownBlocks, { blocks, writing })));
  }
}

test('the detector sees what it must', () => {
  for (const html of [
    '<p><script>',
    '<img src="x">',
    '<a href="javascript:x">',
    '<p onclick="x">',
    '<p style="x">',
    '<x',
  ]) {
    expect(oddities(html)).not.toEqual([]);
  }
  expect(oddities('<p class="a">1 &lt; 2 <a href="https://example.org/">x</a></p>')).toEqual([]);
});

test('no beginning of a malicious text draws an element or attribute of its own', () => {
  const found: string[] = [];
  let drawn = 0;
  for (const text of texts) {
    drawBeginnings(text, (html) => {
      drawn += 1;
      for (const odd of oddities(html)) found.push(`${text.id} ${text.kind}: ${odd.slice(0, 200)}`);
    });
  }
  process.stdout.write(`beginnings drawn: ${drawn}, odd: ${found.length}\n`);
  expect([...new Set(found)].slice(0, 20)).toEqual([]);
});
