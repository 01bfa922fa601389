/** Markdown as a page of its own: one file that loads nothing and runs nothing, to be read and printed. */
import type { MarkedToken, Token, Tokens } from 'marked';
import type { UnwrittenDocument } from '../../tools/document-access.ts';
import { blocksOf, runsOf, type Run, type RunMark } from './inline-runs.ts';

const style = `:root { color-scheme: light dark; }
body { margin: 3rem auto; max-width: 42rem; padding: 0 1.25rem; font: 1.0625rem/1.6 Georgia, 'Times New Roman', serif; }
h1, h2, h3, h4, h5, h6 { font-family: system-ui, sans-serif; line-height: 1.25; margin: 2em 0 0.6em; }
h1 { font-size: 1.9rem; margin-top: 0; }
h2 { font-size: 1.4rem; }
h3 { font-size: 1.15rem; }
pre, code { font-family: ui-monospace, Consolas, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.9em 1em; border: 1px solid #8884; border-radius: 6px; }
blockquote { margin: 1.2em 0; padding-left: 1em; border-left: 3px solid #8886; }
table { border-collapse: collapse; margin: 1.2em 0; font: 0.95rem/1.45 system-ui, sans-serif; }
th, td { border: 1px solid #8886; padding: 0.35em 0.7em; text-align: left; vertical-align: top; }
hr { border: 0; border-top: 1px solid #8886; margin: 2.5em 0; }
@media print { body { margin: 0; max-width: none; } }`;

/** Also where a browser is asked to: no script, no picture, no request. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

export function htmlOf({ title, content }: UnwrittenDocument): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
${style}
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${blocksHtml(blocksOf(content))}
</body>
</html>
`;
}

const blocksHtml = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => blockHtml(token as MarkedToken))
    .filter((html) => html !== '')
    .join('\n');

function blockHtml(token: MarkedToken): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return '';
    case 'heading':
      return `<h${String(token.depth)}>${inlineHtml(token.tokens)}</h${String(token.depth)}>`;
    case 'paragraph':
      return `<p>${inlineHtml(token.tokens)}</p>`;
    case 'code':
      return `<pre><code>${escaped(token.text)}</code></pre>`;
    case 'blockquote':
      return `<blockquote>\n${blocksHtml(token.tokens)}\n</blockquote>`;
    case 'list':
      return listHtml(token);
    case 'table':
      return tableHtml(token);
    case 'hr':
      return '<hr>';
    case 'html':
      return `<p>${escaped(token.raw.trim())}</p>`;
    case 'br':
    case 'checkbox':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
    case 'text':
      return inlineHtml([token]);
  }
}

/** Its words stand in the line of its mark. */
function itemHtml(tokens: readonly Token[]): string {
  const at = tokens.findIndex(({ type }) => type !== 'checkbox' && type !== 'text');
  if (at === -1) return inlineHtml(tokens);
  const below = blocksHtml(tokens.slice(at));
  return at === 0 ? below : `${inlineHtml(tokens.slice(0, at))}\n${below}`;
}

function listHtml({ ordered, start, items }: Tokens.List): string {
  const name = ordered ? 'ol' : 'ul';
  const first = ordered && typeof start === 'number' && start !== 1 ? ` start="${String(start)}"` : '';
  const inner = items.map(({ tokens, task, checked }) => {
    const hasBox = tokens.some(({ type }) => type === 'checkbox');
    const box = task && !hasBox ? (checked === true ? '☑ ' : '☐ ') : '';
    return `<li>${box}${itemHtml(tokens)}</li>`;
  });
  return `<${name}${first}>\n${inner.join('\n')}\n</${name}>`;
}

function tableHtml({ header, rows }: Tokens.Table): string {
  const body = rows.map((cells) => rowHtml(cells, 'td')).join('\n');
  return `<table>\n<thead>${rowHtml(header, 'th')}</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function rowHtml(cells: readonly Tokens.TableCell[], name: 'th' | 'td'): string {
  const inner = cells.map(({ tokens, align }) => {
    const style = align ? ` style="text-align: ${align}"` : '';
    return `<${name}${style}>${inlineHtml(tokens)}</${name}>`;
  });
  return `<tr>${inner.join('')}</tr>`;
}

/** Links are the only thing that leads out of the page, and only where a person follows them. */
function inlineHtml(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((given) => {
      const token = given as MarkedToken;
      if (token.type === 'link' && /^(?:https?|mailto):/i.test(token.href))
        return `<a href="${escaped(token.href)}" rel="noopener noreferrer">${inlineHtml(token.tokens)}</a>`;
      const wrapped = wrappers[token.type];
      if (wrapped && 'tokens' in token) return `<${wrapped}>${inlineHtml(token.tokens)}</${wrapped}>`;
      if (token.type === 'text' && token.tokens) return inlineHtml(token.tokens);
      return runsOf([token]).map(runHtml).join('');
    })
    .join('');
}

const wrappers: Readonly<Partial<Record<string, string>>> = { strong: 'strong', em: 'em', del: 'del' };
const marked: Readonly<Record<RunMark, string>> = {
  bold: 'strong',
  italic: 'em',
  strike: 'del',
  code: 'code',
};

const runHtml = ({ text, marks }: Run): string =>
  marks.reduceRight(
    (html, mark) => `<${marked[mark]}>${html}</${marked[mark]}>`,
    escaped(text).replaceAll('\n', '<br>'),
  );

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.toWellFormed().replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
