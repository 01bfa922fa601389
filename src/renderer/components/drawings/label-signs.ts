/** Signs in labels that the library would take for its own: they go through it as letters of nobody, and come back. */
import type { DrawnTree } from './drawn-tree.ts';

const first = 0xe0_00;
const sign = /[[\](){}|"<>/\\;%&#`]/g;
const letter = /[\ue000-\ue07f]/g;
/** Those that the library draws as what they say. */
const kept = /(<br\s*\/?>|\\n|<\/?(?:b|strong|i|em|u|s)>)/i;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '35': '#' };

/** Never empty: a label without a letter would be no label. */
export function hidden(label: string): string {
  const read = label.replaceAll(
    /[&#](lt|gt|amp|quot|35);/g,
    (whole, name: string) => entities[name] ?? whole,
  );
  const parts = read.split(kept).map((part, place) => {
    if (place % 2 === 1) return /^(?:<br|\\n)/i.test(part) ? '<br/>' : part;
    return part.replaceAll(sign, (each) => String.fromCharCode(first + each.charCodeAt(0)));
  });
  const text = parts.join('').trim();
  return text === '' ? '\u00a0' : text;
}

export function shown(tree: DrawnTree): DrawnTree {
  return {
    ...tree,
    children: tree.children.map((child) => (typeof child === 'string' ? revealed(child) : shown(child))),
  };
}

const revealed = (text: string): string =>
  text.replaceAll(letter, (each) => String.fromCharCode(each.charCodeAt(0) - first));
