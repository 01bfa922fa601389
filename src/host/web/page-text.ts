/** What of a page is to be read: all of it, and its main part where that can be told. Nothing of it is run or loaded. */
import Defuddle from 'defuddle';
import { documentOf, textOf, type PageDocument, type PageNode } from './html-text.ts';

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
