/** The first table of a text as CSV, or a text that is CSV already. No cell of it is a formula where it is opened. */
import type { Tokens } from 'marked';
import { csvLine } from '../../../rules/csv.ts';
import { blocksOf, plainText } from './inline-runs.ts';

/** null = there is neither. */
export function csvOf(content: string): string | null {
  const tokens = blocksOf(content);
  const table = tokens.find((token): token is Tokens.Table => token.type === 'table');
  if (table) {
    const rows = [table.header, ...table.rows];
    return written(
      rows.map((cells) => cells.map(({ tokens: inner }) => plainText(inner).replaceAll(/\s+/g, ' ').trim())),
      ',',
    );
  }
  const fenced = tokens.find(
    (token): token is Tokens.Code => token.type === 'code' && /^(?:csv|tsv)$/i.test(token.lang ?? ''),
  );
  if (fenced) return rewritten(fenced.text, 1);
  return rewritten(content.trim(), 2);
}

const delimiters = [',', ';', '\t'];

/** With the sign between its cells that it had; null = its rows are not of one length. */
function rewritten(text: string, minColumns: number): string | null {
  for (const delimiter of delimiters) {
    const rows = rowsOf(text, delimiter);
    const [first] = rows ?? [];
    const isTable =
      first && first.length >= minColumns && rows?.every(({ length }) => length === first.length);
    if (rows && isTable) return written(rows, delimiter);
  }
  const rows = minColumns === 1 ? rowsOf(text, ',') : null;
  return rows && written(rows, ',');
}

/** null = a quotation does not end. Empty lines are left out. */
function rowsOf(text: string, delimiter: string): string[][] | null {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.length > 1 || cell.trim() !== '') rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += sign;
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (sign === delimiter) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  endRow();
  return isQuoted ? null : rows;
}

const written = (rows: readonly (readonly string[])[], delimiter: string): string =>
  rows.map((cells) => csvLine(cells, delimiter)).join('');
