// Reads and writes the ledger's file. Titles may hold apostrophes but no commas, so no quoting is needed.

const COLUMNS = ['id', 'title', 'author', 'shelf', 'reader', 'since'];

/** One object per line; an empty reader means the book is in the box. */
export function parseBooks(text) {
  const [header, ...lines] = text.trim().split('\n');
  if (header !== COLUMNS.join(',')) throw new Error(`Unexpected columns: ${header}`);
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index] ?? '']));
  });
}

export function formatBooks(books) {
  const lines = books.map((book) => COLUMNS.map((column) => book[column]).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}
