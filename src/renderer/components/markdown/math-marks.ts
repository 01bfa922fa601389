/**
 * Where mathematics begins and ends in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. Prices and variables of a shell have
 * such signs as well and stay words. Pure: the page and its worker both use it.
 */
import { Hooks, type MarkedOptions, type Token, type Tokens } from 'marked';

export interface MathToken extends Tokens.Generic {
  type: 'math';
  /** Without the signs around it. */
  text: string;
  /** On lines of its own, and set as large as that allows. */
  display: boolean;
  /** Its end has not come yet. */
  isOpen: boolean;
}

export const isMath = (token: Token): token is MathToken => token.type === 'math';

/** Longer ones stay the text they are: so much is also what the search for an end looks through. */
const maxMathLength = 2_000;

/** Nothing in a text without these can be mathematics, and nothing is looked for. */
export const mayHaveMath = (source: string): boolean => source.includes('$') || /\\[([]/.test(source);

interface Found {
  raw: string;
  text: string;
  display: boolean;
}

const closings: readonly [open: string, close: string][] = [
  ['$$', '$$'],
  ['\\[', '\\]'],
  ['\\(', '\\)'],
];

/**
 * At the beginning of `text`, inside a line.
 * @param before the character before it, or nothing. Asked last: the parser has to join all of the text before it for that.
 */
export function mathAt(text: string, before: () => string): Found | null {
  const found = closings.find(([open]) => text.startsWith(open));
  if (!found) return text.startsWith('$') ? singleDollars(text, before) : null;
  const [open, close] = found;
  const inside = upTo(text, open, close);
  if (inside === null || isWords(inside)) return null;
  const raw = open + inside + close;
  // An escaped bracket is a bracket more often than not: of a link, a source, a name in two of them.
  if (open === '\\[' && (!signs.test(inside) || isBracketed(inside) || text.startsWith('(', raw.length)))
    return null;
  return { raw, text: inside.trim(), display: open !== '\\(' };
}

/** Signs that hardly anything but mathematics is written with. */
const signs = /[\\^_=+<>{}|]/;
const isBracketed = (inside: string): boolean => /(?<!\\)\\\[|\]\(/.test(inside);
/** Whatever comes after it, these are two things side by side. */
const joins = /^[\p{L}\p{N}_{($]/u;
/** The plural and the ordinal of a letter are written onto it. */
const endings = /^(?:th|st|nd|rd|s)(?![\p{L}\p{N}_])/u;

/** The first one after it ends it, or it is none: a price is followed by blanks, and so is a variable. */
function singleDollars(text: string, before: () => string): Found | null {
  const inside = upTo(text, '$', '$');
  if (inside === null || /^\s|\s$/.test(inside) || inside.includes('`')) return null;
  const after = text.slice(inside.length + 2, inside.length + 10);
  if (joins.test(after) && !(endings.test(after) && /^\p{L}$|[\\^_{]/u.test(inside))) return null;
  if (isWords(inside) || /[\p{L}\p{N}_$]/u.test(before())) return null;
  return { raw: `$${inside}$`, text: inside, display: false };
}

/**
 * What stands before the first `close` that no backslash escapes; null = there is none in reach, or nothing before it.
 * `maySpread`: blank lines are part of it.
 */
function upTo(text: string, open: string, close: string, maySpread = false): string | null {
  const within = text.slice(0, maxMathLength);
  for (let at = within.indexOf(close, open.length); at !== -1; at = within.indexOf(close, at + 1)) {
    if (isEscaped(within, at)) continue;
    const inside = within.slice(open.length, at);
    return inside.trim() === '' || (!maySpread && blankLine.test(inside)) ? null : inside;
  }
  return null;
}

const blankLine = /\n[ \t]*\n/;

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

const amount = /^\d[\d.,]*(?:\s?(?:k|m|bn|b))?(?![\p{L}\p{N}^_\\])/iu;
const word = /(?:^|[\s/(])\p{L}{2,}(?=$|[\s/.,;:!?)])/u;

/** An amount that words follow, words with blanks between them and no sign, or what begins in the middle of a sentence. */
function isWords(inside: string): boolean {
  const bare = inside.replaceAll(/\\[a-z]+\*?(?:\{[^{}]*\})?/gi, ' \\ ');
  if (/^[.,;:!?]/.test(inside)) return true;
  if (amount.test(inside)) return word.test(bare.replace(amount, ''));
  return !signs.test(inside) && /[ \t]/.test(inside) && word.test(bare);
}

/** A block begins with it and has nothing else on its last line but the end of its sentence. */
const blockStart = /^ {0,3}(\$\$|\\\[)/;
const restOfLine = /^[ \t]*([.,;:]?)[ \t]*(?:\n|$)/;

/** @param isLast more may follow `src`, and nothing else comes after it */
function blockMath(src: string, isLast: boolean): MathToken | undefined {
  const start = blockStart.exec(src);
  const open = start?.[1];
  if (!start || open === undefined) return undefined;
  const indent = start[0].length - open.length;
  // Alone on its line it means what it says: what follows may be spread out.
  const isAlone = /^[ \t]*\n/.test(src.slice(start[0].length));
  const inside = upTo(src.slice(indent), open, open === '$$' ? '$$' : '\\]', isAlone);
  if (inside === null) {
    const mayGoOn = src.length < maxMathLength && (isAlone || !blankLine.test(src));
    return isLast && mayGoOn ? mathToken(src, src, true) : undefined;
  }
  const end = indent + inside.length + 4;
  const rest = restOfLine.exec(src.slice(end, end + 200));
  if (!rest || isWords(inside) || (open === '\\[' && !/\s/.test(inside) && !signs.test(inside)))
    return undefined;
  return mathToken(src.slice(0, end) + rest[0], inside.trim() + (rest[1] ?? ''), false);
}

const mathToken = (raw: string, text: string, isOpen: boolean): MathToken => ({
  type: 'math',
  raw,
  text,
  display: true,
  isOpen,
});

/** What the parser is told so that it finds mathematics. @param isWhole nothing follows `source` */
export function mathOptions(source: string, isWhole: boolean): MarkedOptions {
  return {
    hooks: Object.assign(new Hooks(), { emStrongMask: masked }),
    extensions: {
      renderers: {},
      childTokens: {},
      block: [(src) => blockMath(src, !isWhole && source.endsWith(src))],
      startBlock: [nextBlock],
      inline: [inlineMath],
      // Before a backslash the parser stops by itself.
      startInline: [(src) => src.indexOf('$')],
    },
  };
}

/** Where it may interrupt a paragraph, which ends with a blank line anyway. */
function nextBlock(src: string): number | undefined {
  const end = src.search(blankLine);
  const found = /\n {0,3}(?:\$\$|\\\[)/.exec(end === -1 ? src.slice(0, maxParagraph) : src.slice(0, end));
  return found ? found.index + 1 : undefined;
}
const maxParagraph = 16_000;

function inlineMath(src: string, tokens: Token[]): MathToken | undefined {
  if (!src.startsWith('$') && !src.startsWith('\\')) return undefined;
  const found = mathAt(src, () => tokens.at(-1)?.raw.at(-1) ?? '');
  return found ? { type: 'math', ...found, isOpen: false } : undefined;
}

/** Stars and lines inside of mathematics emphasise nothing: the parser does not see them. */
function masked(text: string): string {
  let [out, from] = ['', 0];
  for (const { index, 0: sign } of text.matchAll(/\\[\s\S]|\$+/g)) {
    if (index < from) continue;
    const found = mathAt(text.slice(index, index + maxMathLength), () => text[index - 1] ?? '');
    if (!found) continue;
    out += text.slice(from, index) + 'a'.repeat(found.raw.length);
    from = index + Math.max(found.raw.length, sign.length);
  }
  return out + text.slice(from);
}
