/** The XML of a sheet, so written that the library reads its cells as they are meant. */
import { maxCells, UnreadableDocument } from '../reading-limits.ts';
import { attributeOf, attributesIn, scanXml, type XmlPiece } from './xml-scan.ts';

type Opening = Extract<XmlPiece, { kind: 'open' }>;

/** `[h]:mm:ss`, also where the styles do not say so. */
const builtInElapsed = 46;

/** The styles of cells, by their index, that count hours, minutes or seconds beyond a day or an hour: `[h]:mm`. */
export function elapsedStyles(xml: string): ReadonlySet<number> {
  const formats = new Set([builtInElapsed]);
  const styles = new Set<number>();
  let isOfCells = false;
  let index = 0;
  for (const piece of scanXml(xml)) {
    if (piece.kind === 'text') continue;
    if (piece.name === 'cellXfs') isOfCells = piece.kind === 'open';
    if (piece.kind === 'close') continue;
    const format = Number(attributeOf(piece.attributes, 'numFmtId') ?? -1);
    if (piece.name === 'numFmt') {
      if (isElapsedFormat(attributeOf(piece.attributes, 'formatCode') ?? '')) formats.add(format);
      else formats.delete(format);
    } else if (piece.name === 'xf' && isOfCells) {
      if (formats.has(format)) styles.add(index);
      index += 1;
    }
  }
  return styles;
}

/** The library knows that dates begin in 1904 only where it is said in this way. */
export function readableProperties(xml: string): string {
  for (const piece of scanXml(xml)) {
    if (piece.kind !== 'open' || piece.name !== 'workbookPr') continue;
    if (attributeOf(piece.attributes, 'date1904') !== 'true') return xml;
    const begin = xml.slice(0, piece.nameEnd);
    return `${begin} date1904="1"${xml.slice(attributesEnd(piece))}`;
  }
  return xml;
}

/** What is quoted or escaped in a format is shown as it is. */
const isElapsedFormat = (code: string): boolean =>
  /\[(?:hh?|mm?|ss?)\]/i.test(code.replaceAll(/\\.|"[^"]*"/g, ' '));

/**
 * The library wants each cell to say its place, which it need not where it follows the one before. It makes room for every
 * cell between the first and the last one, so a sheet that is too vast is refused here; a row without cells loses its number,
 * or it would count. It takes a time that goes beyond a day for a date, and an error for nothing, so both become
 * texts.
 */
export function readableCells(xml: string, elapsed: ReadonlySet<number>): string {
  const out: string[] = [];
  let copied = 0;
  const replace = (from: number, to: number, text: string): void => {
    out.push(xml.slice(copied, from), text);
    copied = to;
  };
  const withoutNumber = (tag: Opening): void => replace(tag.nameEnd, attributesEnd(tag), '');
  let [rows, columns, row, column] = [0, 0, 0, 0];
  let isElapsed = false;
  let emptyRow: Opening | null = null;
  for (const piece of scanXml(xml)) {
    if (emptyRow && piece.kind !== 'text' && piece.name === 'row') {
      withoutNumber(emptyRow);
      emptyRow = null;
    }
    if (piece.kind !== 'open') continue;
    const { name, attributes, nameEnd } = piece;
    if (name === 'row') {
      row = Number(attributeOf(attributes, 'r')) || row + 1;
      column = 0;
      isElapsed = false;
      if (piece.isEmpty) withoutNumber(piece);
      else emptyRow = piece;
    } else if (name === 'c') {
      emptyRow = null;
      const cell = new Map(attributesIn(attributes));
      const said = placeOf(cell.get('r'));
      rows = Math.max(rows, row, said?.[0] ?? 0);
      [row, column] = said ?? [row, column + 1];
      columns = Math.max(columns, column);
      const type = cell.get('t') ?? 'n';
      isElapsed = type === 'n' && elapsed.has(Number(cell.get('s')));
      const place = ` r="${lettersOf(column)}${String(row)}"`;
      if (isElapsed || type === 'e') replace(nameEnd, attributesEnd(piece), `${place} t="str"`);
      else if (!said) replace(nameEnd, nameEnd, place);
    } else if (name === 'v' && isElapsed && !piece.isEmpty) {
      const from = attributesEnd(piece) + 1;
      const to = xml.indexOf('<', from);
      replace(from, to, elapsedText(xml.slice(from, to)));
    }
  }
  if (rows * Math.max(1, columns) > maxCells) throw new UnreadableDocument('cells');
  return copied === 0 ? xml : [...out, xml.slice(copied)].join('');
}

/** Where the sign follows that ends the tag. */
const attributesEnd = ({ nameEnd, attributes, isEmpty }: Opening): number =>
  nameEnd + attributes.length - (isEmpty ? 1 : 0);

/** Days as a sheet keeps them, in hours: 1.5 → `36:00:00`. What is no number stays as it is. */
function elapsedText(days: string): string {
  const seconds = Math.round(Number(days) * 24 * 60 * 60);
  if (days.trim() === '' || !Number.isSafeInteger(seconds)) return days;
  const of = Math.abs(seconds);
  const parts = [Math.floor(of / 3600), Math.floor(of / 60) % 60, of % 60];
  return `${seconds < 0 ? '-' : ''}${parts.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

/** 28 → `AB`. */
function lettersOf(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** `AB12` → 12 and 28. */
function placeOf(reference = ''): [row: number, column: number] | null {
  const [, letters, row] = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? [];
  if (letters === undefined) return null;
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return [Number(row), column];
}
