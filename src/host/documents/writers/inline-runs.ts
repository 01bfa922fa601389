/** The text of a Markdown block as runs of plain text with marks, whatever it is written into. */
import { Lexer, type MarkedToken, type Token } from 'marked';

export type RunMark = 'bold' | 'italic' | 'strike' | 'code';

export interface Run {
  text: string;
  marks: readonly RunMark[];
}

export const blocksOf = (markdown: string): MarkedToken[] =>
  new Lexer({ gfm: true }).lex(markdown) as MarkedToken[];

/** Links and pictures as their text and their address: nothing is loaded. */
export function runsOf(tokens: readonly Token[] | undefined, marks: readonly RunMark[] = []): Run[] {
  return (tokens ?? []).flatMap((token) => runsOfToken(token as MarkedToken, marks));
}

export const plainText = (tokens: readonly Token[] | undefined): string =>
  runsOf(tokens)
    .map(({ text }) => text)
    .join('');

function runsOfToken(token: MarkedToken, marks: readonly RunMark[]): Run[] {
  switch (token.type) {
    case 'strong':
      return runsOf(token.tokens, [...marks, 'bold']);
    case 'em':
      return runsOf(token.tokens, [...marks, 'italic']);
    case 'del':
      return runsOf(token.tokens, [...marks, 'strike']);
    case 'codespan':
      return [{ text: token.text, marks: [...marks, 'code'] }];
    case 'br':
      return [{ text: '\n', marks }];
    case 'link':
      return [...runsOf(token.tokens, marks), ...addressOf(token.text, token.href, marks)];
    case 'image':
      return [{ text: token.text, marks }, ...addressOf(token.text, token.href, marks)];
    case 'html':
      return [{ text: /^<br\s*\/?>$/i.test(token.raw.trim()) ? '\n' : token.raw, marks }];
    case 'checkbox':
      return [{ text: token.checked ? '☑ ' : '☐ ', marks }];
    case 'text':
      return token.tokens ? runsOf(token.tokens, marks) : [{ text: withoutEntities(token.text), marks }];
    case 'escape':
      return [{ text: token.text, marks }];
    case 'blockquote':
    case 'heading':
    case 'list_item':
    case 'paragraph':
      return runsOf(token.tokens, marks);
    case 'code':
    case 'def':
    case 'hr':
    case 'list':
    case 'space':
    case 'table':
      return [{ text: token.raw, marks }];
  }
}

function addressOf(text: string, href: string, marks: readonly RunMark[]): Run[] {
  if (href === '' || href === text || href === `mailto:${text}`) return [];
  return [{ text: text === '' ? href : ` (${href})`, marks }];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  euro: '€',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};

/** Those that models write; any other one stays as it is. */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities[name] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
  });
}
