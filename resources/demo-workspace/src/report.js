import { daysBetween, inTheBox, overdue } from './ledger.js';

/** The list that hangs inside the lid. */
export function boxReport(books) {
  const present = inTheBox(books);
  const lines = present.map((book) => `  ${book.shelf}  ${book.title} (${book.author})`);
  return [`${present.length} of ${books.length} books are in the box:`, ...lines].join('\n');
}

/** A friendly reminder for each book that is away too long. */
export function overdueReport(books, today) {
  const late = overdue(books, today);
  if (late.length === 0) return 'Every book is home or on its way.';
  return late
    .map((book) => `${book.title}: with ${book.reader} for ${daysBetween(book.since, today)} days`)
    .join('\n');
}
