import type { changedFiles as english } from '../en/changed-files.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} und ${names.at(-1) ?? ''}`;

const files = (number: number): string => plural(number, 'Datei', 'Dateien');

const fileChanges = (number: number): string => plural(number, 'Dateiänderung', 'Dateiänderungen');

const untouched = (path: string, why: string): string => `${path} blieb unverändert: ${why}`;

/** Files that the agent changed: their list, the large diff, and the way back. */
export const changedFiles: InAnyWords<typeof english> = {
  title: 'Geänderte Dateien',
  count: files,
  open: (path) => `${path}\nGanze Änderung anzeigen`,
  show: (path) => `${path}\nNeueste Änderung anzeigen`,
  undone: 'rückgängig gemacht',
  commands:
    'Befehle haben auch anderes geändert. Ihre Zeilen zeigen, was sich nicht rückgängig machen lässt.',
  more: (number) => `und ${number === 1 ? 'eine weitere Datei' : `${count(number)} weitere Dateien`}`,
  gone: 'entfernt',
  actions: 'Dateiänderungen rückgängig machen',
  undoTurn: (number) => `Änderungen der neuesten Runde rückgängig machen (${files(number)})`,
  undoAll: (number) => `Alle Änderungen dieser Sitzung rückgängig machen (${files(number)})`,
  redoAll: (number) => `Rückgängig gemachte Änderungen wiederherstellen (${files(number)})`,
  nothingToReview: 'In dieser Sitzung hat keine Runde Dateien geändert.',
  whileRunning: 'Stoppe die Runde, um ihre Änderungen rückgängig zu machen.',
  later: {
    offer: 'Es läuft eine Runde. Das Rückgängigmachen wartet, bis sie endet.',
    waiting: 'Das Rückgängigmachen wartet, bis die laufende Runde endet.',
    cancel: 'Doch nicht rückgängig machen',
  },

  undid: (number) => `Änderungen an ${files(number)} rückgängig gemacht.`,
  redid: (number) => `Änderungen an ${files(number)} wiederhergestellt.`,
  redo: 'Wiederherstellen',
  left: (number) => `${files(number)} unverändert gelassen`,
  refused: {
    changed: (path, by) =>
      untouched(
        path,
        by === ''
          ? 'Die Datei wurde inzwischen außerhalb von Andiron geändert.'
          : `Die Sitzung „${by}“ hat die Datei inzwischen geändert.`,
      ),
    gone: (path) => `${path} gibt es nicht mehr: Die Datei wurde inzwischen entfernt.`,
    unreachable: untouched,
    not_kept: (path) => untouched(path, 'Die frühere Fassung wurde nicht aufbewahrt.'),
    too_large: (path) => untouched(path, 'Die Datei ist inzwischen zu groß.'),
    later: (path) =>
      untouched(
        path,
        'Eine spätere Runde hat die Datei auch geändert. Mach zuerst deren Änderung rückgängig.',
      ),
    nothing: (path) => untouched(path, 'Es gibt nichts rückgängig zu machen.'),
    undone: (path) => untouched(path, 'Diese Änderungen sind schon rückgängig gemacht.'),
    unrecorded: (path) => untouched(path, 'Die frühere Fassung ist in dieser Sitzung nicht aufgezeichnet.'),
    failed: untouched,
  },
  look: 'Ein Klick auf die Datei zeigt die ganze Änderung.',

  turn: {
    title: (number) => `${files(number)} geändert`,
    undone: 'rückgängig gemacht',
    unrecorded: 'nicht mehr rückgängig zu machen',
    asking: 'Andiron prüft die Dateien …',
    show: (path) => `${path}\nÄnderung dieser Runde anzeigen`,
    review: 'Änderungen prüfen',
    undo: (number) => `${fileChanges(number)} rückgängig machen`,
    redo: (number) => `${fileChanges(number)} wiederherstellen`,
    standing: {
      ready: 'seitdem unverändert',
      changed: (by) =>
        by === '' ? 'seitdem von außen geändert' : `seitdem von der Sitzung „${by}“ geändert`,
      gone: () => 'seitdem entfernt',
      unreachable: (why) => why,
      not_kept: () => 'frühere Fassung nicht aufbewahrt',
      too_large: () => 'inzwischen zu groß',
      later: () => 'auch von einer späteren Runde geändert: zuerst deren Änderung rückgängig machen',
      nothing: () => 'nichts rückgängig zu machen',
      undone: () => 'rückgängig gemacht',
      unrecorded: () => 'hier nicht aufgezeichnet',
      failed: (why) => why,
    },
    noRecord:
      'Diese Dateien lassen sich hier nicht zurücksetzen. In dieser Sitzung sind ihre früheren Fassungen nicht aufgezeichnet.',
  },

  command: {
    title: (number) => `${files(number)} geändert`,
    what: { new: 'neu', changed: '', removed: 'entfernt', mode: 'Rechte' },
    uncovered: (path, changed) =>
      changed === null
        ? `${path}: nicht durchsucht, nicht rückgängig zu machen`
        : `${path}: ${plural(changed, 'Eintrag', 'Einträge')} geändert, nicht rückgängig zu machen`,
    unknown:
      'Andiron kann nicht erkennen, was der Befehl geändert hat. Er lässt sich nicht rückgängig machen.',
  },

  covered: ({ files: number, notKept, uncovered, moreUncovered }, isKept) => {
    const named = uncovered.slice(0, 3);
    const others = uncovered.length - named.length + moreUncovered;
    const left = [
      ...named,
      ...(others > 0 ? [plural(others, 'weiterem Eintrag', 'weiteren Einträgen')] : []),
      ...(notKept > 0 ? [plural(notKept, 'großen Datei', 'großen Dateien')] : []),
    ];
    return [
      number === 0
        ? 'Rückgängig machen lässt sich dieser Ordner'
        : `Rückgängig machen ${number === 1 ? 'lässt' : 'lassen'} sich ${files(number)} in diesem Ordner`,
      left.length > 0 ? `, außer ${joined(left)}` : '',
      isKept ? '' : ', und nichts außerhalb',
      '.',
    ].join('');
  },

  notCovered: {
    too_many:
      'Rückgängig ist nicht möglich: Der Ordner hat mehr als 20.000 Dateien, die Git nicht ignoriert.',
    too_slow: 'Rückgängig ist nicht möglich: Den Ordner zu durchsuchen dauert zu lange.',
    unreadable:
      'Rückgängig ist nicht möglich: Der Ordner ist nicht lesbar, oder dem Datenordner fehlt Speicherplatz.',
  },

  dialog: {
    loading: 'Die Datei wird gelesen …',
    standing: {
      written: 'So hat Andiron die Datei hinterlassen.',
      undone: 'So war die Datei vor dieser Sitzung.',
      changed: 'Außerhalb von Andiron geändert, daher nicht mehr rückgängig zu machen.',
      gone: 'Inzwischen von außen entfernt.',
      unreachable: 'Die Datei wurde ersetzt oder ist nicht lesbar.',
    },
    bySession: (title) =>
      `Die Sitzung „${title}“ hat sie seitdem geändert, daher ist das nicht mehr rückgängig zu machen.`,
    tooOld: 'Die frühere Fassung wurde nicht aufbewahrt, daher ist das nicht mehr rückgängig zu machen.',
    same: 'Die Datei hat jetzt denselben Inhalt.',
    binary: 'Das ist keine Textdatei, deshalb gibt es keinen Diff.',
    tooLarge: 'Zu groß zum Anzeigen (mehr als 5 MB).',
    notKept: 'Die frühere Fassung wurde nicht aufbewahrt.',
    modes: (before, now) => `Rechte: vorher ${before.toString(8)}, jetzt ${now.toString(8)}.`,
    unreadable: 'Die Datei ist gerade nicht lesbar.',
    changes: (at, of) => `${count(at)} von ${plural(of, 'Änderung', 'Änderungen')}`,
    previous: 'Vorige Änderung',
    next: 'Nächste Änderung',
    files: (at, of) => `${count(at)} von ${files(of)}`,
    previousFile: 'Vorige Datei',
    nextFile: 'Nächste Datei',
    keep: 'Behalten',
    keepLast: 'Behalten und schließen',
    keepKey: 'K',
    undoOne: 'Diese Änderung rückgängig machen',
    undoOneKey: 'U',
    redoOne: 'Diese Änderung wiederherstellen',
    close: 'Schließen',
    diff: (path) => `Ganze Änderung an ${path}`,
    inTranscript: 'Im Verlauf anzeigen',
    undo: 'Alle Änderungen rückgängig machen',
    remove: 'Rückgängig machen: Datei entfernen',
    redo: 'Wiederherstellen',
  },
};
