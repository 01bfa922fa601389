/** A workbook, sheet by sheet, a line for each row: values as they were last computed, dates as ISO. No formula runs. */
import readSheets from 'read-excel-file/universal';
import type { DocumentPart } from '../document-answers.ts';
import { maxCells, UnreadableDocument } from '../reading-limits.ts';
import { contentTypes, mainPart, partsOfType, relationsName, relationsOf } from './office-parts.ts';
import { repack } from './repack.ts';
import { attributeOf, scanXml } from './xml-scan.ts';
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
  const safe = repack([
    ...[...others].map((name) => [name, zip.text(name)] as const),
    ...[...sheets].map((name) => [name, withPlaces(zip.text(name))] as const),
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

/**
 * The library wants each cell to say its place, which it need not where it follows the one before. It makes room for every
 * cell between the first and the last one, so a sheet that is too vast is refused here.
 */
function withPlaces(xml: string): string {
  const out: string[] = [];
  let copied = 0;
  let [rows, columns, row, column] = [0, 0, 0, 0];
  for (const piece of scanXml(xml)) {
    if (piece.kind !== 'open') continue;
    if (piece.name === 'row') {
      row = Number(attributeOf(piece.attributes, 'r') ?? row + 1);
      column = 0;
      rows = Math.max(rows, row);
    } else if (piece.name === 'c') {
      const said = columnOf(attributeOf(piece.attributes, 'r'));
      column = said ?? column + 1;
      columns = Math.max(columns, column);
      if (said !== null) continue;
      out.push(xml.slice(copied, piece.nameEnd), ` r="${lettersOf(column)}${String(row)}"`);
      copied = piece.nameEnd;
    }
  }
  if (rows * Math.max(1, columns) > maxCells) throw new UnreadableDocument('cells');
  return copied === 0 ? xml : [...out, xml.slice(copied)].join('');
}

/** 28 → `AB`. */
function lettersOf(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** `AB12` → 28. */
function columnOf(reference = ''): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return null;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
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
