import type { desktop as english } from '../en/desktop.ts';
import type { InAnyWords } from '../in-any-words.ts';

/** What the desktop around the page says: dialogs and tray. */
export const desktop: InAnyWords<typeof english> = {
  open: 'Andiron öffnen',
  stop: 'Alle Runden stoppen',
  quit: 'Andiron beenden',
  stopOne: (title) => `„${short(title)}“ stoppen`,
  running: (title) => `Läuft: ${short(title)}`,
  asking: (title) => `Fragt: ${short(title)}`,
  several: (sessions) => `${sessions} Sitzungen laufen`,
  trayTitles: { asking: 'Fragt', running: 'Läuft', idle: '' },
  releaseGpu: 'GPU freigeben',
  reclaimGpu: 'GPU zurückholen',
  releaseFailed: 'Die GPU konnte nicht freigegeben oder zurückgeholt werden',
  chooseFolder: 'Ordner wählen',
  closeWhileRunning: {
    message: 'Es läuft noch eine Runde.',
    detail: 'Schließen stoppt sie. Was bisher geschrieben wurde, bleibt erhalten.',
    stopAndClose: 'Stoppen und schließen',
    keepOpen: 'Offen lassen',
  },
  close: 'Schließen',
  pageHangs: {
    message: 'Das Fenster antwortet nicht.',
    detail:
      'Runden laufen inzwischen weiter. Wenn du das Fenster neu lädst, geht nicht gesendeter Text vielleicht verloren.',
    wait: 'Warten',
    reload: 'Fenster neu laden',
  },
  hostLost: 'Der Agent-Host arbeitet nicht mehr',
  pageLost: {
    title: 'Das Fenster arbeitet nicht mehr',
    advice:
      'Andiron hat es mehrmals neu geladen. Starte Andiron neu. Einzelheiten stehen in der Datei main.log im Datenordner.',
  },
  cannotStart: 'Andiron kann nicht starten',
  stillEnding: {
    message: 'Ein anderes Andiron mit diesem Datenordner wird noch beendet.',
    advice: 'Starte Andiron in einer Minute noch einmal.',
  },
  commandInstalled: {
    message: 'Der Befehl andiron ist installiert',
    detail: (path) => `Er liegt unter ${path}. Öffne ein neues Terminal und versuch: andiron exec Hallo`,
    elsewhere: (path, folder) =>
      `Er liegt unter ${path}. Dein Terminal sucht dort noch nicht: Füge ${folder} zu PATH hinzu.`,
  },
  commandNotInstalled: 'Der Befehl andiron konnte nicht installiert werden',
  engine: {
    searching: 'Ollama wird gesucht',
    absent: 'Ollama wurde nicht gefunden',
    stopped: 'Ollama läuft nicht',
    starting: 'Ollama startet',
    wrong: 'Die Adresse von Ollama antwortet nicht wie Ollama',
    running: 'Ollama läuft, kein Modell geladen',
    loading: (model) => `Lädt ${model}`,
    loaded: (models) => `Geladen: ${models}`,
  },
  badArguments: 'Andiron kennt diese Argumente nicht',
};

/** Entries that the system does itself: Electron has English names for them alone. */
export const systemEntries: Readonly<Partial<Record<string, string>>> = {
  editMenu: 'Bearbeiten',
  windowMenu: 'Fenster',
  help: 'Hilfe',
  undo: 'Rückgängig',
  redo: 'Wiederherstellen',
  cut: 'Ausschneiden',
  copy: 'Kopieren',
  paste: 'Einfügen',
  pasteAndMatchStyle: 'Einfügen und Stil anpassen',
  delete: 'Löschen',
  selectAll: 'Alles auswählen',
  close: 'Schließen',
  quit: 'Beenden',
  reload: 'Neu laden',
  toggleDevTools: 'Entwicklerwerkzeuge',
  togglefullscreen: 'Vollbild',
  about: 'Über Andiron',
  services: 'Dienste',
  hide: 'Andiron ausblenden',
  hideOthers: 'Andere ausblenden',
  unhide: 'Alle einblenden',
};

function short(title: string): string {
  return title.length <= 40 ? title : `${title.slice(0, 39).trimEnd()}…`;
}
