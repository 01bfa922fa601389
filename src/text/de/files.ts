import type { files as english } from '../en/files.ts';
import type { InAnyWords } from '../in-any-words.ts';

/** What can be done with a file outside the window. */
export const files: InAnyWords<typeof english> = {
  menu: (path) => `Aktionen für ${path}`,
  open: 'Datei öffnen',
  show: 'Im Ordner anzeigen',
  copyPath: 'Pfad kopieren',
  openFolder: 'Ordner öffnen',
  copyFolder: 'Pfad des Ordners kopieren',
  copied: (path) => `Kopiert: ${path}`,
  notCopied: {
    message: 'Der Pfad konnte nicht kopiert werden.',
    advice: 'Der Browser erlaubt das nur im aktiven Tab.',
  },
  saved: 'Die Datei ist gespeichert.',
  saveFailed: {
    message: 'Die Datei konnte nicht gespeichert werden.',
    advice: 'Prüf den freien Speicherplatz und deine Schreibrechte für den Ordner. Speichere dann erneut.',
  },
  shown: 'Andiron öffnet diese Art von Datei nicht. Stattdessen zeigt es sie in ihrem Ordner.',
  outside: (path) => ({
    message: `${path} liegt außerhalb des Sitzungsordners.`,
    advice: 'Andiron öffnet nur Dateien aus diesem Ordner oder aus dem eigenen Datenordner.',
  }),
  missing: (path) => ({
    message: `${path} gibt es nicht mehr.`,
    advice: 'Vielleicht wurde die Datei verschoben oder gelöscht.',
  }),
  failed: (path) => ({
    message: `Das System konnte ${path} nicht öffnen.`,
    advice: 'Vielleicht fehlt ein Programm für diese Art von Datei. Lass sie im Ordner anzeigen.',
  }),
};
