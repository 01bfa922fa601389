import type { shell as english } from '../en/shell.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

/** Frame of the window: title bar, columns, notices. */
export const shell: InAnyWords<typeof english> = {
  productName: 'Andiron',
  documentTitle: (session, asks) => (asks ? `Fragt: ${session} - Andiron` : `${session} - Andiron`),
  newSession: 'Neue Sitzung',
  commands: 'Befehle',
  showLeft: 'Sitzungen einblenden',
  hideLeft: 'Sitzungen ausblenden',
  changes: (files) => plural(files, 'Datei geändert', 'Dateien geändert'),
  columns: {
    left: 'Breite der Sitzungsliste',
    width: (px) => `${count(px)} Pixel`,
    help: 'Ziehen ändert die Breite, ein Doppelklick stellt die übliche her',
  },
  renameTitle: (title) => `${title}\nZum Umbenennen klicken`,
  settings: 'Einstellungen',
  minimize: 'Minimieren',
  maximize: 'Maximieren',
  restore: 'Verkleinern',
  demo: {
    label: 'Demo',
    what: 'Demo. Modell und GPU sind simuliert.',
    leave: 'Demo verlassen',
    setUp: 'Andiron einrichten',
    leaveTab: 'Zum Verlassen diesen Tab schließen.',
  },
  demoAsked: {
    message: 'Die Demo wurde nicht gestartet: Andiron läuft schon mit diesem Datenordner.',
    advice: 'Schließ Andiron und starte die Demo dann erneut.',
  },
  ownEngineAsked: {
    message: 'Andiron wurde ein zweites Mal gestartet, aber mit diesem Datenordner läuft die Demo.',
    advice: 'Schließ die Demo und starte Andiron dann erneut.',
  },
  close: 'Schließen',
  dismiss: 'Ausblenden',
  menu: 'Menü',
  engineLabel: 'Engine',
  notices: 'Hinweise',
  connecting: {
    host: 'Verbindung zum Agent-Host wird aufgebaut',
    engine: 'Verbindung zum Modelldienst wird aufgebaut',
  },
  lost: { host: 'Der Agent-Host antwortet nicht', engine: 'Der Modelldienst antwortet nicht' },
  draftKept: 'Andiron versucht es weiter. Dein Entwurf bleibt erhalten.',
  refused: {
    title: 'Dieses Fenster ist nicht angemeldet',
    next: 'Öffne die Adresse aus dem Terminal. Auch ein angemeldeter Tab lässt dieses Fenster hinein.',
  },
  stillLost: 'Andiron versucht es weiter. Hält das an, starte es neu.',
  tryNow: 'Jetzt versuchen',
  updates: {
    ready: (version) => `Andiron ${version} ist bereit`,
    installedAt: {
      quit: 'Wird installiert, wenn du Andiron beendest.',
      restart: 'Wird installiert, wenn du Andiron hier neu startest.',
      'restart-ends-others':
        'Wird installiert, wenn du Andiron hier neu startest. Andere laufende Andiron-Instanzen enden dabei auch.',
    },
    notInstalled: (version) => `Andiron ${version} wurde nicht installiert`,
    restart: 'Zum Aktualisieren neu starten',
    whatsNew: (version) => `Neu in Andiron ${version}`,
  },
  outdated: {
    title: 'Jetzt läuft eine neuere Version von Andiron',
    kept: 'Entwürfe und Runden laufen weiter',
  },
  starting: {
    title: 'Start',
    heading: 'Andiron startet',
    steps: { host: 'Agent-Host', sessions: 'Sitzungen und Profile', engine: 'Engine' },
    standings: { there: 'bereit', comes: 'startet', waits: 'wartet' },
    long: 'Ein langer Verlauf wird zuerst geprüft, das kann Minuten dauern. Ändert sich nichts, starte Andiron neu. Deine Entwürfe bleiben erhalten.',
  },
  perhapsArrived: 'Ob es angekommen ist, siehst du, sobald Andiron wieder verbunden ist.',
  broken: {
    title: 'Das Fenster konnte nicht angezeigt werden',
    next: 'Deine Sitzungen und Entwürfe bleiben erhalten, und eine laufende Runde geht weiter.',
    reload: 'Fenster neu laden',
  },
  languageMissing: {
    message: (name) => `Die Texte auf ${name} konnten nicht geladen werden.`,
    advice: 'Prüf die Verbindung und wähle die Sprache dann noch einmal.',
  },
  settingsBroken: {
    title: 'Die Einstellungen konnten nicht angezeigt werden',
    next: 'Passiert es wieder, lade das Fenster neu, sobald Andiron antwortet.',
    back: 'Zurück zur Sitzung',
  },
  engineProblems: {
    searching: 'Ollama wird gesucht',
    absent: {
      title: 'Ollama wurde nicht gefunden',
      next: 'Installiere es von ollama.com und prüf dann erneut.',
    },
    gone: {
      title: 'Ollama antwortet nicht mehr',
      next: 'Starte es wieder, dann macht Andiron weiter.',
    },
    stopped: { title: 'Ollama ist installiert, läuft aber nicht', next: '' },
    starting: 'Ollama startet',
    wrong: { title: 'Etwas anderes nutzt die Adresse von Ollama' },
    barriers: {
      certificate: 'Das Zertifikat unter der Adresse von Ollama ist nicht vertrauenswürdig',
      refusal: 'Die Adresse von Ollama weist Andiron ab',
      gateway: 'Hinter seiner Adresse antwortet Ollama nicht',
    },
    noModel: {
      title: 'Ollama hat noch kein Modell',
      next: 'Lade hier eines herunter oder im Terminal, zum Beispiel: ollama pull qwen3.5:4b',
      choose: 'Modell wählen',
    },
    setUp: 'Von Andiron einrichten lassen',
    lookAgain: 'Erneut prüfen',
    start: 'Ollama starten',
  },
};
