import { readFile } from 'node:fs/promises';

import { parseBooks } from './csv.js';
import { boxReport, overdueReport } from './report.js';

const file = new URL('../data/books.csv', import.meta.url);
const books = parseBooks(await readFile(file, 'utf8'));
const today = new Date().toISOString().slice(0, 10);
const wantsOverdue = process.argv.includes('overdue');

process.stdout.write(`${wantsOverdue ? overdueReport(books, today) : boxReport(books)}\n`);
