/** What of a diagram's source the library reads. It passes over what it does not know: a picture without it would be wrong. */
import { plainFlowchart, type Flowchart } from './flowchart-source.ts';

const frontMatter = /^\s*---\n[\s\S]*?\n---[ \t]*\n/;
const comment = /^\s*%%/;
/** Colours of a text fit one theme at best; those of the page fit both. */
const colours = /^(?:style|linkStyle|classDef)\s/;

const direction = /^direction\s+(?:TD|TB|LR|BT|RL)$/i;
const block = /^(?:\}|[^{}]*\{)$/;

/** Lines of each kind that the library draws; `inside`: any line between braces is one. */
const kinds: readonly { head: RegExp; lines: readonly RegExp[]; inside?: true }[] = [
  {
    head: /^stateDiagram(?:-v2)?$/i,
    lines: [
      direction,
      /^\}$/,
      /^state\s+(?:"[^"]+"\s+as\s+)?[\w\p{L}]+\s*\{$/u,
      /^state\s+"[^"]+"\s+as\s+[\w\p{L}]+$/u,
      /^(?:\[\*\]|[\w\p{L}-]+)\s*-->\s*(?:\[\*\]|[\w\p{L}-]+)(?:\s*:.+)?$/u,
      /^[\w\p{L}-]+\s*:\s*.+$/u,
    ],
  },
  {
    head: /^sequenceDiagram$/i,
    lines: [
      /^(?:participant|actor)\s+\S+(?:\s+as\s+.+)?$/,
      /^Note\s+(?:left of|right of|over)\s+[^:]+:\s*.+$/i,
      /^(?:loop|alt|opt|par|critical|break|rect|else|and)(?:\s.*)?$/,
      /^(?:end|autonumber)$/,
      /^(?:activate|deactivate)\s+\S+$/,
      /^\S+?\s*(?:--?>?>|--?[)x])\s*[+-]?\S+?\s*:\s*.+$/,
    ],
  },
  {
    head: /^classDiagram$/i,
    lines: [
      block,
      /^class\s+\S+(?:\s*~\w+~)?$/,
      /^class\s+\S+\s*\{\s*<<\w+>>\s*\}$/,
      /^\S+\s*:\s*.+$/,
      /^\S+\s+(?:"[^"]*"\s+)?(?:<\|--|<\|\.\.|\*--|o--|-->|--\*|--o|--\|>|\.\.>|\.\.\|>|--|\.\.)(?:\s+"[^"]*")?\s+\S+(?:\s*:.+)?$/,
    ],
    inside: true,
  },
  {
    head: /^erDiagram$/i,
    lines: [block, /^\S+\s+[|o}{]+(?:--|\.\.)[|o}{]+\s+\S+\s*:\s*.+$/],
    inside: true,
  },
  {
    head: /^xychart(?:-beta)?$/i,
    lines: [
      /^title\s+"[^"]+"$/,
      /^x-axis\s+(?:"[^"]*"\s*)?(?:\[[^\]]+\]|-?[\d.]+\s*-->\s*-?[\d.]+)$/,
      /^y-axis\s+(?:"[^"]*"\s+)?-?[\d.]+\s*-->\s*-?[\d.]+$/,
      /^y-axis\s+"[^"]+"$/,
      /^(?:bar|line)\s+\[[^\]]+\]$/,
    ],
  },
];

export type DrawableSource = Pick<Flowchart, 'text'> & Partial<Flowchart>;

/** As the library is given it; null = not all of it would be drawn. */
export function drawableSource(source: string): DrawableSource | null {
  const all = source.replace(frontMatter, '').split('\n');
  const lines = all.filter((line) => !comment.test(line));
  const [head = '', ...body] = lines.map(endless).filter((line) => line !== '' && !colours.test(line));
  if (/^(?:graph|flowchart)\b/i.test(head)) return plainFlowchart(lines.join('\n').trim());
  const kind = kinds.find((each) => each.head.test(head));
  if (!kind || body.length === 0) return null;
  let depth = 0;
  for (const line of body) {
    const isInside = depth > 0 && kind.inside === true;
    if (!isInside && !kind.lines.some((known) => known.test(line))) return null;
    depth += (line.endsWith('{') ? 1 : 0) - (line === '}' ? 1 : 0);
  }
  return depth === 0 || kind.inside !== true ? { text: [head, ...body].join('\n') } : null;
}

/** A semicolon may end any line. */
const endless = (line: string): string => line.trim().replace(/;+$/, '').trim();
