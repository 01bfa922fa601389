// The rules of the box. Nothing here reads a file or a clock: books and dates come in, new lists go out.

const DAY = 24 * 60 * 60 * 1000;
const LOAN_DAYS = 30;

/** Lends a book. Throws when there is no such book or somebody has it already. */
export function lend(books, id, reader, today) {
  const book = find(books, id);
  if (book.reader !== '') throw new Error(`${book.title} is with ${book.reader} since ${book.since}.`);
  return replace(books, { ...book, reader, since: today });
}

/** Takes a book back. Giving back what is already in the box is not an error. */
export function giveBack(books, id) {
  return replace(books, { ...find(books, id), reader: '', since: '' });
}

export function inTheBox(books) {
  return books.filter((book) => book.reader === '');
}

/** Books that have been away for more than thirty days, longest first. */
export function overdue(books, today) {
  return books
    .filter((book) => book.reader !== '' && daysBetween(book.since, today) > LOAN_DAYS)
    .toSorted((a, b) => a.since.localeCompare(b.since));
}

export function daysBetween(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

function find(books, id) {
  const book = books.find((candidate) => candidate.id === String(id));
  if (book === undefined) throw new Error(`There is no book ${id}.`);
  return book;
}

function replace(books, changed) {
  return books.map((book) => (book.id === changed.id ? changed : book));
}
