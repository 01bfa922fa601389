/** A workbook, sheet by sheet, a line for each row: values as they were last computed, dates as ISO. No formula runs. */
import readSheets from 'read-excel-file/universal';
import type { DocumentPart } from '../document-answers.ts';
import { UnreadableDocument } from '../reading-limits.ts';
import { contentTypes, mainPart, partsOfType, relationsName, relationsOf } from './office-parts.ts';
import { repack } from './repack.ts';
import { elapsedStyles, readableCells, readableProperties } from './sheet-cells.ts';
import { openZip } from './zip-parts.ts';

const neededTypes = ['styles', 'sharedStrings'];
/** Fewer empty rows stay as they are. */
const minEmptyRun = 3;

export async function* readWorkbook(bytes: Uint8Array): AsyncIterable<DocumentPart | { total: number }> {
  const zip = openZip(bytes);
  const main = mainPart(zip);
  const relations = relationsOf(zip, main);
  const sheets = new Set(partsOfType(relations, zip, ['worksheet']));
  const names = [contentTypes, relationsName(''), main, relationsName(main)];
  const others = new Set([...names, ...partsOfType(relations, zip, neededTypes)]);
  const parts = new Map([...others].map((name) => [name, zip.text(name)] as const));
  parts.set(main, readableProperties(parts.get(main) ?? ''));
  const [styles = ''] = partsOfType(relations, zip, ['styles']);
  const elapsed = elapsedStyles(parts.get(styles) ?? '');
  const safe = repack([
    ...parts,
    ...[...sheets].map((name) => [name, readableCells(zip.text(name), elapsed)] as const),
  ]);
  const read = await readSheets(safe.buffer).catch((cause: unknown) => {
    throw new UnreadableDocument('broken', { cause });
  });
  yield { total: read.length };
  let number = 0;
  for (const { sheet, data } of read) {
    number += 1;
    yield {
      label: `sheet ${String(number)}: ${sheet}`,
      text: rowsText(data),
    };
  }
}

function rowsText(rows: readonly (readonly unknown[])[]): string {
  const lines: string[] = [];
  let empty = 0;
  const endRun = (next: number): void => {
    if (empty >= minEmptyRun) lines.push(`[rows ${String(next - empty)}-${String(next - 1)} are empty]`);
    else lines.push(...Array.from({ length: empty }, () => ''));
    empty = 0;
  };
  for (const [index, row] of rows.entries()) {
    const cells = row.map(cellText);
    const line = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).join(' | ');
    if (line === '') {
      empty += 1;
      continue;
    }
    endRun(index + 1);
    lines.push(line);
  }
  return lines.join('\n');
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return dateText(cell);
  // Programs of sheets show no more digits than a double is sure of.
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)));
  if (typeof cell === 'boolean') return String(cell);
  return typeof cell === 'string' ? cell.replaceAll(/\s+/g, ' ').trim() : '';
}

/** A workbook has no time zone: the library takes its times for UTC. */
function dateText(date: Date): string {
  // Half a second: a day is a number, and its parts are never whole.
  const rounded = new Date(date.getTime() + 500);
  if (Number.isNaN(rounded.getTime())) return '';
  const [day = '', time = ''] = rounded.toISOString().slice(0, 19).split('T');
  // A time alone is a part of the day before the first one.
  if (day < '1900') return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}
