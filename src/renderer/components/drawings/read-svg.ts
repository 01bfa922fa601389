/**
 * The SVG that a library writes, as a tree. It reads what that library writes and nothing more: no comments, entities of
 * documents or namespaces. What a page may draw of it is decided where it is drawn.
 */
import type { DrawnTree } from './drawn-tree.ts';

const tagPart = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;
const attributePart = /([\w:-]+)="([^"<]*)"/g;

/** null = it is not whole. Style sheets are left out: their rules are the page's own. */
export function readSvg(text: string): DrawnTree | null {
  const root: DrawnTree = { tag: '', attributes: {}, styles: {}, children: [] };
  const open: DrawnTree[] = [root];
  let at = 0;
  while (at < text.length) {
    const top = open.at(-1);
    if (!top) return null;
    const next = text.indexOf('<', at);
    const words = text.slice(at, next === -1 ? undefined : next);
    if (words.trim() !== '') top.children.push(decoded(words));
    if (next === -1) break;
    tagPart.lastIndex = next;
    const tag = tagPart.exec(text);
    if (!tag) return null;
    const [whole, closes = '', name = '', attributes = '', isEmpty = ''] = tag;
    at = next + whole.length;
    if (name === 'style') {
      const end = text.indexOf('</style>', at);
      if (end === -1) return null;
      at = end + '</style>'.length;
    } else if (closes !== '') {
      if (top.tag !== name) return null;
      open.pop();
    } else {
      const element = { tag: name, attributes: attributesOf(attributes), styles: {}, children: [] };
      top.children.push(element);
      if (isEmpty === '') open.push(element);
    }
  }
  const [svg, ...others] = root.children;
  return open.length === 1 && others.length === 0 && typeof svg === 'object' ? svg : null;
}

function attributesOf(text: string): Record<string, string> {
  const all = [...text.matchAll(attributePart)];
  return Object.fromEntries(all.map(([, name = '', value = '']) => [name, decoded(value)]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);
