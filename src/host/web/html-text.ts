/** What of HTML is to be read, as plain text in the manner of Markdown. Nothing of it is run or loaded. */
import { parseHTML } from 'linkedom';

/** As much of a document as is read here. */
export interface PageNode {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  firstChild: PageNode | null;
  lastChild: PageNode | null;
  previousSibling: PageNode | null;
  nextSibling: PageNode | null;
  /** Of elements alone. */
  getAttribute?(name: string): string | null;
}
export interface PageDocument {
  title: string;
  body: PageNode;
}

/** A fragment is a page as well. */
export function documentOf(html: string): PageDocument {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`;
  return parseHTML(whole).document as PageDocument;
}

const leftOut: ReadonlySet<string> = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE HEAD SVG IFRAME OBJECT SELECT BUTTON INPUT TEXTAREA'.split(' '),
);
const blocks: ReadonlySet<string> = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN NAV ' +
    'OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD UL'
  ).split(' '),
);
const headings: ReadonlyMap<string, string> = new Map(
  [1, 2, 3, 4, 5, 6].map((level) => [`H${String(level)}`, `${'#'.repeat(level)} `]),
);

/**
 * Without recursion: a page may nest as deeply as it likes.
 *
 * @param isDocument each row of a table becomes one line, whatever its cells hold, and lists keep their levels and numbers;
 *   pages lay themselves out with both
 */
export function textOf(root: PageNode, isDocument = false): string {
  const out: string[] = [];
  let inPre = 0;
  let inCell = 0;
  /** The lists around it; of one with numbers, the next one. */
  const lists: (number | null)[] = [];
  /** The mark of an entry of a list was written, and nothing behind it. */
  let atEntry = false;
  const todo: (PageNode | (() => void))[] = [root];
  while (todo.length > 0) {
    const next = todo.pop();
    if (typeof next === 'function') {
      next();
      continue;
    }
    if (!next) continue;
    if (next.nodeType === 3) {
      const text = next.textContent ?? '';
      const isBlank = text.trim() === '';
      if (atEntry && isBlank) continue;
      if (!isBlank) atEntry = false;
      out.push(inPre > 0 && inCell === 0 ? text : text.replaceAll(/\s+/g, ' '));
      continue;
    }
    const name = next.nodeName.toUpperCase();
    if (next.nodeType === 8 || leftOut.has(name)) continue;
    const marks = (isDocument ? documentMarks(name, lists) : null) ?? marksOf(name, next);
    const isInLine = (inCell > 0 || (atEntry && name !== 'LI')) && marks[0].includes('\n');
    const [before, after] = isInLine ? gapAfter(out) : marks;
    out.push(before);
    if (isDocument && name === 'LI') atEntry = true;
    const isCell = isDocument && (name === 'TD' || name === 'TH');
    const isList = isDocument && (name === 'UL' || name === 'OL');
    todo.push(() => {
      out.push(after);
      if (name === 'PRE') inPre -= 1;
      if (isCell) inCell -= 1;
      if (isList) lists.pop();
    });
    if (name === 'PRE') inPre += 1;
    if (isCell) inCell += 1;
    if (isList) lists.push(name === 'UL' ? null : 1);
    for (let child = next.lastChild; child; child = child.previousSibling) todo.push(child);
  }
  return tidy(out.join(''));
}

type Marks = readonly [before: string, after: string];

/** Nobody sees more levels of a list. */
const maxIndent = 10;

/** null = as on a page. */
function documentMarks(name: string, lists: (number | null)[]): Marks | null {
  switch (name) {
    case 'THEAD':
    case 'TBODY':
    case 'TFOOT':
      return ['', ''];
    case 'UL':
    case 'OL':
      return lists.length > 0 ? ['', ''] : null;
    case 'LI': {
      const number = lists.at(-1) ?? null;
      if (number !== null) lists.splice(-1, 1, number + 1);
      const indent = '  '.repeat(Math.min(maxIndent, Math.max(0, lists.length - 1)));
      return [`\n${indent}${number === null ? '-' : `${String(number)}.`} `, ''];
    }
    default:
      return null;
  }
}

const gapAfter = (out: readonly string[]): Marks => (out.at(-1)?.endsWith(' ') ? ['', ''] : [' ', '']);

function marksOf(name: string, node: PageNode): Marks {
  const heading = headings.get(name);
  if (heading !== undefined) return [`\n\n${heading}`, '\n\n'];
  if (name === 'BR' || name === 'TR') return ['\n', ''];
  if (name === 'LI') return ['\n- ', ''];
  if (name === 'TD' || name === 'TH') return [' | ', ''];
  if (name === 'PRE') return ['\n\n```\n', '\n```\n\n'];
  if (name === 'A') return ['', linkOf(node)];
  return blocks.has(name) ? ['\n\n', '\n\n'] : ['', ''];
}

/** Where another page may be read. */
function linkOf(node: PageNode): string {
  const href = node.getAttribute?.('href') ?? null;
  return href !== null && /^https?:/i.test(href) && href.length <= 300 ? ` (${href})` : '';
}

/** Line by line: a pattern over all of it would take a second for each megabyte of blanks. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd().replace(/^ (?! )/, ''));
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
