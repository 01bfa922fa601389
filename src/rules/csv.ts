/** One line of a table that spreadsheets open. Nothing in it is ever run as a formula. */

/** What begins with one of these is a formula to some program, or hides one behind blanks. */
const beginsFormula = /^\s*[=+\-@\t\r\n\0]/;
const needsQuotes = /[",\r\n]/;

export const csvLine = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`;

function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = beginsFormula.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
