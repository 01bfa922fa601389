/**
 * What a small model cannot work out from a table that it reads: how many rows there are, and the figures of its columns; and
 * what numbers of several files add up to.
 */

const delimiters = [',', ';', '\t'];
/** A heading and two rows: two sentences with a comma each are no table. */
const minLines = 3;
const maxColumns = 12;
const number = /^-?\d{1,12}(?:\.\d{1,6})?$/;

/** Null for what is no plain table with a heading: rows of one length, nothing quoted. */
export function tableFacts(text: string): string | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const delimiter = delimiters.find((each) => lines[0]?.includes(each));
  if (delimiter === undefined || lines.length < minLines || text.includes('"')) return null;
  const [heading = [], ...rows] = lines.map((line) => line.split(delimiter).map((cell) => cell.trim()));
  if (heading.length > maxColumns || heading.some((name) => name === '' || number.test(name))) return null;
  if (rows.some((row) => row.length !== heading.length)) return null;
  const columns = heading.flatMap((name, at) => columnFacts(name, at, rows));
  return [`Rows below the heading: ${String(rows.length)}`, ...columns].join('\n');
}

function columnFacts(name: string, at: number, rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row[at] ?? '');
  if (!cells.every((cell) => number.test(cell))) return [];
  const values = cells.map(Number);
  const sum = values.reduce((all, value) => all + value, 0);
  const least = values.indexOf(Math.min(...values));
  const most = values.indexOf(Math.max(...values));
  const of = (row: number): string => {
    const label = at === 0 ? undefined : rows[row]?.[0];
    return `${cells[row] ?? ''}${label === undefined ? '' : ` (${label})`}`;
  };
  // A figure a line: in one sentence a small model took the smallest for the largest, or the last row for either.
  return [
    `largest ${name}: ${of(most)}`,
    `smallest ${name}: ${of(least)}`,
    `${name} in all: ${plain(sum)}, average ${plain(sum / values.length)}`,
  ];
}

/** A file that holds a number and nothing else; null = it holds more, or another thing. */
export function onlyNumber(text: string): number | null {
  const trimmed = text.trim();
  return number.test(trimmed) ? Number(trimmed) : null;
}

/** Of numbers that were read one by one; null for less than two. */
export function sumFacts(numbers: readonly number[]): string | null {
  if (numbers.length < 2) return null;
  const sum = numbers.reduce((all, each) => all + each, 0);
  return `Numbers read so far: ${numbers.map(plain).join(', ')}. Sum: ${plain(sum)}.`;
}

const plain = (value: number): string => String(Number(value.toFixed(6)));
