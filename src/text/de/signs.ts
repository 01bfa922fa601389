import type { signs as english } from '../en/signs.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

/** Marks in place of what hides, moves or imitates something in a foreign text. */
export const signs: InAnyWords<typeof english> = {
  emptyLines: (lines) => plural(lines, 'leere Zeile', 'leere Zeilen'),
  blanks: (blanks) => `${count(blanks)} Leerzeichen`,
  many: (number) => plural(number, 'verborgenes Zeichen', 'verborgene Zeichen'),
  repeated: (code, times) => `${code} × ${count(times)}`,
  hidden: 'Dieses Zeichen ist unsichtbar oder verbirgt anderen Text',
  looks: 'Dieses Zeichen sieht aus wie ein anderes',
  same: (characters) => plural(characters, 'unverändertes Zeichen', 'unveränderte Zeichen'),
  showLines: (lines) => (lines === 1 ? 'Die eine Zeile anzeigen' : `Alle ${count(lines)} Zeilen anzeigen`),
  showCharacters: (characters) =>
    characters === 1 ? 'Das eine Zeichen anzeigen' : `Alle ${count(characters)} Zeichen anzeigen`,
};
