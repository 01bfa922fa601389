/** A table as spreadsheets take it: cells parted by tabs, words without their marks, nothing that runs as a formula. */
import type { Token, Tokens } from 'marked';
import { csvLine } from '../../../rules/csv.ts';

export function tableText(rows: readonly (readonly Tokens.TableCell[])[]): string {
  return rows
    .map((row) =>
      csvLine(
        row.map(({ tokens }) => wordsOf(tokens)),
        '\t',
      ),
    )
    .join('');
}

/** What is read; mathematics and raw HTML as they were written. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return ' ';
      if (token.type === 'math' || token.type === 'html') return token.raw;
      if ('tokens' in token && token.tokens) return wordsOf(token.tokens);
      return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
    })
    .join('')
    .replaceAll(/\s+/g, ' ');
}
