/** Long texts of words that never come twice, so that nothing takes them for a model that runs in circles. */

const word = (place: number): string => ((place * 7_919) % 46_656).toString(36);

/** `make` gets the next word each time, until the text has `size` characters. */
export function textOf(size: number, make: (word: string, place: number) => string): string {
  let text = '';
  for (let place = 0; text.length < size; place += 1) text += make(word(place), place);
  return text;
}

/** Words with the same mark before each of them. */
export const marked = (mark: string, size: number, gap = ''): string =>
  textOf(size, (each) => mark + each + gap);

/** Lines of a table with a word in each cell. */
export function wordTable(columns: number, rows: number): string {
  const row = (at: number): string =>
    `|${Array.from({ length: columns }, (_, cell) => word(at * columns + cell)).join('|')}|\n`;
  const body = Array.from({ length: rows }, (_, at) => row(at + 1)).join('');
  return `${row(0)}|${'-|'.repeat(columns)}\n${body}`;
}

/** Lines, each behind so many signs of a quote. */
export const deepQuotes = (depth: number, lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${'> '.repeat(depth)}${word(at)}\n`).join('');
