import type { collectionsPane as english } from '../en/collection-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, plural, seconds } from './figures.ts';

const files = (number: number): string => plural(number, 'Datei', 'Dateien');
const passages = (number: number): string => plural(number, 'Textstelle', 'Textstellen');

/** An estimate: minutes without their seconds. */
function roughTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 2) return seconds(ms);
  return minutes < 120 ? `${count(minutes)} min` : `${count(Math.round(minutes / 60))} h`;
}

/** Folders and files in which passages are found, in the settings. */
export const collectionsPane: InAnyWords<typeof english> = {
  add: 'Sammlung hinzufügen',
  asking: 'Wird geladen …',
  failed: 'Die Sammlungen konnten nicht gelesen werden.',
  none: 'Noch keine Sammlungen',
  noneHelp: 'Nenne einen Ordner mit @ in einer Nachricht. Andiron schickt die passenden Textstellen mit.',
  columns: { collection: 'Sammlung', state: 'Status', size: 'Speicherplatz' },
  show: (name) => `Details zu ${name}`,
  place: (first, more) =>
    more === 0 ? first : `${first} und ${more === 1 ? 'eine weitere' : `${count(more)} weitere`}`,

  states: {
    reading: ({ read, files: all }) =>
      all === 0 ? 'Dateien werden aufgelistet' : `${count(read)} von ${files(all)} gelesen`,
    ready: ({ files: all, passages: found }) => `${files(all)}, ${passages(found)}`,
    noFolder: 'Der Ordner fehlt',
    noFiles: 'Die Dateien fehlen',
    empty: 'Der Ordner ist leer oder nicht verbunden',
    unlisted: 'Der Ordner ist nicht lesbar',
  },
  byBoth: 'Nach Wörtern und Bedeutung',
  byWords: 'Nach Wörtern',
  bySome: (withMeaning, all) => `${count(withMeaning)} von ${passages(all)} auch nach Bedeutung auffindbar`,
  leftOut: (left) => `${files(left)} ausgelassen: zu viele für eine Sammlung.`,
  goneHelp: 'Bis sie wieder da ist, findet Andiron darin nichts. Der Index bleibt erhalten.',
  noModel: 'Andiron sucht nur nach Wörtern. Mit einem Embedding-Modell sucht es auch nach Bedeutung.',
  getModel: 'Im Gedächtnis einrichten',

  folder: 'Ordner',
  filesOf: 'Dateien',
  rename: 'Umbenennen',
  nameOf: (name) => `Neuer Name für ${name}`,
  save: 'Speichern',
  refresh: 'Erneut prüfen',
  remove: 'Entfernen',
  removeTitle: (name) => `„${name}“ entfernen?`,
  removeText: 'Der Index wird gelöscht. Deine Dateien bleiben unverändert.',
  removeCollection: 'Sammlung entfernen',
  keep: 'Sammlung behalten',

  unread: (number) => `${files(number)} nicht gelesen`,
  unreadMore: (number) => (number === 1 ? 'Und eine weitere.' : `Und ${count(number)} weitere.`),

  search: {
    label: (name) => `In ${name} suchen`,
    field: 'Suche ausprobieren',
    find: 'Suchen',
    asking: 'Suche läuft.',
    results: (name) => `Textstellen aus ${name}`,
    found: (number, byMeaning) =>
      `${passages(number)}, ${byMeaning ? 'nach Wörtern und Bedeutung gesucht' : 'nur nach Wörtern gesucht'}`,
    none: (query) => `Keine Textstelle passt zu „${query}“.`,
    by: { words: 'nach Wörtern', meaning: 'nach Bedeutung', both: 'nach Wörtern und Bedeutung' },
  },

  form: {
    title: 'Sammlung hinzufügen',
    kind: 'Woraus sie besteht',
    kinds: { folder: 'Ordner', files: 'Dateien' },
    kindHelp: {
      folder: 'Alle lesbaren Dateien des Ordners, auch später hinzugefügte.',
      files: 'Nur diese Dateien.',
    },
    folder: 'Ordner',
    folderHelp: 'Der vollständige Pfad',
    choose: 'Auswählen',
    files: 'Dateien',
    filesHelp: 'Vollständige Pfade, einer pro Zeile',
    name: 'Name',
    nameHelp: 'So nennst du sie mit @ in einer Nachricht.',
    noFolder: 'Gib den Pfad des Ordners an.',
    noFiles: 'Gib den Pfad einer Datei an.',
    noName: 'Gib der Sammlung einen Namen.',
    price: 'Was sie kostet',
    asking: 'Andiron prüft die Dateien.',
    look: 'Kosten anzeigen',
    save: 'Hinzufügen',
    cancel: 'Abbrechen',
    rows: {
      files: 'Dateien',
      passages: 'Textstellen',
      disk: 'Speicherplatz',
      meaning: 'Nach Bedeutung',
      message: 'Jede Nachricht',
    },
    sizeOf: (number, size) => (number === 0 ? 'noch keine' : `${files(number)}, ${bytes(size)}`),
    aboutPassages: (number) => `etwa ${count(number)}`,
    aboutDisk: (size) => `etwa ${bytes(size)}`,
    aboutTime: (ms) => `nach etwa ${roughTime(ms)}, solange sonst nichts läuft`,
    noModel: 'noch nicht: Es gibt kein Embedding-Modell',
    notTimed: 'Dauer noch unbekannt',
    upToTokens: (tokens) => `bis zu ${plural(tokens, 'Token', 'Token')}`,
  },
};
