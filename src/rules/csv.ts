/** One line of a table that spreadsheets open. Nothing in it is ever run as a formula. */

/** What begins with one of these is a formula to some program, or hides one behind blanks. */
const beginsFormula = /^\s*[=+\-@\t\r\n\0]/;
/** A number with a sign is none, however it is written. */
const plainNumber = /^[+-]?(?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?%?$/i;

export const csvLine = (fields: readonly (string | number | null)[], delimiter = ','): string =>
  `${fields.map((field) => csvField(field, delimiter)).join(delimiter)}\r\n`;

function csvField(value: string | number | null, delimiter: string): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = beginsFormula.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
