import type { sessions as english } from '../en/sessions.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

const sessionsOf = (number: number): string => plural(number, 'Sitzung', 'Sitzungen');

const hits = (number: number): string => `${count(number)} Treffer`;

const small = (files: number): string =>
  `${plural(files, 'Datei', 'Dateien')}, jede klein genug für einen Import`;

/** The list on the left. */
export const sessions: InAnyWords<typeof english> = {
  label: 'Sitzungen',
  search: 'Sitzungen durchsuchen',
  clearSearch: 'Suche leeren',
  noMatch: (query) => `Nichts passt zu „${query}“`,
  noMatchHelp: 'Gesucht wird in Titeln, Ordnern, Nachrichten und Antworten, auch in archivierten Sitzungen.',
  empty: 'Hier erscheinen deine Sitzungen.',
  groups: {
    pinned: 'Angeheftet',
    today: 'Heute',
    yesterday: 'Gestern',
    week: 'Letzte 7 Tage',
    older: 'Älter',
    people: 'Andere Personen',
    programs: 'Jobs und Programme',
    none: 'Kein Ordner',
  },
  platforms: {
    schedule: { short: 'Job', whole: 'Von einem Job des Zeitplans' },
    api: { short: 'Programm', whole: 'Von einem Programm mit Token' },
  },
  filter: {
    open: 'Gruppieren und filtern',
    by: 'Gruppieren nach',
    groupings: { folder: 'Ordner', date: 'Datum' },
  },
  archive: {
    put: 'Archivieren',
    bring: 'Aus dem Archiv holen',
    mark: 'archiviert',
    isAway: 'Diese Sitzung ist archiviert. Auch eine neue Nachricht holt sie zurück.',
    only: 'Archiviert',
    empty: 'Das Archiv ist leer.',
    selected: 'Ausgewählte Sitzungen archivieren',
    bringSelected: 'Ausgewählte Sitzungen aus dem Archiv holen',
    done: (title) => `„${title}“ archiviert`,
    doneMany: (number) => `${sessionsOf(number)} archiviert`,
    back: (title) => `„${title}“ ist wieder in der Liste`,
    backMany: (number) => `${sessionsOf(number)} wieder in der Liste`,
  },
  forks: {
    show: 'Zweige anzeigen',
    title: 'Zweige',
    isFork: 'Zweig einer anderen Sitzung',
    from: (title) => `Zweig von „${title}“`,
    gone: 'Eine gelöschte Sitzung',
    here: 'diese Sitzung',
    close: 'Schließen',
  },
  matches: (places, number) => `${hits(places)} in ${sessionsOf(number)}`,
  found: hits,
  moreHits: (places) => `${count(places)} weitere`,
  moreIn: (places, title) =>
    places === 1
      ? `1 weiteren Treffer in ${title} anzeigen`
      : `${count(places)} weitere Treffer in ${title} anzeigen`,
  speakers: { you: 'Du', model: 'Andiron' },
  marks: {
    queued: 'wartet',
    running: 'läuft',
    asking: 'fragt',
    failed: 'Fehler',
    draft: 'neu',
    unread: 'fertig',
  },
  says: (title, mark) => `${title}: ${mark}`,
  untitled: 'Neue Sitzung',
  actions: (title) => `Aktionen für ${title}`,
  rename: 'Umbenennen',
  renameLabel: 'Titel der Sitzung',
  pin: 'Anheften',
  unpin: 'Lösen',
  remove: 'Löschen',
  removeTitle: (title) => `„${title}“ löschen?`,
  removeText: 'Das stoppt die Runde, die darin läuft.',
  removeConfirm: 'Sitzung löschen',
  keep: 'Sitzung behalten',
  removeManyTitle: (number) => `${sessionsOf(number)} löschen?`,
  removeManyText: 'Das stoppt die Runden, die darin laufen.',
  removeManyConfirm: (number) => `${sessionsOf(number)} löschen`,
  keepMany: 'Sitzungen behalten',
  removed: (title) => `„${title}“ gelöscht`,
  removedMany: (number) => `${sessionsOf(number)} gelöscht`,
  undo: 'Rückgängig machen',
  fork: 'Sitzung verzweigen',
  forkInto: {
    open: 'In anderen Ordner verzweigen …',
    title: (title) => `„${title}“ in einen anderen Ordner verzweigen`,
    why: 'Eine Sitzung behält ihren Ordner. Der Zweig arbeitet in dem Ordner, den du hier wählst.',
    path: 'Ordner des Zweigs',
    placeholder: 'Vollständiger Pfad eines Ordners',
    choose: 'Auswählen …',
    confirm: 'Sitzung verzweigen',
    keep: 'Abbrechen',
  },
  newInFolder: 'Neue Sitzung in diesem Ordner',
  export: 'Exportieren',
  exportMarkdown: 'Als Markdown exportieren',
  import: 'Sitzung importieren',
  exported: 'Andiron-Sitzungen',
  exportedAll: (number) => `${sessionsOf(number)} in eine Datei exportiert`,
  handedOver: (number) => `${sessionsOf(number)} in einer Datei an den Browser übergeben`,
  handedOverInFiles: (number, files) => `${sessionsOf(number)} an den Browser übergeben, in ${small(files)}`,
  exportedInFiles: (number, files) => `${sessionsOf(number)} exportiert, in ${small(files)}`,
  leftOut: (session) => `„${session}“ wurde inzwischen gelöscht und daher nicht exportiert.`,
  leftOutMany: (number) =>
    `${count(number)} Sitzungen wurden inzwischen gelöscht und daher nicht exportiert.`,
  othersExported: (number) =>
    number === 1
      ? 'Die andere Sitzung ist exportiert.'
      : `Die anderen ${count(number)} Sitzungen sind exportiert.`,
  othersHandedOver: (number) =>
    number === 1
      ? 'Die andere Sitzung ist an den Browser übergeben.'
      : `Die anderen ${count(number)} Sitzungen sind an den Browser übergeben.`,
  exportEnded: (number) => `${sessionsOf(number)} exportiert. Der Rest wurde nicht gespeichert.`,
  noneExported: 'Keine Datei wurde gespeichert. Wähle andere Sitzungen.',
  imported: (number) => `${sessionsOf(number)} importiert`,
  importTooLarge: 'Die Datei ist größer als 256 MB.',
  importFailed: (file) => `${file} konnte nicht importiert werden`,
  forgetImport: 'Ausblenden',
  dropHere: 'Exportierte Sitzungen hier ablegen',
  loading: 'Sitzungen werden geladen',
  isSelected: 'ausgewählt',
  selection: {
    label: 'Ausgewählte Sitzungen',
    count: (number) => `${count(number)} ausgewählt`,
    export: 'Ausgewählte Sitzungen exportieren',
    remove: 'Ausgewählte Sitzungen löschen',
    clear: 'Auswahl aufheben',
  },
  folders: {
    heading: 'Anzeigen',
    all: 'Alle Sitzungen',
    only: (name) => `Gruppieren und filtern: nur Sitzungen in ${name}`,
    showAll: 'Alle Sitzungen anzeigen',
  },
  compact: 'Jetzt zusammenfassen',
  reset: 'Kontext leeren',
  resetDone: (title) => `Der Kontext von „${title}“ ist jetzt leer. Der Verlauf bleibt erhalten.`,
  more: 'Es gibt noch mehr. Ein weiteres Wort grenzt die Suche ein.',
  notAll: (query) => `Bisher kein Treffer für „${query}“`,
  notAllHelp: 'Andiron hat alle Titel durchsucht, aber noch nicht alle Nachrichten.',
  searching: 'Nachrichten werden durchsucht',
  daysAgo: (days) => `${days} Tg.`,
};
