import type { foreignQuote as english } from '../en/foreign-quote.ts';
import type { InAnyWords } from '../in-any-words.ts';

/** Over a sentence that the person did not write. */
const fromNamed = {
  file: 'Aus der Datei',
  attachment: 'Aus der angehängten Datei',
  command: 'Aus der Ausgabe von',
  host: 'Per Befehl geholt von',
  page: 'Von einer Seite auf',
  web: 'Aus den Treffern einer Websuche',
  search: 'Aus den Treffern einer Suche',
  names: 'Aus Dateinamen',
  subagent: 'Aus der Antwort eines Subagenten',
  tool: 'Aus dem Ergebnis eines Tools',
  server: 'Vom Server',
  collection: 'Aus der Sammlung',
  skill: 'Aus dem Skill',
  memory: 'Aus dem, was Andiron sich aus anderen Texten gemerkt hat',
  import: 'Aus einem importierten Gespräch',
  summary: 'Aus der Zusammenfassung dieser Sitzung',
};
const fromUnnamed = {
  file: 'Aus einer Datei',
  attachment: 'Aus einer angehängten Datei',
  command: 'Aus der Ausgabe eines Befehls',
  host: 'Aus der Ausgabe eines Befehls',
  page: 'Von einer Webseite',
  skill: 'Aus einem Skill',
};

/** After `from` comes the name of a file, a command or a host. */
export const foreignQuote: InAnyWords<typeof english> = {
  from: fromNamed,
  fromUnnamed: { ...fromNamed, ...fromUnnamed },
  notFromYou: ', nicht von dir:',
};
