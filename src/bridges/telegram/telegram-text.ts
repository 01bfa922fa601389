/** Markdown in Telegram's form: few marks, no tables, no headings, and messages of limited length (X10). */
import { Lexer, type Token, type Tokens } from 'marked';

/** UTF-16 units of one message. Counted with the marks, which Telegram does not count: so a piece is never too long. */
export const maxMessageUnits = 4096;

/** HTML for `parse_mode`, each a message of its own. The same text always gives the same pieces. */
export function telegramPieces(markdown: string, maxUnits = maxMessageUnits): string[] {
  const pieces: string[] = [];
  let piece = '';
  const blocks = new Lexer({ gfm: true }).lex(markdown).flatMap((token) => blockPieces(token, maxUnits));
  for (const block of blocks) {
    const joined = piece === '' ? block : `${piece}\n\n${block}`;
    if (joined.length <= maxUnits) {
      piece = joined;
      continue;
    }
    pieces.push(piece);
    piece = block;
  }
  return [...pieces, piece].filter((each) => each !== '');
}

/** A block that is short enough stays whole. */
function blockPieces(token: Token, maxUnits: number): string[] {
  if (token.type === 'space') return [];
  const html = blockHtml(token);
  if (html.length <= maxUnits) return html === '' ? [] : [html];
  if (token.type === 'code') return codePieces(token as Tokens.Code, maxUnits);
  if (token.type === 'table') return preformatted(tableText(token as Tokens.Table), '', maxUnits);
  if (token.type === 'list') {
    const list = token as Tokens.List;
    const items = list.items.map((item, at) => ({ ...list, items: [item], start: startOf(list, at) }));
    if (items.length > 1) return items.flatMap((item) => blockPieces(item as Token, maxUnits));
  }
  // Marks could be parted with the text, so it goes as it was written.
  return splitText(token.raw.trim(), (text) => escaped(text).length <= maxUnits).map(escaped);
}

const startOf = (list: Tokens.List, at: number): number | '' =>
  list.ordered ? (list.start === '' ? 1 : list.start) + at : '';

function blockHtml(token: Token): string {
  switch (token.type) {
    case 'heading':
      return `<b>${inlineHtml(token.tokens)}</b>`;
    case 'paragraph':
    case 'text':
      return 'tokens' in token && token.tokens ? inlineHtml(token.tokens) : escaped(token.raw);
    case 'code':
      return fenced((token as Tokens.Code).text, (token as Tokens.Code).lang);
    case 'blockquote':
      return `<blockquote>${innerBlocks(token.tokens)}</blockquote>`;
    case 'list':
      return listHtml(token as Tokens.List);
    case 'table':
      return fenced(tableText(token as Tokens.Table), '');
    case 'hr':
      return '———';
    case 'space':
    case 'def':
      return '';
    default:
      return escaped(token.raw.trim());
  }
}

const innerBlocks = (tokens: Token[] = []): string =>
  tokens
    .map((token) => blockHtml(token).replaceAll(/<\/?blockquote>/g, ''))
    .filter((html) => html !== '')
    .join('\n');

function listHtml(list: Tokens.List): string {
  return list.items
    .map((item, at) => {
      const mark = item.task
        ? item.checked === true
          ? '☑'
          : '☐'
        : list.ordered
          ? `${String(startOf(list, at))}.`
          : '•';
      const shown = item.tokens.filter(({ type }) => type !== 'checkbox');
      return `${mark} ${innerBlocks(shown).replaceAll('\n', '\n   ')}`;
    })
    .join('\n');
}

/** Columns of a fixed width: Telegram has no tables. */
function tableText({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => plainText(tokens)));
  const widths = header.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))));
  const lines = cells.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}

/** In characters as they are seen. */
const widthOf = (text: string): number => Array.from(new Intl.Segmenter().segment(text)).length;

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens
        ? plainText(token.tokens)
        : 'text' in token
          ? String(token.text)
          : token.raw,
    )
    .join('');

function inlineHtml(tokens: readonly Token[] = []): string {
  return tokens.map((token) => inline(token)).join('');
}

function inline(token: Token): string {
  switch (token.type) {
    case 'strong':
      return `<b>${inlineHtml(token.tokens)}</b>`;
    case 'em':
      return `<i>${inlineHtml(token.tokens)}</i>`;
    case 'del':
      return `<s>${inlineHtml(token.tokens)}</s>`;
    case 'codespan':
      return `<code>${escaped((token as Tokens.Codespan).text)}</code>`;
    case 'br':
      return '\n';
    case 'link':
    case 'image':
      return linkHtml(token as Tokens.Link | Tokens.Image);
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens
        ? inlineHtml(token.tokens)
        : escaped((token as Tokens.Text).text);
    default:
      return escaped(token.raw);
  }
}

/** Where a link leads is for the reader to see: a model could name another place. */
function linkHtml({ href, text }: Tokens.Link | Tokens.Image): string {
  if (!/^https?:\/\//i.test(href)) return escaped(text === '' ? href : text);
  return text === href || text === '' ? escaped(href) : `${escaped(text)} (${escaped(href)})`;
}

function fenced(text: string, lang: string | undefined): string {
  const name = /^[\w+#-]+/.exec(lang ?? '')?.[0];
  return name === undefined
    ? `<pre>${escaped(text)}</pre>`
    : `<pre><code class="language-${name}">${escaped(text)}</code></pre>`;
}

/** Each piece is a block of its own: none begins or ends in the middle of another's marks. */
const codePieces = ({ text, lang }: Tokens.Code, maxUnits: number): string[] =>
  preformatted(text, lang, maxUnits);

const preformatted = (text: string, lang: string | undefined, maxUnits: number): string[] =>
  splitText(text, (part) => fenced(part, lang).length <= maxUnits).map((part) => fenced(part, lang));

/**
 * Splits after a line, else after a word, else between two characters. Nothing but the one line break or space where it
 * splits is lost.
 */
export function splitText(text: string, fits: (part: string) => boolean): string[] {
  const parts: string[] = [];
  let rest = text;
  while (!fits(rest)) {
    const units = maxFit(rest, fits);
    const at = splitBefore(rest, units);
    parts.push(rest.slice(0, at));
    rest = rest.slice(/[\n ]/.test(rest[at] ?? '') ? at + 1 : at);
  }
  return [...parts, rest].filter((part) => part !== '');
}

/** At least one unit: what never fits would never end. */
function maxFit(text: string, fits: (part: string) => boolean): number {
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

function splitBefore(text: string, units: number): number {
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, units);
    // A short first part is worse than a parted line.
    if (at > units / 2) return at;
  }
  return isLowSurrogate(text, units) && units > 1 ? units - 1 : units;
}

const isLowSurrogate = (text: string, at: number): boolean => /[\uDC00-\uDFFF]/.test(text[at] ?? '');

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What was marked, as plain text. */
export const withoutMarks = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
