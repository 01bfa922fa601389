/** What of a page is to be read, as plain text in the manner of Markdown. Nothing of it is run or loaded. */
import Defuddle from 'defuddle';
import { parseHTML } from 'linkedom';

/** As much of a document as is read here. */
interface PageNode {
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
interface PageDocument {
  title: string;
  body: PageNode;
}

export interface PageText {
  title: string;
  text: string;
}

/** Of a main part that is shorter, all of the page is read in its place. */
const minMainLength = 200;
const maxTitleLength = 200;
/** Nobody waits for what telling the main part from the rest would take beyond these. */
const maxElements = 15_000;
const maxDepth = 150;

/** First all of the page, then its main part where that can be told: whoever waits no longer has the first. */
export function* readPageText(html: string, url: string): Iterable<PageText> {
  const document = documentOf(html);
  const title = oneLine(document.title).slice(0, maxTitleLength);
  const all = textOf(document.body);
  yield { title, text: all };
  const main = isModest(document.body) ? mainPart(document, url) : '';
  if (main.length >= minMainLength) yield { title, text: main };
}

/** A fragment is a page as well. */
function documentOf(html: string): PageDocument {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`;
  return parseHTML(whole).document as PageDocument;
}

function isModest(root: PageNode): boolean {
  let elements = 0;
  const todo: [PageNode, number][] = [[root, 0]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [node, depth] = next;
    elements += 1;
    if (elements > maxElements || depth > maxDepth) return false;
    for (let child = node.firstChild; child; child = child.nextSibling)
      if (child.nodeType === 1) todo.push([child, depth + 1]);
  }
  return true;
}

/** '' = it could not be told from the rest. */
function mainPart(document: PageDocument, url: string): string {
  try {
    const { content } = new Defuddle(document as never, { url }).parse();
    return textOf(documentOf(content).body);
  } catch {
    return '';
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

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

/** Without recursion: a page may nest as deeply as it likes. */
function textOf(root: PageNode): string {
  const out: string[] = [];
  let inPre = 0;
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
      out.push(inPre > 0 ? text : text.replaceAll(/\s+/g, ' '));
      continue;
    }
    const name = next.nodeName.toUpperCase();
    if (next.nodeType === 8 || leftOut.has(name)) continue;
    const [before, after] = marksOf(name, next);
    out.push(before);
    todo.push(() => {
      out.push(after);
      if (name === 'PRE') inPre -= 1;
    });
    if (name === 'PRE') inPre += 1;
    for (let child = next.lastChild; child; child = child.previousSibling) todo.push(child);
  }
  return tidy(out.join(''));
}

function marksOf(name: string, node: PageNode): readonly [before: string, after: string] {
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
